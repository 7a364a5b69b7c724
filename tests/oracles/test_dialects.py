"""What compilers make of types that a text does not have, as the dialects of LoongArch, MIPS, s390x and SPARC say it."""

from __future__ import annotations

import pytest

from abiprobe.harness.input import read
from abiprobe.oracles.language.lang import (
    Array,
    BitInt,
    Kind,
    Member,
    Param,
    Prototype,
    Record,
    Scalar,
    Vector,
)
from abiprobe.oracles.registry import TARGETS, find_model, find_target
from abiprobe.oracles.text.place import (
    Assignment,
    Extension,
    Layout,
    Register,
    StackSlot,
    Unspecified,
)

TRIPLES = {
    "loongarch64-lp64d": "loongarch64-linux-gnu",
    "mips-o32": "mips-linux-gnu",
    "mips64-n64": "mips64-linux-gnuabi64",
    "s390x": "s390x-linux-gnu",
    "sparc64": "sparc64-linux-gnu",
}
FAMILIES = ("gcc", "clang")


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    ("text", "registers"),
    [
        ("struct s { float a; _BitInt(33) b; }; void f(struct s p);", ["fa0", "a0"]),
        ("struct s { _BitInt(2) a; double b; }; void f(struct s p);", ["a0", "fa0"]),
        # One of more than GRLEN bits takes no register of its own.
        ("struct s { _BitInt(65) a; float b; }; void f(struct s p);", ["a0"]),
    ],
)
def test_a_bit_int_beside_a_real_is_an_integer_on_loongarch(
    family: str, text: str, registers: list[str]
) -> None:
    target = "loongarch64-lp64d"
    function = read(text, filename="t.h", triple=TRIPLES[target]).functions[0]
    answer = TARGETS[target].in_dialect(family).model().assign(function)
    assert isinstance(answer, Assignment)
    places = [piece.place for piece in answer.params[0].pieces]
    assert [place.name for place in places if isinstance(place, Register)] == registers


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("size", [8, 16, 32, 64])
def test_a_vector_is_aligned_to_its_size_on_sparc(family: str, size: int) -> None:
    text = f"struct s {{ char a; int __attribute__((vector_size({size}))) b; }};"
    record = read(text, filename="t.h", triple=TRIPLES["sparc64"]).records[0]
    layout = TARGETS["sparc64"].in_dialect(family).model().layout(record)
    assert isinstance(layout, Layout)
    assert (layout.size, layout.members[1].bit_offset) == (2 * size, size * 8)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(("value", "extension"), [(0, Extension.ZERO), (-1, Extension.SIGN)])
def test_an_enumeration_without_negative_values_is_unsigned_on_sparc(
    family: str, value: int, extension: Extension
) -> None:
    text = f"enum e {{ A = {value} }}; void f(enum e p);"
    function = read(text, filename="t.h", triple=TRIPLES["sparc64"]).functions[0]
    answer = TARGETS["sparc64"].in_dialect(family).model().assign(function)
    assert isinstance(answer, Assignment)
    assert [piece.extension for piece in answer.params[0].pieces] == [extension]


@pytest.mark.parametrize(("family", "align"), [("gcc", 8), ("clang", 16)])
def test_an_atomic_type_of_16_bytes_is_aligned_to_16_in_records_on_s390x(family: str, align: int) -> None:
    text = "struct s { char a; _Atomic(__int128) b; };"
    record = read(text, filename="t.h", triple=TRIPLES["s390x"]).records[0]
    layout = TARGETS["s390x"].in_dialect(family).model().layout(record)
    assert isinstance(layout, Layout)
    # gcc tells no alignment above that of a register.
    assert (layout.size, layout.align, layout.members[1].bit_offset) == (32, align, 128)
    assert isinstance(find_model("s390x").layout(record), Unspecified)


@pytest.mark.parametrize(
    ("members", "offset", "size"),
    [
        # The last bit-field ends at bit 16 of its unit, which ends at byte 5.
        ("char a : 1; unsigned b : 8; int c __attribute__((aligned(2)));", 5, 10),
        ("char a : 1; unsigned b : 17; int c __attribute__((aligned(2)));", 6, 10),
        ("char a : 1; unsigned b : 8; short c __attribute__((aligned(4)));", 8, 12),
        ("unsigned b : 8; char a : 1; int c __attribute__((aligned(2)));", 6, 10),
    ],
)
def test_an_attribute_is_met_by_the_end_of_a_bit_field_to_gcc(members: str, offset: int, size: int) -> None:
    text = f"struct s {{ {members} }} __attribute__((packed, ms_struct));"
    record = read(text, filename="t.h", triple="x86_64-linux-gnu").records[0]
    layout = TARGETS["x86_64-sysv"].in_dialect("gcc").model().layout(record)
    assert isinstance(layout, Layout)
    assert (layout.members[-1].bit_offset, layout.size) == (offset * 8, size)


def test_a_vector_of_16_bytes_in_a_larger_union_is_in_no_register_to_clang_24() -> None:
    text = (
        "union u { int __attribute__((vector_size(16))) a; } __attribute__((aligned(32))); void f(union u p);"
    )
    function = read(text, filename="t.h", triple="x86_64-linux-gnu").functions[0]
    answer = find_target("x86_64-sysv@clang-24").model().assign(function)
    assert isinstance(answer, Assignment)
    assert answer.params[0].pieces[0].place == StackSlot(8)


