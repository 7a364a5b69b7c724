"""Compressed data of journals, which others may have written: nothing small becomes so large that memory ends."""

from __future__ import annotations

import zlib

LARGEST = 1 << 30
"""Bytes of what is decompressed; a batch has a few megabytes."""


class PackingError(ValueError):
    """Data that are not compressed, or become too large."""


def decompressed(data: bytes, largest: int = LARGEST) -> bytes:
    """Decompress data; raises `PackingError`."""
    reader = zlib.decompressobj()
    try:
        found = reader.decompress(data, largest)
    except zlib.error as error:
        raise PackingError(str(error)) from error
    if not reader.eof:
        raise PackingError(f"it is cut short, or has more than {largest >> 20} MiB")
    return found
