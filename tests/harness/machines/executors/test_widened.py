"""A 32-bit program becomes a 64-bit one with the same bytes at the same addresses."""

from __future__ import annotations

import io
import struct
from pathlib import Path

from elftools.elf.elffile import ELFFile

from abiprobe.harness.machines.executors.widened import widened

ENTRY, ADDRESS, MACHINE = 0x10074, 0x10000, 258
CODE = b"\x01\x02\x03\x04\x05"


def program() -> bytes:
    """A little-endian ELF32 program of one loaded segment: its headers and five bytes of code."""
    size = 52 + 32 + len(CODE)
    ident = b"\x7fELF\x01\x01\x01" + bytes(9)
    header = struct.pack("<16sHHIIIIIHHHHHH", ident, 2, MACHINE, 1, ENTRY, 52, 0, 3, 52, 32, 1, 0, 0, 0)
    return header + struct.pack("<8I", 1, 0, ADDRESS, ADDRESS, size, size + 7, 5, 0x1000) + CODE


def test_it_has_the_same_bytes_at_the_same_addresses(tmp_path: Path) -> None:
    narrow = tmp_path / "image"
    narrow.write_bytes(program())
    wide = widened(narrow)
    found = ELFFile(io.BytesIO(wide.read_bytes()))
    assert (found.elfclass, found.little_endian, found["e_entry"], found["e_machine"]) == (
        64,
        True,
        ENTRY,
        "EM_LOONGARCH",
    )
    (segment,) = found.iter_segments()
    names = ("p_vaddr", "p_filesz", "p_memsz", "p_flags", "p_align")
    assert [segment[name] for name in names] == [ADDRESS, len(program()), len(program()) + 7, 5, 0x1000]
    assert segment.data()[-len(CODE) :] == CODE
    assert wide.stat().st_mode & 0o100


def test_it_is_written_once(tmp_path: Path) -> None:
    narrow = tmp_path / "image"
    narrow.write_bytes(program())
    first = widened(narrow)
    first.write_bytes(b"kept")
    assert widened(narrow).read_bytes() == b"kept"
