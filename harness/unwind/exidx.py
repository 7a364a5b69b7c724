"""The index table of a program for Arm, `.ARM.exidx`, as pyelftools reads it: by function, how the frame of a call site is unwound."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path

import msgspec
from elftools.common.exceptions import ELFError
from elftools.ehabi.ehabiinfo import EHABIEntry, EHABIInfo
from elftools.elf.elffile import ELFFile

from abiprobe.harness.unwind.tables import UnreadableError
from abiprobe.oracles.unwinding.ehabi import row
from abiprobe.oracles.unwinding.rules import Row, UndefinedError

EXIDX = ".ARM.exidx"
COMPACT = 3
"""The personality routines of the compact model, whose instructions are known without a language."""


class Entry(msgspec.Struct, frozen=True):
    """An entry for the function that starts at an address: the row by which its frames are unwound, or why there is none."""

    start: int
    row: Row | None
    why: str = ""


class Index:
    """The entries of a program, each of which holds up to the next."""

    def __init__(self, entries: list[Entry]) -> None:
        self.entries = sorted(entries, key=lambda entry: entry.start)
        self.starts = [entry.start for entry in self.entries]

    def entry(self, address: int) -> Entry:
        """The entry that holds for an instruction."""
        at = bisect_right(self.starts, address) - 1
        return self.entries[at] if at >= 0 else Entry(address, None, "the index has none")


def read_index(path: Path) -> Index:
    """The index of a linked program. Raises `UnreadableError`."""
    with path.open("rb") as file:
        try:
            program = ELFFile(file)
            section = program.get_section_by_name(EXIDX)
            if section is None:
                return Index([])
            # The reader counts from the beginning of the file.
            loaded = section["sh_addr"] - section["sh_offset"]
            return Index(list(entries(EHABIInfo(section, program.little_endian), loaded)))
        except (ELFError, ValueError) as error:
            raise UnreadableError(f"its index of exception tables is not read: {error}") from error


def entries(index: EHABIInfo, loaded: int) -> Iterator[Entry]:
    """Yield the entries; what is at offset 0 of the file is `loaded` at an address."""
    for number in range(index.num_entry()):
        one = index.get_entry(number)
        if one.function_offset is None:
            raise UnreadableError(f"entry {number} of its index of exception tables is corrupt")
        yield entry(one, (one.function_offset + loaded) % (1 << 32))


def entry(one: EHABIEntry, start: int) -> Entry:
    """The row of an entry."""
    if not one.unwindable:
        return Entry(start, None, "it says that frames cannot be unwound")
    if one.bytecode_array is None or one.personality not in range(COMPACT):
        return Entry(start, None, "its personality routine is not one of the compact model")
    try:
        return Entry(start, row(one.bytecode_array))
    except UndefinedError as error:
        return Entry(start, None, str(error))
