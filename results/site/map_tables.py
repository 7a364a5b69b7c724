"""Maps of bytes as tables of words, each with how it is to be read."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from abiprobe.results.report.maps import UNDECIDED, Map, MapRow, differing, window


class Word(msgspec.Struct, frozen=True):
    """A byte or number: `look` is `bad` where it is not what the text puts there, `any` where the text says nothing."""

    text: str
    look: str


class Line(msgspec.Struct, frozen=True):
    """A place with the words of the model and of each subject."""

    place: str
    cells: tuple[tuple[Word, ...], ...]

    @property
    def wrong(self) -> tuple[bool, ...]:
        """For each cell whether something in it differs."""
        return tuple(any(word.look == "bad" for word in cell) for cell in self.cells)


def lines(shown: Map) -> tuple[Line, ...]:
    """The rows of a map; of a long place the words around the first difference."""
    return tuple(map(line, shown.rows))


def line(row: MapRow) -> Line:
    """One row."""
    part = window(row.model, row.seen)
    model = row.model[part]
    place = f"{row.place} from byte {part.start}" if part.start else row.place
    return Line(place, (words(model, model), *(words(model, one[part]) for one in row.seen)))


def words(model: Sequence[str], seen: Sequence[str]) -> tuple[Word, ...]:
    """The words of a cell."""
    return tuple(
        Word(word, "bad" if wrong else "any" if word == UNDECIDED else "")
        for word, wrong in zip(seen, differing(model, seen), strict=False)
    )
