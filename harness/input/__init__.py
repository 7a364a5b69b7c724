"""A user's C declarations as values of `abiprobe.oracles.language.lang`: as they were declared, not as a compiler lays them out.

`read` parses in memory with libclang. A declaration that says what the values cannot say is a `Problem` that names the
construct and its place, or, unless the reading is strict, is skipped with that reason. Nothing is dropped silently except
qualifiers, storage classes and attributes that move no byte.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.cxx_calls import CxxPrototype
from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.results.history.baseline.interface import NOTHING, Interface

if TYPE_CHECKING:
    from collections.abc import Sequence

    from abiprobe.harness.input.reading import Reading
    from abiprobe.harness.input.unit import Unit

__all__ = ["LIMIT", "Classes", "Declarations", "ReadOptions", "Skipped", "load", "read", "read_path"]

LIMIT = 16 << 20
"""Bytes of the largest file that is read."""


UNASKED = Problem("C++: an alignment or a packing that only clang can tell")
"""The answer to what clang is not asked."""


class Skipped(msgspec.Struct, frozen=True):
    """A declaration that is not asked about, the place of what stands in the way, the reason, and what to do about it.

    `called` says that it is about a function, or may be: its own convention, or a record that it passes.
    """

    name: str
    where: str
    reason: str
    hint: str = ""
    called: bool = True


class Declarations(msgspec.Struct, frozen=True):
    """The declarations of a file, in its order; those of included files count only where they are used, or asked for.

    `records` are the complete structs and unions with a tag or typedef name; an untagged struct or union with neither stays
    inside its parent, with an empty tag. Of several declarations of a function the last with a prototype counts; a
    variadic one is there once for each list of unnamed arguments with which the file calls it. `skipped` are those that
    cannot be asked about, and `elsewhere` counts the records and functions of included files that were not asked for.
    `interface` is read where it is asked for. `classes` are those of a file that was read as C++ (`cxx`), where they are
    asked for: the complete classes, structs and unions that it defines, and the instances of templates that it names; `calls`
    are the functions of such a file, and `symbols` the names by which a linker knows them.
    """

    records: tuple[Record, ...] = ()
    functions: tuple[Prototype, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    elsewhere: tuple[int, int] = (0, 0)
    interface: Interface = NOTHING
    classes: tuple[Class, ...] = ()
    cxx: bool = False
    calls: tuple[CxxPrototype, ...] = ()
    symbols: Mapping[str, CxxPrototype] = {}


class Classes(Enum):
    """The choice whether classes of C++ are read, and whether a file is taken for C++ for that."""

    NONE = "not read"
    AS_NAMED = "read where the file is of C++"
    BESIDE_C = (
        "read from the file as C++, and what C has, too, from the file as C, if its name leaves that open"
    )
    ALONE = "read from the file as C++"


class ReadOptions(msgspec.Struct, frozen=True):
    """Options for reading a file: the compiler's `options`, the `sysroot` of its system headers (empty: any found).

    `included` are patterns of the included files whose declarations are read too: `*` for all. A `strict` reading raises
    a `Problem` for the first declaration that cannot be expressed; any other skips it. With `interface` all is read that a
    baseline keeps.
    """

    options: tuple[str, ...] = ()
    sysroot: str = ""
    included: tuple[str, ...] = ()
    strict: bool = True
    interface: bool = False
    classes: Classes = Classes.NONE


STRICT = ReadOptions()


def load() -> None:
    """Load what reading needs, so that no process that is forked to read has to; raises `Problem` where libclang is missing."""
    from abiprobe.harness.input import (  # noqa: F401
        clang_queries,
        cxx_functions,
        interface,
        own_classes,
        reading,
        variadic_calls,
    )
    from abiprobe.harness.input.libclang import cindex

    cindex()


def read_path(
    path: str | Path, *, triple: str, options: Sequence[str] = (), how: ReadOptions = STRICT
) -> Declarations:
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
    return read(data.decode(errors="replace"), filename=filename, triple=triple, options=options, how=how)


def read(
    source: str, *, filename: str, triple: str, options: Sequence[str] = (), how: ReadOptions = STRICT
) -> Declarations:
    """The declarations in the C text `source`, as the compiler for `triple` sees them with `options`.

    `filename` is for messages and for finding `#include "..."`. Raises `Problem` for text that is no C, for a construct
    that cannot be expressed if the reading is strict, and where libclang is not installed.
    """
    from abiprobe.harness.input.libclang import TOO_DEEP
    from abiprobe.harness.input.limit_values import NESTED
    from abiprobe.harness.input.unit import Input, parse
    from abiprobe.harness.input.variadic_calls import may_call, with_bodies

    text = source.removeprefix("\ufeff").encode(errors="replace")
    _refuse(text, filename)
    asked = Input(
        text,
        filename,
        triple,
        (*options, *how.options),
        strict=how.strict,
        sysroot=how.sysroot,
        included=how.included,
        interface=how.interface,
        classes=how.classes,
    )
    try:
        return read_unit(with_bodies(asked) if may_call(text) else parse(asked))
    except TOO_DEEP:
        raise Problem(f"{filename}: {NESTED}") from None


def read_classes(
    source: str, *, filename: str, triple: str, options: Sequence[str] = ()
) -> tuple[Class, ...]:
    """The classes that the C++ text `source` defines, as the compiler for `triple` sees them with `options`.

    Raises `Problem` for text that is no C++, for a class that cannot be expressed, and where libclang is not installed.
    """
    how = ReadOptions(classes=Classes.ALONE)
    return read(source, filename=filename, triple=triple, options=options, how=how).classes


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


def read_unit(unit: Unit) -> Declarations:
    """The declarations of a unit, read once, and once more if clang had to be asked something; raises `Problem` as `read` does."""
    from abiprobe.harness.input.clang_queries import ask, uses_pack
    from abiprobe.harness.input.reading import Reading

    packs = uses_pack(unit.texts.values(), unit.source.options)
    reading = Reading(unit, {}, packs=packs)
    found = _pass(reading)
    if reading.open:
        # What clang cannot answer is found by parses, each of which brings the library of C++, and templates have much of it.
        unasked = unit.cxx and unit.source.package
        answers = dict.fromkeys(reading.open, UNASKED) if unasked else ask(reading.open, unit)
        found = _pass(Reading(unit, answers, packs=packs))
    return found


def _pass(reading: Reading) -> Declarations:
    """Return the declarations of the file, as far as `reading` has answers.

    Raises `Problem` for one that a strict reading cannot express.
    """
    from abiprobe.harness.input.interface import interface

    asked = (
        _cxx(reading) if reading.unit.cxx and reading.unit.source.classes is not Classes.NONE else _c(reading)
    )
    if asked.skipped and reading.unit.source.strict:
        first = asked.skipped[0]
        raise Problem(f"{first.where}: {first.reason}" if first.where else first.reason, first.hint)
    wanted = reading.unit.source.interface
    return msgspec.structs.replace(
        asked,
        elsewhere=(0, 0) if reading.unit.source.package else reading.unit.elsewhere,
        interface=interface(reading) if wanted else NOTHING,
        cxx=reading.unit.cxx,
    )


def _c(reading: Reading) -> Declarations:
    """Return the declarations of the file that C has, too."""
    from abiprobe.harness.input.own_declarations import functions, lost, records, unread
    from abiprobe.harness.input.variadic_calls import unreadable_calls

    skipped: list[Skipped] = []
    asked = Declarations(records(reading, skipped), functions(reading, skipped))
    skipped += (*unread(reading), *lost(reading), *unreadable_calls(reading, asked.functions))
    return msgspec.structs.replace(asked, skipped=tuple(skipped))


def _cxx(reading: Reading) -> Declarations:
    """The classes that the file defines, and its functions; beside these those that C has, too, unless it is asked for C++ alone."""
    from abiprobe.harness.input.cxx_functions import own_cxx_functions
    from abiprobe.harness.input.own_classes import own_classes
    from abiprobe.harness.input.own_declarations import functions, lost, records
    from abiprobe.harness.input.variadic_calls import unreadable_calls

    skipped: list[Skipped] = []
    classes = own_classes(reading, skipped)
    if reading.unit.source.classes is Classes.ALONE:
        symbols = own_cxx_functions(reading, skipped)
        calls = tuple(dict.fromkeys(symbols.values()))
        skipped += lost(reading)
        return Declarations(classes=classes, skipped=tuple(skipped), calls=calls, symbols=symbols)
    # What of them no C has is C++, and told as such.
    asked = Declarations(records(reading, []), functions(reading, []), classes=classes)
    calls = tuple(dict.fromkeys(own_cxx_functions(reading, skipped).values()))
    skipped += (*lost(reading), *unreadable_calls(reading, asked.functions))
    return msgspec.structs.replace(asked, skipped=tuple(skipped), calls=calls)
