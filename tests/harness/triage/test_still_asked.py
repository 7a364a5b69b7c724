"""Whether a question of an earlier run is still decided, or still open, under the options of those who deviated."""

from __future__ import annotations

import pytest

from abiprobe.harness.subjects.find import parse_subject
from abiprobe.harness.triage.group_reduction import still_asked
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Vector
from abiprobe.oracles.registry import find_target

WIDE = Prototype("f", None, (Param("a", Vector(Kind.FLOAT, 32)),))
"""What the psABI says of a vector of 32 bytes depends on whether there are registers of that size."""
OPEN, DECIDED = True, False


@pytest.mark.parametrize(
    ("subjects", "ways"),
    [
        ((), {OPEN}),
        (("gcc-12",), {OPEN}),
        (("gcc-12 -mavx",), {DECIDED}),
        (("gcc-12", "gcc-12 -mavx"), {OPEN, DECIDED}),
    ],
)
def test_the_options_of_a_subject_decide(subjects: tuple[str, ...], ways: set[bool]) -> None:
    found = {
        way
        for way in (OPEN, DECIDED)
        if still_asked(find_target("x86_64-sysv"), WIDE, tuple(map(parse_subject, subjects)), open_=way)
    }
    assert found == ways
