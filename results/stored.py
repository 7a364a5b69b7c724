"""Lines of a file that are read again whenever they are asked for: a long run does not fit into memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Generic, TypeVar, overload

A = TypeVar("A")
HELD = 64 << 20
"""Bytes of a file whose lines are held rather than read again."""


class Stored(Sequence[A], Generic[A]):
    """Values whose lines stand in the file at `path`, each from one byte to another, made by `decode` each time."""

    def __init__(self, path: Path, places: Sequence[tuple[int, int]], decode: Callable[[bytes], A]) -> None:
        self._path, self._places, self._decode = path, tuple(places), decode

    def __len__(self) -> int:
        """How many there are."""
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> A: ...
    @overload
    def __getitem__(self, index: slice) -> Stored[A]: ...
    def __getitem__(self, index: int | slice) -> A | Stored[A]:
        """One of them, or some of them."""
        if isinstance(index, slice):
            return Stored(self._path, self._places[index], self._decode)
        return next(iter(Stored(self._path, (self._places[index],), self._decode)))

    def __iter__(self) -> Iterator[A]:
        """Each in its turn; raises `OSError` when the file is gone."""
        with self._path.open("rb") as file:
            for start, end in self._places:
                file.seek(start)
                yield self._decode(file.read(end - start))
