"""Quirks about calls of C++ functions."""

from __future__ import annotations

from datetime import date

import msgspec

from abiprobe.oracles.abis.itanium.targets import CALLS
from abiprobe.oracles.engine.policies import CallHabit
from abiprobe.oracles.language.classes import (
    Base,
    Class,
    CxxType,
    DataMember,
    DataMemberPointer,
    Declared,
    Destruction,
    Specials,
)
from abiprobe.oracles.language.cxx_calls import CxxParam, CxxPrototype
from abiprobe.oracles.language.lang import Kind, Scalar
from abiprobe.oracles.quirks.quirk import Quirk, Side, Status

SINCE = date(2026, 11, 29)
INT, DOUBLE = Scalar(Kind.INT), Scalar(Kind.DOUBLE)
EMPTY, ALIGNED16, ALIGNED = Class("E"), Class("A", alignas=16), Class("A", alignas=32)
OVERLAPPING = DataMember(ALIGNED16, "a", no_unique_address=True)
MOVED = Class(
    "M", members=(DataMember(DOUBLE, "d"),), specials=Specials(copy=Declared.DELETED, move=Declared.DELETED)
)
LONE = Class(
    "C",
    members=(
        DataMember(
            msgspec.structs.replace(MOVED, tag="W", members=(DataMember(Scalar(Kind.FLOAT), "f"),)), "w"
        ),
    ),
)
HOLDER = Class("H", members=(DataMember(MOVED, "m"),))
GONE = Class(
    "G", members=(DataMember(DOUBLE, "d"),), specials=Specials(destructor=Destruction(Declared.PROVIDED))
)


def function(result: CxxType | None, *params: CxxType, unnamed: tuple[CxxType, ...] = ()) -> CxxPrototype:
    """A function of these types."""
    named = tuple(CxxParam(f"p{index}", c_type) for index, c_type in enumerate(params))
    return CxxPrototype("f", result, named, bool(unnamed), unnamed)


ARM = ("arm-aapcs", "arm-aapcs-vfp")
ARM64 = ("aarch64-aapcs64", "aarch64_be-aapcs64")
RISCV = ("riscv64-lp64d", "riscv64-lp64", "riscv32-ilp32d", "riscv32-ilp32")
BY_SIZE = "the C++ ABI has every empty class returned as a struct of one char, but an over-aligned one is returned in memory, as a record of its size is, so that the arguments are elsewhere"
NO_BASES = "the natural alignment of a composite is that of its members, and the text does not know bases"
PARTS = "the text has a record with one byte in place of the class, and does not say whether what gives the class its alignment is a part of that record"
UNNAMED = "callers pass an unnamed argument of an over-aligned empty class as one byte, and va_arg takes the class in its own size and alignment"
COPIED = Specials(Declared.PROVIDED, Declared.DEFAULTED)
MOVER = Class(
    "N",
    members=(DataMember(INT, "i"),),
    specials=Specials(Declared.PROVIDED, Declared.DEFAULTED, Declared.PROVIDED),
)
BITS = Class("B", members=(DataMember(Scalar(Kind.CHAR), "", 2),))
MOVING_BASE = Class(
    "D",
    (Base(Class("B", specials=Specials(copy=Declared.DEFAULTED, move=Declared.PROVIDED))),),
    (DataMember(DOUBLE, "d"),),
    specials=Specials(assign=Declared.PROVIDED),
)
NOTHING = frozenset({CallHabit.NO_EMPTY_ARGUMENTS, CallHabit.NO_EMPTY_UNNAMED})

