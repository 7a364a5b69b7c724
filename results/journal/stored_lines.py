"""A sequence that decodes the lines of a file on access, for journals too large for memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Generic, TypeVar, overload

A = TypeVar("A")
HELD = 64 << 20
"""Bytes of a file whose lines are held rather than read again."""


class StoredLines(Sequence[A], Generic[A]):
    """Values decoded on each access from byte ranges (`places`: start, end) of the file at `path`."""

    def __init__(self, path: Path, places: Sequence[tuple[int, int]], decode: Callable[[bytes], A]) -> None:
        self._path, self._places, self._decode = path, tuple(places), decode

    def __len__(self) -> int:
        """Return the number of values."""
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> A: ...
    @overload
    def __getitem__(self, index: slice) -> StoredLines[A]: ...
    def __getitem__(self, index: int | slice) -> A | StoredLines[A]:
        """Decode one value, or return a slice."""
        if isinstance(index, slice):
            return StoredLines(self._path, self._places[index], self._decode)
        return next(iter(StoredLines(self._path, (self._places[index],), self._decode)))

    def __iter__(self) -> Iterator[A]:
        """Decode the values in order; raises `OSError` when the file is gone."""
        with self._path.open("rb") as file:
            for start, end in self._places:
                file.seek(start)
                yield self._decode(file.read(end - start))
