"""The rules of an ABI for the frame of a function, apart from the places of arguments."""

from __future__ import annotations

import msgspec


class Saved(msgspec.Struct, frozen=True):
    """A register that a function which calls others saves, and where.

    `offset` is in bytes from the stack pointer `of` the function at its entry (`entry`) or once its frame is made
    (`frame`); `role` is what the register holds.
    """

    register: str
    role: str
    of: str
    offset: int
    clause: str


class Frame(msgspec.Struct, frozen=True):
    """The registers and the stack of a call. Sizes and offsets in bytes, the latter from the stack pointer at entry.

    `arguments` is where the first word of the argument area lies, `variadic` where `va_start` begins; `preserved`
    are the callee-saved registers, the stack pointer left out. `clauses` gives the clause of each field that the
    text decides.
    """

    stack_pointer: str
    align: int
    grows: str
    return_address: str
    arguments: int
    preserved: tuple[str, ...]
    saved: tuple[Saved, ...]
    clauses: dict[str, str]
    variadic: int | None = None
    frame_pointer: str = ""
    base_pointer: str = ""
