"""What an answer costs does not depend on how long an array is: a failure here is a test that does not end."""

from __future__ import annotations

import pytest

from abiprobe.oracles.abis.aarch64.scalable import PREDICATE, VECTOR, ScalableComponent, parts
from abiprobe.oracles.engine.leaves import leaves
from abiprobe.oracles.language.lang import (
    Array,
    Kind,
    Member,
    Param,
    Prototype,
    Record,
    Scalar,
    SvePredicate,
    SveVector,
    Type,
)
from abiprobe.oracles.registry import TARGETS, find_model

LONG = 1 << 36
INT, FLOAT, CHAR = Scalar(Kind.INT), Scalar(Kind.FLOAT), Scalar(Kind.CHAR)
PAIR = Record("Pair", (Member(CHAR, "c"), Member(INT, "i")))
NOTHING = Record("Nothing", (Member(Array(INT, 0), "z"),))
VECTORS = Record("V", (Member(SveVector(Kind.FLOAT, bits=256), "v"), Member(SvePredicate(256), "p")))
ELEMENTS = {"int": INT, "float": FLOAT, "struct": PAIR, "nothing": NOTHING}


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("target", [name for name, target in TARGETS.items() if target.modelled])
def test_every_model_answers_for_a_long_array(target: str, element: str) -> None:
    model = find_model(target)
    record = Record("R", (Member(Array(ELEMENTS[element], LONG), "a"),))
    assert model.layout(record)
    assert model.assign(Prototype("f", record, (Param("a", record),)))


def test_elements_without_bytes_are_one_leaf() -> None:
    types = find_model("x86_64-sysv").types
    assert [leaf.bit_offset for leaf in leaves(types, Array(NOTHING, LONG))] == [0]
    assert [leaf.bit_offset for leaf in leaves(types, Array(INT, 3))] == [0, 32, 64]


@pytest.mark.parametrize(
    ("c_type", "expected"),
    [
        (Array(INT, LONG), None),
        (Array(NOTHING, LONG), ()),
        (Array(VECTORS, 1), (ScalableComponent(0, 32, VECTOR), ScalableComponent(32, 4, PREDICATE))),
    ],
)
def test_an_array_is_scalable_if_its_element_is(c_type: Type, expected: object) -> None:
    assert parts(find_model("aarch64_sve-aapcs64").types, c_type) == expected


def test_parts_of_a_long_array_are_more_than_there_are_registers() -> None:
    types = find_model("aarch64_sve-aapcs64").types
    stride = types.extent(VECTORS).size
    found = parts(types, Array(Array(VECTORS, LONG), LONG))
    assert found is not None
    assert [(part.start, part.file) for part in found] == [
        (stride * (index // 2) + (0, 32)[index % 2], (VECTOR, PREDICATE)[index % 2]) for index in range(13)
    ]
