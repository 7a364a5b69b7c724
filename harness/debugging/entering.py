"""Functions entered under Unicorn with the registers and the stack that a model predicts, and stopped where it matters."""

from __future__ import annotations

import importlib
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from abiprobe.harness.machines.runtime.description import STACK as ON_STACK
from abiprobe.harness.machines.runtime.description import Machine
from abiprobe.harness.machines.runtime.script import Enter
from abiprobe.harness.unwind.stepping import HOME, STUB_BYTES, STUBS
from abiprobe.oracles.text.place import ByteOrder
from abiprobe.oracles.unwinding.registers import DEBUGGED
from abiprobe.oracles.unwinding.rules import UndefinedError

STACK, STACK_BYTES = 0x7000_0000, 0x20_0000
CALL_SITE = STACK + STACK_BYTES - 0x8000
"""The stack pointer at the call of a function, above it room for arguments."""
BLOB, BLOB_BYTES = 0x7800_0000, 0x4_0000
"""The memory that indirect arguments lead to."""
AREAS, AREA_BYTES = 0x7900_0000, 0x1_0000
"""The memory of another unit, an area each: what functions return, and what they keep."""
KEPT = AREAS + AREA_BYTES
NOT_KEPT = random.Random(0).randbytes(AREA_BYTES)  # noqa: S311 - test data, not secrets
"""The second area before a function has run."""
ZERO = {"riscv64": 0}
"""The number of the register that is always 0, by machine."""
ARGUMENTS = {"x86_64": ("rdi", "rsi", "rdx"), "aarch64": ("x0", "x1", "x2"), "riscv64": ("a0", "a1", "a2")}
"""The registers of the first three arguments, by machine."""
MOST = 20_000
"""Instructions after which a function is stopped."""


class Registers:
    """The state of an emulator, by the numbers of DWARF; `snapshot` are registers as they were, and not as they are."""

    def __init__(
        self, uc: Any, machine: Machine, identities: Mapping[str, int], snapshot: Mapping[int, bytes] = {}
    ) -> None:
        self.uc, self.machine, self.identities, self.snapshot = uc, machine, identities, snapshot
        self.names = {number: name for name, number in DEBUGGED[machine.name].items()}
        self.unicorn: Any = importlib.import_module("unicorn")

    @property
    def order(self) -> ByteOrder:
        """The byte order of numbers."""
        return self.machine.order

    def contents(self, number: int) -> bytes:
        """See `locations.Machine`; raises `UndefinedError` for a register that the machine does not have."""
        if number in self.snapshot:
            return self.snapshot[number]
        name = self.names.get(number)
        if number == ZERO.get(self.machine.name):
            return bytes(self.machine.word)
        if name is None or name not in self.identities:
            raise UndefinedError(f"register {number} is not known")
        width = self.machine.registers[name].width
        value: int = self.uc.reg_read(self.identities[name])
        return value.to_bytes(width, self.order)

    def register(self, number: int) -> int:
        """See `rules.State`."""
        word = self.machine.word
        found = self.contents(number)
        return int.from_bytes(found[:word] if self.order == "little" else found[-word:], self.order)

    def memory(self, address: int, size: int) -> bytes:
        """See `locations.Machine`."""
        try:
            return bytes(self.uc.mem_read(address, size))
        except self.unicorn.UcError as error:
            raise UndefinedError(f"there is no memory at {address:#x}") from error

    def word(self, address: int) -> int:
        """See `rules.State`."""
        return int.from_bytes(self.memory(address, self.machine.pointer), self.order)

    def saved(self, _number: int, address: int) -> int:
        """See `rules.State`."""
        return self.word(address)

    def all(self) -> dict[int, bytes]:
        """Every register as it is now."""
        return {
            number: self.contents(number) for number, name in self.names.items() if name in self.identities
        }


class AfterCall(Registers):
    """The same for what holds behind a call, too: other registers than those `preserved` may be others then."""

    preserved: frozenset[str] = frozenset()

    def contents(self, number: int) -> bytes:
        """See `locations.Machine`; raises `UndefinedError` for a register that is not preserved."""
        name = self.names.get(number)
        if (
            number not in self.snapshot
            and name not in self.preserved
            and number != ZERO.get(self.machine.name)
        ):
            raise UndefinedError(f"{name or f'register {number}'} may be changed by the call")
        return super().contents(number)


