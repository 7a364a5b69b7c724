"""Mangled names as they were worked out by hand, held against the model."""

from __future__ import annotations

import pytest

from abiprobe.oracles.abis.itanium.names import MangledName, mangle
from abiprobe.oracles.language.entities import AnyEntity

from .names import ROWS, TEXT


@pytest.mark.parametrize(("name", "entity"), ROWS, ids=[name for name, _ in ROWS])
def test_an_entity_is_named_as_the_text_says(name: str, entity: AnyEntity) -> None:
    found = mangle(entity)
    assert isinstance(found, MangledName)
    assert found.text == name


def test_the_table_has_the_examples_of_the_text_and_more() -> None:
    assert len(TEXT) >= 60
    assert len({name for name, _ in ROWS}) >= 200
