"""The argument registers and stack bytes that are left while a call is assigned its places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.text.place import Register, StackSlot

State: TypeAlias = tuple[int, int, int, int, int, tuple[int, ...], tuple[tuple[str, ...], ...]]
"""All that the cursor of a call is, but for its base."""


class Cursor:
    """Registers left, by file, the bytes of stack argument area used so far, and their alignment in bytes.

    `uncounted` are the registers of each file that are taken and that a compiler does not count.
    `phantoms` are registers that a compiler counts as taken and gives to others all the same.
    `skipped` are bytes of the stack that a compiler alone counts. `base` is the byte offset of the first stack argument from the stack pointer at callee entry.
    """

    def __init__(self, base: int = 0, **files: Sequence[str]) -> None:
        self.base = base
        self.used = 0
        self.align = 1
        self.phantoms = self.skipped = 0
        self.uncounted = dict.fromkeys(files, 0)
        self._filled = 0
        self._left = {name: tuple(registers) for name, registers in files.items()}

    @property
    def state(self) -> State:
        """Return what is left and used now, for `go_on`."""
        uncounted, left = tuple(self.uncounted.values()), tuple(self._left.values())
        return self.used, self.align, self.phantoms, self.skipped, self._filled, uncounted, left

    def go_on(self, state: State) -> None:
        """Go on from what was left and used when a cursor of the same files was in a state."""
        self.used, self.align, self.phantoms, self.skipped, self._filled, uncounted, left = state
        self.uncounted = dict(zip(self.uncounted, uncounted, strict=True))
        self._left = dict(zip(self._left, left, strict=True))

    def left(self, file: str) -> int:
        """Return the number of registers of `file` that are left."""
        return len(self._left[file])

    def take(self, file: str) -> Register:
        """The next register of `file`; there must be one."""
        name, *rest = self._left[file]
        self._left[file] = tuple(rest)
        return Register(name)

    def take_or_push(self, file: str) -> Register | StackSlot:
        """The next register of `file`, or the next doubleword of the stack where none is left."""
        return self.take(file) if self.left(file) else self.push(8, 8)

    def drain(self, file: str) -> None:
        """Leave no register of `file`."""
        self._left[file] = ()

    def push(self, size: int, align: int) -> StackSlot:
        """The next place of `size` bytes in the argument area, aligned to `align` bytes."""
        start = round_up(self.used, align)
        self.used = start + size
        if size:
            self._filled = self.used
            self.align = max(self.align, align)
        return StackSlot(self.base + start)

    def forget_padding(self) -> None:
        """Go on behind the last bytes of the argument area that hold something."""
        self.used = self._filled
