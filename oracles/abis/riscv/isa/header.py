"""The ELF header and attributes that an object file must have for its instruction set and ABI."""

from __future__ import annotations

import msgspec

from abiprobe.oracles.abis.riscv.isa.abi import NamedAbi
from abiprobe.oracles.abis.riscv.isa.march import Isa
from abiprobe.oracles.text.clause import load_sheet

implements = load_sheet(__package__).implements
EM_RISCV = 243
RVC = 0x1
FLOAT_ABI = {0: 0x0, 32: 0x2, 64: 0x4, 128: 0x6}
RVE = 0x8
TSO = 0x10


class Header(msgspec.Struct, frozen=True):
    """ELF class (32 or 64), machine and `e_flags`; stack alignment in bytes and ISA string of the attributes.

    An attribute that an object does not have is 0 or empty.
    """

    elf_class: int
    machine: int
    flags: int
    stack_align: int
    arch: str


@implements("object.class", "object.flags", "object.stack-align", "object.arch")
def header(march: Isa, abi: NamedAbi) -> Header:
    """The header of an object built for an instruction set and an ABI that it supports."""
    # [riscv_isa:object.flags]
    flags = FLOAT_ABI[abi.abi_flen]
    flags |= RVC if "zca" in march.extensions else 0
    flags |= RVE if abi.reduced else 0
    flags |= TSO if "ztso" in march.extensions else 0
    # [riscv_isa:object.class] [riscv_isa:object.stack-align] [riscv_isa:object.arch]
    return Header(abi.pointer_width, EM_RISCV, flags, abi.stack_alignment // 8, march.canonical)
