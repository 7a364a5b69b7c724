"""Entries that no longer occur: their examples are lowered alike."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from abiprobe.harness.lowerings.known import gone
from abiprobe.harness.lowerings.place import Place
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.oracles.quirks.quirk import Status
from abiprobe.results.known.lowerings import Entry

REALS = Entry(
    name="reals",
    targets=("bpf*",),
    between=("clang", "clang"),
    differences=("argument: real | integer",),
    status=Status.BUG,
    reason="it lies",
    link="unreported",
    since=date(2026, 11, 22),
    example="void f(float a);",
)
GONE = [
    ("takes_reals_for_integers", "bpfel", ()),
    ("honest", "bpfel", ("reals",)),
    ("honest", "hexagon-linux-musl", ()),
    ("refuses_everything", "bpfel", ()),
]


@pytest.mark.parametrize(("lie", "place", "expected"), GONE)
def test_an_entry_is_gone_if_its_example_is_lowered_alike(
    faux: Path, lie: str, place: str, expected: tuple[str, ...]
) -> None:
    names = (f"clang:{faux}", f"clang:{faux} -DLIE={lie}")
    assert gone((REALS,), (Place(place),), tuple(map(parse_subject, names))) == expected
