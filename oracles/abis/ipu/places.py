"""The argument registers and the stack argument area of the IPU while a call is assigned its places."""

from __future__ import annotations

from collections.abc import Sequence

from abiprobe.oracles.abis.ipu.convention import WORD
from abiprobe.oracles.abis.ipu.units import INTEGER, Unit
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.register_file import RegisterFile
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Piece

cite, implements = citing(__package__)
BACK_FILL = cite("pass.back-fill")
STACK = cite("pass.stack")
VARIADIC = cite("variadic.stack")


class FreePlaces:
    """The registers that are free, and the stack argument area; a variadic function has no registers."""

    def __init__(self, integers: Sequence[str], floats: Sequence[str], stack: str = STACK) -> None:
        self._files = {"m": RegisterFile(integers), "a": RegisterFile(floats)}
        self._stack = Cursor()
        self._clause = stack

    @property
    def used(self) -> int:
        """Bytes of the stack argument area."""
        return round_up(self._stack.used, WORD)

    def pointer(self) -> Piece:
        """The place of an address: a word."""
        return self.place(Unit(0, WORD, "m", INTEGER))[0]

    @implements("pass.back-fill", "pass.stack")
    def place(self, unit: Unit) -> tuple[Piece, ...]:
        """The registers of one unit, else its slot on the stack."""
        file = self._files[unit.file]
        found = file.take(unit.count)
        size = (unit.end - unit.start) * (unit.lane or 1)
        if not found:
            width = round_up(size, WORD)
            # [ipu:pass.stack]
            slot = self._stack.push(width, unit.align)
            return (
                Piece(
                    unit.start,
                    unit.end,
                    slot,
                    self._clause,
                    unit.above,
                    width,
                    unit.above_clause,
                    lane=unit.lane,
                ),
            )
        filled = unit.count == 1 and file.is_behind(found[0])
        clause = BACK_FILL if filled else unit.clause
        step = min((unit.end - unit.start), WORD // (unit.lane or 1))
        starts = range(unit.start, unit.end, step)
        return tuple(
            Piece(
                start,
                min(start + step, unit.end),
                register,
                clause,
                unit.above if start == starts[-1] else None,
                WORD,
                unit.above_clause if start == starts[-1] else "",
                lane=unit.lane,
                group=f"{found[0].name}:{found[-1].name[1:]}" if unit.count > 1 else "",
            )
            for start, register in zip(starts, found, strict=True)
        )
