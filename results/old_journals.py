"""Differences and open places of journals of schema 1, which had English in their place.

What says the same in so many words is read; any other text becomes words, from which nothing more is read. Of which file a
register is, such a journal does not say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from abiprobe.oracles.place import Files, Located, Register, StackSlot
from abiprobe.results.locations import (
    AddressIn,
    AtAddress,
    InMemory,
    InPieces,
    InPlaces,
    Named,
    Run,
    Spot,
    Where,
)
from abiprobe.results.notes import Found, Note, OnlyAbove, ReliesOnAbove
from abiprobe.results.values import Alignment, AlignmentOf, BitRange, Bytes, Size, Value, Words

OLD = 1
BYTES = re.compile(r"(?:[0-9a-f]{2}|\.\.|@@)(?: (?:[0-9a-f]{2}|\.\.|@@))*")
BITS = re.compile(r"(\d+):(\d+)")
SLOT = re.compile(r"stack\+(\d+)")
ON_STACK = re.compile(r"found on the stack at (-?\d+)")
HELD = re.compile(
    r"(?P<name>[A-Za-z][\w.]*?)(?:\[(?P<at>\d+)\])?(?P<double> as double)?|stack\+(?P<offset>\d+)"
)
LED_TO = re.compile(r"memory (?:at|(?P<offset>\d+) bytes behind) (?P<pointer>[^,]+?)(?P<alone>, by itself)?")
RUN = re.compile(r"(?P<place>.+?)(?: \((?P<length>\d+) bytes\))?")
ALIGNED = {
    "_Alignof of the type of": AlignmentOf.MEMBER_TYPE,
    "__alignof__ of": AlignmentOf.MEMBER,
    "_Alignof": AlignmentOf.WHOLE,
}
NOTES: dict[str, Note] = {
    "found nowhere else": Found(),
    "only the bits above the value": OnlyAbove(),
    "it relies on the bits above the value": ReliesOnAbove(),
}


def converted(batch: dict[str, Any]) -> dict[str, Any]:
    """A batch of a journal of schema 1, as plain values, in today's form; lines that later versions added stay as they are."""
    return {**batch, "verdicts": [verdict(one) for one in batch["verdicts"]]}


def verdict(old: dict[str, Any]) -> dict[str, Any]:
    """One verdict."""
    found = dict(old)
    if "differences" in old:
        found["differences"] = [difference(one) for one in old["differences"]]
    if "shown" in old:
        found["shown"] = [shown(one, {}) for one in old["shown"]]
    return found


def difference(old: dict[str, Any]) -> dict[str, Any]:
    """One difference."""
    if not isinstance(old["place"], str):
        return old
    found = dict(old)
    found["place"] = plain(where(old["place"]))
    found |= {name: plain(value(old["what"], old[name])) for name in ("expected", "seen")}
    if old.get("note"):
        found["note"] = plain(note(old["note"]))
    return found


def shown(old: dict[str, Any], files: Files) -> dict[str, Any]:
    """What a subject shows, on a machine whose registers have these files; without them, registers are words."""
    return {
        **old,
        **{
            name: [plain(spot(one, files)) if isinstance(one, str) else one for one in old[name]]
            for name in ("at", "taken")
            if name in old
        },
    }


def where(text: str) -> Where:
    """A place that was written."""
    for before, of in (("memory at ", InMemory), ("address in ", AddressIn)):
        if text.startswith(before):
            inner = tuple(held(text.removeprefix(before)))
            return of(inner) if of is InMemory else AddressIn(inner[0])
    if text == "memory":
        return InMemory()
    return InPlaces(tuple(held(text))) if SLOT.search(text) else Named(text)


def held(text: str) -> Iterator[Located]:
    """Registers and stack slots that were written one after the other."""
    for part in text.split(", "):
        slot = SLOT.fullmatch(part)
        yield Located(Register(part)) if slot is None else Located(StackSlot(int(slot[1])))


def value(what: str, text: str) -> Value:
    """A value that was written, of something with this name."""
    kind = next((of for head, of in ALIGNED.items() if what == head or what.startswith(f"{head} ")), None)
    if text.isdecimal() and (what == "sizeof" or kind is not None):
        return Size(int(text)) if kind is None else Alignment(int(text), kind)
    if bits := BITS.fullmatch(text):
        return BitRange(int(bits[1]), int(bits[2]))
    return Bytes(text) if BYTES.fullmatch(text) else Words(text)


def note(text: str) -> Note:
    """A note that was written."""
    slot = ON_STACK.fullmatch(text)
    return Found((Located(StackSlot(int(slot[1]))),)) if slot else NOTES.get(text, Words(text))


def spot(text: str, files: Files) -> Spot:
    """A place of an open question that was written."""
    whole = one_place(text, files)
    if whole is not None:
        return whole
    runs = [(one_place(run["place"], files), run["length"]) for run in map(run_of, text.split(", "))]
    found = tuple(Run(place, int(length or 1)) for place, length in runs if place is not None)
    return InPieces(found) if len(found) == len(runs) else Words(text)


def run_of(text: str) -> re.Match[str]:
    """Bytes side by side that were written."""
    found = RUN.fullmatch(text)
    assert found is not None, "any text is a place"
    return found


def one_place(text: str, files: Files) -> Located | AtAddress | None:
    """A place that was written; `None` for one that is none, or in a register that the machine does not have."""
    if led := LED_TO.fullmatch(text):
        pointer = one_place(led["pointer"], files)
        if not isinstance(pointer, Located):
            return None
        return AtAddress(pointer, int(led["offset"] or 0), bool(led["alone"]))
    found = HELD.fullmatch(text)
    if found is None or (found["name"] is not None and found["name"] not in files):
        return None
    if found["name"] is None:
        return Located(StackSlot(int(found["offset"])))
    name = found["name"]
    return Located(Register(name), int(found["at"] or 0), files[name], bool(found["double"]))


def plain(made: Where | Value | Note | Spot) -> Any:
    """A value as it is stored."""
    return msgspec.to_builtins(made)
