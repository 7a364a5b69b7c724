"""Quirks of the classification of x86-64 System V, each at one step of it."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.quirks.quirk import CALLEE, CALLER, NAMED, UNNAMED, Quirk, Status

ZERO_WIDTH = "https://gcc.gnu.org/gcc-12/changes.html#zero_width_bitfields"
TARGETS = ("x86_64-sysv",)

QUIRKS = (
    Quirk(
        name="clang before 17 loses the result of a function that preserves all registers",
        subjects=("clang<17",),
        policies={"restores_results": True},
        status=Status.BUG,
        reason="by preserve_most and preserve_all the callee restores rax and xmm0, too; no text describes them, but nothing comes back",
        link="https://github.com/llvm/llvm-project/issues/48789",
        since=date(2026, 11, 26),
        example="""
            struct S { int a : 3; long long b : 33; };
            struct S (__attribute__((preserve_all)) f)(double a, long long b);
            int (__attribute__((preserve_all)) g)(void);
        """,
        targets=("x86_64-sysv",),
        sides=CALLEE,
    ),
    Quirk(
        name="gcc counts a zero-width bit-field in a union as INTEGER",
        subjects=("gcc",),
        policies={"zero_width_in_unions": True},
        status=Status.BUG,
        reason="in a struct gcc 12 and later follow the text",
        link="unreported",
        since=date(2026, 11, 21),
        example="""
            union U { float a; int : 0; };
            void f(union U a);
            union U g(void);
            struct S { float a; union { int : 0; } b; };
            void h(struct S a);
        """,
        targets=TARGETS,
    ),
    Quirk(
        name="clang's va_arg stores eight bytes of reals where a struct of x86-64 has fewer left",
        subjects=("clang>=19",),
        policies={"va_arg_stores_reals": True},
        status=Status.BUG,
        reason="the second eightbyte is stored as four halves; what lies behind the copy is overwritten; right in clang 16, and 17 and 18 were not asked",
        link="unreported",
        since=date(2026, 12, 1),
        example="""
            struct S { float a[3]; _Float16 b; } __attribute__((packed));
            void f(double a, ...);
            static void calls_f(void) { f(1, *(struct S *)0, *(int *)0, *(double *)0); }
        """,
        targets=TARGETS,
        sides=CALLEE,
        levels=("O0",),
    ),
    Quirk(
        name="gcc takes a complex number of two halves inside of an eightbyte to reach into the next",
        subjects=("gcc",),
        policies={"half_complex_goes_on": True},
        status=Status.BUG,
        reason="all of it is in the first eightbyte; the next holds padding, and takes no register, as to clang",
        link="unreported",
        since=date(2026, 12, 1),
        example="""
            struct S { int a; _Float16 _Complex b; } __attribute__((aligned(16)));
            void f(struct S a, double b);
        """,
        targets=TARGETS,
    ),
    Quirk(
        name="gcc does not ask whether a field that is a record is unaligned",
        subjects=("gcc",),
        policies={"records_are_no_fields": True},
        status=Status.BUG,
        reason="the record has an unaligned field, so the class is MEMORY; gcc asks what is in the field, and no bit-field is unaligned",
        link="unreported",
        since=date(2026, 12, 1),
        example="""
            struct R { int a : 20; };
            struct S { char a[6]; struct R b __attribute__((packed)); char c; };
            void f(struct S a);
            struct S g(void);
        """,
        targets=TARGETS,
    ),
    Quirk(
        name="gcc takes a bit-field of a union for unaligned where its mode would be",
        subjects=("gcc",),
        policies={"union_bit_fields_by_mode": True},
        status=Status.BUG,
        reason="its union is aligned as it asks for; in a struct gcc follows the text, and so does clang",
        link="unreported",
        since=date(2026, 12, 1),
        example="""
            union U { long long a : 22; } __attribute__((packed));
            struct S { char a[3]; union U b; char c; };
            void f(struct S a);
            struct S g(void);
        """,
        targets=TARGETS,
    ),
    Quirk(
        name="gcc before 12 counts a zero-width bit-field as INTEGER",
        subjects=("gcc<12",),
        policies={"zero_width_in_structs": True},
        status=Status.DOCUMENTED,
        reason="changed in GCC 12",
        link=ZERO_WIDTH,
        since=date(2026, 11, 21),
        example="struct S { float a; int : 0; }; void f(struct S a); struct S g(void);",
        targets=TARGETS,
    ),
    Quirk(
        name="gcc counts an array of length zero as a field",
        subjects=("gcc",),
        policies={"counts_empty_arrays": True},
        status=Status.BUG,
        reason="it is classified as if it had an element",
        link="unreported",
        since=date(2026, 11, 21),
        example="struct S { double a; float b; int c[0]; }; void f(struct S a);",
        targets=TARGETS,
    ),
    Quirk(
        name="gcc looks for unaligned fields in the first element of an array only",
        subjects=("gcc",),
        policies={"aligned_first_elements": True},
        status=Status.BUG,
        reason="an element behind the first has an unaligned field, so the value has class MEMORY",
        link="unreported",
        since=date(2026, 11, 21),
        example="struct S { struct { int a; char b; } __attribute__((packed)) e[2]; }; void g(struct S a);",
        targets=TARGETS,
    ),
    Quirk(
        name="gcc takes a bit-field that fills its type for a member",
        subjects=("gcc",),
        policies={"filling_bit_fields_are_members": True},
        status=Status.BUG,
        reason="the record inside begins at an odd byte, and what has no name aligns nothing: no field is unaligned, so the class is not MEMORY",
        link="unreported",
        since=date(2026, 11, 26),
        example="""
