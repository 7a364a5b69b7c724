"""The stack of x87 registers at the boundary of a function, and the MMX registers, which are the same."""

from __future__ import annotations

from abiprobe.oracles.model import RegisterStack

REGISTERS = 8


def x87_stack(empty: str, mode: str) -> RegisterStack:
    """The x87 registers, of which clause `empty` says that only a result is in them; by clause `mode` emms follows the use of MMX."""
    return RegisterStack(
        tags="x87_tags",
        prefix="st",
        count=REGISTERS,
        clause=empty,
        what="x87 registers",
        alias="mm",
        alias_clause=mode,
        aliased="the registers are those of MMX",
    )
