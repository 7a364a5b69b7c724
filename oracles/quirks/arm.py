"""Quirks of AArch64 and AArch32: homogeneous aggregates, vectors, and variadic functions on Windows."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.engine.policies import Sort
from abiprobe.oracles.quirks.quirk import CALLEE, CALLER, NAMED, UNNAMED, Quirk, Status

AARCH64 = ("aarch64*-aapcs64",)
WINDOWS = ("aarch64-windows-msvc",)
ONE_INT128 = "__int128 __attribute__((vector_size(16))) f(void);"
INT128_GROUPS = """
    typedef __int128 V __attribute__((vector_size(16)));
    struct S { V a[3]; };
"""

QUIRKS = (
    Quirk(
        name="gcc keeps a union with a zero-width bit-field out of vector registers",
        subjects=("gcc",),
        policies={"zero_width_is_a_member": frozenset({Sort.UNION})},
        status=Status.BUG,
        reason="homogeneity is tested after layout; since gcc 12 that is so for structs, and not for unions",
        link="unreported",
        since=date(2026, 11, 22),
        example="""
            union S { double a[4]; int : 0; }; void f(union S a);
            union T { int : 0; float _Complex a; }; void g(union T a);
        """,
        targets=(*AARCH64, "arm-aapcs-vfp"),
    ),
    Quirk(
        name="clang before 15 keeps records with a zero-width bit-field out of vector registers",
        subjects=("clang<15",),
        policies={"zero_width_is_a_member": frozenset(Sort)},
        status=Status.BUG,
        reason="homogeneity is tested after layout; right since clang 15",
        link="unreported",
        since=date(2026, 11, 22),
        example="struct S { float a; int : 0; float b; }; void f(struct S a); union T { float a; int : 0; }; void g(union T a);",
        targets=(*AARCH64, "arm-aapcs-vfp"),
    ),
    Quirk(
        name="gcc keeps a record of __bf16 out of vector registers",
        subjects=("gcc",),
        policies={"bf16_is_no_real": True},
        status=Status.BUG,
        reason="half-precision formats are one type to the rules, and it counts no __bf16 as a floating-point number there",
        link="https://gcc.gnu.org/bugzilla/show_bug.cgi?id=120007",
        since=date(2026, 11, 22),
        example="struct S { __bf16 a; }; void f(struct S a); union U { __bf16 a; __bf16 b; }; void g(union U a);",
        targets=AARCH64,
    ),
    Quirk(
        name="clang before 21 splits an HFA of __bf16 between registers and the stack",
        subjects=("clang>=16,<21",),
        policies={"splits_homogeneous_bf16": True},
        status=Status.BUG,
        reason="the back end keeps arrays of other real types together, and not those of __bf16",
        link="https://github.com/llvm/llvm-project/pull/128909",
        since=date(2026, 11, 22),
        example="struct S { __bf16 a, b; }; void f(double a, double b, double c, double d, double e, double g, double h, struct S i);",
        targets=AARCH64,
    ),
    Quirk(
        name="gcc passes a record of half-precision reals in VFP registers",
        subjects=("gcc",),
        policies={"halves_are_homogeneous": True},
        status=Status.BUG,
        reason="a homogeneous aggregate is a candidate for VFP registers if its elements have single or double precision; clang follows that",
        link="unreported",
        since=date(2026, 11, 23),
        example="struct A { __bf16 a; __bf16 b; }; void f(struct A a, int b); struct A g(void);",
        targets=("arm-aapcs-vfp",),
    ),
    Quirk(
        name="compilers keep an aggregate with a padded part out of vector registers",
        subjects=("gcc", "clang"),
        policies={"padded_part_is_a_member": True},
        status=Status.AMBIGUOUS,
        reason="homogeneity is tested after layout, where other members of a union, or of a class with such a base, may lie in the padding of a part",
        link="unreported",
        since=date(2026, 11, 30),
        example="""
            struct P { double a __attribute__((aligned(16))); };
            union S { struct P p; double b[2]; }; void f(union S a); union S g(void);
        """,
        targets=(*AARCH64, "arm-aapcs-vfp", "aarch64-darwin", *WINDOWS),
    ),
    Quirk(
        name="clang returns a vector of one __int128 in general registers",
        subjects=("clang",),
        policies={"int128_vectors_as_integers": True},
        status=Status.BUG,
        reason="a short vector is in v0",
        link="unreported",
        since=date(2026, 11, 22),
        example=ONE_INT128,
        targets=(*AARCH64, "aarch64-darwin"),
    ),
    Quirk(
        name="clang passes a homogeneous aggregate of vectors of one __int128 in general registers",
        subjects=("clang",),
        policies={"int128_groups_as_integers": NAMED},
        status=Status.BUG,
        reason="its members are in vector registers; LLVM has such a vector as the integer, from whichever register is next",
        link="unreported",
        since=date(2026, 11, 28),
        example=f"{INT128_GROUPS} struct S f(void); void g(int a, struct S b, struct S c, int d);",
        targets=(*AARCH64, "aarch64-darwin"),
    ),
    Quirk(
        name="clang passes an unnamed homogeneous aggregate of vectors of one __int128 in general registers",
        subjects=("clang",),
        policies={"int128_groups_as_integers": UNNAMED},
        status=Status.BUG,
        reason="as a named one; va_arg takes it from vector registers",
        link="unreported",
        since=date(2026, 11, 28),
        example=f"{INT128_GROUPS} void f(int a, ...); static void calls(void) {{ f(1, *(struct S *)0, *(int *)0); }}",
        targets=AARCH64,
        sides=CALLER,
    ),
    Quirk(
        name="clang at -O0 passes the last double-word of a homogeneous aggregate of vectors of one __int128 by itself",
        subjects=("clang",),
        policies={"int128_groups_as_integers": NAMED, "int128_groups_apart": True},
        status=Status.BUG,
        reason="with optimisation it is in registers as a whole or not at all, so objects of two levels do not go together",
        link="unreported",
        since=date(2026, 11, 28),
        example=f"{INT128_GROUPS} void f(int a, int b, int c, struct S d, int e);",
        targets=("aarch64-aapcs64", "aarch64_sve-aapcs64", "aarch64-darwin"),
        levels=("O0",),
    ),
    Quirk(
        name="gcc passes half of a vector of one long double",
        subjects=("gcc",),
        policies={"halves_vectors_of_long_double": True},
        status=Status.BUG,
        reason="caller and callee move 64 bits of the register",
        link="unreported",
        since=date(2026, 11, 22),
        example="void f(long double __attribute__((vector_size(16))) a);",
        targets=AARCH64,
    ),
    Quirk(
        name="clang passes a named vector of a variadic function in a vector register for Windows on AArch64",
        subjects=("clang",),
        policies={"vectors_in_registers": NAMED},
        status=Status.BUG,
        reason="no vector registers are used",
        link="unreported",
        since=date(2026, 11, 25),
        example="""
