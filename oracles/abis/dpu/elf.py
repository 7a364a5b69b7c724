"""DPU object files (UPMEM DPU ABI, Other ABI details): header, flags, relocations, memories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__).cite
HEADER = cite("object.header")
VERSION = cite("object.abi-version")
LINK = cite("object.link")
RELOCATION = cite("object.relocations")
INSTRUCTION = cite("object.instruction")
ADDRESS = cite("object.address")

EM_DPU = 0xF5
ELF_CLASS = 32
OS_ABI = 0
VERSION_IS_GIVEN = 1 << 23
VERSION_SHIFT = 24
ABI_VERSION = 2

INSTRUCTION_BYTES = 6
"""Bytes of an instruction in the IRAM."""
FILE_INSTRUCTION_BYTES = 8
"""Bytes of an instruction in a file, and in a buffer that is copied to the IRAM."""
IRAM_INSTRUCTIONS: Mapping[str, int] = MappingProxyType({"v1A": 4096, "v1B": 3968})

RELOCATIONS: Mapping[int, str] = MappingProxyType(
    {
        0: "R_DPU_NONE",
        1: "R_DPU_32",
        2: "R_DPU_8",
        3: "R_DPU_16",
        4: "R_DPU_64",
        128: "R_DPU_PC",
        129: "R_DPU_IMM5",
        130: "R_DPU_IMM8_DMA",
        131: "R_DPU_IMM24_PC",
        132: "R_DPU_IMM27_PC",
        133: "R_DPU_IMM28_PC_OPC8",
        134: "R_DPU_IMM8_STR",
        135: "R_DPU_IMM12_STR",
        136: "R_DPU_IMM16_STR",
        137: "R_DPU_IMM16_ATM",
        138: "R_DPU_IMM24",
        139: "R_DPU_IMM24_RB",
        140: "R_DPU_IMM27",
        141: "R_DPU_IMM28",
        142: "R_DPU_IMM32",
        143: "R_DPU_IMM32_ZERO_RB",
        144: "R_DPU_IMM17_24",
        145: "R_DPU_IMM32_DUS_RB",
    }
)
"""Every relocation of the document, by number."""


@dataclass(frozen=True)
class Memory:
    """A memory of the DPU: its name, and the offset of its symbols' addresses."""

    name: str
    offset: int


MEMORIES = (
    Memory("atomic", 0xF0000000),
    Memory("IRAM", 0x80000000),
    Memory("MRAM", 0x08000000),
    Memory("WRAM", 0x00000000),
)
"""Highest offset first."""


def memory_of(address: int) -> Memory:
    """The memory in which the virtual address of a symbol lies."""
    return next(memory for memory in MEMORIES if address >= memory.offset)


def abi_version(flags: int) -> int | None:
    """The ABI version that `e_flags` gives, `None` where it gives none."""
    return flags >> VERSION_SHIFT if flags & VERSION_IS_GIVEN else None
