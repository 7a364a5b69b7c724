"""Quirks of MIPS, of whose calls no text is followed: what clang changed in release 24, and the side of gcc that a typedef moves."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.engine.policies import ValueKind
from abiprobe.oracles.quirks.quirk import CALLEE, CALLER, NAMED, UNNAMED, Quirk, Status

TARGETS = ("mips64el-n64", "mips64-n64", "mips64el-n32")
EVERY = (*TARGETS, "mipsel-o32", "mips-o32")
FIXED = "https://github.com/llvm/llvm-project/issues/212109"

QUIRKS = (
    Quirk(
        name="clang before 24 passes an __int128 of MIPS in the next two registers",
        subjects=("clang<24",),
        policies={"unaligned_int128": NAMED},
        status=Status.BUG,
        reason="gcc and clang 24 begin with an even one",
        link="unreported",
        since=date(2026, 11, 23),
        example="void f(int a, __int128 b);",
        targets=TARGETS,
    ),
    Quirk(
        name="clang before 24 passes an unnamed __int128 of MIPS in the next two registers",
        subjects=("clang<24",),
        policies={"unaligned_int128": UNNAMED},
        status=Status.BUG,
        reason="va_arg takes it from an even one on",
        link="unreported",
        since=date(2026, 11, 23),
        example="void f(int a, ...); static void calls_f(void) { f(*(int *)0, *(__int128 *)0); }",
        targets=TARGETS,
        sides=CALLER,
    ),
    Quirk(
        name="clang before 24 divides a complex number of MIPS where its registers end",
        subjects=("clang<24",),
        policies={"complex_parts_apart": NAMED},
        status=Status.BUG,
        reason="gcc and clang 24 pass it as a structure where there are no floating-point registers for both parts",
        link=FIXED,
        since=date(2026, 11, 23),
        example="void f(int a, int b, int c, int d, int e, int g, int h, float _Complex i);",
        targets=TARGETS,
    ),
    Quirk(
        name="clang before 24 passes the parts of an unnamed complex number of MIPS in registers of their own",
        subjects=("clang<24",),
        policies={"complex_parts_apart": UNNAMED},
        status=Status.BUG,
        reason="va_arg takes both from one",
        link=FIXED,
        since=date(2026, 11, 23),
        example="void f(int a, ...); static void calls_f(void) { f(*(int *)0, *(float _Complex *)0); }",
        targets=TARGETS,
        sides=CALLER,
    ),
    Quirk(
        name="clang before 24 loses an unnamed long double _Complex of big-endian MIPS",
        subjects=("clang<24",),
        policies={"loses_wide_complex": True},
        status=Status.BUG,
        reason="the back end shifts each `inreg` part out of its registers; clang 24 passes a structure",
        link="unreported",
        since=date(2026, 11, 30),
        example="void f(int a, ...); static void calls_f(void) { f(*(int *)0, *(long double _Complex *)0, *(int *)0); }",
        targets=("mips64-n64",),
        sides=CALLER,
    ),
    Quirk(
        name="clang before 24 returns the parts of a narrow complex integer of MIPS in a register each",
        subjects=("clang<24",),
        policies={"splits_complex_results": True},
        status=Status.BUG,
        reason="gcc, and clang 24, return them in one register",
        link=FIXED,
        since=date(2026, 11, 23),
        example="int _Complex f(void); short _Complex g(void);",
        targets=EVERY,
    ),
    Quirk(
        name="clang before 24 aligns nothing for a record of no bytes of MIPS",
        subjects=("clang<24",),
        policies={"unaligned_nothing": True},
        status=Status.AMBIGUOUS,
        reason="gcc and clang 24 leave out a register for its alignment, and by o32 reals behind it are in general registers",
        link="unreported",
        since=date(2026, 11, 24),
        example="struct S { double a[0]; } __attribute__((aligned(16))); void f(int a, struct S b, int c); void g(struct S a, float b);",
        targets=EVERY,
    ),
    Quirk(
        name="gcc before 16 takes an over-aligned scalar of MIPS from an even register",
        subjects=("gcc<16",),
        policies={"aligned_names": True},
        status=Status.BUG,
        reason="its callers put it in the next one, whatever a typedef name asks for",
        link="unreported",
        since=date(2026, 11, 23),
        example="typedef int T __attribute__((aligned(16))); void f(int a, int b, int c, int d, int e, T g);",
        targets=EVERY,
        sides=CALLEE,
    ),
    Quirk(
        name="clang aligns no record of MIPS as its typedef asks",
        subjects=("clang",),
        policies={"unaligned_names": frozenset({ValueKind.RECORD})},
        status=Status.AMBIGUOUS,
        reason="gcc leaves out a register for it, and both do for an attribute of the record itself",
        link="unreported",
        since=date(2026, 12, 1),
        example="struct S { int a; long b; }; typedef struct S T __attribute__((aligned(64))); void f(int a, T b);",
        targets=EVERY,
    ),
)
