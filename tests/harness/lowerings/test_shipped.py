"""The known differences that come with abiprobe, and the counts of their table, as the compilers show them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from abiprobe.generators.pool import draw_pool
from abiprobe.harness.base.table_file import read
from abiprobe.harness.lowerings.known import asked, shows
from abiprobe.harness.lowerings.place import TRIPLES, Place
from abiprobe.harness.lowerings.sweep import sweep
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.registry import TARGETS
from abiprobe.results.known.lowerings import Entry, shipped

PLACES = tuple(Place(name) for name in (*TRIPLES, "arm64ec-pc-windows-msvc", "avr"))
COUNTED = Path(__file__).parents[3] / "docs" / "findings" / "lowerings-counted.tsv"
SECTION = {"section": "Classic and LLVM's ABI library"}


def pair(entry: Entry) -> tuple[str, str]:
    """Two installed lowerings that an entry is about, or a skip."""
    others = (re.match(r"[a-z-]*[a-z]", one) for one in entry.between)
    families = [found[0] for found in others if found is not None]
    way = entry.between[1].partition("+")[2]
    names = "clang-24", f"clang-24+{way}" if way else families[1]
    for name in names:
        if not installed(parse_subject(name), tuple(TARGETS.values())):
            pytest.skip(f"{name} is not installed")
    return names


def test_every_entry_is_about_a_place_that_is_tried() -> None:
    assert all(any(entry.is_about(place.name) for place in PLACES) for entry in shipped())


@pytest.mark.long
@pytest.mark.parametrize("entry", shipped(), ids=lambda entry: entry.name)
def test_the_example_of_an_entry_shows_it(entry: Entry) -> None:
    both = parse_subject(pair(entry)[0]), parse_subject(pair(entry)[1])
    here = [place for place in PLACES if entry.is_about(place.name)]
    assert entry.turned(asked(both, here[0])) is False
    assert any(shows(entry, place, both) for place in here)


@pytest.mark.long
def test_the_table_has_the_counts_of_seed_1() -> None:
    both = "clang-24", "clang-24+llvmabi"
    if not installed(parse_subject(both[0]), tuple(TARGETS.values())):
        pytest.skip("clang-24 is not installed")
    told = {
        row["target"].strip("`"): (int(row["compared"]), int(row["differ"]))
        for row in read(COUNTED).where(SECTION)
    }
    assert len(told) == 3
    pool = draw_pool(seed=1, cases=1000).prototypes
    tallies = sweep([Place(name) for name in told], tuple(map(parse_subject, both)), pool, 2).tallies
    assert told == {
        place.name: (tally.compared, tally.abi) for (place, number), tally in tallies.items() if number
    }
