"""The exposure of known bugs: the table has what headers can meet, and says in which C it shows and how many packages meet it."""

from __future__ import annotations

import pytest

from abiprobe.harness.base.table_file import read
from abiprobe.harness.triage.quirk_examples import examples_of
from abiprobe.oracles.language.iso_c import Edition, first_edition
from abiprobe.oracles.quirks.in_force import EVERY, QUIRKS
from abiprobe.oracles.registry import TARGETS
from abiprobe.results.known import exposure
from abiprobe.results.known.exposure import Exposure, Headers, exposures
from tests.documents.snippets import ROOT

EDITIONS = [one.words for one in Edition]


def test_the_table_has_known_bugs_that_headers_can_meet() -> None:
    """One that is newer than the table is not counted yet."""
    asked = {one.name for one in EVERY if not one.cxx or {"classes", "calls"} & one.policies.keys()}
    assert set(exposures()) <= asked
    assert {name for name, one in exposures().items() if one.edition == "C++"} == {
        one.name for one in EVERY if one.cxx and one.name in exposures()
    }


def test_numbers_go_together() -> None:
    counted = [one.headers for one in exposures().values() if one.headers is not None]
    # C++ is read of fewer packages.
    assert len({(one.edition == "C++", one.headers.of) for one in exposures().values() if one.headers}) <= 2
    assert all(one.packages <= min(one.of, one.declarations) for one in counted)
    assert all(len(one.examples) == min(one.packages, exposure.NAMED) for one in counted)
    assert any(one.packages for one in counted)


@pytest.mark.parametrize("name", [*QUIRKS][::8])
def test_a_bug_shows_in_the_c_of_its_example(name: str) -> None:
    quirk = QUIRKS[name]
    if quirk.cxx or name not in exposures():
        return
    found = [one for target in TARGETS.values() for _, each in examples_of(target, (quirk,)) for one in each]
    first = first_edition(found)
    assert first is not None
    # What meets it in headers may be plainer.
    assert EDITIONS.index(exposures()[name].edition) <= EDITIONS.index(first.words)


def test_the_table_of_the_documents_has_those_that_are_met() -> None:
    columns = ("known bug", "edition", "packages", "of", "declarations", "for example")
    every = [tuple(row[one] for one in columns) for row in read(exposure.TABLE).rows]
    shown = [tuple(row[one] for one in columns) for row in read(ROOT / "docs" / "data" / "exposure.tsv").rows]
    assert shown == [row for row in every if row[2] not in {"", "0"}]


@pytest.mark.parametrize(
    ("found", "words", "short"),
    [
        (Exposure("C99"), "C99", "C99"),
        (
            Exposure("GNU C", Headers(0, 1200, 0)),
            "GNU C, met by none of 1,200 packages",
            "GNU C, met by none of 1,200 packages",
        ),
        (
            Exposure("C11", Headers(2, 40, 7, ("a-dev", "b-dev"))),
            "C11, met by 2 of 40 packages: a-dev, b-dev",
            "C11, met by 2 of 40 packages",
        ),
        (
            Exposure("C11", Headers(4, 40, 7, ("a-dev", "b-dev", "c-dev"))),
            "C11, met by 4 of 40 packages: a-dev, b-dev, c-dev, ...",
            "C11, met by 4 of 40 packages",
        ),
    ],
)
def test_an_exposure_in_words(found: Exposure, words: str, short: str) -> None:
    assert (str(found), found.short) == (words, short)
