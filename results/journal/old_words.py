"""Places, values and notes of journals of schema 1, read from the English that those have.

Of which file a register is, such a journal does not say: `files` are those of the target's registers, as far as they are known.
Any text that says nothing of this becomes words, from which nothing more is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from abiprobe.oracles.text.place import Files, Located, Register, StackSlot
from abiprobe.results.verdicts.locations import (
    AddressIn,
    AmongUnnamed,
    AtAddress,
    Declared,
    InMemory,
    InPieces,
    InPlaces,
    MemberAt,
    Named,
    Run,
    Spot,
    Where,
)
from abiprobe.results.verdicts.notes import Found, Note, OnlyAbove, ReliesOnAbove, Shifted
from abiprobe.results.verdicts.values import (
    Address,
    Alignment,
    AlignmentOf,
    Beyond,
    BitRange,
    Bounds,
    Bytes,
    Multiple,
    Nothing,
    Number,
    Parameter,
    Size,
    Value,
    Words,
)
from abiprobe.results.verdicts.wording import ADDRESSES, note_text

BYTES = re.compile(r"(?:[0-9a-f]{2}|\.\.|@@)(?: (?:[0-9a-f]{2}|\.\.|@@))*")
SLOT = re.compile(r"stack\+(\d+)")
HOLDER = re.compile(r"in (?P<name>[\w.]+)(?: at byte (?P<at>\d+))?|on the stack at (?P<offset>-?\d+)")
HELD = re.compile(
    r"(?P<name>[A-Za-z][\w.]*?)(?:\[(?P<at>\d+)\])?(?P<double> as double)?|stack\+(?P<offset>\d+)"
)
LED_TO = re.compile(r"memory (?:at|(?P<offset>\d+) bytes behind) (?P<pointer>[^,]+?)(?P<alone>, by itself)?")
RUN = re.compile(r"(?P<place>.+?)(?: \((?P<length>\d+) bytes\))?")
FOUND, SHIFTED, AND = "found ", "shifted, ", " and "
ALIGNED = {
    "_Alignof of the type of": AlignmentOf.MEMBER_TYPE,
    "__alignof__ of the type of": AlignmentOf.PREFERRED,
    "__alignof__ of": AlignmentOf.MEMBER,
    "_Alignof": AlignmentOf.WHOLE,
}
"""The things that have an alignment, by what they were called; what comes first counts."""
NOTES: dict[str, Note] = {note_text(one): one for one in (OnlyAbove(), ReliesOnAbove(), Found())}
PARTS: dict[str, Value] = {f"part of {text}": Address(to, part=True) for to, text in ADDRESSES.items()}
WHOLE: dict[str, Value] = {
    **{text: Address(to) for to, text in ADDRESSES.items()},
    **PARTS,
    "nothing": Nothing(),
}
VALUES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Value]], ...] = (
    (re.compile(r"(-?\d+):(\d+)"), lambda found: BitRange(int(found[1]), int(found[2]))),
    (
        re.compile(r"(the stack arguments at )?a multiple of (\d+)"),
        lambda found: Multiple(int(found[2]), arguments=bool(found[1])),
    ),
    (re.compile(r"(\d+) bytes above one"), lambda found: Beyond(int(found[1]))),
    (re.compile(r"(\d+) to (\d+)"), lambda found: Bounds(int(found[1]), int(found[2]))),
    (
        re.compile(r"\.param \.align (\d+) \.b8\[(\d+)\]"),
        lambda found: Parameter(int(found[1]), int(found[2]), found[0], bytes=True),
    ),
    (BYTES, lambda found: Bytes(found[0])),
    (re.compile(r"\d+"), lambda found: Number(int(found[0]))),
)
"""How values were written; what comes first counts."""
SPOTS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Spot]], ...] = (
    (re.compile(r"bit (\d+), (\d+) wide"), lambda found: MemberAt(int(found[1]), int(found[2]))),
    (re.compile(r"byte (\d+)"), lambda found: MemberAt(8 * int(found[1]))),
    (re.compile("nowhere"), lambda _: MemberAt(None)),
    (re.compile(r"byte (\d+) of the unnamed arguments"), lambda found: AmongUnnamed(int(found[1]))),
    (
        re.compile(r"(\d+) bytes aligned to (\d+)(?:, a (\w+) address)?"),
        lambda found: Declared(int(found[1]), int(found[2]), found[3] or ""),
    ),
)
"""How places were written that are none of a call."""


def where(text: str, files: Files) -> Where:
    """A place of a difference."""
    for before in ("memory at ", "address in "):
        if text.startswith(before):
            inner = tuple(places(text.removeprefix(before), files))
            return InMemory(inner) if before == "memory at " else AddressIn(inner[0])
    if text == "memory":
        return InMemory()
    known = all(SLOT.fullmatch(part) or part in files for part in text.split(", "))
    return InPlaces(tuple(places(text, files))) if known or SLOT.search(text) else Named(text)


def places(text: str, files: Files) -> Iterator[Located]:
    """Registers and stack slots, one after the other."""
    for part in text.split(", "):
        slot = SLOT.fullmatch(part)
        yield Located.of(Register(part) if slot is None else StackSlot(int(slot[1])), files)


def value(what: str, text: str) -> Value:
    """Return the expected or seen value of something with this name."""
    if text in WHOLE:
        return WHOLE[text]
    if text.isdecimal() and what == "sizeof":
        return Size(int(text))
    of = alignment_of(what)
    if text.isdecimal() and of is not None:
        return Alignment(int(text), of)
    made = (make(found) for form, make in VALUES if (found := form.fullmatch(text)))
    return next(made, Words(text))


def alignment_of(what: str) -> AlignmentOf | None:
    """Return the alignment that a name stands for; `None` for anything else."""
    return next((of for head, of in ALIGNED.items() if what == head or what.startswith(f"{head} ")), None)


def note(text: str, files: Files) -> Note:
    """Return the note of a difference."""
    if text.startswith(SHIFTED):
        found = note(text.removeprefix(SHIFTED), files)
        return Shifted("", found if isinstance(found, Found) else None)
    if text in NOTES:
        return NOTES[text]
    held = [HOLDER.fullmatch(part) for part in text.removeprefix(FOUND).split(AND)]
    known = all(one and (one["name"] is None or one["name"] in files) for one in held)
    if not text.startswith(FOUND) or not known:
        return Words(text)
    return Found(tuple(holding(one, files) for one in held if one is not None))


def holding(found: re.Match[str], files: Files) -> Located:
    """A place that held a value."""
    if found["name"] is None:
        return Located(StackSlot(int(found["offset"])))
    return Located.of(Register(found["name"]), files, int(found["at"] or 0))


def spot(what: str, text: str, files: Files) -> Spot:
    """A place of an open question, of something with this name."""
    number = re.fullmatch(r"(\d+) bytes", text)
    of = AlignmentOf.WHOLE if what == "sizeof" else alignment_of(what)
    if number and of is not None:
        return Size(int(number[1])) if what == "sizeof" else Alignment(int(number[1]), of)
    other = next((make(found) for form, make in SPOTS if (found := form.fullmatch(text))), None)
    return other if other is not None else traced(text, files)


def traced(text: str, files: Files) -> Spot:
    """A place of a call."""
    whole = one_place(text, files)
    if whole is not None:
        return whole
    runs = [(one_place(run["place"], files), run["length"]) for run in map(run_of, text.split(", "))]
    found = tuple(Run(place, int(length or 1)) for place, length in runs if place is not None)
    return InPieces(found) if len(found) == len(runs) else Words(text)


def run_of(text: str) -> re.Match[str]:
    """Bytes side by side."""
    found = RUN.fullmatch(text)
    assert found is not None, "any text is a place"
    return found


def one_place(text: str, files: Files) -> Located | AtAddress | None:
    """A place that is in one piece; `None` for one that is none, or in a register that is not known."""
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
