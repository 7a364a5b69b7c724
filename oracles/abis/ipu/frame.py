"""The stack frame of the IPU, and what a call preserves."""

from __future__ import annotations

from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.frame import Frame, Saved

cite, implements = citing(__package__)
INTEGER_PRESERVED = ("m7", "m8", "m9")
FLOAT_PRESERVED = ("a6", "a7")


@implements("frame.stack-pointer", "frame.preserved", "frame.link", "frame.areas", "vertex.preserved")
def frame(*, worker: bool) -> Frame:
    """The stack grows down; a vertex preserves nothing, whatever stands here."""
    saved_link = cite("frame.saved-link")
    return Frame(
        stack_pointer="m11",
        align=8,
        grows="down",
        return_address="m10",
        # [ipu:frame.areas]
        arguments=0,
        # [ipu:vertex.preserved]
        preserved=INTEGER_PRESERVED + (FLOAT_PRESERVED if worker else ()),
        saved=(Saved("m10", "return address", "entry", -4, saved_link),),
        clauses={
            "stack_pointer": cite("frame.stack-pointer"),
            "preserved": cite("frame.preserved"),
            "return_address": cite("frame.link"),
            "saved": saved_link,
            "arguments": cite("pass.stack"),
            "variadic": cite("variadic.stack"),
            "frame_pointer": cite("frame.pointers"),
        },
        variadic=0,
        frame_pointer="m9",
        base_pointer="m8",
    )
