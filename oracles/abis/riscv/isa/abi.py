"""The named ABIs, and which instruction sets can carry them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from abiprobe.oracles.abis.riscv.isa.march import Isa
from abiprobe.oracles.abis.riscv.isa.written import Refused
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Unspecified

cite, implements = citing(__package__)
XLEN = cite("abi.xlen")
RV64_ILP32 = cite("abi.rv64-ilp32")
FLEN = cite("abi.flen")
INTEGERS = cite("abi.integers")
E_WIDE = cite("abi.e-wide")
LP64E = cite("abi.lp64e")
UNKNOWN = cite("abi.unknown")


class NamedAbi(msgspec.Struct, frozen=True):
    """A named ABI. All widths are in bits; `stack_alignment` holds at procedure entry.

    `reduced` ABIs use no more than the 16 integer registers of the E bases.
    """

    name: str
    int_width: int
    long_width: int
    pointer_width: int
    abi_flen: int
    stack_alignment: int = 128
    reduced: bool = False
    file_format: str = "elf"


@implements("abi.widths", "abi.stack")
def _named() -> Mapping[str, NamedAbi]:
    """The ABIs by the name that `-mabi` takes. `lp64e` is not in the text: its alignment is what tools do."""
    # [riscv_isa:abi.widths]
    rows = (
        NamedAbi("ilp32", 32, 32, 32, 0),
        NamedAbi("ilp32f", 32, 32, 32, 32),
        NamedAbi("ilp32d", 32, 32, 32, 64),
        # [riscv_isa:abi.stack]
        NamedAbi("ilp32e", 32, 32, 32, 0, stack_alignment=32, reduced=True),
        NamedAbi("lp64", 32, 64, 64, 0),
        NamedAbi("lp64f", 32, 64, 64, 32),
        NamedAbi("lp64d", 32, 64, 64, 64),
        NamedAbi("lp64q", 32, 64, 64, 128),
        NamedAbi("lp64e", 32, 64, 64, 0, stack_alignment=64, reduced=True),
    )
    return MappingProxyType({row.name: row for row in rows})


ABIS = _named()


@implements("abi.unknown")
def find_abi(name: str) -> NamedAbi | Refused:
    """The named ABI that `-mabi=name` asks for."""
    return ABIS.get(name) or Refused(UNKNOWN, f"no ABI is named {name}")


@implements("abi.xlen", "abi.rv64-ilp32", "abi.flen", "abi.integers", "abi.e-wide", "abi.lp64e")
def supports(march: Isa, abi: NamedAbi) -> Refused | Unspecified | None:
    """`None` if the instruction set can carry the ABI, else why it cannot or what the text leaves open."""
    if abi.pointer_width > march.xlen:
        return Refused(XLEN, f"{abi.name} is for RV64 only")
    if abi.abi_flen > march.flen:
        return Refused(FLEN, f"{abi.name} needs registers of {abi.abi_flen} bits, FLEN is {march.flen}")
    if abi.reduced and march.flen > 32 and abi.pointer_width == 32:
        return Refused(E_WIDE, f"{abi.name} must not be used with d")
    if march.base == "e" and not abi.reduced:
        return Refused(INTEGERS, f"{abi.name} uses integer registers that rv{march.xlen}e lacks")
    if abi.pointer_width < march.xlen:
        return Unspecified(RV64_ILP32, f"{abi.name} on RV64 is experimental")
    if abi.reduced and abi.pointer_width == 64:
        return Unspecified(LP64E, f"{abi.name} is not among the named ABIs")
    return None