struct S { char a; struct { unsigned short : 16; char b; } c; float _Complex d; short e; };
void f(struct S a);
struct S g(long a);
""",
        targets=TARGETS,
    ),
    Quirk(
        name="gcc passes a record with an unaligned _BitInt in registers",
        subjects=("gcc>=14",),
        policies={"unaligned_bit_ints": True},
        status=Status.BUG,
        reason="gcc does not ask where a _BitInt of 33 to 64 bits is, as it does for any other integer",
        link="unreported",
        since=date(2026, 11, 26),
        example="struct T { char a; _BitInt(33) b; } __attribute__((packed)); void h(struct T a); struct T i(struct T a);",
        targets=TARGETS,
    ),
    Quirk(
        name="gcc passes nothing for a large record of unnamed bit-fields",
        subjects=("gcc",),
        policies={"skips_unnamed_members": True},
        status=Status.BUG,
        reason="what exceeds two eightbytes, and does not begin with SSE, goes in memory; gcc skips it",
        link="unreported",
        since=date(2026, 11, 21),
        example="struct E { int : 12; }; struct S { struct E a[9]; }; void f(struct S a, long double b); struct S g(long a);",
        targets=TARGETS,
    ),
    Quirk(
        name="gcc passes half of a record of one vector of one __int128",
        subjects=("gcc",),
        policies={"halves_int128_vectors": True},
        status=Status.BUG,
        reason="the vector by itself is whole; in a record its upper half has no class, and is lost",
        link="unreported",
        since=date(2026, 11, 26),
        example="""
            struct S { __int128 __attribute__((vector_size(16))) a; }; void f(struct S a); struct S g(void);
            union U { long long a; __int128 __attribute__((vector_size(16))) b; }; void h(union U a);
        """,
        targets=TARGETS,
    ),
    Quirk(
        name="gcc loses the upper part of a record of one wide vector that a function returns",
        subjects=("gcc<13",),
        policies={"loses_upper_parts": True},
        status=Status.BUG,
        reason="vzeroupper stands between the load of the register and ret; the vector by itself is whole. Right since gcc 13",
        link="unreported",
        since=date(2026, 11, 26),
        example="""
struct S { int a __attribute__((vector_size(32))); };
__attribute__((target("avx"))) struct S f(void);
""",
        targets=TARGETS,
        sides=CALLEE,
        levels=("O2",),
    ),
    Quirk(
        name="gcc and clang pass a vector of several __int128 in memory",
        subjects=("gcc", "clang"),
        policies={"int128_vectors_in_memory": True},
        status=Status.AMBIGUOUS,
        reason="the text knows __m256 and __m512 by their sizes, and does not say of what elements they are; no intrinsic has __int128",
        link="unreported",
        since=date(2026, 11, 23),
        example="""
