"""A compiler made of a model: what its callers and callees would show in a program, judged as those of any other.

No program is compiled or run. The caller puts each value where the model says, amid noise; the callee takes it from there out of
the registers and the stack that a conforming caller gives it. So a wrong model makes a liar that breaks just what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from abiprobe.harness.machines.render.arrange import WIDENED
from abiprobe.harness.machines.render.slots import Slot
from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.machines.runtime.script import STACK_WINDOW, Called, Entered, Peeked, Watch, Written
from abiprobe.harness.machines.runtime.wasm import TYPES, encoded
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.image.decoding import callee_seen, caller_seen
from abiprobe.harness.observers.image.function_types import function_type
from abiprobe.harness.observers.image.observe import ObservedCall
from abiprobe.harness.observers.image.operations import (
    NOISE,
    callee_operation,
    caller_operation,
    noise_block,
    patched,
)
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.oracles.engine.expect import Expected, contents, expected
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Type, strip
from abiprobe.oracles.model import RegisterConvention
from abiprobe.oracles.text.place import Assignment, Extension, Passed, Passing, Register, StackSlot
from abiprobe.results.verdicts.observations import Frame, ObservedCallee, ObservedCaller
from abiprobe.results.verdicts.record import Outcome

BLOB, COPIES, RESULT, AREA = 0x4100_0000, 0x4200_0000, 0x4300_0000, 0x4400_0000
"""Where a conforming caller has its memory; and of the liar's caller its copies, its result and its arguments on the stack."""
APART = 0x1_0000
"""Copies are so many bytes apart, and each is aligned as it must be and no further."""
TRUSTED = {True: Extension.SIGN, False: Extension.ZERO}
"""The extension on which a callee relies that widens a signed integer, or an unsigned one."""


class Deadly(Exception):  # noqa: N818 - what happens to the program, no error of ours
    """The program reads or writes where nothing is."""


