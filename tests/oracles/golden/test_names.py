"""Mangled names as they were worked out by hand, held against the model."""

from __future__ import annotations

import pytest

from abiprobe.oracles.abis.itanium.names import MangledName, mangle
from abiprobe.oracles.abis.itanium.names.writing import NamePolicy
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.language.entities import AnyEntity
from abiprobe.oracles.text.place import Unspecified

from .names import BLAMED, BY_FAMILIES, ROWS, SILENT, TEXT


@pytest.mark.parametrize(("name", "entity"), ROWS, ids=[name for name, _ in ROWS])
def test_an_entity_is_named_as_the_text_says(name: str, entity: AnyEntity) -> None:
    found = mangle(entity)
    assert isinstance(found, MangledName)
    assert found.text == name


@pytest.mark.parametrize(("clause", "entity"), SILENT)
def test_an_entity_that_the_text_does_not_name_has_no_name(clause: str, entity: AnyEntity) -> None:
    found = mangle(entity)
    assert isinstance(found, Unspecified)
    assert found.clause == f"cxxabi:{clause}"


@pytest.mark.parametrize("family", Reading)
@pytest.mark.parametrize(("name", "entity"), BY_FAMILIES)
def test_families_name_what_the_text_does_not(name: str, entity: AnyEntity, family: Reading) -> None:
    found = mangle(entity, NamePolicy(family))
    assert isinstance(found, MangledName)
    assert found.text == name


@pytest.mark.parametrize(("name", "other", "clause"), BLAMED)
def test_the_first_piece_that_differs_is_blamed(name: str, other: str, clause: str) -> None:
    found = mangle(dict(ROWS)[name])
    assert isinstance(found, MangledName)
    assert found.clause_of(other) == f"cxxabi:{clause}"


def test_the_table_has_the_examples_of_the_text_and_more() -> None:
    assert len(TEXT) >= 60
    assert len({name for name, _ in ROWS}) >= 200
