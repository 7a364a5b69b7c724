"""The words for places, values and notes: the English of differences, and nothing else.

All other modules compare values; only printed text comes from here. No ABI and no machine is known here: the names of
registers are those that a machine's description gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.text.place import Located, Register, StackSlot
from abiprobe.results.verdicts.locations import (
    AddressIn,
    AmongUnnamed,
    AtAddress,
    ByteIn,
    Declared,
    ElementIn,
    InMemory,
    InPieces,
    InPlaces,
    MemberAt,
    Named,
    Run,
    Spot,
    Where,
)
from abiprobe.results.verdicts.notes import (
    DeclaredAs,
    Disagreement,
    Found,
    Note,
    OnlyAbove,
    ReliesOnAbove,
    Shifted,
    Use,
    Used,
)
from abiprobe.results.verdicts.values import (
    Address,
    Alignment,
    AtWork,
    Away,
    Beyond,
    BitRange,
    Bounds,
    ByteOf,
    ByteRange,
    Bytes,
    Constant,
    DeclaredAlignment,
    Element,
    InUse,
    LeadsTo,
    Mark,
    Multiple,
    Nothing,
    Number,
    Offset,
    OtherThan,
    Overwritten,
    Parameter,
    Restored,
    Size,
    Untouched,
    Value,
    Words,
)

ADDRESSES = {
    LeadsTo.STACK: "an address on the stack",
    LeadsTo.BUFFER: "an address of a buffer",
    LeadsTo.CODE: "an address in the code",
    LeadsTo.GIVEN: "the address that it was given",
    LeadsTo.SOMETHING: "an address",
    LeadsTo.NOTHING: "no address of the caller's",
}
USES = {
    Use.CONVERTED: "converted to double",
    Use.WIDENED: "widened",
    Use.BY_ITSELF: "used by itself",
}
WITNESSES = {ProbeKind.LAYOUT: "object", ProbeKind.DEBUG_INFO: "DWARF", ProbeKind.VALUES: "running code"}
"""The witnesses of a layout."""
UNNAMED = "the unnamed arguments"
NOT_FOUND = "not found"
"""The words for a part that was looked for in vain."""


def place_text(place: Register | StackSlot) -> str:
    """Return the name of a place: `a0`, or `stack+8`."""
    return place.name if isinstance(place, Register) else f"stack+{place.offset}"


def located_text(found: Located) -> str:
    """Return the words for a byte of a place: `a0`, `a0[4]`, `stack+8`, `f1 as double`."""
    name = place_text(found.place)
    if found.as_double:
        return f"{name} as double"
    return f"{name}[{found.at}]" if found.at else name


def where_text(where: Where) -> str:
    """Return the words for the place of a difference: `a0, stack+8`, `memory at a0`."""
    match where:
        case InPlaces(at):
            return ", ".join(map(located_text, at))
        case InMemory(_, int(offset)):
            return f"memory+{offset}"
        case InMemory(()):
            return "memory"
        case InMemory(behind):
            return f"memory at {', '.join(map(located_text, behind))}"
        case AddressIn(at):
            return f"address in {located_text(at)}"
        case ByteIn(at):
            return byte_text(at)
        case ElementIn(at):
            return f"{place_text(at.place)}[{at.at}]"
        case Named(name):
            return name
        case _:
            assert_never(where)


def value_text(value: Value) -> str:
    """Return a value as people read it."""
    match value:
        case Bytes(text) | Element(text, False) | Words(text):
            return text
        case Element(text):
            return f"{text} as the scalar function"
        case Address(to, part):
            return f"{'part of ' if part else ''}{ADDRESSES[to]}"
        case Nothing():
            return "nothing"
        case Number(number) | Size(number) | Alignment(number) | Offset(number):
            return str(number)
        case Constant(number):
            return f"{number:#x}"
        case OtherThan(number):
            return f"not {number:#x}"
        case Mark(name, bits):
            return f"{name} ({bits:#x})"
        case BitRange(offset, width) | ByteRange(offset, width):
            return f"{offset}:{width}"
        case Multiple(of, arguments):
            return f"{'the stack arguments at ' if arguments else ''}a multiple of {of}"
        case Beyond(number):
            return f"{number} bytes above one"
        case Bounds(least, most):
            return f"{least} to {most}"
        case DeclaredAlignment(number):
            return f".align {number}"
        case Parameter(text=text):
            return text
        case Restored():
            return "where it belongs after the call"
        case Away(int(number)):
            return f"{abs(number)} bytes {'above' if number > 0 else 'below'}"
        case Away():
            return "elsewhere"
        case Untouched():
            return "left alone"
        case Overwritten(number):
            return f"{number} bytes written"
        case InUse(number):
            return f"{number} in use"
        case AtWork(lanes):
            return f"{lanes} lanes at work"
        case ByteOf(place):
            return byte_text(place)
        case _:
            assert_never(value)


def byte_text(found: Located) -> str:
    """Return the words for one byte: `R6 byte 2`, or `stack+8`."""
    text = place_text(found.place)
    return f"{text} byte {found.at}" if isinstance(found.place, Register) else text


def note_text(note: Note | None) -> str:
    """Return the words for a note; empty for none."""
    match note:
        case None:
            return ""
        case Found(()):
            return "found nowhere else"
        case Found(at):
            return f"found {' and '.join(map(holding_text, at))}"
        case Shifted(_, found):
            return ", ".join(("shifted", *((note_text(found),) if found is not None else ())))
        case OnlyAbove():
            return "only the bits above the value"
        case ReliesOnAbove():
            return "it relies on the bits above the value"
        case Used(how):
            return USES[how]
        case Disagreement(said):
            return ", ".join(f"{WITNESSES[one.witness]} says {value_text(one.value)}" for one in said)
        case DeclaredAs(what, seen):
            return f"{what} is declared {value_text(seen)}"
        case Words(text):
            return text
        case _:
            assert_never(note)


def holding_text(found: Located) -> str:
    """Return the words for a place that holds a value: `in a0 at byte 4`, `on the stack at 8`."""
    match found.place:
        case StackSlot(offset):
            return f"on the stack at {offset}"
        case Register(name):
            return f"in {name}" + (f" at byte {found.at}" if found.at else "")


def spot_text(spot: Spot) -> str:
    """Return the words for one place in which a subject shows something."""
    match spot:
        case Located():
            return located_text(spot)
        case AtAddress(pointer, 0, alone):
            return f"memory at {located_text(pointer)}{', by itself' if alone else ''}"
        case AtAddress(pointer, offset):
            return f"memory {offset} bytes behind {located_text(pointer)}"
        case InPieces(runs):
            return ", ".join(map(run_text, runs))
        case MemberAt(int(offset), 0):
            return f"byte {offset // 8}"
        case MemberAt(int(offset), width):
            return f"bit {offset}, {width} wide"
        case MemberAt():
            return "nowhere"
        case Size(number) | Alignment(number) | Offset(number):
            return f"{number} bytes"
        case BitRange() | Number() | Words():
            return value_text(spot)
        case Declared(size, align, space):
            text = f"{size} bytes aligned to {align}"
            return f"{text}, a {space} address" if space else text
        case AmongUnnamed(offset):
            return f"byte {offset} of {UNNAMED}"
        case _:
            assert_never(spot)


def run_text(run: Run) -> str:
    """Return the words for bytes side by side."""
    text = spot_text(run.place)
    return f"{text} ({run.length} bytes)" if run.length > 1 else text


def spots_text(at: Sequence[Spot], taken: Sequence[Spot] = ()) -> str:
    """Return the words for all places in which a subject has something, and for where it looks for it instead."""
    words = " or ".join(map(spot_text, at)) or NOT_FOUND
    return f"{words}, but read from {' or '.join(map(spot_text, taken))}" if taken else words
