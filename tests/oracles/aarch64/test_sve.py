"""What functions with SVE preserve, by what they are called with."""

from __future__ import annotations

import pytest

from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar, SvePredicate, SveVector, Type
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.oracles.text.place import Assignment

TARGET = "aarch64_sve-aapcs64"
INT, DOUBLE, VECTOR, PREDICATE = Scalar(Kind.INT), Scalar(Kind.DOUBLE), SveVector(Kind.INT), SvePredicate()

ROWS: list[tuple[str, Type | None, tuple[Type, ...], tuple[Type, ...], bool]] = [
    ("nothing scalable", INT, (INT, DOUBLE), (), False),
    ("a vector", None, (INT, VECTOR), (), True),
    ("a predicate", None, (PREDICATE,), (), True),
    ("a result", VECTOR, (INT,), (), True),
    ("a tuple as a result", SveVector(Kind.INT, 4), (), (), True),
    ("a vector by reference alone", None, (*(DOUBLE,) * 8, VECTOR), (), False),
    ("an unnamed vector", None, (INT,), (VECTOR,), False),
]


@pytest.mark.parametrize(
    ("result", "params", "unnamed", "more"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_what_is_preserved_follows_from_values_in_scalable_registers(
    result: Type | None, params: tuple[Type, ...], unnamed: tuple[Type, ...], *, more: bool
) -> None:
    named = tuple(Param(f"a{number}", c_type) for number, c_type in enumerate(params))
    answer = find_model(TARGET).assign(Prototype("f", result, named, bool(unnamed), unnamed))
    assert isinstance(answer, Assignment)
    convention = find_target(TARGET).registers
    assert convention is not None
    kept = {(one.register, one.size) for one in convention.of(answer).preserved}
    assert {("x19", 0), ("x29", 0)} <= kept
    assert ({("z8", 0), ("z23", 0), ("p4", 0), ("p15", 0)} <= kept) is more
    assert (("v8", 8) in kept) is not more


def test_without_sve_there_are_no_such_types() -> None:
    answer = find_model("aarch64-aapcs64").assign(Prototype("f", None, (Param("a", VECTOR),)))
    assert not isinstance(answer, Assignment)
