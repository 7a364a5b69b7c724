"""Code models: which addresses the code of each can reach."""

from __future__ import annotations

from enum import Enum
from typing import assert_never

from abiprobe.oracles.text.clause import load_sheet

implements = load_sheet(__package__).implements
LOWEST = -(1 << 31) - (1 << 11)
"""The least sum of a sign-extended 20-bit upper immediate and a 12-bit one, in bytes."""
HIGHEST = (1 << 31) - (1 << 11) - 1


class CodeModel(Enum):
    """A code model, by the value of `-mcmodel`."""

    MEDLOW = "medlow"
    """addresses are made by `lui`: absolute"""
    MEDANY = "medany"
    """addresses are made by `auipc`: relative to the pc"""


@implements("model.medlow", "model.medany")
def reaches(model: CodeModel, xlen: int, pc: int, address: int) -> bool:
    """Return whether code at `pc`, the address of its `lui` or `auipc`, can form `address`, both in `[0, 2**xlen)`."""
    match model:
        # [riscv_isa:model.medlow]
        case CodeModel.MEDLOW:
            wanted = address
        # [riscv_isa:model.medany]
        case CodeModel.MEDANY:
            wanted = address - pc
        case _:
            assert_never(model)
    return xlen == 32 or LOWEST <= signed(wanted, xlen) <= HIGHEST


def signed(value: int, width: int) -> int:
    """The integer that the low `width` bits of `value` are in two's complement."""
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value
