"""Quirks about the layouts of types."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.quirks.quirk import Quirk, Status

EVERYWHERE = (
    "riscv*",
    "x86_64-[!w]*",
    "x86_64-windows-gnu",
    "i386-windows-gnu",
    "i386-sysv",
    "aarch64*-aapcs64",
    "arm-*",
    "s390x",
    "loongarch*",
    "hexagon",
    "m68k",
    "mips*",
    "powerpc*",
    "sparc64",
    "sparc-sysv",
    "xtensa-call0",
)
"""The targets of gcc and clang with a model of GNU records."""

QUIRKS = (
    Quirk(
        name="tcc has rules of its own for records",
        subjects=("tcc",),
        policies={"records": "tcc"},
        status=Status.BUG,
        reason="the last alignment written counts, be it the least; bit-fields without a name align and size unions",
        link="unreported",
        since=date(2026, 11, 21),
        example="""
            struct S { int a __attribute__((aligned(1))); }; union U { short : 0; };
            typedef int N __attribute__((aligned(1))); struct Z { char a; N b; };
        """,
        targets=("x86_64-sysv", "i386-sysv"),
    ),
    Quirk(
        name="pcc has rules of its own for records",
        subjects=("pcc",),
        policies={"records": "pcc"},
        status=Status.BUG,
        reason="it ignores most attributes; what is packed shares no unit of bit-fields, and those without a name size unions alone",
        link="unreported",
        since=date(2026, 11, 21),
        example="""
            struct S { char a; int b __attribute__((packed)); }; union U { unsigned a : 28; long : 0; };
            struct W { int a; } __attribute__((aligned(16)));
        """,
        targets=("x86_64-sysv",),
    ),
    Quirk(
        name="tcc and pcc ignore packed on an enumeration",
        subjects=("tcc", "pcc"),
        policies={"packs_no_enum": True},
        status=Status.BUG,
        reason="they take `packed` behind an enumeration and ignore it",
        link="unreported",
        since=date(2026, 11, 21),
        example="enum E { v } __attribute__((packed)); struct S { enum E e; char b; };",
        targets=("x86_64-sysv", "i386-sysv"),
    ),
    Quirk(
        name="gcc ignores packed on a vector of characters",
        subjects=("gcc",),
        policies={"packs_no_characters": True},
        status=Status.BUG,
        reason="it says that the attribute is ignored for a field of the element's type",
        link="unreported",
        since=date(2026, 11, 22),
        example="""
struct S { char c; char __attribute__((vector_size(8))) b __attribute__((packed)); };
struct X { char __attribute__((vector_size(8))) a __attribute__((packed)); int b : 8; };
""",
        targets=("[!w]*",),
    ),
    Quirk(
        name="gcc tells no alignment above 16 on LoongArch",
        subjects=("gcc",),
        policies={"most_told": 16},
        status=Status.AMBIGUOUS,
        reason="the text gives a vector no alignment; without the vector extensions 16 is the largest that gcc knows, and members lie at multiples of 32",
        link="unreported",
        since=date(2026, 11, 23),
        example="struct S { int __attribute__((vector_size(32))) a; };",
        targets=("loongarch*",),
    ),
    Quirk(
        name="clang gives an attribute behind the star to the member",
        subjects=("clang",),
        policies={"attributes_on_member": True},
        status=Status.BUG,
        reason="the GCC manual gives it to the pointer type, where packed supersedes it",
        link="unreported",
        since=date(2026, 11, 21),
        example="struct S { void *__attribute__((aligned(32))) a; } __attribute__((packed));",
    ),
    Quirk(
        name="clang's __alignof__ of a member is that of its offset, not of its type",
        subjects=("clang",),
        policies={"alignment_of_place": True},
        status=Status.AMBIGUOUS,
        reason="the manual takes type and attributes for the alignment of a member; clang takes the place in an aligned record, too",
        link="unreported",
        since=date(2026, 11, 24),
        example="""
