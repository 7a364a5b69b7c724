"""Quirks about the layouts of C++ classes."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.engine.policies import ClassHabit
from abiprobe.oracles.quirks.quirk import Quirk, Status

EVERYWHERE = (
    *("x86_64-sysv", "i386-sysv", "aarch64-aapcs64", "aarch64_be-aapcs64", "aarch64-darwin"),
    *("arm-aapcs", "arm-aapcs-vfp", "s390x", "sparc64", "loongarch64-lp64d"),
    *("powerpc64le-elfv2", "powerpc64-elfv1", "powerpc-sysv"),
    *("riscv64-lp64d", "riscv64-lp64", "riscv32-ilp32d", "riscv32-ilp32"),
)
"""The targets whose C++ follows the Itanium C++ ABI."""
NARROW = {"i386-sysv", "arm-aapcs", "arm-aapcs-vfp", "powerpc-sysv", "riscv32-ilp32d", "riscv32-ilp32"}
OF_GCC = tuple(one for one in EVERYWHERE if one != "aarch64-darwin")
"""Those of which gcc has a reading."""
WIDE = tuple(one for one in EVERYWHERE if one not in NARROW | {"s390x"})
"""Those that have `__int128`, and align it otherwise than `long`."""
ZERO_WIDTHS_ALIGN = ("aarch64-aapcs64", "aarch64_be-aapcs64", "arm-aapcs", "arm-aapcs-vfp")
"""Those of gcc on which a bit-field of no bits aligns its class."""

QUIRKS = (
    Quirk(
        name="gcc lends the tail padding of PODs with overlapping members",
        subjects=("gcc",),
        policies={"classes": frozenset({ClassHabit.OVERLAPPING_PODS})},
        status=Status.AMBIGUOUS,
        reason="a POD that is none for the purpose of layout is laid out as any other class, against the last step of 2.4",
        link="https://github.com/llvm/llvm-project/issues/50766",
        since=date(2026, 11, 28),
        example="struct K { [[no_unique_address]] int a; char b; };",
        targets=EVERYWHERE,
    ),
    Quirk(
        name="gcc ends an overlapping member with the declared type of its last bit-field",
        subjects=("gcc>=13",),
        policies={"classes": frozenset({ClassHabit.DECLARED_ENDS})},
        status=Status.BUG,
        reason="what a bit-field is wider than its type is not counted, so that the next member overlaps it",
        link="unreported",
        since=date(2026, 11, 28),
        example="struct K { char m : 9; K(); }; struct H { [[no_unique_address]] K k; char c; };",
        targets=EVERYWHERE,
    ),
    Quirk(
        name="gcc 12 loses the last byte of a bit-field",
        subjects=("gcc<13",),
        policies={"classes": frozenset({ClassHabit.WHOLE_BYTES})},
        status=Status.BUG,
        reason="the end of a bit-field is counted from the byte in which it begins, so that the next member overlaps its bits",
        link="unreported",
        since=date(2026, 11, 28),
        example="struct K { int a : 4; int b : 8; K(); }; struct H { [[no_unique_address]] K k; char c; };",
        targets=EVERYWHERE,
    ),
    Quirk(
        name="gcc takes a class with a defaulted or deleted constructor for no POD in C++20",
        subjects=("gcc<16",),
        policies={"classes": frozenset({ClassHabit.DEFAULTED_CONSTRUCTORS})},
        status=Status.BUG,
        reason="such a class is no aggregate any more in C++20, so its layout depends on the standard that is asked for",
        link="https://gcc.gnu.org/PR120012",
        since=date(2026, 11, 28),
        example="struct K { K() = default; int a; char b; };",
        targets=OF_GCC,
        options=("-std=*++2?",),
    ),
    Quirk(
        name="clang before 16 takes a class with a defaulted or deleted member function for no POD",
        subjects=("clang<16",),
        policies={"classes": frozenset({ClassHabit.DEFAULTED_CONSTRUCTORS, ClassHabit.DEFAULTED_OTHERS})},
        status=Status.BUG,
        reason="its tail padding is used for what follows, as gcc never did",
        link="https://github.com/llvm/llvm-project/issues/46056",
        since=date(2026, 11, 28),
        example="struct K { K() = default; int a; char b; };",
        targets=EVERYWHERE,
    ),
    Quirk(
        name="gcc takes an unnamed bit-field for a private member",
        subjects=("gcc",),
        policies={"classes": frozenset({ClassHabit.UNNAMED_ACCESS})},
        status=Status.BUG,
        reason="a bit-field without a name is no member, but makes its class no POD if it is declared where members are private",
        link="unreported",
        since=date(2026, 11, 28),
        example="struct K { private: int : 1; public: int b; char c; };",
        targets=EVERYWHERE,
    ),
    Quirk(
        name="gcc begins a bit-field of 128 bits in __int128",
        subjects=("gcc",),
        policies={"classes": frozenset({ClassHabit.INT128})},
        status=Status.AMBIGUOUS,
        reason="whether __int128 is an integral type is not said",
        link="unreported",
        since=date(2026, 11, 28),
        example="struct K { char a; int b : 128; };",
        targets=WIDE,
    ),
    Quirk(
        name="clang begins a bit-field of 128 bits in __int128 on AArch64",
        subjects=("clang>=22",),
        policies={"classes": frozenset({ClassHabit.INT128})},
        status=Status.AMBIGUOUS,
        reason="whether __int128 is an integral type is not said, and on other machines it is none to clang, nor on AArch64 to clang 19; 20 and 21 were not asked",
        link="unreported",
        since=date(2026, 11, 28),
        example="struct K { char a; int b : 128; };",
        targets=("aarch64-aapcs64", "aarch64_be-aapcs64", "aarch64-darwin"),
    ),
    Quirk(
        name="gcc takes a class with an empty member for nearly empty",
        subjects=("gcc",),
        policies={"classes": frozenset({ClassHabit.EMPTY_IS_NO_DATA})},
        status=Status.AMBIGUOUS,
        reason="the definition begins with 'no other data', and names data members of any kind where it goes on",
        link="unreported",
        since=date(2026, 11, 28),
        example="""
            struct A {};
            struct B { [[no_unique_address]] A a; virtual void v(); };
            struct C : virtual B { C(int, int); };
        """,
        targets=EVERYWHERE,
    ),
    Quirk(
        name="gcc takes no class for nearly empty whose empty base has an empty member behind its beginning",
        subjects=("gcc",),
        policies={"classes": frozenset({ClassHabit.EMPTY_MEMBER_MOVES})},
        status=Status.BUG,
        reason="only an empty base class at another offset than zero keeps a class from being nearly empty, and a member is none",
        link="unreported",
        since=date(2026, 11, 30),
        example="""
            struct A {};
            struct alignas(16) B : A { [[no_unique_address]] A a; };
            struct C : B { virtual void v(); };
            struct D : virtual C {};
        """,
        targets=EVERYWHERE,
    ),
    Quirk(
        name="gcc aligns a base as a complete object of its class where both have one size",
        subjects=("gcc",),
        policies={"classes": frozenset({ClassHabit.WHOLE_ALIGNMENT})},
        status=Status.BUG,
        reason="a base is aligned to the non-virtual alignment of its class, which virtual bases do not raise",
        link="unreported",
        since=date(2026, 11, 30),
        example="""
            struct alignas(32) A {};
            struct B : virtual A { alignas(16) char b[16]; };
            struct C { virtual void v(); };
            struct D : C, B { char d; };
        """,
        targets=EVERYWHERE,
    ),
    Quirk(
        name="gcc aligns a base as a complete object that is as large as an integer and aligned so",
        subjects=("gcc",),
        policies={"classes": frozenset({ClassHabit.WHOLE_ALIGNMENT, ClassHabit.INTEGER_SIZED})},
        status=Status.BUG,
        reason="where memory is accessed aligned, gcc gives such a class the alignment of the integer and forgets that a virtual base has asked for it, which a base has not",
        link="unreported",
        since=date(2026, 11, 30),
        example="""
            struct alignas(8) A {};
            struct B : virtual A { void *b; };
            struct alignas(16) D {};
            struct E : virtual D { void *e; };
            struct F : virtual B, virtual E {};
        """,
        targets=(
            "riscv64-lp64d",
            "riscv64-lp64",
            "riscv32-ilp32d",
            "riscv32-ilp32",
            "arm-aapcs",
            "arm-aapcs-vfp",
        ),
    ),
    Quirk(
        name="gcc does not align a class as its empty base or member is by bit-fields of no bits",
        subjects=("gcc",),
        policies={"classes": frozenset({ClassHabit.UNASKED_EMPTIES})},
        status=Status.AMBIGUOUS,
        reason="the text takes the non-virtual alignment of an empty base for 1, and by the AAPCS a bit-field of no bits aligns a class",
        link="unreported",
        since=date(2026, 11, 30),
        example="struct A { private: int : 0; }; struct B : A { B(); };",
        targets=ZERO_WIDTHS_ALIGN,
    ),
    Quirk(
        name="gcc puts an empty member into the byte of a bit-field",
        subjects=("gcc",),
        policies={"classes": frozenset({ClassHabit.EMPTY_IN_BYTE})},
        status=Status.BUG,
        reason="where an empty member cannot be at the beginning it goes to the last byte that is begun, not behind it",
        link="unreported",
        since=date(2026, 11, 28),
        example="struct A {}; struct B { A a; char b : 1; [[no_unique_address]] A c; };",
        targets=EVERYWHERE,
    ),
    Quirk(
        name="gcc does not align an empty member that is moved",
        subjects=("gcc",),
        policies={"classes": frozenset({ClassHabit.EMPTY_UNALIGNED})},
        status=Status.BUG,
        reason="where an empty member cannot be at the beginning, its alignas is forgotten, and the object is misaligned",
        link="unreported",
        since=date(2026, 11, 28),
        example="""
            struct A {};
            struct B { A a; [[no_unique_address]] alignas(16) A b; };
            struct C { A a; [[no_unique_address]] A b; [[no_unique_address]] alignas(16) A c; };
        """,
        targets=EVERYWHERE,
    ),
    Quirk(
        name="gcc counts where an empty virtual base is for an overlapping member",
        subjects=("gcc",),
        policies={"classes": frozenset({ClassHabit.EMPTY_VIRTUAL_COUNTS})},
        status=Status.BUG,
        reason="the data size covers no empty base, and gcc lets it reach to the offset of a virtual one",
        link="unreported",
        since=date(2026, 11, 28),
        example="""
            struct alignas(32) A {};
            struct B : virtual A { A a; char b; };
            struct C : B, A {};
            struct D { [[no_unique_address]] C c; char d; };
        """,
        targets=EVERYWHERE,
    ),
    Quirk(
        name="gcc forgets empty subobjects far inside of a class",
        subjects=("gcc",),
        policies={"classes": frozenset({ClassHabit.NEAR_EMPTIES})},
        status=Status.BUG,
        reason="of two objects of one type at one address it sees none beyond the size of the largest empty class that the unit has so far, so that an unrelated class changes the layout",
        link="unreported",
        since=date(2026, 11, 28),
        example="""
            struct A {};
            struct B : A {};
            struct C : virtual A { [[no_unique_address]] B b; char c[20]; };
            struct D { [[no_unique_address]] C c; B b; };
        """,
        targets=EVERYWHERE,
    ),
    Quirk(
        name="gcc covers an overlapping member in part",
        subjects=("gcc",),
        policies={"classes": frozenset({ClassHabit.MEMBERS_IN_PART})},
        status=Status.BUG,
        reason="an empty virtual base at the end of an overlapping member is outside of the class that has the member",
        link="unreported",
        since=date(2026, 11, 28),
        example="""
            struct A {};
            struct C : virtual A { [[no_unique_address]] A a; C(int, int); };
            struct D { [[no_unique_address]] C c; };
        """,
        targets=EVERYWHERE,
    ),
    Quirk(
        name="gcc lets an attribute lower the alignment of an empty member",
        subjects=("gcc",),
        policies={"classes": frozenset({ClassHabit.EMPTY_LOWERED})},
        status=Status.BUG,
        reason="the attribute aligned can only raise an alignment, says the manual, but lowers that of an empty member with no_unique_address",
        link="unreported",
        since=date(2026, 11, 29),
        example="struct alignas(64) A {}; struct B { [[no_unique_address]] A a __attribute__((aligned(2))); };",
        targets=EVERYWHERE,
    ),
    Quirk(
        name="gcc moves a packed member by the alignment of its type",
        subjects=("gcc",),
        policies={"classes": frozenset({ClassHabit.TYPE_STEPS})},
        status=Status.BUG,
        reason="a packed member has the alignment 1, so that it goes to the next byte where no object of its type is",
        link="unreported",
        since=date(2026, 11, 29),
        example="struct alignas(32) A {}; struct B : A { A a __attribute__((packed)); };",
        targets=EVERYWHERE,
    ),
    Quirk(
        name="clang begins a byte for a bit-field behind an empty member",
        subjects=("clang",),
        policies={"classes": frozenset({ClassHabit.EMPTY_ENDS_BYTE})},
        status=Status.BUG,
        reason="an empty member takes no data, so the next bit is still in the byte that the bit-field before it fills in part",
        link="unreported",
        since=date(2026, 11, 28),
        example="struct A {}; struct B { char a : 1; [[no_unique_address]] A b; char c : 1; };",
        targets=EVERYWHERE,
    ),
    Quirk(
        name="clang forgets empty subobjects far inside of a class",
        subjects=("clang",),
        policies={"classes": frozenset({ClassHabit.NEAR_OWN_EMPTIES})},
        status=Status.BUG,
        reason="of two objects of one type at one address it sees none in a base that lies beyond the size of the largest empty class",
        link="unreported",
        since=date(2026, 11, 29),
        example="""
            struct A {};
            struct B { [[no_unique_address]] A a; };
            struct C : virtual B, A {};
            struct D { [[no_unique_address]] C c; };
            struct E : D { [[no_unique_address]] A a; };
        """,
        targets=EVERYWHERE,
    ),
    Quirk(
        name="clang holds an oversized bit-field in its last bits on big-endian machines",
        subjects=("clang<24",),
        policies={"classes": frozenset({ClassHabit.LAST_BITS})},
        status=Status.BUG,
        reason="the value is in the bits of the type, which are the first ones, and the rest is padding",
        link="https://github.com/llvm/llvm-project/issues/225361",
        since=date(2026, 11, 28),
        example="struct K { char m : 9; K(); };",
        targets=("aarch64_be-aapcs64", "s390x", "sparc64", "powerpc64-elfv1", "powerpc-sysv"),
    ),
    Quirk(
        name="clang takes for nearly empty what is as large as a pointer",
        subjects=("clang",),
        policies={"classes": frozenset({ClassHabit.NEARLY_EMPTY_BY_SIZE})},
        status=Status.BUG,
        reason="a class with an empty base that is larger than a pointer is nearly empty, and clang says that it is not",
        link="unreported",
        since=date(2026, 11, 28),
        example="""
            struct alignas(16) A {};
            struct B : A { virtual int v(); };
            struct C { virtual int w(); };
            struct D : B, virtual C {};
            struct E : virtual D {};
        """,
        targets=EVERYWHERE,
    ),
)
