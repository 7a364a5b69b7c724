"""The reader of mangled names: what it reads is mangled to the same name, and a name that no rule gives comes back as another."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

from .names import ROWS

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"
NOT_READ = {
    "transaction": "_ZGTtNKSt11logic_error4whatEv",
    "unified constructor": "_ZN1AC4Ev",
    "constraint": "_ZN1AC1EvQ26is_default_constructible_vIT1_E",
    "vector": "_Z1fDv4_f",
    "not been before": "_Z1fS3_",
    "not read from": "_Z9f",
}
OTHERS = {
    "_Z1f1A1A": "name.substitution",
    "_Z1fSt9allocatorIcE": "name.abbreviation",
    "_Z1fS_1A": "",
    "_Z1fN1AE": "",
    "_Z1fPiPi": "name.substitution",
}
"""Names that no rule gives, and the clause of what should be there; empty where they are not read."""


@pytest.fixture
def symbols(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module("symbols")


def test_names_worked_out_by_hand_return(symbols: ModuleType) -> None:
    found = {name: symbols.returned(name) for name, _ in ROWS if name.startswith("_Z")}
    back = [name for name, why in found.items() if not why]
    assert not [name for name, why in found.items() if why.startswith(symbols.OTHER)]
    assert len(back) > len(found) * 9 // 10, {name: why for name, why in found.items() if why}


@pytest.mark.parametrize("why", NOT_READ)
def test_what_is_not_read_says_why(why: str, symbols: ModuleType) -> None:
    assert why in symbols.returned(NOT_READ[why])


@pytest.mark.parametrize("name", OTHERS)
def test_a_name_that_no_rule_gives_does_not_return(name: str, symbols: ModuleType) -> None:
    told = symbols.returned(name)
    assert told
    if OTHERS[name]:
        assert told == f"{symbols.OTHER} by cxxabi:{OTHERS[name]}"
