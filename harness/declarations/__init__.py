"""A user's C declarations as values of `abiprobe.oracles.lang`: as they were declared, not as a compiler lays them out.

`read` parses in memory with libclang. Whatever the file says that the values cannot say is a `Problem` that names the
construct and its place; nothing is dropped silently except qualifiers, storage classes and attributes that move no byte.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from abiprobe.harness.problem import Problem
from abiprobe.oracles.lang import Prototype, Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from abiprobe.harness.declarations.unit import Unit

__all__ = ["LIMIT", "Declarations", "read", "read_path"]

LIMIT = 16 << 20
"""Bytes of the largest file that is read."""


class Declarations(msgspec.Struct, frozen=True):
    """What a file declares itself, in its order; what it includes counts only where it is used.

    `records` are the complete structs and unions with a tag or typedef name; an untagged struct or union with neither stays
    inside its parent, with an empty tag. Of several declarations of a function the last with a prototype counts; a
    variadic one is there once for each list of unnamed arguments with which the file calls it.
    """

    records: tuple[Record, ...] = ()
    functions: tuple[Prototype, ...] = ()


def read_path(path: str | Path, *, triple: str, options: Sequence[str] = ()) -> Declarations:
    """Like `read`, for a file or (`-`) the standard input; raises `Problem` if it cannot be read."""
    filename = "<stdin>" if str(path) == "-" else str(path)
    try:
        if str(path) == "-":
            data = sys.stdin.buffer.read(LIMIT + 1)
        else:
            with Path(path).open("rb") as file:
                data = file.read(LIMIT + 1)
    except (OSError, ValueError) as error:
        raise Problem(f"{filename}: {getattr(error, 'strerror', None) or error}") from error
    # Bytes that are no UTF-8 are harmless in comments; anywhere else clang will say so.
    return read(data.decode(errors="replace"), filename=filename, triple=triple, options=options)


def read(source: str, *, filename: str, triple: str, options: Sequence[str] = ()) -> Declarations:
    """The declarations in the C text `source`, as the compiler for `triple` sees them with `options`.

    `filename` is for messages and for finding `#include "..."`. Raises `Problem` for the first error in the text, for a
    construct that cannot be expressed, and where libclang is not installed.
    """
    from abiprobe.harness.declarations.calls import may_call, with_bodies
    from abiprobe.harness.declarations.unit import Input, parse

    text = source.removeprefix("\ufeff").encode(errors="replace")
    _refuse(text, filename)
    try:
        asked = Input(text, filename, triple, tuple(options))
        return _read(with_bodies(asked) if may_call(text) else parse(asked))
    except RecursionError:
        raise Problem(f"{filename}: the types are nested too deeply to be read") from None


def _refuse(text: bytes, filename: str) -> None:
    """Raise `Problem` for what clang would let pass without a word."""
    if len(text) > LIMIT:
        raise Problem(f"{filename}: more than {LIMIT >> 20} MiB of C")
    found = re.search(
        rb"\0|^[ \t]*#[ \t]*pragma[ \t]+(?:ms_struct[ \t]+on|scalar_storage_order[ \t]+\w+)",
        text,
        re.MULTILINE,
    )
    if found:
        line = text.count(b"\n", 0, found.start()) + 1
        what = found[0].decode().strip()
        raise Problem(f"{filename}:{line}: {'a NUL byte' if what == chr(0) else what} cannot be read")


def _read(unit: Unit) -> Declarations:
    """Read once, and once more if clang had to be asked something."""
    from abiprobe.harness.declarations.file import functions, records
    from abiprobe.harness.declarations.questions import ask, uses_pack
    from abiprobe.harness.declarations.reading import Reading

    packs = uses_pack(unit.texts.values(), unit.source.options)
    reading = Reading(unit, {}, packs=packs)
    result = Declarations(records(reading), functions(reading))
    if not reading.open:
        return result
    reading = Reading(unit, ask(reading.open, unit), packs=packs)
    return Declarations(records(reading), functions(reading))
