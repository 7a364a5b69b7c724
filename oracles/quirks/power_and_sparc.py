"""Quirks of the lists of doublewords, and of the registers for reals beside them, of 64-bit PowerPC and SPARC, and of 32-bit PowerPC."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.quirks.quirk import CALLEE, CALLER, Quirk, Status

ELFV2 = ("powerpc64le-elfv2",)
SPARC = ("sparc64",)

QUIRKS = (
    Quirk(
        name="clang passes a union with a real or a vector of ELFv1 as that",
        subjects=("clang",),
        policies={"unwraps_unions": True},
        status=Status.BUG,
        reason="aggregates of one member are structures and arrays in the document, which lists unions apart",
        link="https://github.com/llvm/llvm-project/pull/223481",
        since=date(2026, 11, 23),
        example="union U { float a; }; void f(union U a);",
        targets=("powerpc64-elfv1",),
    ),
    Quirk(
        name="gcc and clang take a record of one real with a zero-width bit-field for the real",
        subjects=("clang", "gcc"),
        policies={"unwraps_zero_width": True},
        status=Status.BUG,
        reason="an aggregate with a field of width 0 is not homogeneous; with two reals both follow the text",
        link="unreported",
        since=date(2026, 11, 23),
        example="struct S { float a; int : 0; }; void f(struct S);",
        targets=ELFV2,
    ),
    Quirk(
        name="gcc does not take a _Float128 and a vector for members that are alike",
        subjects=("gcc",),
        policies={"float128_is_unlike_vectors": True},
        status=Status.BUG,
        reason="a value of IEEE quadruple precision is like a vector type for whether the members of an aggregate are alike",
        link="unreported",
        since=date(2026, 11, 26),
        example="struct S { float __attribute__((vector_size(16))) a; _Float128 b; }; void g(struct S a); struct S h(void);",
        targets=ELFV2,
    ),
    Quirk(
        name="clang leaves the part of a doubleword that is in f13 out of the list of arguments",
        subjects=("clang",),
        policies={"lists_rest_of_doubleword": True},
        status=Status.BUG,
        reason="a doubleword of the list that contains a part of a structure contains all parts that it has; gcc follows that",
        link="unreported",
        since=date(2026, 11, 23),
        example="""
