"""The registers and memory of an emulator, as the rules of call frame information see them."""

from __future__ import annotations

import ctypes
import importlib
from typing import Any

from abiprobe.harness.unwind.machines import Stepped
from abiprobe.oracles.unwinding.rules import UndefinedError

STACK, STACK_BYTES = 0x7000_0000, 0x20_0000
"""Where the stack lies, and its size in bytes."""


class LostError(UndefinedError):
    """Memory that a rule reads may be overwritten already; the message says how far away it is."""


class State:
    """The registers and memory of an emulator, by the numbers of DWARF; `stack` shares the emulator's memory, which is read most."""

    def __init__(self, uc: Any, about: Stepped) -> None:
        self.uc, self.about = uc, about
        self.unicorn: Any = importlib.import_module("unicorn")
        memory = ctypes.create_string_buffer(STACK_BYTES)
        uc.mem_map_ptr(STACK, STACK_BYTES, self.unicorn.UC_PROT_ALL, ctypes.addressof(memory))
        self.stack = memoryview(memory).cast("B")
        self.bytes, self.order = about.machine.pointer, about.machine.order
        self.values: dict[int, int] = {}

    def register(self, number: int) -> int:
        """The contents of a register; raises `UndefinedError` for one that the machine does not have."""
        found = self.values.get(number)
        if found is None:
            name = self.about.names.get(number)
            if name is None:
                raise UndefinedError(f"register {number} is not known")
            found = self.values[number] = self.uc.reg_read(self.about.identities[name])
        return found

    def word(self, address: int) -> int:
        """See `rules.State`."""
        return self.read(address, self.bytes)

    def saved(self, number: int, address: int) -> int:
        """See `rules.State`."""
        return self.read(address, self.about.preserved.get(number, self.bytes))

    def read(self, address: int, size: int) -> int:
        """Some bytes at an address; raises `LostError` below the stack pointer, and `UndefinedError` where there is no memory."""
        about = self.about.unwinding
        if about.below:
            lowest = self.register(about.numbers[self.about.machine.sp]) - about.red_zone
            if lowest - STACK_BYTES < address < lowest:
                raise LostError(f"{lowest - address} bytes below what the stack pointer protects")
        if STACK <= address <= STACK + STACK_BYTES - size:
            return int.from_bytes(self.stack[address - STACK : address - STACK + size], self.order)
        try:
            return int.from_bytes(self.uc.mem_read(address, size), self.order)
        except self.unicorn.UcError as error:
            raise UndefinedError(f"there is no memory at {address:#x}") from error
