"""Following a function from its entry to its return, byte by byte, over symbols."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from abiprobe.harness.ptx.sass.arithmetic import extended, fill, funnel, logic, permuted, plus, shifted, times
from abiprobe.harness.ptx.sass.decode import RZ, UNIFORM_FLAG, Instruction, UndecodedError, decode
from abiprobe.harness.ptx.sass.opcodes import UNIFORM, Op
from abiprobe.harness.ptx.sass.symbols import (
    UNKNOWN,
    ZERO,
    InBuffer,
    Loaded,
    Returned,
    Stack,
    Symbol,
    Word,
    address,
    at_entry,
    constant,
    known,
    pointer,
    word_of,
)
from abiprobe.oracles.ptx.sass.places import is_preserved

STACK_POINTER = 1
FIRST_ARGUMENT, LAST_ARGUMENT = 4, 15
ENTRY = "entry"
UNIFORM_ZERO = 63
LOCAL_WINDOW = (0, 0x20)
"""Where constant bank 0 has the base of the local window, which a generic address adds: here it counts as 0."""


@dataclass
class State:
    """Registers, uniform registers and memory, as far as they are known.

    `memory` is local memory by base and offset, `shared` what was stored there. `calls` are the states at each call.
    """

    registers: dict[int, Word] = field(default_factory=dict)
    uniform: dict[int, Word] = field(default_factory=dict)
    memory: dict[tuple[str, int], Symbol] = field(default_factory=dict)
    shared: dict[int, Symbol] = field(default_factory=dict)
    calls: list[State] = field(default_factory=list)
    buffer: tuple[str, int] | None = None

    def read(self, number: int) -> Word:
        """What a register holds."""
        if number == RZ:
            return ZERO
        return self.registers.get(number, UNKNOWN)

    def read_uniform(self, number: int) -> Word:
        """What a uniform register holds."""
        return ZERO if number & 63 == UNIFORM_ZERO else self.uniform.get(number & 63, UNKNOWN)

    def write(self, number: int, word: Word) -> None:
        """Give a register a new value."""
        if number != RZ:
            self.registers[number] = word

    def local(self, base: str, offset: int) -> Symbol:
        """A byte of local memory; above the entry's stack pointer are the arguments."""
        if (base, offset) in self.memory:
            return self.memory[base, offset]
        if self.buffer is not None and self.buffer[0] == base and offset >= self.buffer[1]:
            return InBuffer(offset - self.buffer[1])
        return Stack(offset) if base == ENTRY and offset >= 0 else None

    def copy(self) -> State:
        """The state as it is now."""
        return State(
            dict(self.registers), dict(self.uniform), dict(self.memory), dict(self.shared), [], self.buffer
        )


AT_ENTRY: dict[int, Word] = {number: at_entry(number) for number in range(RZ)} | {
    STACK_POINTER: address(ENTRY, 0)
}
"""What the registers hold when a function begins."""
RETURNED: dict[int, Word] = {
    number: word_of([Returned(number, byte) for byte in range(4)])
    for number in range(FIRST_ARGUMENT, LAST_ARGUMENT + 1)
}
"""What the argument registers hold when a called function has returned."""
LOST: dict[int, Word] = {
    number: UNKNOWN
    for number in range(RZ)
    if number not in RETURNED and number != STACK_POINTER and not is_preserved(number)
}
"""What a called function may have changed."""


def entry() -> State:
    """The state in which a function begins."""
    return State(dict(AT_ENTRY))


def follow(code: bytes) -> State:
    """The state at the return of a function, with those at its calls.

    Raises `UndecodedError` for an unknown instruction, and for a branch that is not the end.
    """
    state = entry()
    for instruction in decode(code):
        if instruction.op is Op.RET and not instruction.guarded:
            return state
        step(state, instruction)
    raise UndecodedError("the function does not return")


def step(state: State, own: Instruction) -> None:
    """Carry out one instruction."""
    if own.guarded:
        guarded(state, own)
        return
    match own.op:
        case Op.LDS:
            load_shared(state, own)
        case Op.STS:
            store_shared(state, own)
        case Op.LDL | Op.LD:
            load_local(state, own)
        case Op.STL | Op.ST:
            store_local(state, own)
        case Op.ULDC:
            word = ZERO if constant_place(own) == LOCAL_WINDOW else UNKNOWN
            state.uniform |= {own.d: word, own.d + 1: word}
        case Op.UMOV:
            moved = own.opcode == 0xC82
            state.uniform[own.d & 63] = state.read_uniform(own.b) if moved else constant(own.immediate)
        case Op.R2UR:
            state.uniform[own.d & 63] = state.read(own.a)
        case Op.CS2R:
            word = ZERO if own.field(72, 8) == RZ else UNKNOWN
            state.write(own.d, word)
            if own.field(80, 1):
                state.write(own.d + 1, word)
        case Op.CALL:
            call(state)
        case Op.RET | Op.NOTHING | Op.OPAQUE_PREDICATE:
            pass
        case Op.OPAQUE:
            state.write(own.d, UNKNOWN)
        case Op.OPAQUE_PAIR:
            state.write(own.d, UNKNOWN)
            state.write(own.d + 1, UNKNOWN)
        case Op.BRA:
            raise UndecodedError(f"a branch at {own.at:#x}")
        case _ if own.opcode in UNIFORM:
            state.uniform[own.d & 63] = computed(state, own)
        case _:
            state.write(own.d, computed(state, own))


