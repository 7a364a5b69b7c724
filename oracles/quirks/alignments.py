"""Quirks about alignments: of values on the stack, and of the memory that is passed by its address."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.engine.policies import Argument, ValueKind
from abiprobe.oracles.language.lang import Convention
from abiprobe.oracles.quirks.quirk import CALLEE, CALLER, NAMED, UNNAMED, Quirk, Status

SCALARS, RECORDS = frozenset({ValueKind.SCALAR}), frozenset({ValueKind.RECORD})
EIGHT_WORDS = "long a, long b, long c, long d, long e, long g, long h, long i, long j"
UNNAMED_PACKED_HFA = """
    struct P { double __attribute__((vector_size(16))) a; } __attribute__((packed));
    void f(double a, double b, double c, double d, double e, double g, double h, double i, double j, ...);
    static void calls_f(void) { f(0, 0, 0, 0, 0, 0, 0, 0, 0, *(struct P *)0, *(int *)0); }
"""

QUIRKS = (
    Quirk(
        name="compilers place a scalar without the alignment of its typedef name",
        subjects=("clang", "gcc"),
        policies={"unaligned_names": SCALARS},
        status=Status.AMBIGUOUS,
        reason="compilers pass the type without what a typedef name makes of its alignment, be it higher or lower",
        link="unreported",
        since=date(2026, 11, 21),
        example=f"""
            typedef long T __attribute__((aligned(16)));
            void f({EIGHT_WORDS}, T k);
        """,
        targets=(
            "x86_64-sysv",
            "riscv64-lp64",
            "riscv64-lp64[!e]*",
            "riscv32-ilp32",
            "riscv32-ilp32[!e]*",
            "loongarch*",
        ),
    ),
    Quirk(
        name="clang aligns no record as its typedef asks",
        subjects=("clang",),
        policies={"unaligned_names": RECORDS},
        status=Status.BUG,
        reason="an argument on the stack is aligned as its type; gcc does so with records",
        link="unreported",
        since=date(2026, 11, 21),
        example=f"""
            struct S {{ long a; }};
            typedef struct S T __attribute__((aligned(32)));
            void f({EIGHT_WORDS}, T k);
        """,
        targets=(
            "riscv64-lp64",
            "riscv64-lp64[!e]*",
            "riscv32-ilp32",
            "riscv32-ilp32[!e]*",
            "loongarch*",
            "powerpc64-elfv1",
        ),
    ),
    Quirk(
        name="clang and gcc align no record of x86-64 as its typedef asks",
        subjects=("clang", "gcc"),
        policies={"unaligned_names": RECORDS},
        status=Status.AMBIGUOUS,
        reason="they pass the type without what a typedef name makes of its alignment; the text speaks of a MEMORY argument alone",
        link="unreported",
        since=date(2026, 11, 21),
        example=f"""
            struct S {{ long a; }};
            typedef struct S T __attribute__((aligned(32)));
            void f({EIGHT_WORDS}, T k);
        """,
        targets=("x86_64-sysv",),
    ),
    Quirk(
        name="clang aligns the memory of an argument by reference as its type",
        subjects=("clang",),
        policies={"natural_copies": True},
        status=Status.BUG,
        reason="the text aligns memory that is passed by reference to 16 bytes",
        link="unreported",
        since=date(2026, 11, 21),
        example="""
            struct S { int a, b, c; }; void f(struct S a, struct S b);
            union U { int a[3]; }; void g(union U a, union U b);
        """,
        targets=("x86_64-ms", "x86_64-windows-*"),
        sides=CALLER,
    ),
    Quirk(
        name="clang does not align the copy of an argument as its typedef asks",
        subjects=("clang",),
        policies={"unaligned_names": RECORDS},
        status=Status.BUG,
        reason="it follows attributes of the record itself",
        link="unreported",
        since=date(2026, 11, 21),
        example="struct S { long a; int b; }; typedef struct S T __attribute__((aligned(32))); void f(T a);",
        targets=("x86_64-ms",),
        sides=CALLER,
    ),
    Quirk(
        name="gcc aligns no memory of what travels by reference to more than 16 bytes",
        subjects=("gcc",),
        policies={"most_aligned_copy": 16},
        status=Status.BUG,
        reason="a temporary on the stack has the alignment of the stack at most, which is less than the type asks for, and than its callees count on",
        link="unreported",
        since=date(2026, 11, 21),
        example="""
            struct S { _Alignas(256) int a; }; struct T { long a, b; }; void f(struct T a, struct S b);
            void g(long a, int b __attribute__((vector_size(32))));
            typedef int A __attribute__((aligned(256))); struct U { A a; char b[40]; }; void h(int a, struct U b); struct V { char a[48]; } __attribute__((aligned(256))); void i(int a, struct V b);
        """,
        targets=("x86_64-ms", "aarch64*-aapcs64", "sparc64"),
        sides=CALLER,
    ),
    Quirk(
        name="gcc aligns the memory for a result of 32-bit Arm to no more than 8 bytes",
        subjects=("gcc",),
        policies={"most_aligned_copy": 8},
        status=Status.BUG,
        reason="a temporary on the stack has the alignment of the stack at most; clang's callees store with instructions that trap then",
        link="unreported",
        since=date(2026, 11, 29),
        example="""
            union U { unsigned short a __attribute__((aligned(16))); }; union U f(int a);
            struct S { char a[20]; } __attribute__((aligned(16))); struct S g(void);
        """,
        targets=("arm-aapcs", "arm-aapcs-vfp"),
        sides=CALLER,
    ),
    Quirk(
        name="compilers align no pairs of registers for unnamed arguments on ILP32E",
        subjects=("clang", "gcc"),
        policies={"unaligned_pairs": frozenset(ValueKind)},
        status=Status.AMBIGUOUS,
        reason="the text says of ILP32E only that it documents gcc",
        link="unreported",
        since=date(2026, 11, 21),
        example="""
            void f(int a, ...);
            static void calls_f(void) { f(1, *(long long *)0); }
        """,
        targets=("riscv32-ilp32e",),
    ),
    Quirk(
        name="gcc aligns no pairs of registers for unnamed arguments on LP64E",
        subjects=("gcc>=14",),
        policies={"unaligned_pairs": frozenset(ValueKind)},
        status=Status.AMBIGUOUS,
        reason="the text documents gcc's ILP32E, whose stack aligns to 32 bits, and has no LP64E; clang aligns the pair",
        link="unreported",
        since=date(2026, 11, 22),
        example="""
            void f(int a, ...);
            static void calls_f(void) { f(1, *(__int128 *)0); }
            struct T { long double a; }; void g(int a, ...); static void calls_g(void) { g(1, *(struct T *)0); }
        """,
        targets=("riscv64-lp64e",),
    ),
    Quirk(
        name="clang aligns what has two words on the stack of LP64E",
        subjects=("clang",),
        policies={"two_words_on_stack": True},
        status=Status.AMBIGUOUS,
        reason="the stack of LP64E is aligned to one word, and the text says nothing else of it",
        link="unreported",
        since=date(2026, 11, 21),
        example="""
            void f(unsigned char a, long b, long c, long d, long e, long g, long i, __int128 h);
            struct T { long double a; }; void g(int a, long b, long c, long d, long e, long g, long i, struct T h);
        """,
        targets=("riscv64-lp64e",),
    ),
    Quirk(
        name="clang aligns no record and no complex number on the stack of i386",
        subjects=("clang",),
        policies={"records_in_words": True},
        status=Status.BUG,
        reason="what is in the table with 16 bytes must always be aligned; a vector by itself is",
        link="unreported",
        since=date(2026, 11, 21),
        example="struct S { __float128 v; }; void f(int a, struct S b); void g(int a, _Complex __float128 b);",
        targets=("i386-sysv",),
    ),
    Quirk(
        name="clang before 22 aligns no __float128 on the stack of i386",
        subjects=("clang<22",),
        policies={"float128_in_words": frozenset(Argument)},
        status=Status.BUG,
        reason="what is in the table with 16 bytes must always be aligned",
        link="https://github.com/llvm/llvm-project/issues/217747",
        since=date(2026, 11, 22),
        example="void f(int a, __float128 b);",
        targets=("i386-sysv",),
    ),
    Quirk(
        name="clang aligns no __float128 on the stack of fastcall and thiscall",
        subjects=("clang>=22",),
        policies={"float128_in_words_with": frozenset({Convention.FASTCALL, Convention.THISCALL})},
        status=Status.BUG,
        reason="what is in the table with 16 bytes must always be aligned; it is without an attribute, and with stdcall",
        link="unreported",
        since=date(2026, 11, 29),
        example="""
            void __attribute__((fastcall)) f(int a, int b, int c, __float128 d);
            void __attribute__((thiscall)) g(int a, int b, __float128 c);
        """,
        targets=("i386-sysv",),
    ),
    Quirk(
        name="clang 22 and 23 align no __float128 that va_arg takes from the stack of i386",
        subjects=("clang>=22,<24",),
        policies={"float128_in_words": UNNAMED},
        status=Status.BUG,
        reason="its callers align it",
        link="https://github.com/llvm/llvm-project/issues/217747",
        since=date(2026, 11, 22),
        example="""
            void f(int a, ...);
            static void calls_f(void) { f(1, *(__float128 *)0); }
        """,
        targets=("i386-sysv",),
        sides=CALLEE,
    ),
    Quirk(
        name="gcc aligns an argument as the declared type of a packed bit-field",
        subjects=("gcc",),
        policies={"declared_bit_fields": True},
        status=Status.BUG,
        reason="the record's natural alignment is 1 by 5.3, and gcc passes it as if it were that of the type",
        link="unreported",
        since=date(2026, 11, 23),
        example="struct S { long long a : 40; } __attribute__((packed)); void f(int a, struct S b);",
        targets=("arm-aapcs*",),
    ),
    Quirk(
        name="gcc before 13 aligns an argument of AArch64 as the declared type of a packed bit-field",
        subjects=("gcc<13",),
        policies={"declared_bit_fields": True},
        status=Status.BUG,
        reason="the record's natural alignment is 1 by 5.10 and 10.1.8, and gcc passes it as if it were that of the type",
        link="unreported",
        since=date(2026, 11, 26),
        example="struct S { __int128 a : 80; } __attribute__((packed)); void f(int a, struct S b);",
        targets=("aarch64*-aapcs64",),
    ),
    Quirk(
        name="gcc aligns an argument of AArch64 as the _BitInt of a packed bit-field",
        subjects=("gcc>=14",),
        policies={"declared_bit_ints": True},
        status=Status.BUG,
        reason="the record's natural alignment is that of what is packed, by 5.10 and 10.1.8; of an __int128 gcc has that",
        link="unreported",
        since=date(2026, 11, 26),
        example="""
            #pragma pack(push, 2)
            struct S { char a; _BitInt(128) b : 80; };
            #pragma pack(pop)
            void f(int a, struct S b);
        """,
        targets=("aarch64*-aapcs64",),
    ),
    Quirk(
        name="clang aligns a packed aggregate on the stack as its elements, by VFP",
        subjects=("clang",),
        policies={"elements_on_stack": NAMED},
        status=Status.BUG,
        reason="the copy of an argument whose natural alignment is 4 or less is aligned to 4, and that of a packed record is",
        link="unreported",
        since=date(2026, 11, 26),
        example="""
            struct P { double a, b; } __attribute__((packed));
            void f(int a, int b, int c, int d, int e, double g, double h, double i, double j, double k, double l, double m, struct P n);
        """,
        targets=("arm-aapcs-vfp",),
    ),
    Quirk(
        name="clang before 19 aligns a packed HFA of AArch64 on the stack as its elements",
        subjects=("clang<19",),
        policies={
            "elements_on_stack": NAMED,
            "all_elements_on_stack": NAMED,
            "int128_groups_by_elements": True,
        },
        status=Status.BUG,
        reason="the natural alignment of a packed record is 1, so that it is aligned to 8; right in clang 19, and 17 and 18 were not asked",
        link="unreported",
        since=date(2026, 11, 30),
        example="""
            struct P { long double a; } __attribute__((packed));
            void f(double a, double b, double c, double d, double e, double g, double h, double i, double j, struct P k);
        """,
        targets=("aarch64-aapcs64", "aarch64_be-aapcs64", "aarch64_sve-aapcs64"),
    ),
    Quirk(
        name="clang before 19 aligns an unnamed packed HFA of AArch64 on the stack as its elements",
        subjects=("clang<19",),
        policies={"elements_on_stack": UNNAMED, "all_elements_on_stack": UNNAMED},
        status=Status.BUG,
        reason="as a named one, while va_arg takes it from where the text has it",
        link="unreported",
        since=date(2026, 12, 1),
        example=UNNAMED_PACKED_HFA,
        targets=("aarch64-aapcs64", "aarch64_be-aapcs64", "aarch64_sve-aapcs64"),
        sides=CALLER,
    ),
    Quirk(
        name="clang aligns an unnamed packed HFA of AArch64 of one member on the stack as its element at -O0",
        subjects=("clang>=19",),
        policies={"elements_on_stack": UNNAMED},
        status=Status.BUG,
        reason="as a named one, while va_arg takes it from where the text has it",
        link="unreported",
        since=date(2026, 12, 1),
        example=UNNAMED_PACKED_HFA,
        targets=("aarch64-aapcs64", "aarch64_sve-aapcs64"),
        levels=("O0",),
        sides=CALLER,
    ),
    Quirk(
        name="clang aligns a packed HFA of AArch64 of one member on the stack as its element at -O0",
        subjects=("clang>=19",),
        policies={"elements_on_stack": NAMED},
        status=Status.BUG,
        reason="GlobalISel passes over the alignstack(8) that clang says, by which optimised code and several members go",
        link="unreported",
        since=date(2026, 11, 30),
        example="""
            struct P { long double a; } __attribute__((packed));
            void f(double a, double b, double c, double d, double e, double g, double h, double i, double j, struct P k);
        """,
        targets=("aarch64-aapcs64", "aarch64_sve-aapcs64"),
        levels=("O0",),
    ),
    Quirk(
        name="clang's va_arg does not align for Windows on AArch64",
        subjects=("clang<23",),
        policies={"unaligned_va_arg": True},
        status=Status.BUG,
        reason="callers put an argument with an alignment of 16 at a multiple of 16, from which its va_arg does not take it",
        link="https://github.com/llvm/llvm-project/issues/207584",
        since=date(2026, 11, 25),
        example="""
            void f(int a, ...);
            static void calls_f(void) { f(*(int *)0, *(__int128 *)0); }
        """,
        targets=("aarch64-windows-msvc",),
        sides=CALLEE,
    ),
    Quirk(
        name="gcc takes an over-aligned scalar of SPARC from another place than it puts it",
        subjects=("gcc",),
        policies={"aligned_names": True},
        status=Status.BUG,
        reason="the callee takes the alignment of the typedef, the caller that of the value",
        link="unreported",
        since=date(2026, 11, 23),
        example="typedef int T __attribute__((aligned(16))); void f(int a, T b);",
        targets=("sparc64",),
        sides=CALLEE,
    ),
    Quirk(
        name="clang before 21 leaves no word of SPARC out for a structure that is aligned to 16",
        subjects=("clang<21",),
        policies={"unaligned_structures": True},
        status=Status.BUG,
        reason="it is in the next word, whatever its alignment",
        link="https://github.com/llvm/llvm-project/issues/144709",
        since=date(2026, 11, 25),
        example="""
            struct S { long a, b; } __attribute__((aligned(16))); void f(int a, struct S b);
            struct T { __int128 a[0]; }; void g(int a, struct T b, int c);
        """,
        targets=("sparc64",),
    ),
    Quirk(
        name="clang 21 to 23 does not count the word of a float of SPARC before a structure that is aligned",
        subjects=("clang>=21,<24",),
        policies={"uncounted_floats": True},
        status=Status.BUG,
        reason="a word of four bytes of which the alignment of the next argument is worked out",
        link="https://github.com/llvm/llvm-project/pull/213739",
        since=date(2026, 11, 25),
        example="""
            struct S { long double a; };
            void f(int a, float b, struct S c);
            struct T { long a, b; } __attribute__((aligned(16)));
            void g(int a, long double b, struct T c);
        """,
        targets=("sparc64",),
    ),
    Quirk(
        name="clang's va_arg on 32-bit PowerPC aligns the address of a record on the stack as the record",
        subjects=("clang",),
        policies={"va_arg_aligns_addresses": True},
        status=Status.BUG,
        reason="a record travels by reference, and its address is in the next word",
        link="unreported",
        since=date(2026, 11, 23),
        example="""
            struct E {} __attribute__((aligned(32)));
            void g(int a, int b, int c, int d, int e, int g, int h, int i, int j, ...);
            static void calls_g(void) { g(1, 2, 3, 4, 5, 6, 7, 8, 9, *(struct E *)0, *(int *)0); }
            struct F { long long a; } __attribute__((aligned(32)));
            void h(int a, int b, int c, int d, int e, int g, int h, int i, int j, ...);
            static void calls_h(void) { h(1, 2, 3, 4, 5, 6, 7, 8, 9, *(struct F *)0, *(int *)0); }
        """,
        targets=("powerpc-sysv",),
        sides=CALLEE,
    ),
    Quirk(
        name="clang aligns a record on Apple's stack by its attribute",
        subjects=("clang",),
        policies={"adjusted_alignment": True},
        status=Status.BUG,
        reason="the natural alignment counts (B.6), as clang has it for other systems; here the whole record's does",
        link="unreported",
        since=date(2026, 11, 25),
        example=f"struct S {{ int a; }} __attribute__((aligned(16))); void f({EIGHT_WORDS}, struct S k);",
        targets=("aarch64-darwin",),
    ),
    Quirk(
        name="gcc has the reals of a record of SPARC on the stack that it holds as one integer",
        subjects=("gcc",),
        policies={"held_on_stack": True},
        status=Status.BUG,
        reason="the first sixteen words have floating-point registers; an alignment of its own makes the record an integer",
        link="unreported",
        since=date(2026, 11, 25),
        example="""
            struct S { float a, b; } __attribute__((aligned(8)));
            void f(long a, long b, long c, long d, long e, long g, struct S h);
        """,
        targets=("sparc64",),
    ),
    Quirk(
        name="gcc reads an argument of SPARC that it holds as one integer from a general register",
        subjects=("gcc",),
        policies={"argument_in_one": True},
        status=Status.BUG,
        reason="its callers have the real that follows an integer in its own register",
        link="unreported",
        since=date(2026, 11, 25),
        example="struct S { int a; float b; } __attribute__((aligned(8))); void f(struct S a);",
        targets=("sparc64",),
    ),
    Quirk(
        name="gcc reads a result of SPARC that it holds as one integer from a general register",
        subjects=("gcc",),
        policies={"result_in_one": True},
        status=Status.BUG,
        reason="its callees have the real that follows an integer in its own register",
        link="unreported",
        since=date(2026, 11, 25),
        example="struct S { int a; float b; } __attribute__((aligned(8))); struct S f(void);",
        targets=("sparc64",),
    ),
    Quirk(
        name="tcc aligns the stack for no argument to more than 16 bytes",
        subjects=("tcc",),
        policies={"stack_of_sixteen": True},
        status=Status.BUG,
        reason="what is aligned to 32 is in the next eightbyte",
        link="unreported",
        since=date(2026, 11, 21),
        example="""
            struct S { int a; } __attribute__((aligned(32))); void f(struct S a);
        """,
        targets=("x86_64-sysv",),
        sides=CALLER,
    ),
    Quirk(
        name="tcc does not align the stack of i386 to 16",
        subjects=("tcc",),
        policies={"stack_in_words": True},
        status=Status.BUG,
        reason="arguments are pushed without padding",
        link="unreported",
        since=date(2026, 11, 21),
        example="void f(int a);",
        targets=("i386-sysv",),
        sides=CALLER,
    ),
    Quirk(
        name="tcc aligns what it takes from the stack by its distance from the frame pointer",
        subjects=("tcc",),
        policies={"aligned_from_frame": True},
        status=Status.BUG,
        reason="the first argument is 16 bytes above that, and so at no multiple of 32",
        link="unreported",
        since=date(2026, 11, 21),
        example="""
            struct S { int a; } __attribute__((aligned(32))); void f(struct S a);
        """,
        targets=("x86_64-sysv",),
        sides=CALLEE,
    ),
    Quirk(
        name="zig aligns no unnamed record to an even register",
        subjects=("zig-lang",),
        policies={"unaligned_pairs": RECORDS},
        status=Status.BUG,
        reason="a record that is aligned to 16 bytes is in the next register",
        link="unreported",
        since=date(2026, 11, 25),
        example="""
            struct S { __int128 a; };
            void f(int n, ...);
            static void calls_f(void) { f(*(int *)0, *(struct S *)0); }
        """,
        targets=("riscv64-lp64d",),
        sides=CALLER,
    ),
    Quirk(
        name="clang before 16 aligns __int128 on s390x to 16",
        subjects=("clang<16",),
        policies={"naturally_aligned_int128": True},
        status=Status.BUG,
        reason="the supplement aligns it to 8",
        link="unreported",
        since=date(2026, 11, 29),
        example="struct S { char a; __int128 b; };",
        targets=("s390x",),
    ),
)
