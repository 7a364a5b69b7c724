"""The place of a value that travels in pieces, in words."""

from __future__ import annotations

import pytest
from laboratory.said import FILES

from abiprobe.harness.machines.runtime.sparc64 import SPARC64
from abiprobe.harness.observers.image.parts import ValuePart, bytes_of, turns_to_tell
from abiprobe.harness.observers.image.pieces import Held, combined, in_pieces
from abiprobe.results.journal.old_words import one_place
from abiprobe.results.verdicts.wording import spot_text


def held(text: str) -> Held:
    found = one_place(text, {**SPARC64.files, **FILES})
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("places", "words"),
    [
        (["o0[7]", "o1[7]", "o2[7]", "o3[7]"], "o0[7], o1[7], o2[7], o3[7]"),
        (["a0", "a0[1]", "a1", "a1[1]"], "a0 (2 bytes), a1 (2 bytes)"),
        (["a0", "a0[1]", "a0[2]", "stack+8"], "a0 (3 bytes), stack+8"),
        (["a0[1]", "a0", "a0[2]", "a0[3]"], "a0[1], a0, a0[2] (2 bytes)"),
        (["stack+8", "stack+9", "stack+10", "stack+12"], "stack+8 (3 bytes), stack+12"),
        (["memory at a0", "memory at a0", "a1", "a1[1]"], "memory at a0 (2 bytes), a1 (2 bytes)"),
        (["f1", "f1[1]", "f1[2]", "f1[3]"], "f1"),
    ],
)
def test_bytes_side_by_side_are_one_piece(places: list[str], words: str) -> None:
    assert spot_text(in_pieces(tuple(enumerate(map(held, places))))) == words


@pytest.mark.parametrize(
    ("candidates", "found"),
    [
        ([["a0"], ["a1"]], ("a0, a1",)),
        ([["a0", "t0"], ["a1"]], ("a0, a1", "t0, a1")),
        ([["a0"], []], ()),
        ([["a0", "a1", "a2"], ["a0", "a1", "a2"]], ()),
    ],
)
def test_every_combination_counts_if_there_are_few(
    candidates: list[list[str]], found: tuple[str, ...]
) -> None:
    every = [(number, tuple(map(held, places))) for number, places in enumerate(candidates)]
    assert tuple(map(spot_text, combined(every, 6))) == found


def test_bytes_that_carry_nothing_are_not_looked_for() -> None:
    found = list(bytes_of(ValuePart(0, 4, 8, 0xFF0001FF, "a")))
    assert [(part.start, part.end, part.mask) for part in found] == [(4, 5, 0xFF), (5, 6, 1), (7, 8, 0xFF)]


@pytest.mark.parametrize(("mask", "turns"), [(0xFFFFFFFF, 2), (0xFF, 2), (0x3F, 2), (0x7, 4), (0x1, 12)])
def test_what_has_few_bits_is_asked_for_in_more_turns(mask: int, turns: int) -> None:
    assert turns_to_tell([ValuePart(0, 0, 4, 0xFFFFFFFF, "a"), ValuePart(1, 0, 4, mask, "b")]) == turns
