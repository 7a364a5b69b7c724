"""Vectors as LLVM passes and returns them, which has no registers for them: each element by itself, in words of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from abiprobe.oracles.abis.m68k.data import OTHER, WORD
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Vector
from abiprobe.oracles.text.place import Extension, Piece, Place


def is_divided(types: TypeTable, value: Travelling) -> bool:
    """Return whether each element of a value travels by itself."""
    return types.reading is Reading.CLANG and isinstance(value.type, Vector)


def words(types: TypeTable, value: Travelling) -> int:
    """The words that the elements of a vector take."""
    assert isinstance(value.type, Vector), "only vectors are divided"
    size = types.data.kind(value.type.kind).size
    return value.size // size * (round_up(size, WORD) // WORD)


def elements(types: TypeTable, value: Travelling, take: Callable[[int], Place]) -> Iterator[Piece]:
    """The elements of a vector, each at the end of a word, or a part of one in each word; `take` gives a place of so many bytes."""
    assert isinstance(value.type, Vector), "only vectors are divided"
    step = min(types.data.kind(value.type.kind).size, WORD)
    rest = Extension.ANY if step < WORD else None
    for start in range(0, value.size, step):
        yield Piece(
            start,
            start + step,
            take(WORD),
            OTHER,
            rest,
            WORD,
            OTHER if rest else "",
            at=value.right_aligned(step, WORD),
        )
