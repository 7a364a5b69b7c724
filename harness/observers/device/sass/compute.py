"""Results of arithmetic in registers of either file."""

from __future__ import annotations

from abiprobe.harness.observers.device.sass.arithmetic import (
    extended,
    funnel,
    permuted,
    plus,
    shifted,
    times,
    wide,
)
from abiprobe.harness.observers.device.sass.decode import RZ, Instruction, UndecodedError
from abiprobe.harness.observers.device.sass.logic import logic
from abiprobe.harness.observers.device.sass.opcodes import UNIFORM, Op
from abiprobe.harness.observers.device.sass.state import State
from abiprobe.harness.observers.device.sass.symbols import UNKNOWN, ZERO, Word, constant, known

LOCAL_WINDOW = (0, 0x20)
"""Where constant bank 0 has the base of the local window, which a generic address adds: here it counts as 0."""
ADD_NOTHING = frozenset({LOCAL_WINDOW, (0, 0x118), (0, 0x208)})
"""That, and the descriptors of memory that accesses name from sm_80 and sm_90 on, which add nothing to an address."""


def operands(state: State, own: Instruction) -> tuple[Word, Word, Word]:
    """The three sources, wherever the form of the instruction has them."""
    form = own.opcode >> 9
    read = state.read_uniform if own.opcode in UNIFORM else state.read
    a, c = read(own.a), read(own.c)
    match form:
        case 1:
            return a, read(own.b), c
        case 2:
            return a, c, constant(own.immediate)
        case 3:
            return a, c, UNKNOWN
        case 4:
            return a, constant(own.immediate), c
        case 6:
            return a, state.read_uniform(own.b), c
        case 7:
            return a, c, state.read_uniform(own.b)
        case _:
            return a, ZERO if constant_place(own) == LOCAL_WINDOW else UNKNOWN, c


def computed(state: State, own: Instruction) -> Word:
    """Return the result of an arithmetic instruction."""
    a, b, c = operands(state, own)
    match own.op:
        case Op.MOV:
            return b
        case Op.IMAD:
            return UNKNOWN if own.field(74, 1) and own.field(87, 4) != 7 else times(a, b, c)
        case Op.IADD3:
            return added(own, a, b, c)
        case Op.LEA:
            return plus(shifted(a, own.field(75, 5)), b) if not own.field(72, 1) else UNKNOWN
        case Op.LOP3:
            return logic((a, b, c), own.field(72, 8))
        case Op.PRMT:
            selector = known(b)
            return UNKNOWN if selector is None or own.field(72, 3) else permuted(a, c, selector)
        case Op.SHF:
            bits = known(b)
            if bits is None:
                return UNKNOWN
            signed = own.field(73, 2) in {0, 2}
            return funnel(
                a, c, bits, right=bool(own.field(76, 1)), upper=bool(own.field(80, 1)), signed=signed
            )
        case Op.SGXT:
            bits = known(b)
            return UNKNOWN if bits is None else extended(a, bits, signed=bool(own.field(73, 1)))
        case Op.HFMA2:
            # 0 * 0 + a constant is how a constant is loaded.
            return constant(own.immediate) if a == ZERO and own.c == RZ and own.opcode >> 9 == 2 else UNKNOWN
        case _:
            raise UndecodedError(f"{own.op.value} at {own.at:#x}")


def widened(state: State, own: Instruction) -> tuple[Word, Word]:
    """The two words of a product of 64 bits, added to two others."""
    a, b, c = operands(state, own)
    if own.opcode >> 9 not in {1, 4, 6}:
        return UNKNOWN, UNKNOWN
    read, zero = (state.read_uniform, 63) if own.opcode in UNIFORM else (state.read, RZ)
    above = ZERO if own.c == zero else read(own.c + 1)
    return wide(a, b, (c, above), signed=bool(own.field(73, 1)))


def added(own: Instruction, a: Word, b: Word, c: Word) -> Word:
    """A sum of three; a negated register makes it unknown unless it is zero."""
    negated = [own.field(72, 1), own.field(63, 1) if own.opcode >> 9 == 1 else 0, own.field(75, 1)]
    if any(flag and word != ZERO for flag, word in zip(negated, (a, b, c), strict=True)) or own.field(74, 1):
        return UNKNOWN
    return plus(a, b, c) if own.opcode & 0x1FF == 0x10 else plus(a, b)


def constant_place(own: Instruction) -> tuple[int, int]:
    """The constant bank of an operand, and the byte in it."""
    return own.field(54, 5), own.field(40, 14) * 4
