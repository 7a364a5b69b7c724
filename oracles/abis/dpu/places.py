"""The argument registers and the stack argument area of the DPU while a call is assigned its places."""

from __future__ import annotations

from abiprobe.oracles.abis.dpu.frame import PAIR_BYTES
from abiprobe.oracles.abis.dpu.words import DOUBLE_WORD, PROMOTE, WORD, Class
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.register_file import RegisterFile
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Extension, Piece, Register, StackSlot

cite, implements = citing(__package__)
ARGUMENTS = tuple(f"r{number}" for number in range(8))
IN_WORD = cite("pass.word")
IN_PAIR = cite("pass.double-word")
BACK_FILL = cite("pass.back-fill")
STACK = cite("pass.stack")


@implements("pass.double-word", "type.endian")
def pair(
    even: Register, odd: Register, size: int, clause: str, above: Extension | None
) -> tuple[Piece, Piece]:
    """A double word in a pair, most significant word in the even register."""
    name = f"d{even.name.removeprefix('r')}"
    # [dpu:pass.double-word] [dpu:type.endian]
    low = Piece(0, WORD, odd, clause, None, WORD, group=name)
    return low, Piece(WORD, size, even, clause, above, WORD, PROMOTE if above else "", group=name)


class FreePlaces:
    """The registers that are free, and the bytes of stack argument area used; the area grows downwards."""

    def __init__(self) -> None:
        self._registers = RegisterFile(ARGUMENTS)
        self.used = 0

    @implements("pass.word", "pass.back-fill", "pass.double-word")
    def place(self, kind: Class, size: int, above: Extension | None) -> tuple[Piece, ...]:
        """Registers for a word or double word of `size` bytes, else a slot of the stack."""
        found = self._registers.take(2 if kind is Class.DOUBLE_WORD else 1)
        if not found:
            slot = DOUBLE_WORD if kind is Class.DOUBLE_WORD else WORD
            return (self.push(size, slot, STACK, above),)
        if kind is Class.DOUBLE_WORD:
            even, odd = found
            return pair(even, odd, size, IN_PAIR, above)
        (word,) = found
        clause = BACK_FILL if self._registers.is_behind(word) else IN_WORD
        return (Piece(0, size, word, clause, above, WORD, PROMOTE if above else ""),)

    @implements("pass.stack")
    def push(self, size: int, align: int, clause: str, above: Extension | None = None) -> Piece:
        """The next slot of the argument area, below those before it; `align` in bytes."""
        align = min(max(align, WORD), DOUBLE_WORD)
        width = round_up(size, align)
        self.used = round_up(self.used, align) + width
        return Piece(
            0, size, StackSlot(-PAIR_BYTES - self.used), clause, above, width, PROMOTE if above else ""
        )
