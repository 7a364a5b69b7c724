"""ABI breaks: two compilers whose code cannot be linked together, whatever the text says.

What one shows is held against what the other shows for the same question, and no model has a say in who is right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from abiprobe.oracles.language.question import Question
from abiprobe.results.history.compare import Side
from abiprobe.results.verdicts.observations import RECOGNISABLE, Frame
from abiprobe.results.verdicts.record import Shown
from abiprobe.results.verdicts.witnesses import WitnessObservation
from abiprobe.results.verdicts.wording import spots_text

RESULT = "result "
"""How a part of the result is named where no text decides."""
PART = 4
"""Bytes of a value that always travel together."""


class Break(msgspec.Struct, frozen=True):
    """One thing about a probe that two sides do differently; `side` is `object`, `caller`, `callee` or `result`.

    `what` names the value or member; it is empty where one of the two programs crashed.
    """

    probe: str
    side: str
    what: str
    before: str
    after: str


class Broken(msgspec.Struct, frozen=True):
    """Two sides: how many probes both have shown, how many could not be compared, and where they differ."""

    side: Side
    was: Side
    both: int
    uncomparable: int
    breaks: tuple[Break, ...]


class Breaks(msgspec.Struct, frozen=True):
    """The sides that were compared, and the questions of the probes that differ."""

    sides: tuple[Broken, ...]
    questions: Mapping[str, Question]

    @property
    def status(self) -> int:
        """0 for none, 1 for any, 3 when nothing could be compared."""
        if not any(side.both for side in self.sides):
            return 3
        return int(any(side.breaks for side in self.sides))


def layout_breaks(probe: str, before: WitnessObservation, after: WitnessObservation) -> Iterator[Break]:
    """Sizes, alignments and places of members that differ."""
    for what, old, new in (("sizeof", before.size, after.size), ("_Alignof", before.align, after.align)):
        if old != new:
            yield Break(probe, "object", what, str(old), str(new))
    for path, place in before.places.items():
        other = after.places.get(path)
        if other is not None and other != place:
            yield Break(
                probe, "object", path, "bit {}, {} wide".format(*place), "bit {}, {} wide".format(*other)
            )
    for what, align in before.alignments.items():
        if after.alignments.get(what, align) != align:
            yield Break(probe, "object", what, str(align), str(after.alignments[what]))


def shown_breaks(probe: str, before: Iterable[Shown], after: Iterable[Shown]) -> Iterator[Break]:
    """Yield the parts that moved where no text decides, or that got lost between caller and callee of one side only."""
    old = {one.what: one for one in before}
    for one in after:
        was = old.get(one.what)
        if was is None or (was.taken and one.taken) or not (was.at and one.at):
            continue
        if was.taken or one.taken or not set(was.at) & set(one.at):
            side = "result" if one.what.startswith(RESULT) else "caller"
            yield Break(probe, side, one.what, spots_text(was.at, was.taken), spots_text(one.at, one.taken))


def moved(
    before: Sequence[Frame], after: Sequence[Frame], values: Sequence[bytes], stack: int
) -> tuple[str, str] | None:
    """Return a value's place in the frames of all turns, before and after; `None` if the two have a place in common.

    A register may hold a copy that is no argument, so only a value without any place in common has moved. `stack` is
    how many bytes of the stack may hold arguments.
    """
    old, new = (places(frames, values, stack) for frames in (before, after))
    if old & new or not (old or new):
        return None
    return words(old), words(new)


def places(frames: Sequence[Frame], values: Sequence[bytes], stack: int) -> frozenset[str]:
    """Every register and stack offset that holds its value in each turn."""
    found = [frozenset(holding(frame, value, stack)) for frame, value in zip(frames, values, strict=True)]
    return frozenset.intersection(*found) if found else frozenset()


def holding(frame: Frame, value: bytes, stack: int) -> Iterator[str]:
    """Every register, with the byte where it is not the first, and every stack offset that holds a value."""
    for name, (at, width) in frame.slots.items():
        for start in range(0, width - len(value) + 1, PART):
            if frame.block[at + start : at + start + len(value)] == value:
                yield f"{name}[{start}]" if start else name
    area = frame.stack[: max(0, stack - frame.base)]
    at = area.find(value)
    while at >= 0:
        yield f"stack {at + frame.base}"
        at = area.find(value, at + 1)


def parts(values: Sequence[bytes]) -> Iterator[tuple[int, tuple[bytes, ...]]]:
    """The parts of the values of all turns, each with its offset in bytes, as far as they can be told from others."""
    for start in range(0, len(values[0]), PART):
        part = tuple(value[start : start + PART] for value in values)
        if len(part[0]) >= RECOGNISABLE - 1:
            yield start, part


def words(found: Iterable[str]) -> str:
    """Places in words."""
    return ", ".join(sorted(found)) or "in no register, nor on the stack"
