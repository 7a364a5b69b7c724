"""The places of values: in registers and on the stack, in memory, or under a name.

Two closed unions. `Where` is where a difference is; `Spot` is one place in which a subject shows something about which no text
decides, a place of a call or a number of a layout. What they are called is the business of `results.verdicts.wording`.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import TypeAlias

import msgspec

from abiprobe.oracles.text.place import Files, Located, Piece, RegisterFile, StackSlot
from abiprobe.results.verdicts.values import Alignment, BitRange, Number, Offset, Size, Words


class InPlaces(msgspec.Struct, frozen=True, tag="in"):
    """In these places, each with the bytes that follow those of the one before."""

    at: tuple[Located, ...]


class InMemory(msgspec.Struct, frozen=True, omit_defaults=True, tag="memory"):
    """In memory: where an address leads that is `behind` these places, or anywhere; `offset` bytes on, where that counts."""

    behind: tuple[Located, ...] = ()
    offset: int | None = None


class AddressIn(msgspec.Struct, frozen=True, tag="address in"):
    """An address itself, in a place."""

    at: Located


class ByteIn(msgspec.Struct, frozen=True, tag="byte in"):
    """One byte, in a place."""

    at: Located


class ElementIn(msgspec.Struct, frozen=True, tag="element in"):
    """One element of a vector, in a place."""

    at: Located


class Named(msgspec.Struct, frozen=True, tag="name"):
    """Something with a name: a unit of a layout, a table of an object file, a local variable."""

    name: str


Where: TypeAlias = InPlaces | InMemory | AddressIn | ByteIn | ElementIn | Named
"""The place of a difference."""

BYTES, BITS = Named("bytes"), Named("bits")
"""The units of the numbers of a layout."""


class AtAddress(msgspec.Struct, frozen=True, omit_defaults=True, tag="at address"):
    """Memory `offset` bytes behind where the address in a place leads; `alone` where the rest of its value is not there."""

    pointer: Located
    offset: int = 0
    alone: bool = False


class Run(msgspec.Struct, frozen=True, omit_defaults=True):
    """Bytes of a value side by side: where the first one is, and how many there are."""

    place: Located | AtAddress
    length: int = 1


class InPieces(msgspec.Struct, frozen=True, tag="pieces"):
    """Several runs of bytes, in the order of the value."""

    runs: tuple[Run, ...]


class MemberAt(msgspec.Struct, frozen=True, omit_defaults=True, tag="member"):
    """The place of a member in its record, in bits; `None` where an object shows none of them.

    `width` is that of a bit-field in bits, and 0 for a member of whole bytes, whose size is told elsewhere.
    """

    offset: int | None
    width: int = 0


class Declared(msgspec.Struct, frozen=True, omit_defaults=True, tag="declared"):
    """A parameter as PTX declares it, size and alignment in bytes; `space` is what an address in it leads to, where that is known."""

    size: int
    align: int
    space: str = ""


class AmongUnnamed(msgspec.Struct, frozen=True, tag="among unnamed"):
    """Memory at a byte offset in the area of the unnamed arguments."""

    offset: int


Spot: TypeAlias = (
    Located
    | AtAddress
    | InPieces
    | MemberAt
    | Size
    | Alignment
    | Offset
    | BitRange
    | Number
    | Declared
    | AmongUnnamed
    | Words
)
"""One place in which a subject shows something."""


class OffRegisters(Enum):
    """The kinds of places of a value that is in no register."""

    STACK = "stack"
    NOWHERE = "nowhere"


Kind: TypeAlias = RegisterFile | OffRegisters
"""A kind of places."""


def kinds(at: Iterable[Located]) -> frozenset[Kind]:
    """Return the kinds of places; control registers are none in which a value would be."""
    found = (OffRegisters.STACK if is_on_stack(one) else one.file for one in at)
    return frozenset(kind for kind in found if kind is not None and kind is not RegisterFile.CONTROL)


def of_pieces(pieces: Iterable[Piece], files: Files) -> InPlaces | InMemory:
    """Return the places of a value in pieces; memory for one without any."""
    at = tuple(Located.of(piece.place, files) for piece in pieces)
    return InPlaces(at) if at else InMemory()


def places_of(where: Where) -> tuple[Located, ...]:
    """Return the registers and stack slots in which a value, or its address, is to be."""
    match where:
        case InPlaces(at):
            return at
        case InMemory(behind):
            return behind
        case AddressIn(at) | ByteIn(at) | ElementIn(at):
            return (at,)
        case Named():
            return ()


def is_on_stack(place: Located) -> bool:
    """Tell whether a place is on the stack."""
    return isinstance(place.place, StackSlot)