@dataclass(frozen=True)
class Compiler:
    """A compiler for `machine` that follows a model, by its types and what it keeps."""

    machine: Machine
    types: TypeTable
    registers: RegisterConvention

    def observed(self, plan: CallPlan, own: Assignment, asked: RegisterConvention) -> ObservedCall:
        """What its caller and callee of a call show that is asked as `plan` says, if it has the values as `own` says."""
        turns = range(len(plan.turns))
        return ObservedCall(
            tuple(self._calling(plan, own, asked, number) for number in turns),
            tuple(self._called(plan, own, asked, number) for number in turns),
        )

    def _calling(
        self, plan: CallPlan, own: Assignment, asked: RegisterConvention, number: int
    ) -> ObservedCaller:
        turn, op = plan.turns[number], caller_operation(plan, 0, self.machine, asked, number)
        block = bytearray(noise_block(self.machine, number))
        window = bytearray(
            NOISE[1 - number][: op.stack_window].ljust(min(op.stack_window, STACK_WINDOW), b"\x3c")
        )
        align = self.registers.stack_align
        first = AREA + (max(own.area_align, align) if align >= asked.stack_align else align)
        sp = first - self.machine.return_address
        memory: dict[int, bytes] = {}
        for index, (passed, value) in enumerate(zip(own.params, turn.values, strict=True)):
            if passed.passing is Passing.INDIRECT:
                address = COPIES + index * APART + passed.memory_align
                memory[address] = value
                self._put(block, window, contents_of_address(passed, address, self.machine), 0)
            else:
                self._put(block, window, contents(passed, value), 0)
        for hidden in own.hidden:
            for piece in hidden.pieces:
                size = piece.end - piece.start
                held = for_result(own) if hidden.bounds is None else hidden.bounds[1]
                data = held.to_bytes(size, self.machine.order)
                self._put(block, window, (expected(piece, data, b"\xff" * size),), 0)
        self._set(block, self.machine.sp, sp)
        self._forbidden(block, asked)
        self._typed(block, own)
        frame = Frame(bytes(block), self.machine.registers, self.machine.files, bytes(window), 0)
        peeks = tuple(
            Peeked(
                where := self._address(frame, passed),
                one[: passed.size] if (one := memory.get(where)) is not None else None,
            )
            for passed in plan.assignment.params
            if passed.passing is Passing.INDIRECT
        )
        stored = tuple(self._pointer(frame, store.where) == for_result(own) for store in op.stores)
        out = bytearray(b"\xa5" * op.out_bytes)
        slot = plan.slots.result
        if own.result is not None and slot is not None and turn.result is not None:
            held_result = turn.result if all(stored[:1]) and stored else NOISE[number][: own.result.size]
            if own.result.passing is not Passing.INDIRECT:
                back = Frame(op.returns, self.machine.registers, self.machine.files, b"", 0)
                held_result = self._value(own.result, back, turn.result)
            out[: slot.size] = self._stored(
                plan.prototype.result, slot, own.result, held_result, back_of(op.returns, self.machine)
            )
        for live, value in zip(plan.slots.live, turn.live, strict=False):
            out[live.offset : live.offset + len(value)] = value
        before = noise_block(self.machine, number)
        left = self._left(before, sp + plan.assignment.pops - own.pops, self.registers, asked)
        written = self._written(op.watches, asked)
        record = Called(
            0, sp, 1, bytes(block), bytes(window), peeks, stored, left, bytes(out), written=written
        )
        return caller_seen(plan, record, self.machine, asked, number)

    def _called(
        self, plan: CallPlan, own: Assignment, asked: RegisterConvention, number: int
    ) -> ObservedCallee | Failed:
        try:
            return callee_seen(plan, self._entered(plan, own, asked, number), self.machine, asked, number)
        except Deadly as death:
            return Failed(Outcome.DIED, str(death))

    def _entered(self, plan: CallPlan, own: Assignment, asked: RegisterConvention, number: int) -> Entered:
        turn, op = plan.turns[number], callee_operation(plan, 0, self.machine, asked, number)
        stack = bytearray(op.stack + bytes([op.stack_poison]) * 4096)
        for patch in op.patches:
            at = (patch.where & 0x7FFF_FFFF) - op.stack_offset
            if patch.where & 0x8000_0000:
                data = (BLOB + patch.offset).to_bytes(self.machine.pointer, self.machine.order)
                stack[at : at + len(data)] = data
        entered = patched(op, BLOB, self.machine)
        frame = Frame(entered, self.machine.registers, self.machine.files, bytes(stack), op.stack_offset)
        out = bytearray(b"\xa5" * op.out_bytes)
        blob = bytearray(op.blob)
        for passed, value, slot, argument in zip(
            own.params, turn.values, plan.slots.params, plan.prototype.arguments, strict=True
        ):
            if passed.passing is Passing.INDIRECT:
                at = self._address(frame, passed) - BLOB
                if not 0 <= at <= len(blob) - passed.size:
                    raise Deadly("SIGSEGV: it reads a value where no address is")
                found = bytes(blob[at : at + passed.size]).ljust(passed.size, b"\x6b")
            else:
                found = self._value(passed, frame, value)
            out[slot.offset : slot.offset + slot.size] = self._stored(
                argument.type, slot, passed, found, frame
            )
        block = bytearray(entered)
        if own.result is not None and turn.result is not None:
            if own.result.passing is Passing.INDIRECT:
                pointer = next(one.pieces[0] for one in own.hidden if one.bounds is None)
                address = frame.read(
                    expected(pointer, b"\0" * self.machine.pointer, b"\xff" * self.machine.pointer)
                )
                address = self._number(address or 0)
                at = address - BLOB
                if not 0 <= at <= len(blob) - own.result.size:
                    raise Deadly("SIGSEGV: it writes a result where no address is")
                blob[at : at + own.result.size] = turn.result
                self._put(block, bytearray(), contents_of_address(own.result, address, self.machine), 0)
            else:
                self._put(block, bytearray(), contents(own.result, turn.result), 0)
        sp = 0x4500_0000
        self._typed(block, own)
        mine, theirs = self.registers.of(own), asked.of(plan.assignment)
        left = self._left(bytes(block), sp + own.pops, mine, theirs)
        return Entered(0, sp, BLOB, left, bytes(out), bytes(blob), written=self._written(op.watches, asked))

    def _left(self, block: bytes, sp: int, mine: RegisterConvention, asked: RegisterConvention) -> bytes:
        """The registers that a function leaves: noise where others would be kept and these are not."""
        left = bytearray(block)
        own = {one.register: one for one in mine.preserved}
        for kept in asked.preserved:
            if own.get(kept.register) != kept:
                at, size = self.machine.lowest(kept.register, kept.size)
                left[at : at + size] = bytes(byte ^ 0xFF for byte in left[at : at + size])
        self._forbidden(left, asked)
        self._set(left, self.machine.sp, sp)
        return bytes(left)

    def _forbidden(self, block: bytearray, asked: RegisterConvention) -> None:
        """Registers hold what none may hold, as far as the liar does not know that."""
        for one in asked.forbidden:
            if one not in self.registers.forbidden:
                number = self.machine.number(bytes(block), one.register) & ~one.bits | one.value
                self._set(block, one.register, number)
        mine, stack = self.registers.stack_of_registers, asked.stack_of_registers
        if mine is None or stack is None:
            return
        if mine.alias_clause != stack.alias_clause:
            self._set(block, stack.tags, (1 << stack.count) - 1)
        elif mine.clause != stack.clause:
            # One more than a result is in.
            self._set(block, stack.tags, 0b111)

    def _typed(self, block: bytearray, own: Assignment) -> None:
        """The type of the function, on a machine whose functions are called by it."""
        if self.machine.signatures:
            block[slice(*self._span(TYPES))] = encoded(*function_type(own))

    def _set(self, block: bytearray, register: str, number: int) -> None:
        start, end = self._span(register)
        block[start:end] = number.to_bytes(end - start, self.machine.order)

    def _written(self, watches: Sequence[Watch], asked: RegisterConvention) -> tuple[Written, ...]:
        """What it writes of its caller's frame, as far as the liar does not know whose that is."""
        mine, theirs = self.registers.caller_frame, asked.caller_frame
        if mine is None or theirs is None:
            return ()
        return tuple(
            Written(one.offset, self.machine.word)
            for one in watches
            if mine.clause_at(one.offset) != theirs.clause_at(one.offset)
        )

    def _span(self, register: str) -> tuple[int, int]:
        at, width = self.machine.registers[register]
        return at, at + width

    def _number(self, memory: int) -> int:
        """An address, of which memory has these bytes."""
        return int.from_bytes(memory.to_bytes(64, "little")[: self.machine.pointer], self.machine.order)

    def _address(self, frame: Frame, passed: Passed) -> int:
        piece = passed.pieces[0]
        size = self.machine.pointer
        return self._number(frame.read(expected(piece, bytes(size), b"\xff" * size)) or 0)

    def _pointer(self, frame: Frame, where: int) -> int:
        data = frame.block[where:] if where < 0x8000_0000 else frame.stack[where - 0x8000_0000 :]
        return int.from_bytes(data[: self.machine.pointer], self.machine.order)

    def _put(self, block: bytearray, stack: bytearray, places: tuple[Expected, ...], base: int) -> None:
        for place in places:
            held, at, width = block, 0, place.width
            match place.place:
                case Register(name):
                    at, room = self.machine.registers[name]
                    width = min(width, room)
                case StackSlot(offset):
                    held, at = stack, offset - base
            if not 0 <= at <= len(held) - width:
                continue
            old = int.from_bytes(held[at : at + width], "little")
            care = place.care & (1 << 8 * width) - 1
            held[at : at + width] = ((old & ~care) | (place.bits & care)).to_bytes(width, "little")

    def _value(self, passed: Passed, frame: Frame, value: bytes) -> bytes:
        """The bytes of a value as they are found in its places; a byte in no place is as it was."""
        out = bytearray(value)
        for piece, place in zip(passed.pieces, contents(passed, value), strict=True):
            raw = frame.read(place)
            raw = 0x5C5C if raw is None else raw
            size = piece.end - piece.start
            if piece.form is not None:
                wrong = (raw ^ place.bits) & place.care
                found = (
                    value[piece.start : piece.end] if not wrong else (raw >> 8).to_bytes(64, "little")[:size]
                )
            elif piece.bit is not None and piece.bits is not None:
                shift = piece.bit - piece.start * 8
                old = int.from_bytes(value[piece.start : piece.end], "little")
                mask = (1 << piece.bits) - 1 << shift
                found = ((old & ~mask) | (raw << shift & mask)).to_bytes(size, "little")
            elif piece.lane:
                found = bytes(raw >> 8 * at * piece.lane & 0xFF for at in range(size))
            else:
                found = (raw >> 8 * piece.at & (1 << 8 * size) - 1).to_bytes(size, "little")
            out[piece.start : piece.end] = found
        return bytes(out)

    def _stored(self, c_type: Type | None, slot: Slot, passed: Passed, found: bytes, frame: Frame) -> bytes:
        """What C stores of a value that it has found: all of it, or the value widened."""
        if not slot.narrow or c_type is None:
            return found[: slot.size].ljust(slot.size, b"\x6b")
        order = self.types.data.order
        size = len(found)
        number, bits = int.from_bytes(found, order), int.from_bytes(passed.mask, order).bit_length()
        signed = self.types.is_signed(strip(c_type))
        if len(passed.pieces) == 1 and passed.pieces[0].extension is TRUSTED[signed]:
            (place,) = contents(passed, found)
            raw = frame.read(place)
            width = max(place.width, size)
            number, bits = int.from_bytes((raw or 0).to_bytes(64, "little")[:width], order), 8 * width
        bits = bits or 8 * size
        number &= (1 << bits) - 1
        if signed and number >> bits - 1:
            number -= 1 << bits
        return (number & (1 << 8 * WIDENED) - 1).to_bytes(WIDENED, order)


def back_of(block: bytes, machine: Machine) -> Frame:
    """The registers with which a call comes back."""
    return Frame(block, machine.registers, machine.files, b"", 0)


def for_result(own: Assignment) -> int:
    """The address that a caller passes for a result in memory, aligned as it takes the text and no more."""
    align = own.result.memory_align if own.result is not None else 1
    return RESULT + (align if align > 1 else 0)


def contents_of_address(passed: Passed, address: int, machine: Machine) -> tuple[Expected, ...]:
    """What the places of a value by reference hold."""
    data = address.to_bytes(machine.pointer, machine.order)
    return tuple(expected(piece, data, b"\xff" * len(data)) for piece in passed.pieces)
