"""The description of an instruction set that the host needs to talk to a probe image: its state block and its build.

A state block is the image's copy of every register. Adding an instruction set is one description and one assembly
file beside it. Of which kind each register is (`oracles.text.place.RegisterFile`) is said here alone, so everybody who tells places
knows the registers of a new one.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from abiprobe.oracles.text.place import ByteOrder, Place, Register, RegisterFile, StackSlot

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from abiprobe.oracles.text.place import Files

STACK = 0x8000_0000
OLDEST_CLANG = 10


class Slot(NamedTuple):
    """The position of a register in a state block: offset and width in bytes."""

    offset: int
    width: int


def nothing_else(_names: Collection[str]) -> Mapping[str, bytes]:
    """No register tells which others hold values."""
    return {}


@dataclass(frozen=True, kw_only=True)
class Machine:
    """An instruction set as the runtime sees it, built for one ABI.

    `abi` is the ABI that objects are marked with, where the linker tells them apart by it; executors know the
    instruction set by `name` alone. `vectors` is the size in bytes of vector registers beyond what every processor of
    the instruction set has (x86), or 0.

    `state_bytes` is the size of a state block and `initial` a valid one, zero but for control words; `registers`
    maps the ABI's register names to their slots, `files` to the files that they belong to. `pointer` (the size of an address), `wide_word` (the width of a general
    register where that is more, or 0) and `return_address` (what a call pushes on the stack) are in bytes, `sp` names the stack pointer. `steady` names the registers that no
    program fills with noise. What belongs to the called function (`RegisterConvention.shadow`) starts `shadow` bytes above the
    stack pointer at its entry, or, if that is 0, above the return address. `order` is the byte order of numbers, in registers as the state block has them and on the wire.
    `fill` is the byte that stands above a narrow value which was loaded into a wider register.
    The arguments on the stack start at most `linkage` bytes above the return address. `doubles` names the registers that hold a `float` as the `double` of the same value.
    Its assembly hears `signals`, so that a call which one ends is told without a new start.
    Compilers of units build for another system than the driver's where that is `foreign`. Functions are called by their types
    where it has `signatures` (WebAssembly): images are modules, and their units are linked with code for each type.
    `occupied` gives what other registers hold when those named hold values (on x86 the tags of the x87 registers).

    `assembly` is the runtime's file for it, `elf_machine` the `e_machine` of its images, `hosts` what the platform
    calls the processors that run them. `triple` and `flags` make clang build for it, from the major version
    `oldest_clang` on, unless no clang is trusted with it (`llvm`), and lld link for it from `oldest_lld` on, unless there is no `lld` for it; `gcc` and `ld` name the GNU tools to look for, `emulation` is the linker's own name for it.
    """

    name: str
    abi: str = ""
    vectors: int = 0
    pointer: int
    wide_word: int = 0
    return_address: int
    elf_machine: int
    sp: str
    state_bytes: int
    registers: Mapping[str, Slot] = field(repr=False, hash=False)
    files: Files = field(repr=False, hash=False)
    initial: bytes = field(repr=False)
    steady: frozenset[str]
    shadow: int = 0
    order: ByteOrder = "little"
    fill: int = 0
    linkage: int = 0
    signals: bool = False
    foreign: bool = False
    signatures: bool = False
    doubles: frozenset[str] = frozenset()
    occupied: Callable[[Collection[str]], Mapping[str, bytes]] = nothing_else
    assembly: str
    hosts: frozenset[str]
    triple: str
    flags: tuple[str, ...]
    oldest_clang: int = OLDEST_CLANG
    oldest_lld: int = OLDEST_CLANG
    lld: bool = True
    llvm: bool = True
    gcc: tuple[str, ...]
    ld: tuple[str, ...]
    emulation: str

    def __post_init__(self) -> None:
        """Hold the files against the registers."""
        assert self.files.keys() == self.registers.keys(), "every register is in a file"

    def __hash__(self) -> int:
        """Hash the machine by what tells it apart; much is remembered for each."""
        return hash((self.name, self.abi, self.vectors))

    @property
    def full_name(self) -> str:
        """The name with the ABI, if it has one: `riscv64-lp64d`, `x86_64`."""
        return f"{self.name}-{self.abi}" if self.abi else self.name

    @property
    def word(self) -> int:
        """The width in bytes of a general register, and of a word of the stack that holds an address."""
        return self.wide_word or self.pointer

    def state(self, values: Mapping[str, int | bytes]) -> bytes:
        """A state block holding `values` (an unsigned number, or the bytes of the least significant part of a register).

        Raises `KeyError` for an unknown register and `OverflowError` for a value wider than its register.
        """
        block = bytearray(self.initial)
        for name, value in values.items():
            offset, width = self.registers[name]
            if isinstance(value, int):
                value = value.to_bytes(width, self.order)  # noqa: PLW2901 - one value in two spellings
            if len(value) > width:
                raise OverflowError(f"{len(value)} bytes for {name} of {width}")
            padded = value.ljust(width, b"\0") if self.order == "little" else value.rjust(width, b"\0")
            block[offset : offset + width] = padded
        return bytes(block)

    def read(self, block: bytes, name: str) -> bytes:
        """The bytes of register `name` in a state block; raises `KeyError` for an unknown register."""
        offset, width = self.registers[name]
        return block[offset : offset + width]

    def number(self, block: bytes, name: str) -> int:
        """Register `name` of a state block as an unsigned number; raises `KeyError` for an unknown register."""
        return int.from_bytes(self.read(block, name), self.order)

    def lowest(self, name: str, size: int) -> Slot:
        """Return the slot of the `size` least significant bytes of register `name`, all for 0; raises `KeyError`."""
        offset, width = self.registers[name]
        size = min(size or width, width)
        return Slot(offset + (0 if self.order == "little" else width - size), size)

    def where(self, place: Place) -> int:
        """`place` as the image encodes it: an offset into the state block, or into the stack at entry.

        Raises `KeyError` for an unknown register.
        """
        match place:
            case Register(name):
                return self.registers[name].offset
            case StackSlot(offset):
                return STACK | offset


def slots(names: str, offset: int, width: int, stride: int) -> dict[str, Slot]:
    """Slots of `width` bytes from `offset` on, every `stride` bytes, for the `names` in a row."""
    return {
        name: Slot(at, width)
        for name, at in zip(names.split(), itertools.count(offset, stride), strict=False)
    }


def filed(*files: tuple[RegisterFile, str]) -> Files:
    """The file of each register, from the names that each file has in a row; a name in two of them is of the last."""
    return MappingProxyType({name: file for file, names in files for name in names.split()})


def numbered(prefix: str, first: int, last: int) -> str:
    """Register names in a row: `a0 a1 a2`."""
    return " ".join(f"{prefix}{n}" for n in range(first, last + 1))
