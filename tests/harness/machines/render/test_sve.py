"""A unit declares those of SVE's types that it names."""

from __future__ import annotations

import pytest

from abiprobe.harness.machines.render.sve import sve_names

VECTOR = "typedef svint32_t svint32_256_t __attribute__((arm_sve_vector_bits(256)));"
PREDICATE = "typedef svbool_t svbool_256_t __attribute__((arm_sve_vector_bits(256)));"


@pytest.mark.parametrize(
    ("texts", "defined"),
    [
        (["void f(svint32_t a);"], []),
        (["struct S { svint32_256_t a; };", "void f(struct S a);"], [VECTOR]),
        (["struct S { svint32_256_t a[2]; svbool_256_t b; };"], [PREDICATE, VECTOR]),
    ],
)
def test_lengths_are_said_of_the_types_that_are_named(texts: list[str], defined: list[str]) -> None:
    lines = sve_names(texts).splitlines()
    assert "typedef __SVInt32_t svint32_t;" in lines
    assert [line for line in lines if "arm_sve_vector_bits" in line] == defined


def test_other_units_declare_none() -> None:
    assert sve_names(["void f(int svint32_256);"]) == ""
