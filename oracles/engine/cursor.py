"""The argument registers and stack bytes that are left while a call is assigned its places."""

from __future__ import annotations

from collections.abc import Sequence

from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.text.place import Register, StackSlot


class Cursor:
    """Registers left, by file, the bytes of stack argument area used so far, and their alignment in bytes.

    `uncounted` are the registers of each file that are taken and that a compiler does not count.
    `phantoms` are registers that a compiler counts as taken and gives to others all the same.
    `base` is the byte offset of the first stack argument from the stack pointer at callee entry.
    """

    def __init__(self, base: int = 0, **files: Sequence[str]) -> None:
        self.base = base
        self.used = 0
        self.align = 1
        self.phantoms = 0
        self.uncounted = dict.fromkeys(files, 0)
        self._filled = 0
        self._left = {name: list(reversed(registers)) for name, registers in files.items()}

    def left(self, file: str) -> int:
        """Return the number of registers of `file` that are left."""
        return len(self._left[file])

    def take(self, file: str) -> Register:
        """The next register of `file`; there must be one."""
        return Register(self._left[file].pop())

    def take_or_push(self, file: str) -> Register | StackSlot:
        """The next register of `file`, or the next doubleword of the stack where none is left."""
        return self.take(file) if self.left(file) else self.push(8, 8)

    def drain(self, file: str) -> None:
        """Leave no register of `file`."""
        self._left[file].clear()

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
