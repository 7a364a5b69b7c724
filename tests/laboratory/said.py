"""Places, values and notes for tests, from the short text in which reports say them."""

from __future__ import annotations

import re

from abiprobe.harness.machines.runtime.aarch64 import AARCH64
from abiprobe.harness.machines.runtime.riscv import RISCV64
from abiprobe.harness.machines.runtime.x86 import I386, X86_64_AVX512
from abiprobe.oracles.place import Located, Register, RegisterFile, StackSlot
from abiprobe.results.locations import AddressIn, InMemory, InPlaces, Named, Spot, Where
from abiprobe.results.notes import Found, Note
from abiprobe.results.old_journals import NOTES, spot, value
from abiprobe.results.record import Difference, Shown

FILES = {**I386.files, **X86_64_AVX512.files, **AARCH64.files, **RISCV64.files}
"""Of several machines at once: no two of these have one name for registers of different kinds."""
HOLDER = re.compile(r"in (\w+)(?: at byte (\d+))?|on the stack at (-?\d+)")


def difference(
    side: str,
    what: str,
    place: str,
    expected: str,
    seen: str,
    clause: str,
    note: str = "",
    above: bool = False,  # noqa: FBT001, FBT002 - as `Difference` has it
) -> Difference:
    """A difference, all of whose parts are written."""
    values = value(what, expected), value(what, seen)
    return Difference(side, what, where(place), *values, clause, noted(note), above)


def shown(what: str, at: tuple[str, ...], taken: tuple[str, ...] = ()) -> Shown:
    """What a subject shows, in places that are written."""
    return Shown(what, tuple(map(placed, at)), tuple(map(placed, taken)))


def placed(text: str) -> Spot:
    """One place of an open question: `a0[4]`, `stack+8`, `memory at a0`."""
    return spot(text, FILES)


def located(text: str) -> Located:
    """A register, or a slot of the stack: `a0`, `stack+8`."""
    if text.startswith("stack+"):
        return Located(StackSlot(int(text.removeprefix("stack+"))))
    return Located(Register(text), 0, FILES[text])


def where(text: str) -> Where:
    """A place of a difference: `a0, stack+8`, `memory at a0`, `bits`."""
    for before in ("memory at ", "address in "):
        if text.startswith(before):
            inner = tuple(map(located, text.removeprefix(before).split(", ")))
            return InMemory(inner) if before == "memory at " else AddressIn(inner[0])
    if text == "memory":
        return InMemory()
    parts = text.split(", ")
    known = all(part in FILES or part.startswith("stack+") for part in parts)
    return InPlaces(tuple(map(located, parts))) if known else Named(text)


def noted(text: str) -> Note | None:
    """A note: `found in a0 at byte 4 and on the stack at 8`, `found nowhere else`, or none for an empty one."""
    if not text:
        return None
    if text in NOTES:
        return NOTES[text]
    assert text.startswith("found "), f"no note of a place: {text}"
    return Found(
        tuple(
            Located(StackSlot(int(slot))) if slot else Located(Register(name), int(at or 0), FILES[name])
            for name, at, slot in HOLDER.findall(text)
        )
    )


def in_file(name: str, file: RegisterFile) -> Located:
    """A register of a machine of one's own."""
    return Located(Register(name), 0, file)
