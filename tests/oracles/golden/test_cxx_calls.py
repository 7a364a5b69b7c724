"""Calls of C++ as they were checked by hand against the texts, held against the model."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.oracles.engine.cxx_call import CxxCall
from abiprobe.oracles.golden.notation import call
from abiprobe.oracles.language.classes import Base, Class, Declared, Specials
from abiprobe.oracles.language.cxx_calls import CxxPrototype
from abiprobe.oracles.registry import CXX_CALLS, cxx_call_model, find_target
from abiprobe.oracles.text.place import Unspecified, Unsupported

from .cxx_calls import ALIGNED32, EMPTY, FUNCTIONS, GONE, INT, NO_CALLS, TRIVIAL, function, struct

TABLE = Path(__file__).with_name("cxx_calls.tsv")
ROWS = [
    line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")
]


def placed(target: str, asked: CxxPrototype) -> CxxCall:
    found = cxx_call_model(find_target(target)).call(asked)
    assert isinstance(found, CxxCall), found
    return found


@pytest.mark.parametrize(("target", "name", "places"), ROWS, ids=[f"{one[0]} {one[1]}" for one in ROWS])
def test_a_call_has_its_places(target: str, name: str, places: str) -> None:
    found = cxx_call_model(find_target(target)).call(FUNCTIONS[name])
    if places == "open":
        assert isinstance(found, Unspecified)
    else:
        assert isinstance(found, CxxCall)
        assert call(found.assignment, any_extension=False).line == places


@pytest.mark.parametrize("name", NO_CALLS)
def test_what_no_program_calls_has_no_places(name: str) -> None:
    assert isinstance(cxx_call_model(find_target("x86_64-sysv")).call(NO_CALLS[name]), Unsupported)


def test_the_table_has_every_function_for_most_targets() -> None:
    assert len(ROWS) > 200
    assert {row[1] for row in ROWS} == set(FUNCTIONS)
    assert {row[0].partition("@")[0] for row in ROWS} <= CXX_CALLS


@pytest.mark.parametrize("target", sorted(CXX_CALLS - {"x86_64-sysv"}))
def test_what_an_empty_class_moves_cites_the_clause_on_it(target: str) -> None:
    found = placed(target, function(None, INT, EMPTY, INT))
    last = found.assignment.params[-1]
    assert {piece.clause for piece in last.pieces} == {"cxxabi:calls.empty"}


def test_what_an_empty_result_does_not_move_cites_the_clause_on_it() -> None:
    found = placed("x86_64-sysv", function(ALIGNED32, INT))
    assert [piece.clause for piece in found.assignment.params[0].pieces] == ["cxxabi:calls.empty-result"]


@pytest.mark.parametrize(("dialect", "caller", "callee"), [("gcc-reading", 2, 0), ("clang-reading", 1, 1)])
def test_who_destroys_an_argument_of_a_class_with_trivial_abi(dialect: str, caller: int, callee: int) -> None:
    """clang's documentation of the attribute: the called function does; a result is the caller's."""
    found = placed(f"x86_64-sysv@{dialect}", function(TRIVIAL, TRIVIAL))
    assert (found.destroyed, found.destroyed_in_callee) == (caller, callee)
    assert found.destroyed_by == f"cxxabi:calls.{'trivial-abi' if callee else 'destroy'}"


def test_a_virtual_base_is_destroyed_once() -> None:
    gone = struct("V", specials=GONE)
    left, right = (Class(tag, (Base(gone, virtual=True),)) for tag in ("L", "R"))
    both = Class("D", (Base(left), Base(right)), specials=Specials(Declared.PROVIDED, Declared.PROVIDED))
    assert placed("x86_64-sysv", function(None, both)).destroyed == 1
