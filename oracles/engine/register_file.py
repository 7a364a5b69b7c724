"""Argument registers of which some may be skipped for the alignment of a group, and filled later."""

from __future__ import annotations

from collections.abc import Sequence

from abiprobe.oracles.text.place import Register


class RegisterFile:
    """The registers of one file that are still free, in order; a group starts where its size divides its number."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        self._free = dict.fromkeys(self._names)

    def take(self, count: int = 1) -> tuple[Register, ...]:
        """The first free aligned group of `count` registers, in order; nothing when there is none."""
        for first in range(0, len(self._names) - count + 1, count):
            group = self._names[first : first + count]
            if all(name in self._free for name in group):
                for name in group:
                    del self._free[name]
                return tuple(map(Register, group))
        return ()

    def is_behind(self, register: Register) -> bool:
        """Return whether a register with a higher number has been taken: `register` was skipped once."""
        later = self._names[self._names.index(register.name) + 1 :]
        return any(name not in self._free for name in later)
