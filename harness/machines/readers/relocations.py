"""The relocations that compilers leave in debug sections, by machine: what each does, with its name in the machine's psABI.

pyelftools applies some of them, of ten machines. It takes longer over a batch than the compiler does; a test compares this table
with it instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

import msgspec


class RelocationKind(Enum):
    """The change that a relocation makes to the number in its place."""

    NOTHING = "nothing"
    """it only marks the place for the linker"""
    SET = "set"
    """the number becomes symbol plus addend"""
    ADD = "add"
    """symbol plus addend are added to it"""
    SUBTRACT = "subtract"
    """symbol plus addend are subtracted from it"""


class Relocation(msgspec.Struct, frozen=True):
    """One type of relocation: its name, what it does, and to how many bytes."""

    name: str
    change: RelocationKind
    size: int


def _set(number: int, name: str, size: int) -> tuple[int, Relocation]:
    return number, Relocation(name, RelocationKind.SET, size)


def _none(name: str) -> tuple[int, Relocation]:
    return 0, Relocation(name, RelocationKind.NOTHING, 0)


def _adds(first: int, prefix: str, *sizes: int) -> list[tuple[int, Relocation]]:
    """Additions of these sizes, numbered in order."""
    return [
        (first + i, Relocation(f"{prefix}_ADD{8 * size}", RelocationKind.ADD, size))
        for i, size in enumerate(sizes)
    ]


def _subtractions(first: int, prefix: str, *sizes: int) -> list[tuple[int, Relocation]]:
    """Subtractions of these sizes, numbered in order."""
    return [
        (first + i, Relocation(f"{prefix}_SUB{8 * size}", RelocationKind.SUBTRACT, size))
        for i, size in enumerate(sizes)
    ]


_SPARC = dict(
    [
        _none("R_SPARC_NONE"),
        _set(3, "R_SPARC_32", 4),
        _set(23, "R_SPARC_UA32", 4),
        _set(32, "R_SPARC_64", 8),
        _set(54, "R_SPARC_UA64", 8),
    ]
)
RELOCATIONS: Mapping[str | int, Mapping[int, Relocation]] = {
    "EM_X86_64": dict(
        [
            _none("R_X86_64_NONE"),
            _set(1, "R_X86_64_64", 8),
            _set(10, "R_X86_64_32", 4),
            _set(11, "R_X86_64_32S", 4),
        ]
    ),
    "EM_386": dict([_none("R_386_NONE"), _set(1, "R_386_32", 4)]),
    "EM_RISCV": dict(
        [
            _none("R_RISCV_NONE"),
            _set(1, "R_RISCV_32", 4),
            _set(2, "R_RISCV_64", 8),
            *_adds(33, "R_RISCV", 1, 2, 4, 8),
            *_subtractions(37, "R_RISCV", 1, 2, 4, 8),
            _set(54, "R_RISCV_SET8", 1),
            _set(55, "R_RISCV_SET16", 2),
            _set(56, "R_RISCV_SET32", 4),
        ]
    ),
    # pyelftools has no name for the DPU.
    0xF5: dict(
        [
            _none("R_DPU_NONE"),
            _set(1, "R_DPU_32", 4),
            _set(2, "R_DPU_8", 1),
            _set(3, "R_DPU_16", 2),
            _set(4, "R_DPU_64", 8),
        ]
    ),
    "EM_AARCH64": dict(
        [
            _none("R_AARCH64_NONE"),
            _set(1, "R_AARCH64_P32_ABS32", 4),
            _set(257, "R_AARCH64_ABS64", 8),
            _set(258, "R_AARCH64_ABS32", 4),
        ]
    ),
    "EM_ARM": dict([_none("R_ARM_NONE"), _set(2, "R_ARM_ABS32", 4)]),
    "EM_MIPS": dict([_none("R_MIPS_NONE"), _set(2, "R_MIPS_32", 4), _set(18, "R_MIPS_64", 8)]),
    "EM_PPC": dict([_none("R_PPC_NONE"), _set(1, "R_PPC_ADDR32", 4)]),
    "EM_PPC64": dict([_none("R_PPC64_NONE"), _set(1, "R_PPC64_ADDR32", 4), _set(38, "R_PPC64_ADDR64", 8)]),
    "EM_S390": dict([_none("R_390_NONE"), _set(4, "R_390_32", 4), _set(22, "R_390_64", 8)]),
    "EM_LOONGARCH": dict(
        [
            _none("R_LARCH_NONE"),
            _set(1, "R_LARCH_32", 4),
            _set(2, "R_LARCH_64", 8),
            *_adds(47, "R_LARCH", 1, 2, 3, 4, 8),
            *_subtractions(52, "R_LARCH", 1, 2, 3, 4, 8),
        ]
    ),
    "EM_SPARC": _SPARC,
    "EM_SPARC32PLUS": _SPARC,
    "EM_SPARCV9": _SPARC,
    "EM_68K": dict([_none("R_68K_NONE"), _set(1, "R_68K_32", 4)]),
    # Hexagon's first generation gave the machine its number.
    "EM_QDSP6": dict([_none("R_HEX_NONE"), _set(6, "R_HEX_32", 4)]),
    "EM_AVR": dict([_none("R_AVR_NONE"), _set(1, "R_AVR_32", 4), _set(4, "R_AVR_16", 2)]),
    "EM_MSP430": dict([_none("R_MSP430_NONE"), _set(1, "R_MSP430_32", 4)]),
    # LLVM's numbers, and those that binutils had of its own up to 2.40.
    "EM_BPF": dict(
        [
            _none("R_BPF_NONE"),
            _set(2, "R_BPF_64_ABS64", 8),
            _set(3, "R_BPF_64_ABS32", 4),
            _set(11, "R_BPF_DATA_32", 4),
            _set(12, "R_BPF_DATA_64", 8),
        ]
    ),
    "EM_XTENSA": dict([_none("R_XTENSA_NONE"), _set(1, "R_XTENSA_32", 4)]),
    "EM_AMDGPU": dict([_none("R_AMDGPU_NONE"), _set(3, "R_AMDGPU_ABS64", 8), _set(6, "R_AMDGPU_ABS32", 4)]),
    # pyelftools has no name for these two either: Lanai and NEC's Vector Engine.
    0xF4: dict([_none("R_LANAI_NONE"), _set(4, "R_LANAI_32", 4)]),
    0xFB: dict([_none("R_VE_NONE"), _set(1, "R_VE_REFLONG", 4), _set(2, "R_VE_REFQUAD", 8)]),
}
"""By the machine's name in pyelftools, or its number."""
