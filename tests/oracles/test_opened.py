"""A target with every question open: its text decides nothing, and is still behind it."""

from __future__ import annotations

import pickle

import pytest

from abiprobe.harness.input.declared import declared_in
from abiprobe.oracles.abis.vfabi import VectorModel
from abiprobe.oracles.abis.vfabi.variant import Variants
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.quirks.in_force import in_force
from abiprobe.oracles.quirks.quirk import Side
from abiprobe.oracles.registry import TARGETS, cxx_model, find_target
from abiprobe.oracles.text.class_layout import ClassLayout
from abiprobe.oracles.text.place import Unspecified, Unsupported
from abiprobe.oracles.unmodelled.opened import PROMISED, with_text

TARGET = "x86_64-sysv"
OPEN = find_target(f"{TARGET}@open")
INT = Scalar(Kind.INT)


def test_it_is_named_travels_and_has_the_text_behind_it() -> None:
    assert OPEN.spelling == f"{TARGET}@open"
    assert pickle.loads(pickle.dumps(OPEN)) == OPEN
    assert with_text(OPEN) == TARGETS[TARGET]
    assert with_text(TARGETS[TARGET]) is TARGETS[TARGET]


@pytest.mark.parametrize("name", [name for name, one in TARGETS.items() if not one.vectors])
def test_nothing_that_a_text_decides_is_decided(name: str) -> None:
    model = find_target(f"{name}@open").model()
    assert model.layout(INT) == PROMISED
    asked = Prototype("f", INT, (Param("a", INT),))
    written = TARGETS[name].model().assign(asked)
    assert model.assign(asked) == (written if isinstance(written, Unspecified | Unsupported) else PROMISED)


def test_what_a_text_leaves_open_or_lacks_stays_so() -> None:
    (silent,) = declared_in("void f(_Complex int);", OPEN).functions
    found = OPEN.model().assign(silent)
    assert isinstance(found, Unspecified)
    assert found.clause == "gnu:complex-integer"
    lacking = find_target("i386-sysv@open").model()
    assert isinstance(lacking.layout(Scalar(Kind.INT128)), Unsupported)


def test_classes_are_open_as_well() -> None:
    assert isinstance(cxx_model(TARGETS[TARGET]).layout(Class("S")), ClassLayout)
    assert cxx_model(OPEN).layout(Class("S")) == PROMISED


def test_there_is_no_quirk_where_there_is_no_text() -> None:
    version = "clang version 14.0.6"
    assert in_force(TARGETS[TARGET], "clang-14", version, "O0", Side.CALLER)
    assert not in_force(OPEN, "clang-14", version, "O0", Side.CALLER)


def test_the_variants_of_a_vector_function_are_open() -> None:
    (asked,) = declared_in("#pragma omp declare simd\nfloat f(float x);", TARGETS["x86_64-vfabi"]).functions
    left, written = (find_target(name).model() for name in ("x86_64-vfabi@open", "x86_64-vfabi"))
    assert isinstance(written, VectorModel)
    assert isinstance(written.variants(asked), Variants)
    assert isinstance(left, VectorModel)
    assert left.variants(asked) == PROMISED