QUIRKS = (
    Quirk(
        name="gcc passes a class by value whose copy constructor is deleted unasked",
        subjects=("gcc",),
        policies={"calls": frozenset({CallHabit.DECLARED_DELETIONS})},
        status=Status.BUG,
        reason="that all its copy and move constructors are deleted makes a class non-trivial for calls, but gcc looks at declared ones only, and not at what a member makes of an implicit one",
        link="unreported",
        since=SINCE,
        example="struct M { double d; M(const M &) = delete; M(M &&) = delete; }; struct H { M m; }; void f(H, int);",
        targets=CALLS,
        entity=function(None, HOLDER, INT),
    ),
    Quirk(
        name="gcc passes a class by its address if to move a part of it runs code",
        subjects=("gcc",),
        policies={"calls": frozenset({CallHabit.MOVED_PARTS})},
        status=Status.AMBIGUOUS,
        reason="a class with a defaulted copy constructor has no move constructor, and is trivial for calls by the definition, which asks nothing of its parts",
        link="https://github.com/itanium-cxx-abi/cxx-abi/issues/138",
        since=SINCE,
        example="struct N { N(const N &) = default; N(N &&); int i; }; struct W { N n; W(const W &) = default; }; void f(W, int);",
        targets=CALLS,
        entity=function(None, Class("W", members=(DataMember(MOVER, "n"),), specials=COPIED), INT),
    ),
    Quirk(
        name="clang passes a class in memory if to move a part of it runs code",
        subjects=("clang",),
        policies={"calls": frozenset({CallHabit.PARTS_IN_MEMORY})},
        status=Status.AMBIGUOUS,
        reason="a class with a defaulted copy constructor has no move constructor, and is trivial for calls; the part is not, and has the class MEMORY in place of those of its members",
        link="https://github.com/itanium-cxx-abi/cxx-abi/issues/138",
        since=SINCE,
        example="struct N { N(const N &) = default; N(N &&); int i; }; struct W { N n; W(const W &) = default; }; void f(W, int);",
        targets=("x86_64-sysv",),
        entity=function(None, Class("W", members=(DataMember(MOVER, "n"),), specials=COPIED), INT),
    ),
    Quirk(
        name="clang passes a class in integer registers of RISC-V if to move a part of it runs code",
        subjects=("clang",),
        policies={"calls": frozenset({CallHabit.PARTS_IN_INTEGERS})},
        status=Status.BUG,
        reason="the convention flattens the members, whatever the special members of an empty base are, and the class itself is trivial for calls",
        link="unreported",
        since=date(2026, 11, 30),
        example="struct B { B(const B &) = default; B(B &&); }; struct D : B { double d; D &operator=(const D &); }; void f(D);",
        targets=("riscv64-lp64d", "riscv32-ilp32d"),
        entity=function(None, MOVING_BASE),
    ),
    Quirk(
        name="clang returns an over-aligned empty class in memory",
        subjects=("clang",),
        policies={"calls": frozenset({CallHabit.SIZED_EMPTY_RESULTS})},
        status=Status.BUG,
        reason=BY_SIZE,
        link="unreported",
        since=SINCE,
        example="struct alignas(32) A {}; A f(int);",
        targets=("x86_64-sysv", "powerpc64le-elfv2"),
        entity=function(ALIGNED, INT),
    ),
    Quirk(
        name="gcc returns an over-aligned empty class in memory",
        subjects=("gcc",),
        policies={"calls": frozenset({CallHabit.SIZED_EMPTY_RESULTS})},
        status=Status.BUG,
        reason=BY_SIZE,
        link="unreported",
        since=SINCE,
        example="struct alignas(32) A {}; A f(int);",
        targets=(*ARM, "powerpc64le-elfv2"),
        entity=function(ALIGNED, INT),
    ),
    Quirk(
        name="clang passes nothing for an empty class",
        subjects=("clang",),
        policies={"calls": NOTHING},
        status=Status.BUG,
        reason="an empty class is passed no differently from another class, on the stack, but no place is left for it",
        link="https://github.com/llvm/llvm-project/issues/53061",
        since=SINCE,
        example="struct E {}; void f(int, E, int);",
        targets=("i386-sysv",),
        entity=function(None, INT, EMPTY, INT),
    ),
    Quirk(
        name="clang before 20 passes nothing for an empty class on Arm",
        subjects=("clang<20",),
        policies={"calls": NOTHING},
        status=Status.BUG,
        reason="an empty class is passed as a record of one byte, but no place is left for it",
        link="https://github.com/llvm/llvm-project/pull/124762",
        since=SINCE,
        example="struct E {}; void f(int, E, int);",
        targets=ARM,
        entity=function(None, INT, EMPTY, INT),
    ),
    Quirk(
        name="clang passes an over-aligned empty class as one byte on Arm",
        subjects=("clang>=20",),
        policies={"calls": frozenset({CallHabit.EMPTY_BYTES})},
        status=Status.AMBIGUOUS,
        reason="the text has a record with one byte in place of the class, and does not say whether that is aligned as the class is",
        link="https://github.com/llvm/llvm-project/pull/72197",
        since=SINCE,
        example="struct alignas(32) A {}; void f(A, int);",
        targets=ARM,
        entity=function(None, ALIGNED, INT),
    ),
    Quirk(
        name="clang before 22 passes an over-aligned empty class as one byte on AArch64",
        subjects=("clang<22",),
        policies={"calls": frozenset({CallHabit.EMPTY_BYTES})},
        status=Status.AMBIGUOUS,
        reason="the text has a record with one byte in place of the class, and does not say whether that is aligned as the class is",
        link="https://github.com/llvm/llvm-project/pull/72197",
        since=SINCE,
        example="struct alignas(32) A {}; void f(A, int);",
        targets=ARM64,
        entity=function(None, ALIGNED, INT),
    ),
    Quirk(
        name="gcc overlooks an empty member in the natural alignment of a class",
        subjects=("gcc",),
        policies={"calls": frozenset({CallHabit.OVERLOOKED_EMPTY_MEMBERS})},
        status=Status.BUG,
        reason="the natural alignment of a composite is that of its members, of which a member without a place of its own is one",
        link="unreported",
        since=SINCE,
        example="struct alignas(16) A {}; struct B { [[no_unique_address]] A a; int b; }; void f(int, B, int);",
        targets=(*ARM, *ARM64),
        entity=function(None, INT, Class("B", members=(OVERLAPPING, DataMember(INT, "b"))), INT),
    ),
    Quirk(
        name="gcc takes no union with an empty class for a homogeneous aggregate",
        subjects=("gcc",),
        policies={"calls": frozenset({CallHabit.SIZED_EMPTY_MEMBERS})},
        status=Status.AMBIGUOUS,
        reason="by the text the fundamental types that compose an aggregate must be the same, and an empty class has none, but a byte in C++",
        link="https://github.com/llvm/llvm-project/issues/99644",
        since=SINCE,
        example="struct E {}; union U { float f; E e; }; void f(U);",
        targets=("arm-aapcs-vfp", *ARM64, "powerpc64le-elfv2"),
        entity=function(
            None,
            Class("U", members=(DataMember(Scalar(Kind.FLOAT), "f"), DataMember(EMPTY, "e")), union=True),
        ),
    ),
    Quirk(
        name="clang overlooks an empty base in the natural alignment of a class",
        subjects=("clang",),
        policies={"calls": frozenset({CallHabit.OVERLOOKED_EMPTY_BASES})},
        status=Status.AMBIGUOUS,
        reason=NO_BASES,
        link="unreported",
        since=SINCE,
        example="struct alignas(16) A {}; struct B : A { int b; }; void f(int, B, int);",
        targets=(*ARM, *ARM64),
        entity=function(None, INT, Class("B", (Base(ALIGNED16),), (DataMember(INT, "b"),)), INT),
    ),
    Quirk(
        name="clang before 21 overlooks bases in the natural alignment of a class",
        subjects=("clang<21",),
        policies={"calls": frozenset({CallHabit.OVERLOOKED_BASES})},
        status=Status.AMBIGUOUS,
        reason=NO_BASES,
        link="unreported",
        since=SINCE,
        example="struct alignas(16) A { int a; }; struct B : A {}; void f(int, B, int);",
        targets=(*ARM, *ARM64),
        entity=function(
            None, INT, Class("B", (Base(Class("A", members=(DataMember(INT, "a"),), alignas=16)),)), INT
        ),
    ),
    Quirk(
        name="gcc aligns the byte that stands for an empty class as its bases",
        subjects=("gcc",),
        policies={"calls": frozenset({CallHabit.ALIGNED_EMPTY_PARTS})},
        status=Status.AMBIGUOUS,
        reason=PARTS,
        link="unreported",
        since=SINCE,
        example="struct alignas(16) A {}; struct B : A {}; void f(int, B, int);",
        targets=(*ARM, *ARM64),
        entity=function(None, INT, Class("B", (Base(ALIGNED16),)), INT),
    ),
    Quirk(
        name="clang aligns the byte that stands for an empty class as its members",
        subjects=("clang>=22",),
        policies={"calls": frozenset({CallHabit.ALIGNED_EMPTY_PARTS})},
        status=Status.AMBIGUOUS,
        reason=PARTS,
        link="unreported",
        since=SINCE,
        example="struct alignas(16) A {}; struct B { [[no_unique_address]] A a; }; void f(int, B, int);",
        targets=ARM64,
        entity=function(None, INT, Class("B", members=(OVERLAPPING,)), INT),
    ),
    Quirk(
        name="clang passes an over-aligned empty class as one unnamed byte, which va_arg does not take on Arm",
        subjects=("clang>=20",),
        policies={"calls": frozenset({CallHabit.UNNAMED_EMPTY_BYTES})},
        sides=frozenset({Side.CALLER}),
        status=Status.BUG,
        reason=UNNAMED,
        link="https://github.com/llvm/llvm-project/pull/72197",
        since=SINCE,
        example="struct alignas(32) A {}; void f(int, ...);",
        targets=ARM,
        entity=function(None, INT, unnamed=(ALIGNED, INT)),
    ),
    Quirk(
        name="clang before 22 passes an over-aligned empty class as one unnamed byte, which va_arg does not take on AArch64",
        subjects=("clang<22",),
        policies={"calls": frozenset({CallHabit.UNNAMED_EMPTY_BYTES})},
        sides=frozenset({Side.CALLER}),
        status=Status.BUG,
        reason=UNNAMED,
        link="https://github.com/llvm/llvm-project/pull/72197",
        since=SINCE,
        example="struct alignas(32) A {}; void f(int, ...);",
        targets=ARM64,
        entity=function(None, INT, unnamed=(ALIGNED, INT)),
    ),
    Quirk(
        name="clang before 19 passes nothing for an empty class on RISC-V",
        subjects=("clang<19",),
        policies={"calls": NOTHING},
        status=Status.BUG,
        reason="an empty class has a size in C++, and is passed as another aggregate, but no place is left for it",
        link="https://github.com/llvm/llvm-project/issues/97285",
        since=SINCE,
        example="struct E {}; void f(int, E, int);",
        targets=RISCV,
        entity=function(None, INT, EMPTY, INT),
    ),
    Quirk(
        name="clang's va_arg takes nothing for an empty class on RISC-V",
        subjects=("clang>=19",),
        policies={"calls": frozenset({CallHabit.NO_EMPTY_UNNAMED})},
        sides=frozenset({Side.CALLEE}),
        status=Status.BUG,
        reason="callers pass an unnamed argument of an empty class as an aggregate of its size, and va_arg does not step over it",
        link="unreported",
        since=SINCE,
        example="struct E {}; void f(int, ...);",
        targets=RISCV,
        entity=function(None, INT, unnamed=(EMPTY, INT)),
    ),
    Quirk(
        name="clang's va_arg takes a class that nothing can copy by value",
        subjects=("clang",),
        policies={"calls": frozenset({CallHabit.UNNAMED_VALUES})},
        sides=frozenset({Side.CALLEE}),
        status=Status.BUG,
        reason="callers pass the address of an unnamed argument whose copy and move constructors are deleted, and va_arg takes that for the object",
        link="unreported",
        since=SINCE,
        example="struct M { double d; M(const M &) = delete; M(M &&) = delete; }; void f(int, ...);",
        targets=("x86_64-sysv", "i386-sysv", *ARM, *RISCV, "powerpc64le-elfv2"),
        entity=function(None, INT, unnamed=(MOVED, INT)),
    ),
    Quirk(
        name="compilers take no pointer to a data member for an integer on RISC-V",
        subjects=("gcc", "clang"),
        policies={"calls": frozenset({CallHabit.OPAQUE_MEMBER_POINTERS})},
        status=Status.BUG,
        reason="the C++ ABI has such a pointer treated as ptrdiff_t, so that beside a real it has a register of its own, but a class with both is passed by the integer convention",
        link="unreported",
        since=SINCE,
        example="struct Z; struct S { double d; int Z::*p; }; void f(S);",
        targets=("riscv64-lp64d", "riscv32-ilp32d"),
        entity=function(
            None, Class("S", members=(DataMember(DOUBLE, "d"), DataMember(DataMemberPointer("Z"), "p")))
        ),
    ),
    Quirk(
        name="clang overlooks bit-fields of width zero in homogeneous aggregates of C++",
        subjects=("clang",),
        policies={"calls": frozenset({CallHabit.NO_ZERO_WIDTHS})},
        status=Status.BUG,
        reason="an aggregate with such a bit-field is not homogeneous, which clang heeds in C alone; gcc does so in both since 12",
        link="unreported",
        since=SINCE,
        example="struct S { float a; int : 0; float b; }; void f(S);",
        targets=("powerpc64le-elfv2",),
        entity=function(
            None,
            Class(
                "S",
                members=(
                    DataMember(Scalar(Kind.FLOAT), "a"),
                    DataMember(INT, "", 0),
                    DataMember(Scalar(Kind.FLOAT), "b"),
                ),
            ),
        ),
    ),
    Quirk(
        name="clang passes a lone real or vector by value whatever its class is for calls",
        subjects=("clang",),
        policies={"calls": frozenset({CallHabit.LONE_REALS})},
        status=Status.BUG,
        reason="a class of one real or vector is passed in a register before it is asked whether it is non-trivial for calls, so that what a destructor or copy constructor sees is no object of the caller's",
        link="unreported",
        since=SINCE,
        example="struct G { double d; ~G(); }; void f(G, double);",
        targets=("powerpc64le-elfv2",),
        entity=function(None, GONE, DOUBLE),
    ),
    Quirk(
        name="clang overlooks a base of unnamed bit-fields beside a lone real on s390x",
        subjects=("clang",),
        policies={"calls": frozenset({CallHabit.NO_UNNAMED_BASES})},
        status=Status.AMBIGUOUS,
        reason="whether a structure with an unnamed bit-field beside its member has exactly one member is open; to clang it has two, but one where the bit-field is that of a base",
        link="unreported",
        since=SINCE,
        example="struct B { char : 2; }; struct D : B { float f; }; void f(D);",
        targets=("s390x",),
        entity=function(
            None, Class("D", bases=(Base(BITS),), members=(DataMember(Scalar(Kind.FLOAT), "f"),))
        ),
    ),
    Quirk(
        name="gcc's callers leave a lone float at the end of its register on s390x",
        subjects=("gcc",),
        policies={"calls": frozenset({CallHabit.DECLARED_DELETIONS, CallHabit.RIGHT_ALIGNED_REALS})},
        sides=frozenset({Side.CALLER}),
        status=Status.BUG,
        reason="a class that it wrongly passes by value, since a deleted copy constructor of a part makes it non-trivial, is loaded as an integer and moved to the register as it is, so that not even gcc's own callee finds the real",
        link="unreported",
        since=date(2026, 11, 30),
        example="struct W { float f; W(const W &) = delete; W(W &&) = delete; }; struct C { W w; }; void f(int, C);",
        targets=("s390x",),
        entity=function(None, INT, LONE),
    ),
)
