"""What the host must know of an instruction set to talk to a probe image: its state block and how to build for it.

A state block is the image's copy of every register. Adding an instruction set is one description here and one
assembly file of the same name beside it.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from abiprobe.oracles.place import Place, Register, StackSlot

if TYPE_CHECKING:
    from collections.abc import Mapping

STACK = 0x8000_0000


class Slot(NamedTuple):
    """Where a register lies in a state block: offset and width in bytes."""

    offset: int
    width: int


@dataclass(frozen=True)
class Machine:
    """An instruction set as the runtime sees it.

    `state_bytes` is the size of a state block and `initial` a valid one, zero but for control words; `registers`
    maps the ABI's register names to their slots. `pointer` and `return_address` (what a call pushes on the
    stack) are in bytes, `sp` names the stack pointer. `elf_machine` is the `e_machine` of its images. `triple` and `flags` make clang build
    for it; `steady` names the registers that no program fills with noise; `gcc` and `ld` name the GNU tools to look for, `emulation` is the linker's own name for it.
    """

    name: str
    pointer: int
    return_address: int
    elf_machine: int
    sp: str
    state_bytes: int
    registers: Mapping[str, Slot] = field(repr=False, hash=False)
    initial: bytes = field(repr=False)
    triple: str
    flags: tuple[str, ...]
    gcc: tuple[str, ...]
    ld: tuple[str, ...]
    emulation: str
    steady: frozenset[str]

    def state(self, values: Mapping[str, int | bytes]) -> bytes:
        """A state block holding `values` (bytes, or an unsigned number; little-endian, the rest of the slot zero).

        Raises `KeyError` for an unknown register and `OverflowError` for a value wider than its register.
        """
        block = bytearray(self.initial)
        for name, value in values.items():
            offset, width = self.registers[name]
            if isinstance(value, int):
                value = value.to_bytes(width, "little")  # noqa: PLW2901 - one value in two spellings
            if len(value) > width:
                raise OverflowError(f"{len(value)} bytes for {name} of {width}")
            block[offset : offset + width] = value.ljust(width, b"\0")
        return bytes(block)

    def read(self, block: bytes, name: str) -> bytes:
        """The bytes of register `name` in a state block; raises `KeyError` for an unknown register."""
        offset, width = self.registers[name]
        return block[offset : offset + width]

    def number(self, block: bytes, name: str) -> int:
        """Register `name` of a state block as an unsigned number; raises `KeyError` for an unknown register."""
        return int.from_bytes(self.read(block, name), "little")

    def where(self, place: Place) -> int:
        """`place` as the image encodes it: an offset into the state block, or into the stack at entry.

        Raises `KeyError` for an unknown register.
        """
        match place:
            case Register(name):
                return self.registers[name].offset
            case StackSlot(offset):
                return STACK | offset


def machine(name: str) -> Machine:
    """The machine called `name` (`riscv64`, `x86_64`); raises `KeyError` for any other."""
    return MACHINES[name]


def x87_depth(block: bytes) -> int:
    """How many x87 registers are in use in an x86-64 state block."""
    return X86_64.number(block, "x87_tags").bit_count()


def x87_result(*values: bytes) -> dict[str, bytes]:
    """Register values that leave `values` (10 bytes each, st0 first, at most two) on the x87 stack."""
    return {**dict(zip(("st0", "st1"), values, strict=False)), "x87_tags": bytes([(1 << len(values)) - 1])}


def _slots(names: str, offset: int, width: int, stride: int) -> dict[str, Slot]:
    return {
        name: Slot(at, width)
        for name, at in zip(names.split(), itertools.count(offset, stride), strict=False)
    }


def _numbered(prefix: str, first: int, last: int) -> str:
    return " ".join(f"{prefix}{n}" for n in range(first, last + 1))


_RISCV_GENERAL = (
    f"ra sp gp tp t0 t1 t2 s0 s1 {_numbered('a', 0, 7)} {_numbered('s', 2, 11)} {_numbered('t', 3, 6)}"
)
_RISCV_FLOAT = f"{_numbered('ft', 0, 7)} fs0 fs1 {_numbered('fa', 0, 7)} {_numbered('fs', 2, 11)} {_numbered('ft', 8, 11)}"

RISCV64 = Machine(
    name="riscv64",
    pointer=8,
    return_address=0,
    elf_machine=243,
    sp="sp",
    state_bytes=512,
    # The slot of x0 is unused.
    registers=MappingProxyType(_slots(_RISCV_GENERAL, 8, 8, 8) | _slots(_RISCV_FLOAT, 256, 8, 8)),
    initial=bytes(512),
    triple="riscv64-linux-musl",
    # lld before 15 cannot link code that was assembled to be relaxed.
    flags=("-march=rv64gc", "-mabi=lp64d", "-mcmodel=medany", "-mno-relax"),
    gcc=("riscv64-linux-gnu-gcc", "riscv64-unknown-elf-gcc"),
    ld=("riscv64-linux-gnu-ld", "riscv64-unknown-elf-ld"),
    emulation="elf64lriscv",
    steady=frozenset({"sp", "gp", "tp"}),
)

_X86_GENERAL = f"rax rbx rcx rdx rsi rdi rbp rsp {_numbered('r', 8, 15)}"
_FXSAVE = 144
_X86_SLOTS = {
    **_slots(_X86_GENERAL, 0, 8, 8),
    "rflags": Slot(128, 8),
    "x87_control": Slot(_FXSAVE, 2),
    # One bit for each x87 register in use; st0 is register 0 in the blocks that the host writes.
    "x87_tags": Slot(_FXSAVE + 4, 1),
    "mxcsr": Slot(_FXSAVE + 24, 4),
    "st0": Slot(_FXSAVE + 32, 10),
    "st1": Slot(_FXSAVE + 48, 10),
    **_slots(_numbered("xmm", 0, 15), _FXSAVE + 160, 16, 16),
}


def _x86_initial() -> bytes:
    block = bytearray(_FXSAVE + 512)
    block[_FXSAVE : _FXSAVE + 2] = (0x37F).to_bytes(2, "little")
    block[_FXSAVE + 24 : _FXSAVE + 28] = (0x1F80).to_bytes(4, "little")
    return bytes(block)


X86_64 = Machine(
    name="x86_64",
    pointer=8,
    return_address=8,
    elf_machine=62,
    sp="rsp",
    state_bytes=_FXSAVE + 512,
    registers=MappingProxyType(_X86_SLOTS),
    initial=_x86_initial(),
    triple="x86_64-linux-musl",
    flags=("-m64",),
    gcc=("x86_64-linux-gnu-gcc",),
    ld=("x86_64-linux-gnu-ld",),
    emulation="elf_x86_64",
    steady=frozenset({"rsp", "rflags", "x87_control", "x87_tags", "mxcsr"}),
)

MACHINES: Mapping[str, Machine] = MappingProxyType({each.name: each for each in (RISCV64, X86_64)})
