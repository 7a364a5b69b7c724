"""Asks cffi for layouts: a program of its own, so that a crash of cffi is not ours.

Reads a JSON list of records from standard input (see `library.question`) and writes one answer for each: size and
alignment in bytes, and for each member its bit offset and, for a bit-field, its width; or cffi's words of refusal.
Imports nothing of abiprobe.
"""

from __future__ import annotations

import json
import sys
import warnings
from typing import Any

import cffi

OPTIONS = "cffi takes no options"


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """The layout of one record as cffi has it."""
    ffi: Any = cffi.FFI()
    try:
        for text, settings in asked["definitions"]:
            ffi.cdef(text, **settings)
        record = ffi.typeof(asked["name"])
        places = [place(ffi, record, path) for path in asked["members"]]
        return {"size": ffi.sizeof(record), "align": ffi.alignof(record), "places": places}
    # Whatever it raises, down to MemoryError of a huge array, is its way of saying no.
    except Exception as error:  # noqa: BLE001
        return {"words": f"{type(error).__name__}: {error}".partition("\n")[0]}


def place(ffi: Any, record: Any, path: list[str | int]) -> tuple[int, int | None]:
    """The bit offset of a member, and the width of a bit-field."""
    at, bits, inner = 0, -1, record
    for step in path:
        if isinstance(step, int):
            inner = inner.item
            at += step * ffi.sizeof(inner) * 8
        else:
            field = dict(inner.fields)[step]
            at += field.offset * 8 + max(field.bitshift, 0)
            bits, inner = field.bitsize, field.type
    if bits >= 0:
        return at, bits
    return ffi.offsetof(record, *path) * 8, None


def main() -> None:
    """Answer every question on standard input."""
    if any(not option.startswith("-O") for option in sys.argv[1:]):
        sys.exit(f"error: {OPTIONS}")
    # What cffi only warns of it does not do: it would answer another question.
    warnings.simplefilter("error")
    json.dump([answer(asked) for asked in json.load(sys.stdin)], sys.stdout)


if __name__ == "__main__":
    main()