class Program:
    """A linked unit in an emulator."""

    def __init__(self, image: Path, machine: Machine, returns: bytes, memory: Mapping[int, str]) -> None:
        """Load a program; `returns` is the instruction that returns, `memory` are functions that set memory, by their addresses."""
        from abiprobe.harness.machines.executors.unicorn_child import CORES, emulator, load

        self.machine, self.core = machine, CORES[machine.name]
        self.unicorn: Any = importlib.import_module("unicorn")
        self.uc: Any = emulator(self.core)
        load(self.uc, image.read_bytes())
        for start, size in (
            (STACK, STACK_BYTES),
            (BLOB, BLOB_BYTES),
            (AREAS, 2 * AREA_BYTES),
            (STUBS, 0x1000),
        ):
            self.uc.mem_map(start, size)
        for at in range(STUBS, HOME, STUB_BYTES):
            self.uc.mem_write(at, returns)
        constants = importlib.import_module(f"unicorn.{self.core.family}_const")
        prefix = f"UC_{self.core.family.upper()}_REG_"
        named = {name: getattr(constants, prefix + name.upper(), None) for name in machine.registers}
        self.identities = {name: number for name, number in named.items() if number is not None}
        self.now = Registers(self.uc, machine, self.identities)
        self.memory = memory
        self.uc.hook_add(self.unicorn.UC_HOOK_CODE, self.on_memory, None, STUBS, HOME - 1)

    def enter(self, op: Enter, link: str) -> int:
        """Make the state at a function's entry, and return the stack pointer there; `link` is the register of the return address, if any."""
        machine, uc = self.machine, self.uc
        entry = CALL_SITE - machine.return_address
        block, stack = bytearray(op.enter), bytearray(op.stack)
        for patch in op.patches:
            target = entry + (patch.offset ^ ON_STACK) if patch.offset & ON_STACK else BLOB + patch.offset
            address = target.to_bytes(machine.word, machine.order)
            into, at = (
                (stack, (patch.where ^ ON_STACK) - op.stack_offset)
                if patch.where & ON_STACK
                else (block, patch.where)
            )
            into[at : at + machine.word] = address
        for name, identity in self.identities.items():
            if name not in machine.steady:
                uc.reg_write(identity, int.from_bytes(machine.read(bytes(block), name), machine.order))
        uc.mem_write(entry + op.stack_offset, bytes(stack))
        uc.mem_write(BLOB, op.blob)
        uc.mem_write(KEPT, NOT_KEPT)
        if link:
            uc.reg_write(self.identities[link], HOME)
        else:
            uc.mem_write(entry, HOME.to_bytes(machine.return_address, machine.order))
        uc.reg_write(self.identities[machine.sp], entry)
        return entry

    def on_memory(self, uc: Any, address: int, _size: int, _data: Any) -> None:
        """Do what a function that sets memory does."""
        name = self.memory.get(address)
        if name is None:
            return
        into, second, size = (uc.reg_read(self.identities[one]) for one in ARGUMENTS[self.machine.name])
        if size <= STACK_BYTES:
            uc.mem_write(
                into, bytes([second & 0xFF]) * size if name == "memset" else bytes(uc.mem_read(second, size))
            )

    def kept(self, number: int, stride: int, size: int) -> bytes:
        """The bytes that a function has kept of parameter `number`."""
        return bytes(self.uc.mem_read(KEPT + number * stride, size))

    def go(self, start: int, stops: frozenset[int]) -> int | None:
        """Run from an address until one of some, and return which; `None` where the function ends before, or fails."""
        reached: list[int] = []
        begun = False

        def stop(uc: Any, address: int, _size: int, _data: Any) -> None:
            nonlocal begun
            here, begun = begun, True
            if here and address in stops:
                reached.append(address)
                uc.emu_stop()

        hook = self.uc.hook_add(self.unicorn.UC_HOOK_CODE, stop)
        try:
            self.uc.emu_start(start, HOME, count=MOST)
        except self.unicorn.UcError:
            return None
        finally:
            self.uc.hook_del(hook)
        return reached[0] if reached else None