def guarded(state: State, own: Instruction) -> None:
    """An instruction that may not be carried out leaves its target unknown."""
    if own.opcode in UNIFORM or own.op in {Op.R2UR, Op.UMOV}:
        state.uniform[own.d & 63] = UNKNOWN
        return
    if own.op in {Op.BRA, Op.RET, Op.CALL, Op.STS, Op.STL, Op.ST}:
        raise UndecodedError(f"{own.op.value} under a predicate at {own.at:#x}")
    width = max(1, own.access[0] // 4) if own.op in {Op.LDS, Op.LDL, Op.LD} else 2
    if own.op not in {Op.NOTHING, Op.OPAQUE_PREDICATE}:
        for number in range(own.d, own.d + width):
            state.write(number, UNKNOWN)


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
    """What an arithmetic instruction writes."""
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


def added(own: Instruction, a: Word, b: Word, c: Word) -> Word:
    """A sum of three; a negated register makes it unknown unless it is zero."""
    negated = [own.field(72, 1), own.field(63, 1) if own.opcode >> 9 == 1 else 0, own.field(75, 1)]
    if any(flag and word != ZERO for flag, word in zip(negated, (a, b, c), strict=True)) or own.field(74, 1):
        return UNKNOWN
    return plus(a, b, c) if own.opcode & 0x1FF == 0x10 else plus(a, b)


def shared_address(state: State, own: Instruction, uniform: int) -> int:
    """The address in shared memory of an access; raises `UndecodedError` when it is not known."""
    base = known(state.read(own.a))
    extra: int | None = 0
    if own.field(UNIFORM_FLAG, 1) and uniform != UNIFORM_ZERO:
        extra = known(state.uniform.get(uniform, UNKNOWN))
    if base is None or extra is None:
        raise UndecodedError(f"an address in shared memory at {own.at:#x}")
    return (base + extra + own.offset) & 0xFFFFFFFF


def load_shared(state: State, own: Instruction) -> None:
    """Load from shared memory, which nobody here writes before."""
    start = shared_address(state, own, own.b & 63)
    into(state, own, lambda index: Loaded(start + index))


def store_shared(state: State, own: Instruction) -> None:
    """Store to shared memory: what is stored is what was asked for."""
    start = shared_address(state, own, own.c & 63)
    for index, symbol in enumerate(source(state, own)):
        state.shared[start + index] = symbol


def constant_place(own: Instruction) -> tuple[int, int]:
    """The constant bank of an operand, and the byte in it."""
    return own.field(54, 5), own.field(40, 14) * 4


def load_local(state: State, own: Instruction) -> None:
    """Load from the stack, or through another pointer to local memory, generic ones included."""
    where = local_pointer(state, own, own.b & 63)
    if where is None:
        into(state, own, lambda _: None)
        return
    base, start = where[0], where[1] + own.offset
    into(state, own, lambda index: state.local(base, start + index))


def store_local(state: State, own: Instruction) -> None:
    """Store to the stack, or through another pointer to local memory; raises `UndecodedError` for an unknown one."""
    where = local_pointer(state, own, own.c & 63)
    if where is None:
        raise UndecodedError(f"an address in local memory at {own.at:#x}")
    base, offset = where
    start = offset + own.offset
    for index, symbol in enumerate(source(state, own)):
        state.memory[base, start + index] = symbol


def source(state: State, own: Instruction) -> Sequence[Symbol]:
    """The bytes that a store has in its registers."""
    size, _ = own.access
    if size <= 4:
        return state.read(own.data)[:size]
    return [symbol for number in range(own.data, own.data + size // 4) for symbol in state.read(number)]


def local_pointer(state: State, own: Instruction, uniform: int) -> tuple[str, int] | None:
    """Where in local memory an access goes; a generic address is that behind the local window."""
    generic = own.op in {Op.LD, Op.ST} and own.field(UNIFORM_FLAG, 1) and uniform != UNIFORM_ZERO
    if generic and state.uniform.get(uniform, UNKNOWN) != ZERO:
        return None
    return pointer(state.read(own.a))


def into(state: State, own: Instruction, byte: Callable[[int], Symbol]) -> None:
    """Write what an access loads to its target registers."""
    size, signed = own.access
    symbols = [byte(index) for index in range(size)]
    if size < 4:
        symbols += [fill(symbols[-1]) if signed else 0] * (4 - size)
    for index in range(0, len(symbols), 4):
        state.write(own.d + index // 4, word_of(symbols[index : index + 4]))


def call(state: State) -> None:
    """A call: what is there now is what the callee gets; what it preserves is there afterwards."""
    state.calls.append(state.copy())
    state.buffer = pointer(state.read(FIRST_ARGUMENT))
    if state.buffer is not None:
        base, offset = state.buffer
        state.memory = {
            place: symbol for place, symbol in state.memory.items() if place[0] != base or place[1] < offset
        }
    state.registers.update(RETURNED)
    state.registers.update(LOST)
