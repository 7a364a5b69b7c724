"""What of C a question uses, by name."""

from __future__ import annotations

import pytest

from abiprobe.oracles.language.constructs import CONSTRUCTS, constructs, needs
from abiprobe.oracles.language.lang import (
    Array,
    Enum,
    Enumerator,
    Kind,
    Member,
    Param,
    Pointer,
    Prototype,
    Record,
    Scalar,
    Type,
    Typedef,
)

INT, CHAR = Scalar(Kind.INT), Scalar(Kind.CHAR)
PLAIN = Record("P", (Member(INT, "a"),))
ALIGNED = Record("A", (Member(INT, "a"),), align=32)

TABLE: dict[str, tuple[Type, set[str]]] = {
    "a scalar": (Scalar(Kind.LDOUBLE), {"long double"}),
    "pointers": (Pointer(), {"pointer"}),
    "function pointers": (Pointer(function=True), {"function pointer"}),
    "an enumeration": (Enum("E", (Enumerator("A", 0),)), {"enum"}),
    "a typedef name": (Typedef("T", INT), {"typedef", "int"}),
    "a struct": (PLAIN, {"record", "int"}),
    "a union": (Record("U", (Member(INT, "a"),), union=True), {"union", "int"}),
    "an array": (Record("S", (Member(Array(CHAR, 3), "a"),)), {"record", "array", "char"}),
    "a bit-field": (Record("S", (Member(INT, "a", width=3),)), {"record", "bit-field", "int"}),
    "an unnamed bit-field": (Record("S", (Member(INT, width=0),)), {"record", "bit-field", "int"}),
    "an anonymous member": (Record("S", (Member(PLAIN),)), {"record", "anonymous record", "int"}),
    "a packed record": (Record("S", (Member(INT, "a"),), packed=True), {"record", "packed record", "int"}),
    "a packed member": (Record("S", (Member(INT, "a", packed=True),)), {"record", "packed member", "int"}),
    "an aligned record": (ALIGNED, {"record", "aligned record", "int"}),
    "_Alignas": (Record("S", (Member(INT, "a", alignas=8),)), {"record", "aligned member", "int"}),
    "an aligned record in a packed one": (
        Record("S", (Member(Array(ALIGNED, 2), "a"),), pack=2),
        {"record", "array", "aligned record", "aligned within packed", "int"},
    ),
    "two attributes": (
        Record("S", (Member(INT, "a"),), packed=True, align=8),
        {"record", "packed record", "aligned record", "mixed attributes", "int"},
    ),
}


@pytest.mark.parametrize("name", TABLE)
def test_the_constructs_of_a_type(name: str) -> None:
    c_type, expected = TABLE[name]
    function = Prototype("f", None, (Param("a", c_type),))
    assert constructs(function) == expected
    assert expected <= CONSTRUCTS


def test_a_variadic_function_needs_more_than_its_types() -> None:
    function = Prototype("f", INT, (Param("a", INT),), variadic=True, unnamed=(Scalar(Kind.DOUBLE),))
    assert constructs(function) == {"int", "double", "unnamed arguments"}


def test_features_are_needed_too() -> None:
    assert needs(Record("S", (Member(INT, "a"),), pack=2)) == {"record", "int", "pragma pack"}
