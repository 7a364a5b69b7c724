"""Lies of compilers that resemble a known deviation and differ from it in what is seen: each must be told as new.

A row is a target, the known deviation that it resembles, an entry or what a quirk tells now, a version in which it is in force, declarations
of which the last one is asked about, and the record that the liar takes for one of other members. The liar is the family
that the entry names; everything else it compiles as it is. What a bug loses, nobody can tell from what a lie loses.
"""

from __future__ import annotations

from typing import NamedTuple

X86, RISCV, ARM, I386 = "x86_64-sysv", "riscv64-lp64d", "aarch64-aapcs64", "i386-sysv"
RV32, ARM32, S390X, LOONGARCH, WASM = (
    "riscv32-ilp32d",
    "arm-aapcs-vfp",
    "s390x",
    "loongarch64-lp64d",
    "wasm32",
)
SEVEN = "double a, double b, double c, double d, double e, double g, double h, "
"""Parameters that leave one vector register."""
BIG = "long a, b, c;"
"""The members of what goes by reference, or on the stack, instead."""
FLEXIBLE = "clang passes a struct with a flexible array in memory"
ATOMIC = "clang passes a struct with an atomic member in memory"
ATOMIC_RISCV = "clang keeps a struct with an atomic member out of floating-point registers"
ATOMIC_ARM = "clang keeps a struct with an atomic member out of vector registers"
HALF = "clang passes half-precision reals in a struct in integer registers"
WIDE = "clang aligns a _BitInt of more than 64 bits to 8"
STAR = "clang gives an attribute behind the star to the member"
CONSTANT = "clang writes the constant of a bit-field wider than 64 bits into its last word"
PADDING = "clang loses bytes that one member of a union has as padding"
MS_FLEXIBLE = "clang leaves a flexible array in an ms_struct record where System V has it"
MS_DOUBLE = "gcc aligns a double in an ms_struct record to 4"
MS_VECTOR = "gcc aligns an 8-byte vector in a record to 4"
PACKED_FIELD = "clang takes a bit-field beside a real in a packed record to be as wide as an integer type"
NESTED_FLEXIBLE = "clang does not flatten past a record of no bytes with a flexible array"
BF16 = "gcc keeps a struct of __bf16 out of vector registers"
BF16_GENERAL = "gcc passes a struct of __bf16 in general-purpose registers when vector registers are used up"
BF16_SPLIT = "clang before 21 splits an HFA of __bf16 between registers and the stack"
FLEXIBLE_LOONGARCH = "compilers do not flatten past a flexible array on LoongArch"
FLEXIBLE_S390X = "clang passes a small struct with a flexible array by reference on s390x"
PACKED_ARM32 = "gcc aligns an argument as the declared type of a packed bit-field"
WASM_UNUSED = "clang leaves the unused bits of a _BitInt in a record as they are on WebAssembly"
WASM_SMALLER = (
    "clang: a record with a _BitInt of more than 64 bits is smaller than the text has it on WebAssembly"
)
WASM_ALIGN = "clang aligns a _BitInt of more than 64 bits to 8 bytes on WebAssembly"


class Lie(NamedTuple):
    """A row of the table."""

    target: str
    entry: str
    version: str
    declared: str
    members: str

    @property
    def family(self) -> str:
        """The compiler family that lies; clang, where nobody does what the text says."""
        return "gcc" if self.entry.startswith("gcc ") else "clang"


NOW, NEXT, OLD, BEFORE, GCC = "22.1.8", "24.0.0", "16.0.6", "20.1.8", "12.2.0"

