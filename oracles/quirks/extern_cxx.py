"""Quirks of the compilers of D and of Swift where they do as C++ does."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.engine.policies import CallHabit, ClassHabit, NameHabit
from abiprobe.oracles.language.classes import Class, CxxType, DataMember
from abiprobe.oracles.language.cxx_calls import CxxParam, CxxPrototype
from abiprobe.oracles.language.entities import (
    STD,
    ArrayOf,
    Builtin,
    Function,
    Named,
    Pack,
    PointerTo,
    Qualified,
    TemplateHead,
    TemplateParameter,
    Type,
    What,
)
from abiprobe.oracles.language.lang import Kind, Scalar
from abiprobe.oracles.quirks.classes import EVERYWHERE
from abiprobe.oracles.quirks.quirk import Quirk, Status

SINCE = date(2026, 11, 30)
D = ("ldc2", "gdc")
"""Both have the front end of dmd, which writes the names."""
INT, CHAR, VOID = Builtin("int"), Builtin("char"), Builtin("void")
TYPE, PACK = TemplateHead(), TemplateHead(pack=True)
T = TemplateParameter(0)
SPACE, C = Named(What.NAMESPACE, "N"), Named(What.STRUCT, "C")
A_OF_T = Named(What.STRUCT, "A", None, (TYPE,), (T,))
TRAITS, ALLOCATOR = (Named(What.STRUCT, one, STD, (TYPE,), (CHAR,)) for one in ("char_traits", "allocator"))
STRING = Named(What.STRUCT, "basic_string", STD, (TYPE, TYPE, TYPE), (CHAR, TRAITS, ALLOCATOR))
EMPTY = Class("E")
KEPT = PointerTo(Qualified(PointerTo(Qualified(INT, const=True)), const=True))


def function(*params: Type, scope: Named | None = None, head: tuple[TemplateHead, ...] = ()) -> Function:
    """A function, or a specialization for `int` or for an empty pack."""
    arguments = (Pack() if head[0].pack else INT,) if head else None
    return Function(Named(What.FUNCTION, "f", scope, head, arguments), params, VOID)


def call(result: CxxType | None, *params: CxxType) -> CxxPrototype:
    """A function that is called."""
    return CxxPrototype("f", result, tuple(CxxParam(f"p{index}", one) for index, one in enumerate(params)))


def names(name: str, habit: NameHabit, reason: str, example: str, entity: Function, link: str) -> Quirk:
    """A quirk about names."""
    return Quirk(
        name=name,
        subjects=D,
        policies={"names": frozenset({habit})},
        status=Status.BUG,
        reason=reason,
        link=link,
        since=SINCE,
        example=example,
        targets=EVERYWHERE,
        entity=entity,
    )


QUIRKS = (
    Quirk(
        name="D lets the next member overlap the tail padding of an anonymous struct or union",
        subjects=D,
        policies={"classes": frozenset({ClassHabit.ANONYMOUS_ENDS})},
        status=Status.BUG,
        reason="an anonymous struct is a member as any other, with its whole size; D has the same in structs of C",
        link="https://github.com/dlang/dmd/issues/19520",
        since=SINCE,
        example="struct S { struct { int a; char b; }; char c; };",
        targets=EVERYWHERE,
    ),
    Quirk(
        name="D passes an empty struct on the stack",
        subjects=D,
        policies={"calls": frozenset({CallHabit.EMPTY_ON_STACK})},
        status=Status.BUG,
        reason="an empty class has no class of registers and takes no place, but the next argument on the stack is moved",
        link="https://github.com/ldc-developers/ldc/issues/1616",
        since=SINCE,
        example="struct E {}; void f(E, long double);",
        targets=("x86_64-sysv",),
        entity=call(None, EMPTY, Scalar(Kind.LDOUBLE)),
    ),
    Quirk(
        name="ldc2 returns an empty struct in memory",
        subjects=("ldc2",),
        policies={"calls": frozenset({CallHabit.EMPTY_RESULTS_IN_MEMORY})},
        status=Status.BUG,
        reason="an empty class is returned as a struct of one char, in a register",
        link="https://github.com/ldc-developers/ldc/issues/1616",
        since=SINCE,
        example="struct E {}; E f(int);",
        targets=("x86_64-sysv",),
        entity=call(EMPTY, Scalar(Kind.INT)),
    ),
    Quirk(
        name="ldc2 has a struct with an empty member in memory",
        subjects=("ldc2",),
        policies={"calls": frozenset({CallHabit.EMPTY_PARTS_IN_MEMORY})},
        status=Status.BUG,
        reason="a member of an empty class has no class of registers, so that the eightbytes have those of the other members",
        link="https://github.com/ldc-developers/ldc/issues/1616",
        since=SINCE,
        example="struct E {}; struct S { E e; double d; }; void f(S);",
        targets=("x86_64-sysv",),
        entity=call(None, Class("S", members=(DataMember(EMPTY, "e"), DataMember(Scalar(Kind.DOUBLE), "d")))),
    ),
    Quirk(
        name="gdc returns an over-aligned empty struct in memory",
        subjects=("gdc",),
        policies={"calls": frozenset({CallHabit.SIZED_EMPTY_RESULTS})},
        status=Status.BUG,
        reason="an empty class is returned as a struct of one char, in a register, but this one as a record of its size",
        link="unreported",
        since=SINCE,
        example="struct alignas(32) A {}; A f(int);",
        targets=("x86_64-sysv",),
        entity=call(Class("A", alignas=32), Scalar(Kind.INT)),
    ),
    names(
        "D writes arguments for the parameters of a template in a namespace or class",
        NameHabit.WRITTEN_OUT,
        "the type of a specialization is that of its template, with references to the parameters, whatever the scope",
        "namespace N { template <class T> void f(T); }",
        function(T, scope=SPACE, head=(TYPE,)),
        "https://github.com/dlang/dmd/issues/18221",
    ),
    names(
        "D writes nothing for an empty pack",
        NameHabit.NO_EMPTY_PACKS,
        "a pack of arguments is J and E with what is in it, and a specialization without other arguments has arguments all the same",
        "template <class... T> void f();",
        function(head=(PACK,)),
        "unreported",
    ),
    names(
        "D numbers std::string among the substitutions",
        NameHabit.NUMBERED_ABBREVIATIONS,
        "what has an abbreviation is written by that, and is no candidate for substitution; streams are the same",
        "void f(std::string, std::string);",
        function(STRING, STRING),
        "unreported",
    ),
    names(
        "D numbers an array before its elements",
        NameHabit.ARRAYS_FIRST,
        "components are numbered as they end, so that the type of an element comes before that of the array",
        "struct C; void f(C (*)[3], C);",
        function(PointerTo(ArrayOf(C, 3)), C),
        "unreported",
    ),
    names(
        "D has no number for a const pointer",
        NameHabit.CONST_POINTERS,
        "a type with its qualifiers is one component, and the pointer without them another",
        "void f(const int *const *, const int *const *);",
        function(KEPT, KEPT),
        "unreported",
    ),
    names(
        "D reads the types of a function template in its source",
        NameHabit.AS_DECLARED,
        "a specialization there is a component with its arguments, to be found again, as its template is",
        "template <class T> struct A; template <class T> void f(A<T>, A<T>);",
        function(A_OF_T, A_OF_T, head=(TYPE,)),
        "https://github.com/dlang/dmd/issues/19681",
    ),
    Quirk(
        name="Swift puts the one scalar of a class at the beginning of its register",
        subjects=("swift",),
        policies={"calls": frozenset({CallHabit.LONE_SCALARS_FIRST})},
        status=Status.BUG,
        reason="a class is passed in registers as its bytes are in memory, but members of empty classes, which have a byte each, are lost before the scalar",
        link="unreported",
        since=SINCE,
        example="struct E {}; struct S { E e; float f; }; void f(S); S g();",
        targets=("x86_64-sysv",),
        entity=call(None, Class("S", members=(DataMember(EMPTY, "e"), DataMember(Scalar(Kind.FLOAT), "f")))),
    ),
)
