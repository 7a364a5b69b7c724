"""The values of a difference: the contents that a place is to have and those that it has, or a number of a layout.

A closed union of data. `results.verdicts.wording` has the words for them.
"""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

import msgspec

from abiprobe.oracles.text.place import Located


class Bytes(msgspec.Struct, frozen=True, tag="bytes"):
    """Bytes in memory order, two hexadecimal digits each, with spaces between them.

    `..` is a byte of which nothing is known or compared, `@@` one of an address.
    """

    hex: str

    @property
    def first(self) -> Bytes:
        """The first byte alone."""
        return Bytes(self.hex[:2])

    @property
    def each(self) -> list[str]:
        """Every byte as it is written."""
        return self.hex.split(" ")


class Element(msgspec.Struct, frozen=True, omit_defaults=True, tag="element"):
    """One element of a vector in memory order, in hexadecimal digits; `computed` by the scalar function."""

    hex: str
    computed: bool = False


class LeadsTo(Enum):
    """The thing that an address leads to; which address it is depends on the rest of a unit."""

    STACK = "stack"
    BUFFER = "buffer"
    CODE = "code"
    GIVEN = "given"
    """to what the address leads that the function was given"""
    SOMETHING = "something"
    """any address will do"""
    NOTHING = "nothing"
    """nowhere to which an address of the caller's leads"""


class Address(msgspec.Struct, frozen=True, omit_defaults=True, tag="address"):
    """An address, or `part` of one."""

    to: LeadsTo
    part: bool = False


class Nothing(msgspec.Struct, frozen=True, tag="nothing"):
    """Nothing was recorded, or is known."""


class Number(msgspec.Struct, frozen=True, tag="number"):
    """A number by itself, a count."""

    value: int


class Constant(msgspec.Struct, frozen=True, tag="constant"):
    """A number as a register or a field of an object file has it."""

    value: int


class OtherThan(msgspec.Struct, frozen=True, tag="other than"):
    """Any number but one."""

    value: int


class Mark(msgspec.Struct, frozen=True, tag="mark"):
    """Bits of a symbol, by their name."""

    name: str
    bits: int


class Size(msgspec.Struct, frozen=True, tag="size"):
    """The size of a type in bytes."""

    bytes: int


class AlignmentOf(Enum):
    """The thing that has an alignment."""

    WHOLE = "type"
    """the type that was asked about"""
    MEMBER = "member"
    MEMBER_TYPE = "type of a member"
    PREFERRED = "type of a member, preferred"
    """what the compiler prefers for the type of a member"""


class Alignment(msgspec.Struct, frozen=True, omit_defaults=True, tag="alignment"):
    """An alignment in bytes."""

    bytes: int
    of: AlignmentOf = AlignmentOf.WHOLE


class Offset(msgspec.Struct, frozen=True, tag="offset"):
    """An offset in bytes."""

    bytes: int


class BitRange(msgspec.Struct, frozen=True, tag="bits"):
    """So many bits from an offset in bits on."""

    offset: int
    width: int


class ByteRange(msgspec.Struct, frozen=True, tag="byte range"):
    """So many bytes from an offset in bytes on."""

    offset: int
    size: int


class Multiple(msgspec.Struct, frozen=True, omit_defaults=True, tag="multiple"):
    """An address at a multiple of so many bytes; that of the `arguments` on the stack, where it is theirs."""

    of: int
    arguments: bool = False


class Beyond(msgspec.Struct, frozen=True, tag="beyond"):
    """So many bytes above such a multiple: the address itself is nothing of a compiler's."""

    bytes: int


class Bounds(msgspec.Struct, frozen=True, tag="bounds"):
    """A number that is at least one and at most the other."""

    least: int
    most: int


class DeclaredAlignment(msgspec.Struct, frozen=True, tag="declared alignment"):
    """An alignment in bytes, as PTX declares it."""

    bytes: int


class Parameter(msgspec.Struct, frozen=True, omit_defaults=True, tag="parameter"):
    """A parameter as PTX declares it, `align` and `size` in bytes, and the words of the declaration.

    `bytes` says that it is an array of bytes, whose alignment it gives.
    """

    align: int
    size: int
    text: str
    bytes: bool = False


class Restored(msgspec.Struct, frozen=True, tag="restored"):
    """The stack pointer where it belongs after a call."""


class Away(msgspec.Struct, frozen=True, omit_defaults=True, tag="away"):
    """The stack pointer so many bytes above where it belongs, or below; `None` where it is far away."""

    bytes: int | None = None


class Untouched(msgspec.Struct, frozen=True, tag="untouched"):
    """Memory that nobody else writes."""


class Overwritten(msgspec.Struct, frozen=True, tag="overwritten"):
    """So many bytes of memory were written."""

    bytes: int


class InUse(msgspec.Struct, frozen=True, tag="in use"):
    """So many registers of a stack of registers in use."""

    registers: int


class AtWork(msgspec.Struct, frozen=True, tag="at work"):
    """So many lanes of a vector function at work."""

    lanes: int


class ByteOf(msgspec.Struct, frozen=True, tag="byte of"):
    """One byte, by the place that has it."""

    place: Located


class Words(msgspec.Struct, frozen=True, tag="words"):
    """Words of a tool, of a name, or of an earlier version of abiprobe; nothing is read from them."""

    text: str


Value: TypeAlias = (
    Bytes
    | Element
    | Address
    | Nothing
    | Number
    | Constant
    | OtherThan
    | Mark
    | Size
    | Alignment
    | Offset
    | BitRange
    | ByteRange
    | Multiple
    | Beyond
    | Bounds
    | DeclaredAlignment
    | Parameter
    | Restored
    | Away
    | Untouched
    | Overwritten
    | InUse
    | AtWork
    | ByteOf
    | Words
)
"""A value that is expected, or seen."""
