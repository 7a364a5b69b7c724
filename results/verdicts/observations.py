"""Observations of compiled callers and callees, and the values that they were called with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

import msgspec

from abiprobe.oracles.engine.expect import Expected
from abiprobe.oracles.text.place import Files, Located, Register, StackSlot
from abiprobe.results.verdicts.addresses import Addresses, address_bits, told
from abiprobe.results.verdicts.locations import is_on_stack
from abiprobe.results.verdicts.notes import Found
from abiprobe.results.verdicts.record import Difference
from abiprobe.results.verdicts.values import Address, Bytes, Nothing

RECOGNISABLE = 3
"""A value of fewer bytes, in all turns together, is not looked for elsewhere: it would be found by chance."""


WORD = 8
"""Bytes from a multiple of which on a word of any machine begins."""


class Frame(msgspec.Struct, frozen=True):
    """Registers and stack at one moment of a call.

    `slots` gives each register's offset and width in bytes in `block`; `stack` starts `base` bytes above the
    stack pointer at callee entry; `files` are those of the registers. `addresses` tell which words are addresses, where that is known; the
    first word of the stack that an address can be in begins `skew` bytes into it.
    """

    block: bytes
    slots: Mapping[str, tuple[int, int]]
    files: Files
    stack: bytes
    base: int
    addresses: Addresses | None = None
    skew: int = 0

    def read(self, expected: Expected) -> int | None:
        """Return the contents of a predicted place, as `Expected` has it; `None` if it was not recorded."""
        # A match would take twice as long, and this is asked for every place of every call.
        place, size = expected.place, expected.width
        if isinstance(place, Register):
            at, width = self.slots[place.name]
            return int.from_bytes(self.block[at : at + min(width, size)], "little")
        at = place.offset - self.base
        return (
            int.from_bytes(self.stack[at : at + size], "little")
            if 0 <= at <= len(self.stack) - size
            else None
        )

    def told(self, expected: Expected) -> Bytes | Address | Nothing:
        """Return the contents of a predicted place, as far as they count."""
        seen = self.read(expected)
        if seen is None:
            return Nothing()
        data = seen.to_bytes(expected.width, "little")
        return told(self.addresses, data, expected.care, self._around(expected))

    def address_bits(self, expected: Expected) -> int:
        """The bits of what stands in a predicted place that are part of an address."""
        seen = self.read(expected)
        if seen is None:
            return 0
        return address_bits(self.addresses, seen.to_bytes(expected.width, "little"), self._around(expected))

    def _around(self, expected: Expected) -> tuple[bytes, int]:
        """Return the bytes around a place, from the beginning of a word on, and its position in them."""
        if isinstance(expected.place, Register):
            at, width = self.slots[expected.place.name]
            return self.block[at : at + width], 0
        at = expected.place.offset - self.base
        inside = (at - self.skew) % WORD
        return self.stack[max(at - inside, 0) :][: inside + expected.width + WORD], min(inside, at)

    def holds(self, places: Iterable[Expected]) -> bool:
        """Return whether every place holds the bits that count."""
        for place in places:
            seen = self.read(place)
            if (seen is None and place.care) or (seen is not None and (seen ^ place.bits) & place.care):
                return False
        return True

    def holders(self, wanted: bytes) -> Iterator[Located]:
        """Yield the places that hold `wanted`: registers before the stack, the first byte of each before others."""
        # Most values are in no register at all, which one look tells.
        for name, (at, width) in self.slots.items() if wanted in self.block else ():
            inside = self.block.find(wanted, at, at + width)
            if inside >= 0:
                yield Located(Register(name), inside - at, self.files[name])
        inside = self.stack.find(wanted)
        while inside >= 0:
            yield Located(StackSlot(inside + self.base))
            # In the first turn values repeat themselves, so one may begin inside what looks like it.
            inside = self.stack.find(wanted, inside + 1)


SIGHTED = 3
"""So many registers with a value are told, and one place on the stack: a caller leaves copies behind."""
Sighting: TypeAlias = "tuple[bytes, Frame]"
"""The bytes of a value in one turn, and the registers and stack of that turn."""


def found_instead(sightings: Iterable[Sighting]) -> Found | None:
    """Return the place where a value was found instead in every turn; `None` if it is too short to be recognised."""
    given = tuple(sightings)
    if sum(len(wanted) for wanted, _ in given) < RECOGNISABLE:
        return None
    (wanted, frame), *others = given
    places = list(frame.holders(wanted))
    for wanted, frame in others if places else ():
        held = frozenset(frame.holders(wanted))
        places = [one for one in places if one in held]
    registers = [one for one in places if not is_on_stack(one)]
    stack = [one for one in places if is_on_stack(one)]
    return Found((*registers[:SIGHTED], *stack[:1]))


class View(msgspec.Struct, frozen=True):
    """The value that C must see: its bytes, as a number whose lowest byte is the first one, and the bits that count.

    `own` are the bits of the value itself, where an integer was widened to show what stands above it, else 0.
    """

    bits: int
    care: int
    size: int
    own: int

    def differs(self, data: bytes) -> bool:
        """Return whether C saw another value than it was given."""
        return bool((int.from_bytes(data, "little") ^ self.bits) & self.care)


class Turn(msgspec.Struct, frozen=True):
    """One set of values, and what each place must hold with them; the result's are `None` for `void`.

    `live` are the values that the caller keeps over the call, if it is asked to; `stored` shows all `views` at once,
    where a callee stores its parameters; `read` are the views of parts and conversions that are stored as well.
    """

    values: tuple[bytes, ...]
    places: tuple[tuple[Expected, ...], ...]
    views: tuple[View, ...]
    result: bytes | None
    result_places: tuple[Expected, ...]
    result_view: View | None
    live: tuple[bytes, ...] = ()
    stored: View | None = None
    read: tuple[View, ...] = ()


class ObservedCaller(msgspec.Struct, frozen=True):
    """One turn of a compiled caller: the frame it made, what its addresses point to, the result it read.

    `memory` has an entry per argument, `None` when the address leads nowhere or the argument is no address.
    `disturbed` is what it did not keep, `entry` how stack, flags and memory stood otherwise than the text says,
    `bounded` which hidden arguments were out of their bounds. `given` is what the call gave back, where the result that it
    read is wrong; `computed` is what it made of a right one otherwise than C does. `result_memory` is how the memory that it
    gave for the result stood otherwise than the text says.
    """

    frame: Frame
    memory: tuple[bytes | None, ...]
    result: bytes
    result_stored: bool
    disturbed: tuple[Difference, ...] = ()
    entry: tuple[Difference, ...] = ()
    bounded: tuple[Difference, ...] = ()
    given: Frame | None = None
    computed: tuple[Difference, ...] = ()
    result_memory: tuple[Difference, ...] = ()


class ObservedCallee(msgspec.Struct, frozen=True):
    """One turn of a compiled callee: the parameters it read, the frame it left, the result in memory.

    `result_address` is where that memory is, in the bytes that the machine has for it; `disturbed` is what it did not
    leave as it found it. `as_given` says that every bit of `params` that counts is known to be right; otherwise `given`
    is the state that the function was entered in. `computed` is what it made of right parameters otherwise than C does, `entry`
    how it is to be entered otherwise than the text says.
    """

    params: tuple[bytes, ...]
    frame: Frame
    result_memory: bytes
    result_address: bytes
    disturbed: tuple[Difference, ...] = ()
    as_given: bool = False
    given: Frame | None = None
    computed: tuple[Difference, ...] = ()
    entry: tuple[Difference, ...] = ()


class ObservedPair(msgspec.Struct, frozen=True):
    """One turn of a compiled caller that calls another compiler's callee: what was passed, and what came back.

    `as_given` says that every bit of `params` that counts is known to be right; `addresses` tell which words are addresses,
    `files` of which file each register is in which a value was to travel.
    """

    params: tuple[bytes, ...]
    result: bytes
    files: Files
    as_given: bool = False
    addresses: Addresses | None = None
