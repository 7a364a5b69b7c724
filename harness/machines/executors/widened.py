"""A 32-bit program as one of the 64-bit machine that has all its instructions, for a qemu that has the latter alone.

LA32's instructions are those of LA64 of the same encoding, which keep every word as the sign extension of its 32 bits. So a program
all of whose addresses are below 2 GiB does the same there; its system calls pass addresses and sizes, which are as they were.
So does a program of ILP32 on AArch64, which has the same instructions by definition. A program of its own, too, which bundles have:
`widened.py IMAGE`.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

_HEADER = "<16sHHIIIIIHHHHHH"
_WIDE_HEADER = "<16sHHIQQQIHHHHHH"
_SEGMENT = "<8I"
_WIDE_SEGMENT = "<IIQQQQQQ"
_CLASS_AT, _CLASS64 = 4, 2
_LOADED = 1
_ALIGN = 8


def widened(image: Path) -> Path:
    """The 64-bit program of a little-endian 32-bit `image`, in a file beside it that is written where there is none."""
    wide = image.with_name(f"{image.name}-64")
    if not wide.exists():
        made = wide.with_name(f"{wide.name}-new")
        made.write_bytes(_wide(image.read_bytes()))
        made.chmod(0o755)
        made.replace(wide)
    return wide


def _wide(narrow: bytes) -> bytes:
    """The same bytes with a 64-bit header before and 64-bit program headers behind them; sections are left out."""
    ident, kind, machine, version, entry, at, _, flags, _, size, count, *_ = struct.unpack_from(
        _HEADER, narrow
    )
    segments = (struct.unpack_from(_SEGMENT, narrow, at + index * size) for index in range(count))
    loaded = [segment for segment in segments if segment[0] == _LOADED]
    body = narrow.ljust(-(-len(narrow) // _ALIGN) * _ALIGN, b"\0")
    header = struct.pack(
        _WIDE_HEADER,
        ident[:_CLASS_AT] + bytes((_CLASS64,)) + ident[_CLASS_AT + 1 :],
        kind,
        machine,
        version,
        entry,
        len(body),
        0,
        flags,
        struct.calcsize(_WIDE_HEADER),
        struct.calcsize(_WIDE_SEGMENT),
        len(loaded),
        0,
        0,
        0,
    )
    table = b"".join(
        struct.pack(_WIDE_SEGMENT, type_, permissions, offset, virtual, physical, filled, memory, align)
        for type_, offset, virtual, physical, filled, memory, permissions, align in loaded
    )
    return header + body[len(header) :] + table


if __name__ == "__main__":
    widened(Path(sys.argv[1]))
