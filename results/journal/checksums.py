"""A checksum at the end of each line of a journal, so that a changed byte is found and the line named.

The checksum of a line goes on from that of the line before it, so that a line that is missing, twice there or elsewhere is
found, too. Lines of earlier versions of abiprobe have none.
"""

from __future__ import annotations

import zlib

MARK = b',"sum":"'
DIGITS = 8
LENGTH = len(MARK) + DIGITS + len(b'"}\n')


class ChecksumError(ValueError):
    """A line is not as it was written; the message says how that is known."""


def sealed(data: bytes, before: int) -> tuple[bytes, int]:
    """A line for a JSON object with its checksum; `before` is that of the line before it, 0 for the first."""
    found = zlib.crc32(data, before)
    return data[:-1] + MARK + f'{found:08x}"}}\n'.encode(), found


def checked(line: bytes, before: int) -> int:
    """The checksum of a whole line, 0 if it has none and needs none; raises `ChecksumError`."""
    if line[-LENGTH:][: len(MARK)] != MARK:
        if before:
            raise ChecksumError("it has no checksum, and the line before it has one")
        return 0
    found = zlib.crc32(line[:-LENGTH] + b"}", before)
    if line[-LENGTH:] != MARK + f'{found:08x}"}}\n'.encode():
        raise ChecksumError("its checksum is another: it was changed, or stands in another place")
    return found


def last(line: bytes) -> int:
    """The checksum that a whole line says it has, 0 if it has none."""
    tail = line[-LENGTH:]
    try:
        return int(tail[len(MARK) : -3], 16) if tail.startswith(MARK) else 0
    except ValueError:
        return 0