#pragma pack(push, 2)
struct S { double a; } __attribute__((aligned(16)));
#pragma pack(pop)
typedef char T __attribute__((aligned(16)));
struct R { double a; T b; };
struct A { double a; _Sat unsigned long _Accum b; } __attribute__((aligned(16)));
""",
        targets=(*EVERYWHERE, "aarch64-darwin", "wasm32", "nvptx64-cuda", "mips*", "bpf"),
    ),
    Quirk(
        name="compilers align a vector of RISC-V by its size, not its element",
        subjects=("clang", "gcc"),
        policies={"vectors_as_long": True},
        status=Status.AMBIGUOUS,
        reason="the sentence is newer than the compilers, which align a vector to its size",
        link="unreported",
        since=date(2026, 11, 22),
        example="""
            struct S { char a; int b __attribute__((vector_size(16))); };
            union U { int a __attribute__((vector_size(16))); };
        """,
        targets=("riscv*",),
    ),
    Quirk(
        name="gcc 16 aligns no vector of RISC-V to more than 16 bytes",
        subjects=("gcc>=16",),
        policies={"most_aligned_vector": 16},
        status=Status.AMBIGUOUS,
        reason="the sentence by which a vector is aligned as its element is newer than the compilers; gcc 12 aligns a vector to its size; 13 to 15 were not asked",
        link="unreported",
        since=date(2026, 11, 28),
        example="struct S { char a; int b __attribute__((vector_size(32))); };",
        targets=("riscv*",),
    ),
    Quirk(
        name="clang has no rule of Arm for unnamed bit-fields of Apple's records",
        subjects=("clang",),
        policies={"ignores_unnamed": True},
        status=Status.DOCUMENTED,
        reason="Apple's page is silent on bit-fields and refers to AAPCS64, in which they count; clang has its rule of other Apple targets",
        link="unreported",
        since=date(2026, 11, 22),
        example="""
            struct S { int : 0; }; struct T { int : 1; };
            struct U { char a; int : 0; }; union V { char a; int : 1; };
        """,
        targets=("aarch64-darwin",),
    ),
    Quirk(
        name="gcc and clang have bit-fields of ELFv1 in units of their types",
        subjects=("gcc", "clang"),
        policies={"bit_units_of_types": True},
        status=Status.WONTFIX,
        reason="a bit-field may lie anywhere in 64 bits, as figures of the text have it; compilers keep to the 32-bit supplement",
        link="unreported",
        since=date(2026, 11, 25),
        example="struct S { int a : 20; int b : 20; };",
        targets=("powerpc64-elfv1",),
    ),
    Quirk(
        name="clang before 23 does not pack bit-fields of an ms_struct",
        subjects=("clang<23",),
        policies={"whole_ms_units": True},
        status=Status.AMBIGUOUS,
        reason="the manual does not say what packed means for the unit of a bit-field; gcc and clang since 23 give it the alignment 1",
        link="unreported",
        since=date(2026, 11, 24),
        example="""
            struct S { char c; unsigned a : 7; } __attribute__((packed, ms_struct));
            struct T { char c; unsigned a : 7 __attribute__((packed)); } __attribute__((ms_struct));
        """,
        targets=(*EVERYWHERE, "aarch64-darwin", "wasm32", "nvptx64-cuda"),
    ),
    Quirk(
        name="clang before 23 counts the bits of a unit of an ms_struct in a byte",
        subjects=("clang>=16,<23",),
        policies={"ms_units_in_a_byte": True},
        status=Status.BUG,
        reason="a unit of 256 bits, as that of a _BitInt(250), has none for a second bit-field, and one of 320 takes a bit-field of 64 bits",
        link="unreported",
        since=date(2026, 12, 1),
        example="struct S { _BitInt(250) a : 1; _BitInt(250) b : 1; } __attribute__((ms_struct));",
        targets=("x86_64-sysv", "i386-sysv"),
    ),
    Quirk(
        name="clang leaves a flexible array in an ms_struct record where System V has it",
        subjects=("clang",),
        policies={"plain_flexible_arrays": True},
        status=Status.BUG,
        reason="an array with a length is aligned as the manual says",
        link="unreported",
        since=date(2026, 11, 24),
        example="struct S { int a; double c[]; } __attribute__((ms_struct));",
        targets=("i386-sysv",),
    ),
    Quirk(
        name="clang ignores packed on an enumeration of Microsoft's",
        subjects=("clang",),
        policies={"packs_no_enum": True},
        status=Status.BUG,
        reason="every enumeration is an int there, and no warning says that the attribute has no effect",
        link="unreported",
        since=date(2026, 11, 23),
        example="enum E { A = 0, B = 1 } __attribute__((packed)); struct S { enum E a; }; enum E f(enum E a);",
        targets=("x86_64-windows-msvc", "aarch64-windows-msvc", "i386-windows-msvc"),
    ),
    Quirk(
        name="clang 24 does not limit the alignment of a vector by #pragma pack where records are Microsoft's",
        subjects=("clang>=24",),
        policies={"vectors_ask_for_alignment": True},
        status=Status.DOCUMENTED,
        reason="it takes vectors for types that are declared with an alignment, which to Microsoft outlives packing; the texts have their alignment as that of other types",
        link="https://github.com/llvm/llvm-project/issues/134694",
        since=date(2026, 11, 25),
        example="""
            #pragma pack(push, 2)
            struct S { char a; float __attribute__((vector_size(8))) b; };
            struct T { float __attribute__((vector_size(8))) a; };
            #pragma pack(pop)
        """,
        targets=("x86_64-windows-msvc", "aarch64-windows-msvc", "i386-windows-msvc"),
    ),
    Quirk(
        name="clang for MinGW does not limit a zero-width bit-field by #pragma pack",
        subjects=("clang",),
        policies={"unpacked_zero_width": True},
        status=Status.BUG,
        reason="it aligns what follows by the size of its type, where packing limits every other alignment",
        link="unreported",
        since=date(2026, 11, 23),
        example="""
            #pragma pack(push, 1)
            struct S { char a: 1; int : 0; char b; };
            #pragma pack(pop)
            #pragma pack(push, 2)
            struct U { short a : 10; long : 0; };
            #pragma pack(pop)
        """,
        targets=("x86_64-windows-gnu", "i386-windows-gnu"),
    ),
    Quirk(
        name="gcc before 15 forgets what _Atomic adds to an array of records",
        subjects=("gcc<15",),
        policies={"plain_atomic_arrays": True},
        status=Status.AMBIGUOUS,
        reason="no text decides, and the dialect is that of gcc 15, in which the elements of an array have the alignment of their type",
        link="unreported",
        since=date(2026, 11, 25),
        example="struct R { int a; int b; }; struct S { char c; _Atomic(struct R) d[2]; };",
        # On m68k an atomic type is aligned as any other.
        targets=(
            *(one for one in EVERYWHERE if one != "m68k"),
            "x86_64-windows-msvc",
            "i386-windows-msvc",
        ),
    ),
    Quirk(
        name="gcc aligns a record on i386 as the integer that it holds it as",
        subjects=("gcc",),
        policies={"aligned_as_number": True},
        status=Status.BUG,
        reason="a record is aligned as its most strictly aligned member; only long long itself is aligned to 4 in records",
        link="unreported",
        since=date(2026, 11, 25),
        example="union U { _Decimal64 a; void *b; }; union V { int a : 1; int c __attribute__((vector_size(8))); };",
        targets=("i386-sysv",),
    ),
)
