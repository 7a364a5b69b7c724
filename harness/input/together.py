"""Many headers read together: in as few translation units as they need, each file once.

Headers that do not go together are found by the errors that clang has in the files that each includes. Those without errors are read;
the others are tried again among themselves, then as C23, then with errors in single declarations forgiven. Of C++ these are forgiven
from the first.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import Classes, Declarations, ReadOptions, read_unit
from abiprobe.harness.input.libclang import TOO_DEEP
from abiprobe.harness.input.limit_values import NESTED
from abiprobe.harness.input.unit import Input, Unit, parse_as

if TYPE_CHECKING:
    from abiprobe.harness.input.errors import Error

Attempt: TypeAlias = tuple[tuple[str, ...], bool]
"""The language of an attempt, and whether errors in single declarations are forgiven."""
C17, C23 = ("-x", "c", "-std=gnu17"), ("-x", "c", "-std=gnu2x")
ATTEMPTS: Sequence[Attempt] = ((C17, False), (C23, False), (C17, True))
CXX_ATTEMPTS: Sequence[Attempt] = (
    (("-x", "c++", "-std=gnu++20"), True),
    (("-x", "c++", "-std=gnu++14"), True),
)
PARSES, CXX_PARSES = 40, 12
"""So many units are parsed at most for the headers that are given together; each of C++ brings the standard library."""
TOO_MANY = "it goes together with none of those read in any attempt"
OF_CXX = "the header is for C++"
CXX = re.compile(
    r"unknown type name '(?:namespace|template|class|using|typename|constexpr|virtual|explicit|friend)'"
)
"""Clang's messages about C++ that it reads as C."""
NAME = "headers.c"


class Together(msgspec.Struct, frozen=True):
    """The declarations of headers by unit, and of those that could not be read the reason."""

    found: tuple[Declarations, ...]
    unread: Mapping[str, str]


def read_together(
    headers: Sequence[str], *, triple: str, options: Sequence[str], how: ReadOptions
) -> Together:
    """Read headers, by their paths, for a target; `included` of `how` are the patterns of the files that are asked about.

    They are read as C, or as C++ if classes are.
    """
    source = Input(
        b"",
        NAME,
        triple,
        (*options, *how.options),
        strict=False,
        sysroot=how.sysroot,
        included=how.included,
        classes=how.classes,
        package=True,
    )
    return _Headers(source).read([os.path.realpath(one) for one in headers])


class _Headers:
    """The headers that are read so far, and the parses that are left."""

    def __init__(self, source: Input) -> None:
        self._source = source
        cxx = source.classes is not Classes.NONE
        self._attempts = CXX_ATTEMPTS if cxx else ATTEMPTS
        self._parses = CXX_PARSES if cxx else PARSES
        self._files: frozenset[str] = frozenset()
        self._unread: dict[str, str] = {}

    def read(self, headers: Sequence[str]) -> Together:
        """Read as many of the headers as can be read."""
        waiting = dict.fromkeys(dict.fromkeys(headers), TOO_MANY)
        found = tuple(
            one
            for language, forgiving in self._attempts
            for one in self._attempt(waiting, language, forgiving=forgiving)
        )
        unread = {**self._unread, **waiting}
        return Together(found, {one: why for one, why in unread.items() if one not in self._files})

    def _attempt(
        self, waiting: dict[str, str], language: tuple[str, ...], *, forgiving: bool
    ) -> Iterator[Declarations]:
        """Yield what the `waiting` headers declare that can be read, and leave there the others with their errors."""
        while waiting:
            unit, faulty = self._sound(list(waiting), language, forgiving=forgiving)
            waiting.clear()
            if unit is None:
                waiting.update(faulty)
                return
            try:
                yield read_unit(unit)
            except Problem as problem:
                self._unread |= dict.fromkeys(_tops(unit), problem.message)
            except TOO_DEEP:
                self._unread |= dict.fromkeys(_tops(unit), NESTED)
            else:
                self._files |= set(map(_real, _included(unit)))
            waiting.update({one: why for one, why in faulty.items() if one not in self._files})

    def _sound(
        self, headers: list[str], language: tuple[str, ...], *, forgiving: bool
    ) -> tuple[Unit | None, dict[str, str]]:
        """Return a unit of those headers in which clang finds no error, if there are any, and the others with their errors."""
        faulty: dict[str, str] = {}
        while headers and self._parses:
            self._parses -= 1
            text = "".join(f'#include "{one}"\n' for one in headers).encode(errors="replace")
            source = msgspec.structs.replace(self._source, text=text, read_already=self._files)
            unit = parse_as(source, language)
            blamed = _blamed(unit, headers, [one for one in unit.errors if one.fatal or not forgiving])
            if not blamed:
                return unit, faulty
            settled = {header: why for header, error in blamed.items() if (why := _settled(error))}
            self._unread |= settled
            left_out = settled or _spoiling(blamed, headers)
            faulty |= {header: why for header, why in left_out.items() if header not in settled}
            headers = [one for one in headers if one not in left_out]
        return None, faulty | dict.fromkeys(headers, TOO_MANY)


def _spoiling(blamed: Mapping[str, Error], headers: Sequence[str]) -> dict[str, str]:
    """Return the headers to leave out, with their errors: those to blame, or the first where that is all, as it may spoil what is behind it."""
    left_out = blamed if len(blamed) < len(headers) else headers[:1]
    return {header: blamed[header].reason for header in left_out}


def _settled(error: Error) -> str:
    """The reason why a header can be read beside no others, unless one of them includes it; empty for an error that may be another's."""
    if CXX.match(error.reason):
        return OF_CXX
    return error.reason if error.lexical else ""


def _blamed(unit: Unit, headers: Sequence[str], errors: Sequence[Error]) -> dict[str, Error]:
    """Return the headers to blame for errors, each with one: the one in which it is, or the first that includes its file.

    The error is one that settles the matter, if there is any, else the first.
    """
    if not errors:
        return {}
    tops = set(headers)
    first: dict[str, str] = {}
    for top, inner in _inclusions(unit):
        first.setdefault(inner, top)
    blamed: dict[str, Error] = {}
    for error in errors:
        path = _real(error.path) if error.path else ""
        if error.lexical and path in tops and first.get(path, path) != path:
            # It refuses to be included by itself, and was included by another before.
            continue
        header = path if path in tops else first.get(path, "")
        header = header if header in tops else headers[0]
        if header not in blamed or (_settled(error) and not _settled(blamed[header])):
            blamed[header] = error
    return blamed


def _inclusions(unit: Unit) -> Iterator[tuple[str, str]]:
    """Yield each included file with the header of the unit that includes it, in the order in which clang enters them."""
    top = ""
    for one in unit.tree.get_includes():
        path = _real(one.include.name)
        top = path if one.depth == 1 else top
        yield top, path


def _included(unit: Unit) -> Iterator[str]:
    """Yield every file that a unit includes."""
    return (one.include.name for one in unit.tree.get_includes())


def _tops(unit: Unit) -> list[str]:
    """The headers that a unit names."""
    return re.findall(r'"(.*)"', unit.source.text.decode(errors="replace"))


@cache
def _real(path: str) -> str:
    return os.path.realpath(path)
