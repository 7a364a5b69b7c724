"""The stack frame of the UPMEM DPU, and what a call preserves."""

from __future__ import annotations

from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.frame import Frame, Saved

cite, implements = citing(__package__)
PRESERVED = tuple(f"r{number}" for number in range(14, 22))
SAVED_PAIR = cite("frame.saved-pair")
PAIR_BYTES = 8
"""Bytes under the stack pointer that hold the saved pair; arguments lie below them."""
FIRST_WORD = -PAIR_BYTES - 4


@implements("frame.stack-pointer", "frame.preserved", "frame.saved-pair", "frame.va-list")
def frame() -> Frame:
    """The full-ascending stack: what a function that calls others saves lies at the end of its own frame."""
    return Frame(
        stack_pointer="r22",
        align=8,
        grows="up",
        return_address="r23",
        arguments=FIRST_WORD,
        preserved=PRESERVED,
        saved=(
            Saved("r23", "return address", "frame", -8, SAVED_PAIR),
            Saved("r22", "stack pointer of the caller", "frame", -4, SAVED_PAIR),
        ),
        clauses={
            "stack_pointer": cite("frame.stack-pointer"),
            "preserved": cite("frame.preserved"),
            "return_address": cite("frame.preserved"),
            "saved": SAVED_PAIR,
            "arguments": cite("pass.stack"),
            "variadic": cite("frame.va-list"),
        },
        variadic=-PAIR_BYTES,
    )