typedef __int128 V __attribute__((vector_size(32)));
__attribute__((target("avx"))) int f(V a);
__attribute__((target("avx"))) V i(char a);
""",
        targets=TARGETS,
    ),
    Quirk(
        name="clang splits an __int128 between r9 and the stack",
        subjects=("clang<18",),
        policies={"splits_int128": NAMED},
        status=Status.BUG,
        reason="one half in a register and one on the stack, and no alignment to 16 there; right since clang 18",
        link="https://github.com/llvm/llvm-project/issues/41784",
        since=date(2026, 11, 21),
        example="void f(long a, long b, long c, long d, long e, __int128 g);",
        targets=TARGETS,
    ),
    Quirk(
        name="clang leaves r9 unused behind an __int128 on the stack",
        subjects=("clang>=18,<20",),
        policies={"int128_drains_registers": NAMED},
        status=Status.BUG,
        reason="the register is not given to the next integer argument; right since clang 20",
        link="https://github.com/llvm/llvm-project/issues/123935",
        since=date(2026, 11, 21),
        example="void f(long a, long b, long c, long d, long e, __int128 g, long h);",
        targets=TARGETS,
    ),
    Quirk(
        name="clang has no class for a __float128",
        subjects=("clang<18",),
        policies={"float128_in_memory": True},
        status=Status.BUG,
        reason="a record with one is in memory, where the text has SSE and SSEUP; right since clang 18",
        link="unreported",
        since=date(2026, 11, 22),
        example="struct S { __float128 a; }; struct S f(struct S a); union U { double a; __float128 b; }; void h(union U a);",
        targets=TARGETS,
    ),
    Quirk(
        name="clang before 24 knows wide vectors by the options of the unit",
        subjects=("clang<24",),
        policies={"vectors_of_unit": True},
        status=Status.BUG,
        reason="the class of a vector depends on the options of the whole unit, and not on those of the function",
        link="https://github.com/llvm/llvm-project/issues/64706",
        since=date(2026, 11, 23),
        example="""
typedef float V __attribute__((vector_size(32)));
__attribute__((target("avx"))) int f(V a, int b);
struct S { V a; };
__attribute__((target("avx"))) struct S g(int *a);
""",
        targets=TARGETS,
    ),
    Quirk(
        name="clang passes a named wide vector of a variadic function on the stack",
        subjects=("clang>=24",),
        policies={"wide_vectors_on_stack": True},
        status=Status.BUG,
        reason="LLVM takes every wide vector of such a function for a variable argument; only these are always on the stack. With -mavx clang 14 to 23 do so, too",
        link="unreported",
        since=date(2026, 11, 23),
        example="""
typedef float V __attribute__((vector_size(32)));
__attribute__((target("avx"))) void f(V a, ...);
static void calls_f(void) { f(*(V *)0, *(int *)0); }
struct S { V a; };
__attribute__((target("avx"))) void g(double a, double b, double c, double d, double e, double g, struct S h, V i, ...);
static void calls_g(void) { g(1, 2, 3, 4, 5, 6, *(struct S *)0, *(V *)0, *(int __attribute__((vector_size(8))) *)0, *(double *)0, *(double *)0, *(struct S *)0); }
""",
        targets=TARGETS,
    ),
    Quirk(
        name="clang counts the registers for a named record otherwise than LLVM gives them",
        subjects=("clang",),
        policies={"counts_apart": NAMED},
        status=Status.BUG,
        reason="it counts a named wide vector that LLVM has on the stack (since 24), and not the address of a result that LLVM returns in memory",
        link="unreported",
        since=date(2026, 11, 26),
        example="""
struct S { double a; short b[4]; };
__int128 __attribute__((vector_size(64))) f(long a, long b, long c, long d, long e, struct S g);
""",
        targets=TARGETS,
    ),
    Quirk(
        name="clang's callers count the registers for an unnamed record otherwise than LLVM gives them",
        subjects=("clang",),
        policies={"counts_apart": UNNAMED},
        status=Status.BUG,
        reason="as of a named one; va_arg takes all of it from where LLVM has counted",
        link="unreported",
        since=date(2026, 11, 26),
        example="""
struct S { double a; short b[4]; };
__int128 __attribute__((vector_size(64))) f(long a, long b, long c, long d, long e, ...);
static void calls_f(void) { f(1, 2, 3, 4, 5, *(struct S *)0); }
""",
        targets=TARGETS,
        sides=CALLER,
    ),
    Quirk(
        name="clang passes a wide vector beside an empty record in memory",
        subjects=("clang",),
        policies={"wide_vectors_alone": True},
        status=Status.BUG,
        reason="a member that takes no bytes has no class",
        link="unreported",
        since=date(2026, 11, 26),
        example="""
