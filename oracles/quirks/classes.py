"""Quirks about the layouts of C++ classes."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.engine.policies import ClassHabit
from abiprobe.oracles.quirks.quirk import Quirk, Status

QUIRKS = (
    Quirk(
        name="gcc lends the tail padding of PODs with overlapping members",
        subjects=("gcc",),
        policies={"classes": frozenset({ClassHabit.OVERLAPPING_PODS})},
        status=Status.AMBIGUOUS,
        reason="a POD that is none for the purpose of layout is laid out as any other class, against the last step of 2.4",
        link="https://github.com/llvm/llvm-project/issues/50766",
        since=date(2026, 11, 28),
        example="struct K { [[no_unique_address]] int a; char b; };",
    ),
    Quirk(
        name="gcc ends an overlapping member with the declared type of its last bit-field",
        subjects=("gcc",),
        policies={"classes": frozenset({ClassHabit.DECLARED_ENDS})},
        status=Status.BUG,
        reason="what a bit-field is wider than its type is not counted, so that the next member overlaps it",
        link="unreported",
        since=date(2026, 11, 28),
        example="struct K { char m : 9; K(); };",
    ),
    Quirk(
        name="gcc takes an unnamed bit-field for a private member",
        subjects=("gcc",),
        policies={"classes": frozenset({ClassHabit.UNNAMED_ACCESS})},
        status=Status.BUG,
        reason="a bit-field without a name is no member, but makes its class no POD if it is declared where members are private",
        link="unreported",
        since=date(2026, 11, 28),
        example="struct K { private: int : 1; public: int b; char c; };",
    ),
    Quirk(
        name="gcc begins a bit-field of 128 bits in __int128",
        subjects=("gcc",),
        policies={"classes": frozenset({ClassHabit.INT128})},
        status=Status.AMBIGUOUS,
        reason="whether __int128 is an integral type is not said",
        link="unreported",
        since=date(2026, 11, 28),
        example="struct K { char a; int b : 128; };",
    ),
    Quirk(
        name="clang takes for nearly empty what is as large as a pointer",
        subjects=("clang",),
        policies={"classes": frozenset({ClassHabit.NEARLY_EMPTY_BY_SIZE})},
        status=Status.BUG,
        reason="a class with an empty base that is larger than a pointer is nearly empty, and clang says that it is not",
        link="unreported",
        since=date(2026, 11, 28),
        example="""
            struct alignas(16) A {};
            struct B : A { virtual int v(); };
            struct C { virtual int w(); };
            struct D : B, virtual C {};
            struct E : virtual D {};
        """,
    ),
)
