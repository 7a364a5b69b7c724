"""Quirks about `_BitInt`."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from abiprobe.oracles.engine.policies import Direction
from abiprobe.oracles.quirks.quirk import CALLEE, CALLER, OPTIMISED, UNNAMED, Quirk, Status

IN_BYTES = Quirk(
    name="clang's callers before 19 store only the bytes of a _BitInt that hold bits",
    subjects=("clang>=14,<19",),
    policies={"bit_ints_in_bytes": frozenset({Direction.ARGUMENT})},
    status=Status.BUG,
    reason="the bytes behind them are left as they are, and the value is not extended",
    link="unreported",
    since=date(2026, 11, 29),
    example="void f(_BitInt(150) a);",
    targets=("riscv*", "arm-*"),
    sides=CALLER,
)


def unextended(where: str, versions: str, target: str, width: int) -> tuple[Quirk, Quirk]:
    """Return the quirks of the RISC-V back end that extends no `_BitInt`: of its callers, and of its callees."""
    common = Quirk(
        name=f"clang does not extend an argument that is a _BitInt{where}",
        subjects=(f"clang>=14,{versions}",),
        policies={"unextended_bit_ints": frozenset({Direction.ARGUMENT})},
        status=Status.BUG,
        reason="the text extends it by its sign up to the width of a register",
        link="unreported",
        since=date(2026, 11, 22),
        example=f"void f(unsigned _BitInt({width}) a);",
        targets=(target,),
        sides=CALLER,
    )
    return common, replace(
        common,
        name=f"clang does not extend a result that is a _BitInt{where}",
        policies={"unextended_bit_ints": frozenset({Direction.RESULT})},
        example=f"unsigned _BitInt({width}) f(void);",
        sides=CALLEE,
    )


LOST_BYTES = "LLVM allocates more for the _BitInt than it has; running code of the same compiler has the field where the text has it"

QUIRKS = (
    Quirk(
        name="clang before 20 loses bytes of the constant of a bit-field behind a wide _BitInt",
        subjects=("clang>=17,<20",),
        policies={"constants_overlap": True},
        status=Status.BUG,
        reason=LOST_BYTES,
        link="unreported",
        since=date(2026, 11, 21),
        example="""
            struct S { _BitInt(184) a; int b : 8; };
            struct T { _BitInt(129) a; _BitInt(128) b : 80; };
        """,
        targets=("x86_64-*",),
    ),
    Quirk(
        name="clang loses bytes of the constant of a bit-field behind a wide _BitInt, where no padding is",
        subjects=("clang>=20,<23",),
        policies={"constants_overlap": True, "constants_have_padding": True},
        status=Status.BUG,
        reason=LOST_BYTES,
        link="unreported",
        since=date(2026, 11, 21),
        example="""
            struct S { _BitInt(129) a; int b : 32; int c : 32; };
            struct T { _BitInt(129) a; int b : 32; int c : 32; int d : 32; };
        """,
        targets=("x86_64-*", "i386-sysv"),
    ),
    Quirk(
        name="clang 18 and 19 lose bytes of the constant of a bit-field behind a wide _BitInt on i386",
        subjects=("clang>=18,<20",),
        policies={"constants_overlap": True},
        status=Status.BUG,
        reason=LOST_BYTES,
        link="unreported",
        since=date(2026, 11, 26),
        example="struct S { _BitInt(65) a; int b : 32; };",
        targets=("i386-sysv",),
    ),
    Quirk(
        name="clang before 16 uses up the registers of fastcall for a _BitInt that goes on the stack",
        subjects=("clang<16",),
        policies={"bit_ints_use_registers": True},
        status=Status.AMBIGUOUS,
        reason="the manual speaks of integers of one register only; since 16 it is as a long long",
        link="unreported",
        since=date(2026, 11, 29),
        example="void __attribute__((fastcall)) f(_BitInt(37) a, int b);",
        targets=("i386-sysv",),
    ),
    Quirk(
        name="clang aligns a _BitInt of more than 64 bits to 8",
        subjects=("clang>=14",),
        policies={"bit_int_chunk": 8},
        status=Status.BUG,
        reason="the text has pieces of 16 bytes for 65 bits and more",
        link="unreported",
        since=date(2026, 11, 22),
        example="struct S { _BitInt(65) a; }; struct T { int a; _BitInt(96) b; }; void f(struct T a);",
        targets=("riscv64*", "wasm32"),
    ),
    Quirk(
        name="clang before 19 aligns a _BitInt of more than 64 bits on AArch64 to 8",
        subjects=("clang>=14,<19",),
        policies={"bit_int_chunk": 8},
        status=Status.BUG,
        reason="the text has pieces of 16 bytes for 65 bits and more",
        link="https://github.com/llvm/llvm-project/pull/90602",
        since=date(2026, 11, 29),
        example="struct S { _BitInt(65) a; }; struct T { int a; _BitInt(96) b; }; void f(struct T a);",
        targets=("aarch64*",),
    ),
    Quirk(
        name="clang before 22 aligns a _BitInt of more than 64 bits on LoongArch to 8",
        subjects=("clang<22",),
        policies={"bit_int_chunk": 8},
        status=Status.AMBIGUOUS,
        reason="the text has no _BitInt; gcc and later versions of clang have pieces of 16 bytes",
        link="unreported",
        since=date(2026, 11, 28),
        example="struct S { _BitInt(65) a; };",
        targets=("loongarch64-*",),
    ),
    Quirk(
        name="clang's va_arg aligns a _BitInt of more than 64 bits to 8",
        subjects=("clang>=14",),
        policies={"unnamed_bit_int_align": 8},
        status=Status.BUG,
        reason="its callers have it where an integer of 128 bits is, as the text",
        link="unreported",
        since=date(2026, 11, 22),
        example="void f(int a, ...); static void calls_f(void) { f(1, *(_BitInt(65) *)0); }",
        targets=("riscv64*",),
        sides=CALLEE,
    ),
    Quirk(
        name="clang's va_arg on WebAssembly aligns a _BitInt of more than 64 bits to 8",
        subjects=("clang>=14",),
        policies={"unnamed_bit_int_align": 8},
        status=Status.BUG,
        reason="the text has it aligned as an integer of 128 bits, and so have callers since clang 20",
        link="unreported",
        since=date(2026, 12, 1),
        example="void f(int a, ...); static void calls_f(void) { f(*(int *)0, *(int *)0, *(_BitInt(65) *)0); }",
        targets=("wasm32",),
        sides=CALLEE,
    ),
    Quirk(
        name="clang's callers before 20 on WebAssembly align an unnamed integer of 128 bits to 8",
        subjects=("clang<20",),
        policies={"unaligned_int128": UNNAMED},
        status=Status.BUG,
        reason="the table of types has it aligned to 16, and so has va_arg",
        link="unreported",
        since=date(2026, 12, 1),
        example="void f(int a, ...); static void calls_f(void) { f(*(int *)0, *(int *)0, *(__int128 *)0); }",
        targets=("wasm32",),
        sides=CALLER,
    ),
    *unextended("", "<22", "riscv64*", 24),
    IN_BYTES,
    replace(
        IN_BYTES,
        name="clang's callers before 19 store only the bytes of a _BitInt that hold bits on WebAssembly",
        example="void f(_BitInt(114) a);",
        targets=("wasm32",),
    ),
    replace(
        IN_BYTES,
        name="clang's callees before 19 store only the bytes of a _BitInt that hold bits",
        policies={"bit_ints_in_bytes": frozenset({Direction.RESULT})},
        example="void f(_BitInt(114) a);",
        targets=(*IN_BYTES.targets, "wasm32"),
        sides=CALLEE,
    ),
    *unextended(" on RV32", "<17", "riscv32*", 40),
    Quirk(
        name="clang leaves the unused bits of a _BitInt in a record as they are on WebAssembly",
        subjects=("clang",),
        policies={"open_bit_ints": True},
        status=Status.AMBIGUOUS,
        reason="the text represents it as a wider integer, which can be read to say what the bits hold; clang copies the bytes",
        link="unreported",
        since=date(2026, 11, 26),
        example="struct S { _BitInt(12) a; }; struct S f(void); union U { _BitInt(20) b; }; void g(union U a);",
        targets=("wasm32",),
    ),
    Quirk(
        name="gcc trusts the unused bits of a _BitInt in a record",
        subjects=("gcc>=14",),
        policies={"extended_bit_ints": True, "open_lone_bit_ints": True},
        status=Status.BUG,
        reason="a member that came in registers is widened by the last bit of its bytes, not of its value",
        link="unreported",
        since=date(2026, 11, 23),
        example="struct S { int a : 3; _BitInt(7) b; }; void f9(struct S r); struct T { _BitInt(65) a; }; void f(struct T r);",
        targets=("x86_64-sysv", "x86_64-ms", "x86_64-windows-gnu", "aarch64*"),
        sides=CALLEE,
        levels=("O2",),
    ),
    Quirk(
        name="gcc trusts the unused bits of a _BitInt in a record that a function returns",
        subjects=("gcc>=14",),
        policies={"extended_bit_ints": True, "open_lone_bit_ints": True},
        status=Status.BUG,
        reason="`f().a` is widened by the last bit of its bytes, not of its value; right where the record is stored first",
        link="unreported",
        since=date(2026, 11, 30),
        example="struct S { _BitInt(2) a; }; struct S f(int a, double b);",
        targets=("x86_64-sysv", "x86_64-ms", "aarch64*"),
        sides=CALLER,
    ),
    Quirk(
        name="clang trusts the unused bits of a _BitInt in memory",
        subjects=("clang>=14,<19",),
        policies={"extended_bit_ints": True},
        status=Status.BUG,
        reason="it loads a member of 12 bits as 16 and takes the rest to be zeros; right since clang 19",
        link="https://github.com/llvm/llvm-project/issues/62032",
        since=date(2026, 11, 23),
        example="struct S { unsigned _BitInt(12) b; long c; long d; }; void f9(struct S r);",
        targets=("x86_64-sysv", "x86_64-ms", "x86_64-windows-gnu", "aarch64*"),
        sides=CALLEE,
    ),
    Quirk(
        name="clang 23 and later trust the unused bits of an unsigned _BitInt(1)",
        subjects=("clang>=23",),
        policies={"extended_one_bit": True},
        status=Status.BUG,
        reason="at -O0 the callee stores the whole byte and asks whether it is zero; by 3.1.2 all bits above the first are unspecified",
        link="unreported",
        since=date(2026, 11, 24),
        example="void g(long a, long b, long c, long d, long e, long g, long h, long i, unsigned _BitInt(1) j);",
        targets=("x86_64-sysv", "aarch64*-aapcs64"),
        sides=CALLEE,
    ),
    Quirk(
        name="clang 21 and 22 trust the unused bits of an unnamed unsigned _BitInt(1)",
        subjects=("clang>=21,<23",),
        policies={"extended_unnamed_one_bit": True},
        status=Status.BUG,
        reason="what va_arg gives is loaded as a byte, and taken as it is",
        link="unreported",
        since=date(2026, 11, 28),
        example="""
            void g(int a, ...);
            static void calls_g(void) {
                g(*(int *)0, *(long *)0, *(long *)0, *(long *)0, *(long *)0, *(long *)0, *(long *)0, *(long *)0,
                  *(long *)0, *(unsigned _BitInt(1) *)0);
            }
        """,
        targets=("x86_64-sysv", "aarch64*-aapcs64", "i386-sysv"),
        sides=CALLEE,
        levels=OPTIMISED,
    ),
    Quirk(
        name="clang trusts the unused bits of an unsigned _BitInt(1) under ms_abi",
        subjects=("clang>=21",),
        policies={"extended_one_bit": True},
        status=Status.BUG,
        reason="what va_arg gives is loaded as a byte, and taken as it is, and so is a member from clang 24 on; above the one bit may be anything",
        link="unreported",
        since=date(2026, 11, 24),
        example="""
            void g(int a, int b, int c, int d, ...);
            static void calls_g(void) { g(*(int *)0, *(int *)0, *(int *)0, *(int *)0, *(unsigned _BitInt(1) *)0); }
        """,
        targets=("x86_64-ms",),
        sides=CALLEE,
    ),
    Quirk(
        name="clang zeroes the unused bits of a _BitInt in a struct that it copies",
        subjects=("clang>=14,<18",),
        policies={"open_bit_ints": True},
        status=Status.BUG,
        reason="at -O2 it copies by the value, and stores a byte of seven bits and a zero, where the text extends by the sign; right since clang 18",
        link="unreported",
        since=date(2026, 11, 23),
        example="""
            struct P { int a __attribute__((aligned(16))); _BitInt(7) b; } __attribute__((packed));
            void f(int n, ...);
            static void calls_f(void) { f(*(int *)0, *(struct P *)0, *(int *)0); }
        """,
        targets=("riscv64-lp64d",),
        sides=CALLEE,
        levels=OPTIMISED,
    ),
    Quirk(
        name="gcc trusts the unused bits of a _BitInt beside a real",
        subjects=("gcc>=16",),
        policies={"extended_bit_ints": True},
        status=Status.AMBIGUOUS,
        reason="whether the bits of its last byte that a _BitInt does not use are extended, the text does not say",
        link="unreported",
        since=date(2026, 11, 23),
        example="""
            struct U { float a; _BitInt(15) b; };
            void f18(struct U r);
            struct S { float a; _BitInt(2) b; };
            struct S f5(void);
        """,
        targets=("riscv64-lp64[df]*", "riscv32-ilp32[df]*"),
    ),
    Quirk(
        name="gcc's constant of an aligned bit-field of a wide _BitInt fills whole words",
        subjects=("gcc>=16",),
        policies={"constant_fills_words": True},
        status=Status.BUG,
        reason="an object with an initializer has 128 bits where the member has 94; running code and debug information have 94",
        link="unreported",
        since=date(2026, 11, 26),
        example="""
            struct S { long long a : 53; _BitInt(255) b : 94 __attribute__((aligned(32))); };
            struct T { long long a : 53; _BitInt(255) b : 94 __attribute__((aligned(32))); } __attribute__((ms_struct));
            struct U { char a; _BitInt(129) b : 9 __attribute__((aligned(8))); };
        """,
        targets=("x86_64-sysv", "x86_64-ms"),
    ),
)
