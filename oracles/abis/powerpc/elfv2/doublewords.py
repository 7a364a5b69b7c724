"""The list of doublewords that arguments are mapped to: r3 to r10 and the Parameter Save Area behind them (2.2.3, 2.2.3.2)."""

from __future__ import annotations

from abiprobe.oracles.abis.powerpc.doublewords import Doublewords, ListClauses
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
HEADER = 32
"""Bytes from the stack pointer at the call to the Parameter Save Area."""
LIST = ListClauses(
    register=cite("pass.general"),
    memory=cite("pass.memory"),
)
ALIGNED = cite("pass.aligned")
UNUSED = cite("pass.unused")


@implements("pass.list")
def empty_list() -> Doublewords:
    """The list of a call without arguments."""
    return Doublewords(HEADER, LIST)


@implements("pass.area")
def area(arguments: Doublewords, *, variadic: bool) -> int:
    """The bytes above the stack pointer that the caller provides."""
    # [elfv2:pass.area]
    return arguments.area if variadic or arguments.in_memory else HEADER
