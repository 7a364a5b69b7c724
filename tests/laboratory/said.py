"""Places, values and notes for tests, from the short text in which reports say them."""

from __future__ import annotations

from abiprobe.harness.machines.runtime.aarch64 import AARCH64
from abiprobe.harness.machines.runtime.riscv import RISCV64
from abiprobe.harness.machines.runtime.x86 import I386, X86_64_AVX512
from abiprobe.oracles.text.place import Located, Register, RegisterFile
from abiprobe.results.journal import old_words
from abiprobe.results.journal.old_words import spot, value
from abiprobe.results.verdicts.locations import Spot, Where
from abiprobe.results.verdicts.notes import Note
from abiprobe.results.verdicts.record import Difference, Shown

FILES = {**I386.files, **X86_64_AVX512.files, **AARCH64.files, **RISCV64.files}
"""Of several machines at once: no two of these have one name for registers of different kinds."""


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
    return Shown(what, *(tuple(spot(what, one, FILES) for one in every) for every in (at, taken)))


def placed(text: str) -> Spot:
    """One place of an open question: `a0[4]`, `stack+8`, `memory at a0`."""
    return spot("", text, FILES)


def where(text: str) -> Where:
    """A place of a difference: `a0, stack+8`, `memory at a0`, `bits`."""
    return old_words.where(text, FILES)


def noted(text: str) -> Note | None:
    """A note: `found in a0 at byte 4 and on the stack at 8`, `found nowhere else`, or none for an empty one."""
    return old_words.note(text, FILES) if text else None


def in_file(name: str, file: RegisterFile) -> Located:
    """A register of a machine of one's own."""
    return Located(Register(name), 0, file)