struct S { struct { } a; float __attribute__((vector_size(32))) b; };
__attribute__((target("avx"))) void f(struct S a);
""",
        targets=TARGETS,
    ),
    Quirk(
        name="clang splits an unnamed __int128 between r9 and the stack",
        subjects=("clang<18",),
        policies={"splits_int128": UNNAMED},
        status=Status.BUG,
        reason="va_arg takes it from the stack, whole; right since clang 18",
        link="https://github.com/llvm/llvm-project/issues/41784",
        since=date(2026, 11, 21),
        example="void f(int a, ...); static void calls_f(void) { f(1, 2L, 3L, 4L, 5L, *(__int128 *)0); }",
        targets=TARGETS,
        sides=CALLER,
    ),
    Quirk(
        name="clang leaves r9 unused behind an unnamed __int128 on the stack",
        subjects=("clang>=18,<20",),
        policies={"int128_drains_registers": UNNAMED},
        status=Status.BUG,
        reason="va_arg takes the next integer from r9; right since clang 20",
        link="https://github.com/llvm/llvm-project/issues/123935",
        since=date(2026, 11, 21),
        example="void f(int a, ...); static void calls_f(void) { f(1, 2L, 3L, 4L, 5L, *(__int128 *)0, 7L); }",
        targets=TARGETS,
        sides=CALLER,
    ),
    Quirk(
        name="clang takes an unnamed __float128 from the stack",
        subjects=("clang<18",),
        policies={"unnamed_float128_on_stack": True},
        status=Status.BUG,
        reason="va_arg of a type of class SSE and SSEUP must look in the saved vector registers",
        link="unreported",
        since=date(2026, 11, 22),
        example="int f(int n, ...); static void calls(__float128 a) { f(1, a); }",
        targets=TARGETS,
        sides=CALLEE,
    ),
    Quirk(
        name="clang takes an unnamed fixed-point number from the stack",
        subjects=("clang",),
        policies={"unnamed_fixed_on_stack": True},
        status=Status.BUG,
        reason="a caller passes it in a general register as an integer of its size, and va_arg does not look there",
        link="https://github.com/llvm/llvm-project/issues/196279",
        since=date(2026, 11, 23),
        example="void f(int a, ...); static void calls_f(void) { f(*(int *)0, *(_Accum *)0); }",
        targets=TARGETS,
        sides=CALLEE,
    ),
    Quirk(
        name="clang passes the first half of a union of a __float128 and two reals in a general register",
        subjects=("clang>=18",),
        policies={"float128_unions_in_integers": NAMED},
        status=Status.BUG,
        reason="both eightbytes are SSE: SSE merged with SSEUP is SSE. The first is passed as an integer, the second in the next vector register",
        link="unreported",
        since=date(2026, 11, 25),
        example="union U { double _Complex a; __float128 b; }; void f(union U a); union U g(void);",
        targets=TARGETS,
    ),
    Quirk(
        name="clang's callers pass the first half of an unnamed union of a __float128 and two reals in a general register",
        subjects=("clang>=18",),
        policies={"float128_unions_in_integers": UNNAMED},
        status=Status.BUG,
        reason="as of a named one; va_arg takes both halves from vector registers, as the text says",
        link="unreported",
        since=date(2026, 11, 30),
        example="""
            union U { double _Complex a; __float128 b; };
            void f(int n, ...);
            static void calls_f(void) { f(*(int *)0, *(union U *)0, *(int *)0); }
        """,
        targets=TARGETS,
        sides=CALLER,
    ),
    Quirk(
        name="clang passes small reals in a general register where the next eightbyte has another small value",
        subjects=("clang>=15",),
        policies={"small_reals_in_integers": NAMED},
        status=Status.BUG,
        reason="so that the second begins at byte 8 clang widens the first, one half or float to a double, but one __bf16 or two halves to an integer, which its own assertions forbid",
        link="unreported",
        since=date(2026, 12, 1),
        example="""
            struct S { __bf16 a; long : 0; float b; }; void f(struct S a); struct S g(void);
            struct T { _Float16 a, b; long : 0; int c; }; void h(struct T a);
        """,
        targets=TARGETS,
    ),
    Quirk(
        name="clang's callers pass unnamed small reals in a general register where the next eightbyte has another small value",
        subjects=("clang>=15",),
        policies={"small_reals_in_integers": UNNAMED},
        status=Status.BUG,
        reason="as of named ones; va_arg takes both eightbytes from vector registers, as the text says",
        link="unreported",
        since=date(2026, 12, 1),
        example="""
            struct S { __bf16 a; long : 0; float b; };
            void f(int n, ...);
            static void calls_f(void) { f(*(int *)0, *(struct S *)0, *(int *)0); }
        """,
        targets=TARGETS,
        sides=CALLER,
    ),
    Quirk(
        name="clang loses bytes that one member of a union has as padding",
        subjects=("clang>=14",),
        policies={"one_member_of_unions": True},
        status=Status.BUG,
        reason="half of the other member's value is not passed",
        link="https://github.com/llvm/llvm-project/issues/83388",
        since=date(2026, 11, 21),
        example="union U { double a; struct { float b; double c; } d; }; void f(union U a);",
        targets=TARGETS,
    ),
    Quirk(
        name="clang overlooks an array of more than 16 bytes beside a wide vector in a union",
        subjects=("clang>=24",),
        policies={"overlooks_arrays": True},
        status=Status.BUG,
        reason="the characters make eightbytes INTEGER, so the union has class MEMORY; clang returns it as the vector",
        link="unreported",
        since=date(2026, 11, 26),
        example="""