void i(int __attribute__((vector_size(8))) a, ...);
static void calls_i(void) { i(*(int __attribute__((vector_size(8))) *)0, *(int *)0); }
""",
        targets=WINDOWS,
    ),
    Quirk(
        name="clang passes an unnamed vector in a vector register for Windows on AArch64",
        subjects=("clang",),
        policies={"vectors_in_registers": UNNAMED},
        status=Status.BUG,
        reason="no vector registers are used; its own va_arg takes one from where the text has it",
        link="unreported",
        since=date(2026, 11, 25),
        example="""
void f(int a, ...);
static void calls_f(void) { f(*(int *)0, *(int __attribute__((vector_size(8))) *)0, *(int *)0); }
""",
        targets=WINDOWS,
        sides=CALLER,
    ),
    Quirk(
        name="clang does not split a composite between x7 and the stack for Windows on AArch64",
        subjects=("clang",),
        policies={"splits_no_composite": NAMED},
        status=Status.BUG,
        reason="the first 64 bytes of the imaginary stack are in x0 to x7, whatever lies there",
        link="unreported",
        since=date(2026, 11, 25),
        example="""
struct S { long long a, b; };
void f(int a, int b, int c, int d, int e, int g, int h, struct S i, ...);
static void calls_f(void) { f(0, 0, 0, 0, 0, 0, 0, *(struct S *)0, *(int *)0); }
""",
        targets=WINDOWS,
    ),
    Quirk(
        name="clang does not split an unnamed composite between x7 and the stack for Windows on AArch64",
        subjects=("clang",),
        policies={"splits_no_composite": UNNAMED},
        status=Status.BUG,
        reason="its own va_arg takes one from both",
        link="unreported",
        since=date(2026, 11, 25),
        example="""
struct S { long long a, b; };
void g(int a, int b, int c, int d, int e, int g, int h, ...);
static void calls_g(void) { g(0, 0, 0, 0, 0, 0, 0, *(struct S *)0, *(int *)0); }
""",
        targets=WINDOWS,
        sides=CALLER,
    ),
    Quirk(
        name="clang's va_arg takes a record without a named member that callers do not pass, for Windows on AArch64",
        subjects=("clang",),
        policies={"va_arg_of_nothing": True},
        status=Status.AMBIGUOUS,
        reason="everything behind it is taken from elsewhere; no text knows records without bytes, and C17 leaves those without a named member undefined",
        link="unreported",
        since=date(2026, 11, 25),
        example="struct S {}; void f(int a, ...); static void calls_f(void) { f(*(int *)0, *(struct S *)0, *(int *)0); }",
        targets=WINDOWS,
        sides=CALLEE,
    ),
    Quirk(
        name="clang's va_arg takes a vector of more than 16 bytes itself for Windows on AArch64",
        subjects=("clang",),
        policies={"va_arg_of_wide_vectors": True},
        status=Status.AMBIGUOUS,
        reason="its callers pass the address; no text knows such a vector",
        link="unreported",
        since=date(2026, 11, 28),
        example="void f(int a, ...); static void calls_f(void) { f(*(int *)0, *(int __attribute__((vector_size(32))) *)0, *(int *)0); }",
        targets=WINDOWS,
        sides=CALLEE,
    ),
    Quirk(
        name="gcc's va_arg on AArch64 takes a vector of reals of less than 8 bytes from general registers",
        subjects=("gcc",),
        policies={"va_arg_of_reals_in_general": True},
        status=Status.BUG,
        reason="its callers put one on the stack; the text has vectors of 8 and of 16 bytes only",
        link="unreported",
        since=date(2026, 11, 28),
        example="void f(int a, ...); static void calls_f(void) { f(1, *(float __attribute__((vector_size(4))) *)0); }",
        targets=AARCH64,
        sides=CALLEE,
    ),
    Quirk(
        name="clang before 24 passes a record without bytes as long as it is aligned, for Windows on AArch64",
        subjects=("clang<24",),
        policies={"rounded_to_alignment": True},
        status=Status.AMBIGUOUS,
        reason="one with a flexible array has 4 bytes to clang, whatever its alignment; no text knows records without bytes",
        link="unreported",
        since=date(2026, 11, 25),
        example="struct S { __int128 a[0]; int b[]; }; void f(struct S a, int b);",
        targets=WINDOWS,
    ),
)