LIES = (
    # the text has what precedes the flexible array in registers by its class; clang has it on the stack
    Lie(X86, FLEXIBLE, NOW, "struct A { double a; int b[]; }; void f(struct A p);", "long a;"),
    Lie(X86, FLEXIBLE, NOW, "struct A { int a; int b[]; }; void f(struct A p);", "float a;"),
    Lie(X86, FLEXIBLE, NOW, "struct A { double a, b; long c[]; }; void f(struct A p);", "long a, b;"),
    Lie(X86, FLEXIBLE, NOW, "struct A { float a; int : 0; int b[]; }; void f(struct A p);", "int a;"),
    Lie(X86, FLEXIBLE, NOW, "struct A { long a; double b; int c[]; }; void f(struct A p);", "double a; long b;"),
    Lie(X86, FLEXIBLE, NOW, "struct A { char a[8]; int b[]; }; void f(struct A p);", "double a;"),
    Lie(X86, FLEXIBLE, NOW, "struct A { float a, b; int c[]; }; void f(struct A p);", "int a, b;"),
    Lie(X86, FLEXIBLE, NOW, "struct A { long a; int b[]; }; void f(long x, struct A p);", "double a;"),
    Lie(X86, FLEXIBLE, NOW, "struct A { double a; int b[]; }; struct A f(void);", "long a;"),
    Lie(X86, FLEXIBLE, NOW, "struct A { int a; int b[]; }; struct A f(void);", "float a;"),
    Lie(X86, ATOMIC, NOW, "struct A { _Atomic(int) a; }; void f(struct A p);", "float a;"),
    Lie(X86, ATOMIC, NOW, "struct A { _Atomic(float) a; }; void f(struct A p);", "int a;"),
    Lie(X86, ATOMIC, NOW, "struct A { _Atomic(double) a; }; void f(struct A p);", "long a;"),
    Lie(X86, ATOMIC, NOW, "struct A { _Atomic(int) a; }; struct A f(void);", "float a;"),
    Lie(X86, ATOMIC, NOW, "struct A { _Atomic(float) a; }; struct A f(void);", "int a;"),
    Lie(X86, ATOMIC, NOW, "struct A { _Atomic(long) a; double b; }; void f(struct A p);", "double a; long b;"),
    Lie(X86, ATOMIC, NOW, "struct A { _Atomic(int) a; int b[0]; }; void f(struct A p);", "float a;"),
    Lie(X86, FLEXIBLE, NOW, "struct A { short a; int b[]; }; void f(struct A p);", "float a;"),
    Lie(X86, FLEXIBLE, NOW, "struct A { double a; long b; int c[]; }; void f(struct A p);", "long a; double b;"),
    Lie(X86, ATOMIC, NOW, "struct A { _Atomic(long) a; }; struct A f(void);", "double a;"),
    Lie(X86, ATOMIC, NOW, "struct A { _Atomic(double) a; }; struct A f(void);", "long a;"),
    Lie(X86, PADDING, NOW, "struct I { float b; double c; }; union A { double a; struct I d; }; void f(union A p);", "long a[2];"),
    Lie(X86, PADDING, NOW, "struct I { float b; double c; }; union A { double a; struct I d; }; union A f(void);", "long a[2];"),
    Lie(X86, CONSTANT, NOW, "struct A { _BitInt(129) a; _BitInt(128) b : 80; };", "_BitInt(64) a; _BitInt(128) b : 80;"),
    # by reference, where clang has them in integer registers
    Lie(RISCV, ATOMIC_RISCV, NOW, "struct A { _Atomic(float) a; int b; }; void f(struct A p);", BIG),
    Lie(RISCV, ATOMIC_RISCV, NOW, "struct A { _Atomic(float) a; float b; }; void f(struct A p);", BIG),
    Lie(RISCV, ATOMIC_RISCV, NOW, "struct A { _Atomic(float) a[2]; }; void f(struct A p);", BIG),
    Lie(RISCV, ATOMIC_RISCV, NOW, "struct E { }; struct A { _Atomic(float) a; struct E b; }; void f(struct A p);", BIG),
    Lie(RISCV, ATOMIC_RISCV, NOW, "struct A { _Atomic(float) a; int b[0]; }; void f(struct A p);", BIG),
    Lie(RISCV, HALF, OLD, "struct A { _Float16 a; }; void f(struct A p);", BIG),
    Lie(RISCV, HALF, OLD, "struct A { int a; _Float16 b; }; void f(struct A p);", BIG),
    Lie(RISCV, HALF, OLD, "struct A { _Float16 a; int b[0]; }; void f(struct A p);", BIG),
    Lie(RISCV, NESTED_FLEXIBLE, NOW, "struct E { float a[0]; long b[]; }; struct A { double a; struct E b; }; void f(struct A p);", BIG),
    # in integer registers, where clang has too much of the bit-field
    Lie(RISCV, PACKED_FIELD, NEXT, "struct A { float a; unsigned b : 17; } __attribute__((packed)); void f(struct A p);", "long a;"),
    Lie(RISCV, PACKED_FIELD, NEXT, "struct A { double a; unsigned b : 17; } __attribute__((packed)); void f(struct A p);", "long a, b;"),
    # another alignment than that of the entry
    Lie(RISCV, WIDE, NOW, "struct A { _BitInt(65) a; };", "_BitInt(65) a __attribute__((aligned(32)));"),
    Lie(RISCV, WIDE, NOW, "struct A { _BitInt(65) a; };", "_BitInt(65) a __attribute__((packed));"),
    Lie(RISCV, WIDE, NOW, "struct A { int a; _BitInt(96) b; };", "int a; _BitInt(96) b __attribute__((packed, aligned(4)));"),
    Lie(RISCV, WIDE, NOW, "struct A { int a; _BitInt(96) b; };", "int a; _BitInt(96) b __attribute__((aligned(64)));"),
    Lie(RISCV, WIDE, NOW, "struct A { char a; _BitInt(128) b; };", "char a; _BitInt(128) b __attribute__((packed));"),
    Lie(RISCV, STAR, NOW, "struct A { long a; void *__attribute__((aligned(8))) b; } __attribute__((packed));", "int a; void *b;"),
    Lie(X86, STAR, NOW, "struct A { long a; void *__attribute__((aligned(8))) b; } __attribute__((packed));", "short a; void *b;"),
    Lie(I386, MS_FLEXIBLE, NOW, "struct A { int a; double c[]; } __attribute__((ms_struct));", "int a; double c[] __attribute__((aligned(16)));"),
    Lie(I386, MS_DOUBLE, GCC, "struct A { double a; } __attribute__((ms_struct));", "double a __attribute__((aligned(16)));"),
    Lie(I386, MS_DOUBLE, GCC, "struct A { double a; } __attribute__((ms_struct));", "double a __attribute__((packed));"),
    Lie(I386, MS_VECTOR, GCC, "struct A { float __attribute__((vector_size(8))) a; };", "double a __attribute__((packed));"),
    Lie(I386, MS_VECTOR, GCC, "struct A { float __attribute__((vector_size(8))) a; };", "double a __attribute__((aligned(32)));"),
    Lie(ARM, ATOMIC_ARM, NOW, "struct A { _Atomic(float) a, b; }; void f(struct A p);", BIG),
    Lie(ARM, ATOMIC_ARM, NOW, "struct A { _Atomic(float) a, b, c; }; void f(struct A p);", BIG),
    Lie(ARM, ATOMIC_ARM, NOW, "struct A { _Atomic(float) a, b, c, d; }; void f(struct A p);", BIG),
    Lie(ARM, ATOMIC_ARM, NOW, "struct A { _Atomic(double) a, b; }; void f(struct A p);", BIG),
    Lie(ARM, BF16, GCC, "struct A { __bf16 a; }; void f(struct A p);", BIG),
    Lie(ARM, BF16, GCC, "struct A { __bf16 a, b; }; void f(struct A p);", BIG),
    Lie(ARM, BF16_GENERAL, GCC, f"struct A {{ __bf16 a, b; }}; void f({SEVEN}struct A p);", BIG),
    Lie(ARM, BF16_SPLIT, BEFORE, f"struct A {{ __bf16 a, b; }}; void f({SEVEN}struct A p);", "int a;"),
    Lie(RV32, ATOMIC_RISCV, NOW, "struct A { _Atomic(float) a; int b; }; void f(struct A p);", BIG),
    Lie(RV32, HALF, OLD, "struct A { int a; _Float16 b; }; void f(struct A p);", BIG),
    Lie(LOONGARCH, FLEXIBLE_LOONGARCH, NOW, "struct A { double a; int b[]; }; void f(struct A p);", BIG),
    Lie(LOONGARCH, FLEXIBLE_LOONGARCH, NOW, "struct A { double a, b; long c[]; }; void f(struct A p);", BIG),
    Lie(LOONGARCH, FLEXIBLE_LOONGARCH, NOW, "struct A { long a; double b; int c[]; }; struct A f(void);", BIG),
    # in a floating-point register, where clang has the address of a copy
    Lie(S390X, FLEXIBLE_S390X, NOW, "struct A { int a; int b[]; }; void f(struct A p);", "float a;"),
    Lie(S390X, FLEXIBLE_S390X, NOW, "struct A { long a; char b[]; }; void f(struct A p);", "double a;"),
    Lie(S390X, FLEXIBLE_S390X, NOW, "struct A { char a[8]; int b[]; }; void f(long x, struct A p);", "double a;"),
    # in another register of the same file, or in one of the other
    Lie(ARM32, PACKED_ARM32, GCC, "struct A { long long a : 40; } __attribute__((packed)); void f(int x, struct A p);", "double a;"),
    Lie(WASM, WASM_UNUSED, NOW, "struct A { _BitInt(12) a; }; struct A f(void);", "float a;"),
    Lie(WASM, WASM_UNUSED, NOW, "struct A { _BitInt(24) a; }; struct A f(void);", "float a;"),
    Lie(WASM, WASM_SMALLER, NOW, "struct A { _BitInt(65) a; }; void f(struct A p);", "double a;"),
    Lie(WASM, WASM_ALIGN, NOW, "struct A { _BitInt(65) a; };", "_BitInt(65) a __attribute__((aligned(32)));"),
    Lie(WASM, WASM_ALIGN, NOW, "struct A { int a; _BitInt(65) b; };", "int a; _BitInt(65) b __attribute__((packed));"),
)  # fmt: skip
