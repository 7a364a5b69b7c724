"""Quirks of structs that are flattened to fields, each in a register of its own."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.engine.policies import BitFieldsAs
from abiprobe.oracles.quirks.quirk import CALLEE, CALLER, OPTIMISED, Quirk, Status

RISCV = ("riscv64-lp64[df]*", "riscv32-ilp32[df]*")
QUIRKS = (
    Quirk(
        name="clang does not flatten past a zero-width bit-field",
        subjects=("clang",),
        policies={"zero_width_before_second": True},
        status=Status.BUG,
        reason="gcc changed in version 10; clang was left behind",
        link="https://github.com/riscv-non-isa/riscv-elf-psabi-doc/issues/99",
        since=date(2026, 11, 21),
        example="struct S { float a; int : 0; float b; }; void f(struct S a); struct S g(void);",
        targets=RISCV,
    ),
    Quirk(
        name="gcc before 16 does not flatten past an empty union",
        subjects=("gcc<16",),
        policies={"counts_empty_unions": True},
        status=Status.BUG,
        reason="an empty struct is ignored, as the text says of both",
        link="unreported",
        since=date(2026, 11, 21),
        example="union E {}; struct S { int a; union E b; float c; }; void f(struct S a);",
        targets=RISCV,
    ),
    Quirk(
        name="clang before 17 does not flatten a struct with a half-precision real",
        subjects=("clang<17",),
        policies={"flattens_no_halves": True},
        status=Status.BUG,
        reason="_Float16 came before its calling convention",
        link="unreported",
        since=date(2026, 11, 21),
        example="struct S { _Float16 a; }; void f(struct S a); struct T { float a; _Float16 b; }; void g(struct T a);",
        targets=RISCV,
    ),
    Quirk(
        name="clang before 23 takes a bit-field to be as wide as its declared type",
        subjects=("clang<23",),
        policies={"bit_fields_as": BitFieldsAs.DECLARED},
        status=Status.BUG,
        reason="the declared type covers the real beside it, so all goes in an integer register",
        link="https://github.com/llvm/llvm-project/pull/110690",
        since=date(2026, 11, 21),
        example="""
            struct T { unsigned a : 8; float b; } __attribute__((packed, aligned(16))); void h(struct T a);
        """,
        targets=RISCV,
    ),
    Quirk(
        name="clang before 24 takes a struct with a complex integer apart",
        subjects=("clang<24",),
        policies={"splits_complex_integers": True},
        status=Status.AMBIGUOUS,
        reason="no text has complex integers; gcc, and clang from 24 on, pass the struct as one of its size, as clang before 24 passes only the bare number",
        link="https://github.com/llvm/llvm-project/pull/216404",
        since=date(2026, 11, 25),
        example="struct S { int _Complex a; }; void f(struct S b);",
        targets=RISCV,
    ),
    Quirk(
        name="clang before 23 takes a struct with a complex integer of LoongArch apart",
        subjects=("clang<23",),
        policies={"splits_complex_integers": True},
        status=Status.AMBIGUOUS,
        reason="no text has complex integers; clang from 23 on passes the struct as one of its size",
        link="unreported",
        since=date(2026, 11, 28),
        example="struct S { int _Complex a; }; void f(struct S b);",
        targets=("loongarch64-lp64[df]", "loongarch32-ilp32d"),
    ),
    Quirk(
        name="clang takes a bit-field to be as wide as an integer type",
        subjects=("clang>=23",),
        policies={"bit_fields_as": BitFieldsAs.INTEGER},
        status=Status.BUG,
        reason="17 bits are taken for an int, which goes beyond the end of the struct, or covers the real behind them",
        link="unreported",
        since=date(2026, 11, 23),
        example="struct T { unsigned a : 17; float b; } __attribute__((packed, aligned(16))); void h(struct T a);",
        targets=RISCV,
    ),
    Quirk(
        name="clang takes a bit-field of LoongArch to be as wide as its declared type",
        subjects=("clang",),
        policies={"bit_fields_as": BitFieldsAs.DECLARED},
        status=Status.BUG,
        reason="the declared type covers the real beside it, or goes beyond the end of the struct; clang for RISC-V did that, too",
        link="https://github.com/llvm/llvm-project/pull/110690",
        since=date(2026, 11, 25),
        example="""
            struct S { long long a : 8; float b; };
            void f(struct S a);
            struct T { double a; unsigned b : 3; } __attribute__((packed));
            void g(struct T a);
        """,
        targets=("loongarch64-lp64[df]", "loongarch32-ilp32d"),
    ),
    Quirk(
        name="clang loses what it takes to go beyond the end of a struct that is an argument",
        subjects=("clang",),
        policies={"loses_argument_ends": True},
        status=Status.BUG,
        reason="it stores more than the struct has, and takes the store to be of no effect; callers have the value where it is",
        link="https://github.com/llvm/llvm-project/pull/110690",
        since=date(2026, 11, 28),
        # At -O0 what is stored beyond the end falls into padding here.
        example="""
            struct S { int : 8; char c; };
            struct T { float a; unsigned b : 17; } __attribute__((packed));
            void g(struct S a, struct T b);
        """,
        targets=(*RISCV, "loongarch64-lp64[df]", "loongarch32-ilp32d"),
        sides=CALLEE,
        levels=OPTIMISED,
    ),
    Quirk(
        name="clang loses what it takes to go beyond the end of a struct that is a result",
        subjects=("clang",),
        policies={"loses_result_ends": True},
        status=Status.BUG,
        reason="it stores more than the struct has, and takes the store to be of no effect",
        link="https://github.com/llvm/llvm-project/pull/110690",
        since=date(2026, 11, 28),
        example="""
            struct T { float a; unsigned b : 17; } __attribute__((packed));
            struct B { int : 32; int c; };
            struct T h2(struct B a);
        """,
        targets=(*RISCV, "loongarch64-lp64[df]", "loongarch32-ilp32d"),
        levels=OPTIMISED,
    ),
    Quirk(
        name="clang looks for the real beside a _BitInt behind padding that is not there",
        subjects=("clang>=14",),
        policies={"pads_behind_bit_ints": True},
        status=Status.BUG,
        reason="the three bytes above 33 bits are counted as padding, but behind the eight of the type: the real is taken from 12, not 8, and a callee of clang loses what its caller passes",
        link="unreported",
        since=date(2026, 11, 22),
        example="struct S { _BitInt(33) a; float b; }; void f(struct S a);",
        targets=("riscv64-lp64[df]*", "loongarch64-lp64[df]"),
    ),
    Quirk(
        name="gcc passes a bit-field of more than 32 bits beside a half-precision real with the real in front of it",
        subjects=("gcc>=14",),
        policies={"reads_from_beginning": True},
        status=Status.BUG,
        reason="a result in a0 is the struct's first eight bytes; with 20 bits it is the bit-field alone",
        link="unreported",
        since=date(2026, 11, 23),
        example="struct S { _Float16 a; long long b : 33; }; struct S f(void);",
        targets=("riscv64-lp64[df]*",),
        sides=CALLEE,
    ),
    Quirk(
        name="gcc reads a half-precision real behind a bit-field of more than 32 bits from the register of the bit-field",
        subjects=("gcc>=14",),
        policies={"reads_real_behind": True},
        status=Status.BUG,
        reason="the caller takes the whole struct from a0; behind a bit-field of at most 32 bits it reads fa0",
        link="unreported",
        since=date(2026, 11, 30),
        example="struct S { long long a : 33; _Float16 b; }; struct S f(void);",
        targets=("riscv64-lp64[df]*",),
        sides=CALLER,
    ),
)
