"""Ways to break bytes: by accident, and on purpose."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from abiprobe.results.journal.checksums import sealed

Way = Callable[[random.Random, bytes], bytes]
HOSTILE: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1 << 31,
    1 << 63,
    1 << 70,
    1e308,
    "",
    "x",
    "../../etc/passwd",
    "x; int evil(void)",
    "\x1b[2J\x9b31m\u202e<script>alert(1)</script>",
    "a\nb\0c",
    "gcc:/bin/false",
    "clang-22 -fplugin=/nowhere/evil.so",
    "x86_64-sysv@nobody",
    "[/bold]",
    [],
    {},
    [[[[[]]]]],
)
"""Values that are not what stood there."""


def flipped_bit(draw: random.Random, data: bytes) -> bytes:
    """One bit is another."""
    found = bytearray(data)
    found[draw.randrange(len(found))] ^= 1 << draw.randrange(8)
    return bytes(found)


def other_bytes(draw: random.Random, data: bytes) -> bytes:
    """Some bytes in a row are others."""
    at, length = draw.randrange(len(data)), draw.randrange(1, 64)
    return data[:at] + draw.randbytes(length) + data[at + length :]


def zeroed(draw: random.Random, data: bytes) -> bytes:
    """A block has become zeros."""
    at, length = draw.randrange(len(data)), draw.choice((1, 16, 512, 4096))
    return data[:at] + bytes(min(length, len(data) - at)) + data[at + length :]


def cut(draw: random.Random, data: bytes) -> bytes:
    """The end is missing."""
    return data[: draw.randrange(len(data))]


def beheaded(draw: random.Random, data: bytes) -> bytes:
    """The beginning is missing."""
    return data[draw.randrange(1, len(data)) :]


def lost_bytes(draw: random.Random, data: bytes) -> bytes:
    """Some bytes within are missing."""
    at = draw.randrange(len(data))
    return data[:at] + data[at + draw.randrange(1, 64) :]


def more_bytes(draw: random.Random, data: bytes) -> bytes:
    """Some bytes too many are within."""
    at = draw.randrange(len(data))
    return data[:at] + draw.randbytes(draw.randrange(1, 64)) + data[at:]


def digit(draw: random.Random, data: bytes) -> bytes:
    """One digit is another, so that everything is still well-formed."""
    places = [at for at, byte in enumerate(data) if chr(byte).isdigit()]
    if not places:
        return flipped_bit(draw, data)
    found = bytearray(data)
    at = draw.choice(places)
    found[at] = ord(draw.choice([one for one in "0123456789" if one != chr(found[at])]))
    return bytes(found)


def empty(_draw: random.Random, _data: bytes) -> bytes:
    """Nothing is left."""
    return b""


def doubled(_draw: random.Random, data: bytes) -> bytes:
    """Everything is there twice."""
    return data + data


def lost_line(draw: random.Random, data: bytes) -> bytes:
    """One line is missing."""
    lines = data.splitlines(keepends=True)
    lines.pop(draw.randrange(len(lines)))
    return b"".join(lines)


def doubled_line(draw: random.Random, data: bytes) -> bytes:
    """One line is there twice."""
    lines = data.splitlines(keepends=True)
    at = draw.randrange(len(lines))
    return b"".join((*lines[: at + 1], *lines[at:]))


def swapped_lines(draw: random.Random, data: bytes) -> bytes:
    """Two lines stand in each other's place."""
    lines = data.splitlines(keepends=True)
    one, other = draw.randrange(len(lines)), draw.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


BYTES: tuple[Way, ...] = (
    flipped_bit,
    other_bytes,
    zeroed,
    cut,
    beheaded,
    lost_bytes,
    more_bytes,
    digit,
    empty,
    doubled,
)
"""What happens to any file."""
LINES: tuple[Way, ...] = (lost_line, doubled_line, swapped_lines)
"""What happens to a file of lines."""


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each place within a value of JSON: what it is in, and its key or index there."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(items):
        yield value, key
        yield from places(inner)


def forged(draw: random.Random, data: bytes) -> bytes:
    """A journal in which one value of JSON is another, with checksums as if it had been written so."""
    lines = [json.loads(line) for line in data.splitlines()]
    for line in lines:
        line.pop("sum", None)
    inside, key = draw.choice(list(places(draw.choice(lines))))
    change = draw.randrange(4)
    if change == 0 and isinstance(inside, dict):
        del inside[key]
    elif change == 1 and isinstance(inside, list):
        inside.append(inside[key])
    elif change == 2 and isinstance(inside[key], str):
        inside[key] += str(draw.choice([one for one in HOSTILE if isinstance(one, str)]))
    else:
        inside[key] = draw.choice(HOSTILE)
    return written(lines)


def written(lines: list[Any]) -> bytes:
    """Lines of JSON as a journal has them."""
    found, checksum = b"", 0
    for line in lines:
        data, checksum = sealed(
            json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode(), checksum
        )
        found += data
    return found
