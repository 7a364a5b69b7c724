"""Quirks about the tables of C++ classes."""

from __future__ import annotations

from datetime import date

from msgspec.structs import replace

from abiprobe.oracles.engine.policies import TableHabit
from abiprobe.oracles.language.classes import (
    Base,
    Class,
    DataMember,
    Declared,
    Destruction,
    Specials,
    VirtualFunction,
)
from abiprobe.oracles.language.lang import Kind, Scalar
from abiprobe.oracles.language.tables import Tables
from abiprobe.oracles.quirks.classes import EVERYWHERE
from abiprobe.oracles.quirks.quirk import Quirk, Status

SINCE = date(2026, 11, 29)
MADE = Specials(default=Declared.PROVIDED)
GONE = Specials(Declared.PROVIDED, destructor=Destruction(Declared.PROVIDED, virtual=True))


def struct(tag: str, *bases: Base, functions: str = "", specials: Specials = MADE) -> Class:
    """A class with a member of type `int`."""
    member = DataMember(Scalar(Kind.INT), tag.lower())
    return Class(tag, bases, (member,), tuple(map(VirtualFunction, functions)), specials)


def virtual(one: Class) -> Base:
    """A class as a virtual base."""
    return Base(one, virtual=True)


PLAIN = struct("A")
DESTROYED = struct("B", virtual(struct("A")), specials=GONE)
RETURNING = Class("A", virtuals=(VirtualFunction("f", result="A"),), specials=MADE)
OWN = (VirtualFunction("f", result="D"),)
LOST = VirtualFunction("g", deleted=True), VirtualFunction("h")
MIDDLE = struct("B", Base(PLAIN), functions="f")

QUIRKS = (
    Quirk(
        name="compilers lead to type information from tables of classes without virtual functions",
        subjects=("gcc", "clang"),
        policies={"tables": frozenset({TableHabit.ALWAYS_INFORMATION})},
        status=Status.BUG,
        reason="the entry in front of the address point is zero for a class that is not polymorphic",
        link="unreported",
        since=SINCE,
        example="struct A { int a; }; struct D : virtual A { int d; };",
        targets=EVERYWHERE,
        entity=Tables(struct("D", virtual(PLAIN))),
    ),
    Quirk(
        name="gcc has no destructors in tables for construction",
        subjects=("gcc",),
        policies={"tables": frozenset({TableHabit.NO_CONSTRUCTION_DESTRUCTORS})},
        status=Status.BUG,
        reason="a table for construction has the functions of the base, but where its destructors belong there are null pointers",
        link="unreported",
        since=SINCE,
        example="struct A { int a; }; struct B : virtual A { int b; virtual ~B(); }; struct D : B { int d; };",
        targets=EVERYWHERE,
        entity=Tables(struct("D", Base(DESTROYED))),
    ),
    Quirk(
        name="clang counts the bases of a virtual base once for each way to it",
        subjects=("clang",),
        policies={"tables": frozenset({TableHabit.REVISITED_BASES})},
        status=Status.BUG,
        reason="the flag for repeated inheritance is set for a base that is there once, as a part of a virtual base",
        link="unreported",
        since=SINCE,
        example="struct A { int a; }; struct B : A { int b; virtual void f(); }; struct C : virtual B { int c; }; struct D : virtual B, C { int d; };",
        targets=EVERYWHERE,
        entity=Tables(struct("D", virtual(MIDDLE), Base(struct("C", virtual(MIDDLE))))),
    ),
    Quirk(
        name="gcc adjusts this and a result as for a base that inherits the function",
        subjects=("gcc",),
        policies={"tables": frozenset({TableHabit.INHERITED_ENTRIES})},
        status=Status.BUG,
        reason="the thunks that are written beside a function are those for the bases that declare what it overrides, and an override of a virtual base's has the offset for calls; gcc leads to one that nobody else writes",
        link="unreported",
        since=date(2026, 11, 30),
        example="struct A { virtual A *f(); }; struct B : virtual A { int b; }; struct D : B { int d; virtual D *f(); };",
        targets=EVERYWHERE,
        entity=Tables(replace(struct("D", Base(struct("B", virtual(RETURNING)))), virtuals=OWN)),
    ),
    Quirk(
        name="clang loses the thunks behind a deleted function",
        subjects=("clang",),
        policies={"tables": frozenset({TableHabit.LOST_THUNKS})},
        status=Status.BUG,
        reason="the entries behind that of a deleted function that would need a thunk lead to the functions themselves, which find this or the result at a wrong address",
        link="unreported",
        since=date(2026, 11, 30),
        example="struct Z { int z; virtual void f(); }; struct A { int a; virtual void g() = delete; virtual void h(); }; struct D : Z, A { int d; void g() = delete; void h(); };",
        targets=EVERYWHERE,
        entity=Tables(
            replace(
                struct("D", Base(struct("Z", functions="f")), Base(replace(struct("A"), virtuals=LOST))),
                virtuals=LOST,
            )
        ),
    ),
)