@pytest.mark.parametrize(
    ("dialect", "text", "register", "at"),
    [
        ("mips64-n64@gcc-reading", "short _Complex f(void);", "v0", 4),
        ("mips64-n64@clang-24", "short _Complex f(void);", "v0", 4),
        ("mips-o32@gcc-reading", "char _Complex f(void);", "v0", 2),
        ("mips64-n64@gcc-reading", "char __attribute__((vector_size(2))) f(void);", "v0", 6),
        ("mips64-n64@clang-24", "char __attribute__((vector_size(2))) f(void);", "v0", 0),
        ("mips64-n64@gcc-reading", "void f(float __attribute__((vector_size(4))));", "a0", 4),
        ("mips64-n64@clang-24", "void f(float __attribute__((vector_size(4))));", "a0", 0),
        ("mips64-n64@gcc-reading", "void f(int __attribute__((vector_size(4))));", "a0", 0),
    ],
)
def test_narrow_values_of_big_endian_mips_are_where_compilers_have_them(
    dialect: str, text: str, register: str, at: int
) -> None:
    target = find_target(dialect)
    function = read(text, filename="t.h", triple=TRIPLES[target.name]).functions[0]
    answer = target.model().assign(function)
    assert isinstance(answer, Assignment)
    passed = answer.params[0] if answer.params else answer.result
    assert passed is not None
    assert [(piece.place, piece.at) for piece in passed.pieces] == [(Register(register), at)]


@pytest.mark.parametrize(
    ("text", "register"),
    [
        ("union u { double a; int : 0; }; void f(union u p);", "rdi"),
        # What has no bytes has no class, whatever is in it, unless it begins inside of an eightbyte.
        ("union n { int : 0; }; union u { double a; union n b; }; void f(union u p);", "xmm0"),
        ("union n { int : 0; }; struct s { float a; union n b; }; void f(struct s p);", "rdi"),
    ],
)
def test_gcc_counts_a_zero_width_bit_field_of_a_union_that_has_bytes(text: str, register: str) -> None:
    function = read(text, filename="t.h", triple="x86_64-linux-gnu").functions[0]
    answer = find_target("x86_64-sysv@gcc-16").model().assign(function)
    assert isinstance(answer, Assignment)
    assert [piece.place for piece in answer.params[0].pieces] == [Register(register)]


@pytest.mark.parametrize(("family", "align"), [("gcc", 8), ("clang", 4)])
def test_gcc_aligns_an_atomic_record_of_o32_to_a_doubleword_at_most(family: str, align: int) -> None:
    """16 bytes are those of an atomic integer to gcc, and none to clang; no value of o32 is aligned to more than 8 bytes."""
    text = "struct r { int a; char b[12]; }; struct s { _Atomic(struct r) a; };"
    record = read(text, filename="t.h", triple=TRIPLES["mips-o32"]).records[-1]
    assert find_target(f"mips-o32@{family}-reading").model().layout(record).align == align


@pytest.mark.parametrize(("dialect", "register"), [("gcc-reading", "a2"), ("clang-24", "a1")])
def test_clang_aligns_no_record_of_mips_as_its_typedef_asks(dialect: str, register: str) -> None:
    text = "struct s { int a; long b; }; typedef struct s t __attribute__((aligned(64))); void f(int x, t y);"
    function = read(text, filename="t.h", triple=TRIPLES["mips64-n64"]).functions[0]
    answer = find_target(f"mips64-n64@{dialect}").model().assign(function)
    assert isinstance(answer, Assignment)
    assert answer.params[1].pieces[0].place == Register(register)


INT = Scalar(Kind.INT)
FLEXIBLE = Member(Array(INT, None), "b")
ENDING_IN_ARRAY = Record("", (Member(INT, "a"), FLEXIBLE))


@pytest.mark.parametrize(
    ("member", "place"),
    [(FLEXIBLE, StackSlot(8)), (Member(ENDING_IN_ARRAY, "c"), Register("rdi"))],
)
def test_gcc_has_a_union_in_memory_of_which_a_member_itself_is_a_flexible_array(
    member: Member, place: Register | StackSlot
) -> None:
    union = Record("u", (Member(INT, "d"), member), union=True)
    answer = find_target("x86_64-sysv@gcc-16").model().assign(Prototype("f", None, (Param("p", union),)))
    assert isinstance(answer, Assignment)
    assert [piece.place for piece in answer.params[0].pieces] == [place]


@pytest.mark.parametrize(
    ("dialect", "widths", "start"),
    [
        ("clang-22", (192, 192), 1),
        ("clang-22", (256, 256), 256),
        ("clang-22", (320, 64), 257),
        ("clang-24", (256, 256), 1),
        ("clang-24", (320, 64), 320),
    ],
)
def test_clang_before_23_counts_the_bits_of_an_ms_struct_in_a_byte(
    dialect: str, widths: tuple[int, int], start: int
) -> None:
    members = tuple(Member(BitInt(width), name, 1) for width, name in zip(widths, "ab", strict=True))
    layout = find_target(f"x86_64-sysv@{dialect}").model().layout(Record("s", members, ms_struct=True))
    assert isinstance(layout, Layout)
    assert layout.members[-1].bit_offset == start


def test_clang_counts_an_integer_in_a_register_that_llvm_has_on_the_stack() -> None:
    """The address of the result takes a register that clang does not count, so that the last integer finds none."""
    vector, pair = Vector(Kind.INT128, 32), Record("s", (Member(Scalar(Kind.DOUBLE), "a"), Member(INT, "b")))
    params = (*(Param(name, INT) for name in "abcdeg"), Param("h", pair))
    answer = find_target("x86_64-sysv@clang-24").model().assign(Prototype("f", vector, params))
    assert isinstance(answer, Assignment)
    assert [[piece.place for piece in one.pieces] for one in answer.params[-2:]] == [
        [StackSlot(8)],
        [StackSlot(16)],
    ]
