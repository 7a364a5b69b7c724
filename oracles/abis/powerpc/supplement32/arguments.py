"""The registers and the parameter save area that are left to the arguments of a call (3.2.3.1)."""

from __future__ import annotations

from abiprobe.oracles.abis.powerpc.supplement32.classes import Class
from abiprobe.oracles.abis.powerpc.supplement32.data import DOUBLEWORD, QUADWORD, WORD
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Register, StackSlot

cite, implements = citing(__package__)
GENERAL = tuple(f"r{number}" for number in range(3, 11))
FLOATING = tuple(f"f{number}" for number in range(1, 9))
VECTORS = tuple(f"v{number}" for number in range(2, 14))
HEADER = 8
"""Bytes from the stack pointer at the call to the parameter save area."""

STACK = cite("pass.stack")
ALIGNED = cite("pass.stack-alignment")
WORDS = cite("pass.stack-words")
NO_MORE = {"general": cite("pass.no-more-general"), "floating": cite("pass.no-more-floating")}
BEHIND_DECIMAL = cite("pass.behind-decimal")
STACK_ALIGN = {
    Class.SINGLE_GP: WORD,
    Class.DUAL_GP: DOUBLEWORD,
    Class.QUAD_GP: WORD,
    Class.EIGHT_GP: WORD,
    Class.DOUBLE_FP: DOUBLEWORD,
    Class.DECIMAL_PAIR: DOUBLEWORD,
    Class.SINGLE_VR: QUADWORD,
}
"""Bytes to which a case is aligned on the stack; the others are aligned as their types."""


class Arguments:
    """The places left for arguments: registers of each kind, some of which may be given up, and the parameter save area."""

    @implements("pass.initialize", "pass.area")
    def __init__(self) -> None:
        # [ppc32:pass.initialize]
        self.left = Cursor(general=GENERAL, floating=FLOATING, vector=VECTORS)
        # [ppc32:pass.area]
        self.left.push(HEADER, WORD)
        self.given_up: set[str] = set()
        self.disputed = False

    @implements("pass.odd", "pass.decimal-pair")
    def skipped(self, case: Class) -> int:
        """The registers that are left out in front of a pair: none, or one."""
        # r10 and f8 are the last ones: the number of the next register is odd where that of those left is even.
        is_odd = self.left.left(case.file) % 2 == 0
        # [ppc32:pass.odd] [ppc32:pass.decimal-pair]
        return int(case.first == ("even" if is_odd else "odd"))

    @implements("pass.behind-decimal")
    def take(self, case: Class) -> tuple[Register, ...]:
        """The registers of a value, or none if too few are left, which may leave none to what follows."""
        # [ppc32:pass.behind-decimal]
        if self.disputed and case in {Class.SINGLE_FP, Class.DOUBLE_FP}:
            raise SilentError(BEHIND_DECIMAL, "a _Decimal128 found f7 and f8 left, and is on the stack")
        needed = self.skipped(case) + case.count
        if self.left.left(case.file) < needed:
            self.give_up(case)
            return ()
        return tuple(self.left.take(case.file) for _ in range(needed))[-case.count :]

    @implements("pass.no-more-general", "pass.no-more-floating")
    def give_up(self, case: Class) -> None:
        """Leave no register behind a value for which there are too few."""
        left = self.left.left(case.file)
        self.disputed |= case is Class.DECIMAL_PAIR and left >= case.count
        # [ppc32:pass.no-more-general] [ppc32:pass.no-more-floating]
        if left and not self.disputed:
            self.left.drain(case.file)
            self.given_up.add(case.file)

    @implements("pass.stack", "pass.stack-alignment", "pass.stack-words")
    def push(self, case: Class, size: int, align: int) -> tuple[StackSlot, str]:
        """The next place of `size` bytes on the stack for a value whose type is aligned to `align` bytes, and what decides it."""
        before = self.left.used
        # [ppc32:pass.stack-alignment]
        slot = self.left.push(size, STACK_ALIGN.get(case, align))
        # [ppc32:pass.stack-words]
        if case in {Class.QUAD_GP, Class.EIGHT_GP}:
            return slot, WORDS
        if case.count == 1 and case.file in self.given_up:
            return slot, NO_MORE[case.file]
        # [ppc32:pass.stack]
        return slot, STACK if before == slot.offset == round_up(before, align) else ALIGNED