struct S { float a, b; };
void f(float, float, float, float, float, float, float, float, float, float, float, float, struct S);
""",
        targets=ELFV2,
    ),
    Quirk(
        name="gcc loses the second double of a long double whose first is in f13",
        subjects=("gcc",),
        policies={"loses_second_doubles": True},
        status=Status.BUG,
        reason="the second double is in the list of doublewords, here in r10; callers of gcc leave it out, and its callees take 0 for it",
        link="unreported",
        since=date(2026, 11, 26),
        example="struct F { float a[4]; }; void f(struct F a, struct F b, struct F c, long double d);",
        targets=ELFV2,
    ),
    Quirk(
        name="flang returns every record in memory that is no homogeneous aggregate",
        subjects=("flang",),
        policies={"mixed_results_in_memory": True},
        status=Status.BUG,
        reason="callers pass an address that a function of C does not expect, and functions write to one that a caller of C does not pass",
        link="unreported",
        since=date(2026, 12, 1),
        example="struct S { int a; double b; }; struct S f(void);",
        targets=("powerpc64le-elfv2",),
    ),
    Quirk(
        name="clang passes a union with a real of SPARC as the real",
        subjects=("clang",),
        policies={"unions_as_storage": True},
        status=Status.BUG,
        reason="a union is promoted into integer registers, whatever its members are",
        link="https://github.com/llvm/llvm-project/issues/214840",
        since=date(2026, 11, 23),
        example="union U { float a; }; void f(union U a);",
        targets=SPARC,
    ),
    Quirk(
        name="clang before 24 passes an unnamed record of SPARC with reals in floating-point registers",
        subjects=("clang<24",),
        policies={"promotes_unnamed_reals": True},
        status=Status.BUG,
        reason="it moves what matches the ellipsis to general registers and memory, but no single-precision real, which only a record can have there",
        link="https://github.com/llvm/llvm-project/pull/216524",
        since=date(2026, 11, 23),
        example="""
            struct S { float a; };
            void f(int a, ...);
            static void calls_f(void) { f(*(int *)0, *(struct S *)0); }
            struct T { double a; float b; };
            void g(int a, ...);
            static void calls_g(void) { g(*(int *)0, *(struct T *)0, *(int *)0); }
        """,
        targets=SPARC,
        sides=CALLER,
    ),
    Quirk(
        name="clang before 24 passes a narrow complex integer of SPARC at the left end of its register",
        subjects=("clang<24",),
        policies={"left_complex_integers": True},
        status=Status.AMBIGUOUS,
        reason="as a structure; gcc, and clang 24, have it at the right end, as other scalars",
        link="https://github.com/llvm/llvm-project/pull/212340",
        since=date(2026, 11, 23),
        example="void f(char _Complex a);",
        targets=SPARC,
    ),
    Quirk(
        name="clang before 21 has what LLVM splits from the next word of SPARC on",
        subjects=("clang<21",),
        policies={"unaligned_parts": True},
        status=Status.AMBIGUOUS,
        reason="the text has no integer of 16 bytes; clang 21 aligns it as gcc does, and with it each vector of several elements",
        link="unreported",
        since=date(2026, 11, 28),
        example="void f(int a, int __attribute__((vector_size(8))) b);",
        targets=SPARC,
    ),
    Quirk(
        name="clang's va_arg on SPARC takes a vector as it lies in memory",
        subjects=("clang",),
        policies={"va_arg_takes_whole_vectors": True},
        status=Status.BUG,
        reason="callers have each element in a word of its own",
        link="unreported",
        since=date(2026, 11, 23),
        example="""
            void f(int a, ...);
            static void calls_f(void) { f(*(int *)0, *(int __attribute__((vector_size(8))) *)0); }
        """,
        targets=(*SPARC, "sparc-sysv"),
        sides=CALLEE,
    ),
    Quirk(
        name="clang's va_arg on SPARC takes a narrow vector from the left end of its word",
        subjects=("clang<21",),
        policies={"va_arg_takes_left_vectors": True},
        status=Status.BUG,
        reason="callers have each element in a word of its own, at the right end of it",
        link="unreported",
        since=date(2026, 11, 23),
        example="""
            void f(int a, ...);
            static void calls_f(void) { f(*(int *)0, *(float __attribute__((vector_size(4))) *)0); }
        """,
        targets=SPARC,
        sides=CALLEE,
    ),
    Quirk(
        name="clang's va_arg on SPARC does not align a _BitInt",
        subjects=("clang>=21",),
        policies={"unnamed_bit_int_align": 8},
        status=Status.BUG,
        reason="its callers have it where an integer of 128 bits is",
        link="unreported",
        since=date(2026, 11, 23),
        example="void f(int a, ...); static void calls_f(void) { f(*(int *)0, *(_BitInt(65) *)0); }",
        targets=SPARC,
        sides=CALLEE,
    ),
    Quirk(
        name="gcc returns both parts of a packed record in one register of SPARC",
        subjects=("gcc",),
        policies={"overwrites_results": True},
        status=Status.BUG,
        reason="the second is loaded over the first",
        link="unreported",
        since=date(2026, 11, 23),
        example="""
            #pragma pack(push, 1)
            struct S { float a; double b; };
            #pragma pack(pop)
            struct S f(void);
        """,
        targets=SPARC,
        sides=CALLEE,
    ),
    Quirk(
        name="gcc passes both parts of a packed record in one register of SPARC",
        subjects=("gcc",),
        policies={"overwrites_arguments": True},
        status=Status.BUG,
        reason="the second is loaded over the first",
        link="unreported",
        since=date(2026, 11, 28),
        example="""
            #pragma pack(push, 1)
            struct S { float a; double b; };
            #pragma pack(pop)
            void f(struct S a);
        """,
        targets=SPARC,
        sides=CALLER,
    ),
    Quirk(
        name="gcc passes reals of packed records of SPARC in general registers",
        subjects=("gcc",),
        policies={"packed_reals_in_words": True},
        status=Status.AMBIGUOUS,
        reason="fields are promoted by their types and places; gcc says that the text has no packed structures",
        link="https://github.com/llvm/llvm-project/issues/39500",
        since=date(2026, 11, 23),
        example="""
struct S { float a; } __attribute__((packed));
void f(struct S a);
struct R { double a __attribute__((packed)); };
void g(struct R a);
""",
        targets=SPARC,
    ),
    Quirk(
        name="clang takes a vector of narrow integers on the stack of SPARC from one doubleword at -O0",
        subjects=("clang",),
        policies={"word_vectors_on_stack": True},
        status=Status.BUG,
        reason="callers, and callees at -O2, have each element in a doubleword of its own",
        link="unreported",
        since=date(2026, 11, 23),
        example="void f(int a, int b, int c, int d, int e, int g, int h, int i, short __attribute__((vector_size(4))) j);",
        targets=SPARC,
        sides=CALLEE,
        levels=("O0",),
    ),
    Quirk(
        name="clang before 16 has a doubleword for a float on the stack of 32-bit PowerPC",
        subjects=("clang<16",),
        policies={"floats_in_doublewords": True},
        status=Status.BUG,
        reason="what finds no register is in the next word, if that is enough; the float is in the first of two",
        link="unreported",
        since=date(2026, 11, 30),
        example="""
            void f(double a, double b, double c, double d, double e, double g, double h, double i, float j, float k, double l);
        """,
        targets=("powerpc-sysv",),
    ),
)