union U { float __attribute__((vector_size(64))) a; char b[25]; };
__attribute__((target("avx512f"))) union U f(long a);
""",
        targets=TARGETS,
    ),
    Quirk(
        name="tcc has one class for a whole value",
        subjects=("tcc",),
        policies={"one_class": True},
        status=Status.BUG,
        reason="all eightbytes have the merged class of all members, an array is INTEGER as the pointer that it decays to, and nothing is unaligned",
        link="unreported",
        since=date(2026, 11, 21),
        example="""
            struct S { long i; double x; }; void f(struct S a); struct T { float x[1]; }; void g(struct T a); struct T h(void);
        """,
        targets=TARGETS,
    ),
    Quirk(
        name="pcc asks where members begin, in the records that they are in",
        subjects=("pcc",),
        policies={"classes_by_beginning": True},
        status=Status.BUG,
        reason="elements of an array behind the first have no class, an array without elements has one, and a member of an inner record is taken for the first",
        link="unreported",
        since=date(2026, 11, 21),
        example="""
struct S { int a; float b[3]; };
void f(struct S a);
struct T { int a[0]; float b; };
void g(struct T a);
struct U { int a; struct { double b; }; };
void h(struct U a);
        """,
        targets=TARGETS,
    ),
    Quirk(
        name="pcc gives a record registers only where two are left",
        subjects=("pcc",),
        policies={"records_need_two": True},
        status=Status.BUG,
        reason="neither r9 nor xmm7 is given to one of a single class",
        link="unreported",
        since=date(2026, 11, 21),
        example="""
struct S { float x; };
void f(double a, double b, double c, double d, double e, double g, double h, struct S i);
struct T { int a, b; };
void g(long a, long b, long c, long d, long e, struct T g, long h);
""",
        targets=TARGETS,
    ),
    Quirk(
        name="pcc pads and aligns nothing on the stack",
        subjects=("pcc",),
        policies={"unpadded_stack": True},
        status=Status.BUG,
        reason="each argument has a size that is a multiple of 8, and a long double is aligned to 16",
        link="unreported",
        since=date(2026, 11, 21),
        example="""
void f(long a, long b, long c, long d, long e, long g, long h, long double i);
struct S { char c; };
void g(long a, long b, long c, long d, long e, long g, struct S h, int i);
            struct W { struct { char a : 3; } b; }; void l(long a, long b, long c, long d, long e, long g, struct W h, long i);
        """,
        targets=TARGETS,
    ),
    Quirk(
        name="pcc returns two long doubles in st0 and st1",
        subjects=("pcc",),
        policies={"long_doubles_in_x87": True},
        status=Status.BUG,
        reason="a record of two is returned as a complex number, without an address",
        link="unreported",
        since=date(2026, 11, 21),
        example="struct S { long double a, b; }; struct S f(void *a);",
        targets=TARGETS,
    ),
)
