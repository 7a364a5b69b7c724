"""Maps of bytes as tables of words, each with how it is to be read."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from abiprobe.results.report.maps import UNDECIDED, Map, MapRow, differing, window
from abiprobe.results.verdicts.wording import NOT_FOUND


class Word(msgspec.Struct, frozen=True):
    """A byte or number: `look` is `bad` where it is not what the text puts there, `any` where the text says nothing.

    Where no text decides it is `differs` for what subjects have differently.
    """

    text: str
    look: str


class MapLine(msgspec.Struct, frozen=True):
    """A place with the words of the model and of each subject."""

    place: str
    cells: tuple[tuple[Word, ...], ...]

    @property
    def wrong(self) -> tuple[bool, ...]:
        """For each cell whether something in it differs."""
        return tuple(any(word.look in {"bad", "differs"} for word in cell) for cell in self.cells)


def lines(shown: Map, *, is_open: bool = False) -> tuple[MapLine, ...]:
    """The rows of a map; of a long place the words around the first difference. `is_open` says that no text decides."""
    return tuple(line(row, is_open=is_open) for row in shown.rows)


def line(row: MapRow, *, is_open: bool) -> MapLine:
    """One row."""
    part = window(row.model, row.seen)
    model, seen = row.model[part], [one[part] for one in row.seen]
    place = f"{row.place} from byte {part.start}" if part.start else row.place
    cells = (words(model, one) for one in seen)
    return MapLine(place, (words(model, model), *(apart(cell, seen) if is_open else cell for cell in cells)))


def apart(cell: Sequence[Word], seen: Sequence[Sequence[str]]) -> tuple[Word, ...]:
    """The words of a cell, with those that not all subjects have; what was not found differs from nothing."""

    def differs(at: int, text: str) -> bool:
        others = {one[at : at + 1] for one in seen} - {(NOT_FOUND,)}
        return text != NOT_FOUND and others != {(text,)}

    return tuple(
        Word(word.text, "differs") if differs(at, word.text) else word for at, word in enumerate(cell)
    )


def words(model: Sequence[str], seen: Sequence[str]) -> tuple[Word, ...]:
    """The words of a cell."""
    return tuple(
        Word(word, "bad" if wrong else "any" if word == UNDECIDED else "")
        for word, wrong in zip(seen, differing(model, seen), strict=False)
    )
