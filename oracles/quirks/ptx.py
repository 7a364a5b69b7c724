"""Quirks of calls on CUDA devices, as PTX declares them."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.quirks.quirk import Quirk, Status

PTX = ("nvptx64-cuda",)

QUIRKS = (
    Quirk(
        name="clang aligns small records in .param space to at least 4",
        subjects=("clang<17",),
        policies={"least_param_align": 4},
        status=Status.BUG,
        reason="the alignment was raised for the sake of wide loads, in declarations that other compilers see, too",
        link="unreported",
        since=date(2026, 11, 21),
        example="""
            struct S { short a; }; void f(struct S a);
            struct T { struct {} a; char b[2]; }; void g(struct T a);
        """,
        targets=PTX,
    ),
    Quirk(
        name="clang declares a result in .param space with the alignment of its LLVM type",
        subjects=("clang>=19",),
        policies={"llvm_results": True},
        status=Status.BUG,
        reason="the LLVM type knows no alignment that an attribute asks for, and has bit-fields in integers of its own",
        link="https://github.com/llvm/llvm-project/issues/52840",
        since=date(2026, 11, 21),
        example="""
struct S { int a: 1; };
struct S f(void);
struct A { char a; } __attribute__((aligned(16)));
struct A g(void);
struct M { int a __attribute__((aligned(8))); };
struct M h(void);
            struct T { struct {} a; __int128 b; }; struct T t(void);
        """,
        targets=PTX,
    ),
    Quirk(
        name="clang declares an argument in .param space with the alignment of its LLVM type, where that is greater",
        subjects=("clang>=15",),
        policies={"llvm_params": True},
        status=Status.BUG,
        reason="the LLVM type is not packed where no byte moves",
        link="https://github.com/llvm/llvm-project/issues/52840",
        since=date(2026, 11, 21),
        example="""
struct S { int a __attribute__((packed)); };
void f(struct S a);
struct P { double a; } __attribute__((packed, aligned(4)));
void g(struct P a);
            struct T { _BitInt(100) a; }; void h(struct T a);
        """,
        targets=PTX,
    ),
    Quirk(
        name="clang 19 to 22 declare a call through a pointer in .param space without the alignment of the LLVM type",
        subjects=("clang>=19,<23",),
        policies={"llvm_params": True, "plain_pointers": True},
        status=Status.BUG,
        reason="the function that is called looks for the argument in other registers",
        link="unreported",
        since=date(2026, 11, 29),
        example="struct P { double a; } __attribute__((packed, aligned(4))); void f(float a, struct P b);",
        targets=PTX,
    ),
    Quirk(
        name="clang before 15 declares a call through a pointer in .param space without the least alignment of records",
        subjects=("clang<15",),
        policies={"least_param_align": 4, "plain_pointers": True},
        status=Status.BUG,
        reason="one module in which the function stands, too, is refused by ptxas",
        link="unreported",
        since=date(2026, 11, 29),
        example="struct S { short a; }; void f(struct S a);",
        targets=PTX,
    ),
    Quirk(
        name="clang before 19 declares a result in .param space as an LLVM type that has an integer for each run of bit-fields",
        subjects=("clang<19",),
        policies={"llvm_results": True, "runs_of_bit_fields": True},
        status=Status.BUG,
        reason="the alignment of this integer is that of the record in .param space; right for arguments since clang 19",
        link="https://github.com/llvm/llvm-project/issues/52840",
        since=date(2026, 11, 21),
        example="""
            struct S { int a : 32; char b : 8; }; struct S f(void);
            struct T { struct {} a; __int128 b; }; struct T t(void);
        """,
        targets=PTX,
    ),
    Quirk(
        name="clang leaves out what one member of a union in .param space has as padding",
        subjects=("clang",),
        policies={"one_member_of_unions": True},
        status=Status.BUG,
        reason="the union is passed as the LLVM type of one member, whose padding is neither stored nor loaded",
        link="https://github.com/llvm/llvm-project/issues/107239",
        since=date(2026, 11, 21),
        example="""
union U { struct { double r; unsigned s; } a; double b[2]; };
void f(union U a);
union U g(void);
struct N { int x; union U u; };
void h(struct N a);
union D { struct { char a; int b; } s; char x[8]; };
void i(union D a);
""",
        targets=PTX,
    ),
    Quirk(
        name="nvcc gives an empty record a byte",
        subjects=("nvcc", "nvrtc"),
        policies={"empty_classes": True},
        status=Status.DOCUMENTED,
        reason="device code is C++, where no object has no bytes",
        link="https://docs.nvidia.com/cuda/cuda-c-programming-guide/",
        since=date(2026, 11, 21),
        example="""
struct A { };
struct B { void *a; struct A b; char c; };
struct C { struct A a; int b : 1; long c; };
struct D { struct A a; long b; } __attribute__((packed));
struct E { } __attribute__((aligned(2)));
#pragma pack(push, 2)
struct F { struct A a; double b; };
#pragma pack(pop)
void f(struct D a, int b);
""",
        targets=PTX,
    ),
    Quirk(
        name="nvcc lets no zero-width bit-field end a unit of a packed record",
        subjects=("nvcc", "nvrtc"),
        policies={"idle_zero_width": True},
        status=Status.DOCUMENTED,
        reason="the next bit-field follows at once, though g++ for the host has it at the next unit",
        link="unreported",
        since=date(2026, 11, 22),
        example="""
struct S { char a : 3; int : 0; char b : 2; } __attribute__((packed));
#pragma pack(push, 2)
struct T { char a : 1; long long : 0; char b : 1; double c; };
#pragma pack(pop)
void f(struct S a);
""",
        targets=PTX,
    ),
    Quirk(
        name="clang 23 and later declare no result of no bytes",
        subjects=("clang>=23",),
        policies={"undeclared_nothing": True},
        status=Status.AMBIGUOUS,
        reason="the guide does not say how a value of no bytes is returned; before, and as an argument, it is an array without a size",
        link="unreported",
        since=date(2026, 11, 28),
        example="""
            struct E {}; struct E f(void);
            struct F { int a[0]; }; struct F g(void);
        """,
        targets=PTX,
    ),
    Quirk(
        name="clang 23 and later pass the unnamed arguments of PTX by an address in the local window",
        subjects=("clang>=23",),
        policies={"local_unnamed": True},
        status=Status.AMBIGUOUS,
        reason="the text no longer has variadic functions; before 23 callers pass a generic address, and va_arg loads from that",
        link="unreported",
        since=date(2026, 11, 30),
        example="void f(int a, ...); static void calls_f(void) { f(*(int *)0, *(int *)0); }",
        targets=PTX,
    ),
    Quirk(
        name="callers lay out an unnamed record of PTX member by member, and va_arg takes it as one",
        subjects=("clang>=19", "nvcc"),
        policies={"splits_unnamed": True},
        status=Status.BUG,
        reason="a record behind an argument that leaves it misaligned, and a packed one, is lost in a call of a compiler's own; run on a GPU",
        link="unreported",
        since=date(2026, 11, 29),
        example="""
            struct S { float a; double b; };
            void f(int a, ...);
            static void calls_f(void) { f(*(int *)0, *(unsigned *)0, *(struct S *)0); }
        """,
        targets=PTX,
    ),
)
