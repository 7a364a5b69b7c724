"""C types as values: spelling, components, and the order in which names must be declared."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings

from abiprobe.generators.types import types
from abiprobe.oracles.language.lang import (
    DECIMAL,
    Array,
    Atomic,
    BitInt,
    Complex,
    Enum,
    Enumerator,
    FixedKind,
    FixedPoint,
    Kind,
    Member,
    Param,
    Pointer,
    Prototype,
    Record,
    Scalar,
    Type,
    Typedef,
    Vector,
    components,
    declared,
    spelling,
    strip,
)

drawn = settings(
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

INT, CHAR = Scalar(Kind.INT), Scalar(Kind.CHAR)
COLOUR = Enum("colour", (Enumerator("RED", 0),))
INNER = Record("inner", (Member(COLOUR, "c"),))
NAME = Typedef("name", INNER)
OUTER = Record("outer", (Member(Array(NAME, 2), "a"), Member(INNER, "b")), union=True)

SPELLINGS = [
    (None, "void"),
    *((Scalar(kind), kind.value) for kind in Kind),
    (BitInt(37), "_BitInt(37)"),
    (BitInt(37, signed=False), "unsigned _BitInt(37)"),
    (Complex(Kind.LDOUBLE), "long double _Complex"),
    (Complex(Kind.USHORT), "unsigned short _Complex"),
    (FixedPoint(FixedKind.ACCUM), "_Accum"),
    (FixedPoint(FixedKind.LONG_FRACT, signed=False), "unsigned long _Fract"),
    (FixedPoint(FixedKind.SHORT_ACCUM, signed=False, saturating=True), "_Sat unsigned short _Accum"),
    (COLOUR, "enum colour"),
    (Pointer(), "void *"),
    (Pointer("const char"), "const char *"),
    (Pointer("int", function=True), "int (*)(void)"),
    (Array(INT, 3), "int[3]"),
    (Array(INT, None), "int[]"),
    (Array(Array(Array(INNER, 4), 3), 0), "struct inner[0][3][4]"),
    (Array(NAME, 2), "name[2]"),
    (Vector(Kind.FLOAT, 16), "float __attribute__((vector_size(16)))"),
    (Atomic(Scalar(Kind.LONG)), "_Atomic(long)"),
    (NAME, "name"),
    (INNER, "struct inner"),
    (OUTER, "union outer"),
]


@pytest.mark.parametrize(("c_type", "text"), SPELLINGS, ids=[text for _, text in SPELLINGS])
def test_a_type_is_spelled_as_in_c(c_type: Type | None, text: str) -> None:
    assert spelling(c_type) == text


@pytest.mark.parametrize("kind", Kind)
def test_an_arithmetic_type_is_floating_or_integer(kind: Kind) -> None:
    assert kind.is_floating != kind.is_integer
    assert kind.is_floating == (
        "float" in kind.value.lower()
        or "double" in kind.value
        or kind in {Kind.BF16, Kind.FP16}
        or kind in DECIMAL
    )


def test_names_are_declared_innermost_first() -> None:
    assert declared((OUTER,)) == (COLOUR, INNER, NAME, OUTER)


def test_names_are_declared_once_in_the_order_of_their_use() -> None:
    assert declared((INNER, OUTER, COLOUR)) == (COLOUR, INNER, NAME, OUTER)
    assert declared((Pointer("struct inner"), INT, COLOUR)) == (COLOUR,)


@drawn
@given(types())
def test_whatever_a_name_needs_is_declared_before_it(c_type: Type) -> None:
    names = declared((c_type,))
    assert len(names) == len(set(names))
    for index, item in enumerate(names):
        assert set(declared(components(item))) <= set(names[:index])


def test_components_are_one_level_deep() -> None:
    assert components(OUTER) == (Array(NAME, 2), INNER)
    assert components(Array(NAME, 2)) == (NAME,)
    assert components(NAME) == (INNER,)
    assert components(Atomic(INT)) == (INT,)
    assert components(Pointer("struct inner")) == ()


def test_names_and_atomic_are_stripped_from_outside_only() -> None:
    assert strip(Typedef("a", Atomic(Typedef("b", INT, align=16)))) == INT
    assert strip(Array(NAME, 2)) == Array(NAME, 2)


def test_values_compare_by_structure() -> None:
    assert Record("s", (Member(INT, "a"),)) == Record("s", (Member(INT, "a"),))
    assert hash(Record("s", (Member(INT, "a"),))) == hash(Record("s", (Member(INT, "a"),)))
    assert Record("s", (Member(INT, "a"),)) != Record("s", (Member(INT, "a", width=32),))
    different: set[Type] = {Scalar(Kind.FLOAT), Complex(Kind.FLOAT), INT, Typedef("t", INT), Atomic(INT)}
    assert len(different) == 5


@pytest.mark.parametrize("value", [INT, OUTER, OUTER.members[0], Param("a", INT), Prototype("f", None, ())])
def test_values_do_not_change(value: msgspec.Struct) -> None:
    with pytest.raises(AttributeError):
        setattr(value, value.__struct_fields__[0], None)
