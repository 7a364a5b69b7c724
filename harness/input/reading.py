"""The state of reading a translation unit: the types met so far, and the queries for clang."""

from __future__ import annotations

import re
from ctypes import byref, c_uint
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input.attributes import Attributes, Printer
from abiprobe.harness.input.clang_queries import Alignment, Pack, Question, literal, scoped
from abiprobe.harness.input.errors import hint
from abiprobe.harness.input.libclang import cindex

if TYPE_CHECKING:
    from collections.abc import Mapping

    from abiprobe.harness.input.unit import Unit
    from abiprobe.oracles.engine.unfolded import Unfolded
    from abiprobe.oracles.language.classes import Class
    from abiprobe.oracles.language.lang import Type
    from abiprobe.oracles.language.simd import Simd


class Inexpressible(Problem):
    """A declaration that cannot be asked about: `where` it is and the `reason`, which is alike for alike declarations."""

    def __init__(self, where: str, reason: str, hint: str = "") -> None:
        super().__init__(f"{where}: {reason}", hint)
        self.where = where
        self.reason = reason


class Reading:
    """One pass over a unit. `open` collects the questions that `answers` does not answer yet.

    `unfolded` is what has been found of types, `too_large` why records and enumerations were not read, `inside` how many
    are being read within one another, and `places` how many scalars are in what is asked about so far: see `limits`.
    """

    def __init__(self, unit: Unit, answers: Mapping[Question, int | Problem], *, packs: bool) -> None:
        self.unit = unit
        self.known: dict[Any, Type] = {}
        self.known_classes: dict[Any, Class] = {}
        self.open: dict[Question, None] = {}
        self.print = Printer(unit)
        self.pragmas: dict[str, tuple[Simd, ...] | Inexpressible] | None = None
        self.calls: dict[str, list[Any]] | None = None
        self.unfolded: dict[Type, Unfolded] = {}
        self.too_large: dict[Any, str] = {}
        self.inside = 0
        self.places = 0
        self.places_of_classes: dict[Class, int] = {}
        self._answers = answers
        self._invented: dict[Any, str] = {}
        self._numbers: dict[str, int] = {}
        self._packs = packs

    def problem(self, cursor: Any, message: str) -> Inexpressible:
        """Return the error to raise if the declaration `cursor` cannot be expressed, for the reason `message`."""
        return Inexpressible(self.unit.where(cursor.location), message)

    def expect_sound(self, cursor: Any) -> None:
        """Raise `Inexpressible` for a declaration that clang could not make sense of."""
        error = self.unit.broken.get(cursor) if self.unit.errors else None
        if error is not None:
            raise Inexpressible(error.where, error.reason, hint(error.reason))

    def attributes(self, cursor: Any) -> Attributes:
        """The attributes of the declaration `cursor`; raises `Problem` for one that cannot be expressed."""
        found = self.print.attributes(cursor)
        if found.inexpressible:
            raise self.problem(
                cursor, f"attribute {found.inexpressible} is not something abiprobe can express"
            )
        return found

    def alignment(self, cursor: Any, specifiers: tuple[str, ...]) -> int | None:
        """Bytes of the strictest of `specifiers` of `cursor`; `None` where there are none or only `_Alignas(0)`."""
        values = [self._answer(self._alignment(cursor, specifier)) for specifier in specifiers]
        return max(values, default=0) or None

    def single_alignment(self, cursor: Any, specifiers: tuple[str, ...]) -> int | None:
        """Like `alignment`, for types: raises `Problem` for two different values.

        gcc lets the last of two `aligned` attributes of a type win, clang the strictest.
        """
        values = {self._answer(self._alignment(cursor, specifier)) for specifier in specifiers}
        if len(values) > 1 and not self.open:
            raise self.problem(
                cursor, "two different aligned attributes on one type: compilers disagree on it"
            )
        return max(values, default=None)

    def _alignment(self, cursor: Any, specifier: str) -> Alignment:
        """The question of what a specifier is worth where `cursor` declares something: in C, which has no scopes of types, anywhere."""
        asked = Alignment(specifier)
        return scoped(asked, cursor) if self.unit.cxx and literal(asked) is None else asked

    def pack(self, cursor: Any) -> int | None:
        """The `#pragma pack` value in bytes at the closing brace of the record `cursor`, `None` without one."""
        if not self._packs or cursor.location.file is None:
            return None
        end = cursor.extent.end
        question = Pack(end.file.name, _spelling_offset(end) - 1)
        return self._answer(question) or None

    def tag(self, definition: Any) -> str:
        """The tag of a record or enumeration, invented where the file gives none.

        Only an anonymous member's type has an empty one: everything else must be named to be used.
        """
        name = identifier(definition)
        if name or cindex().conf.lib.clang_Cursor_isAnonymousRecordDecl(definition):
            return name
        if definition not in self._invented:
            outer = definition.semantic_parent
            stem = (outer and identifier(outer)) or "untagged"
            # All numbers up to the last one that was given to this stem have been found taken.
            first = max(len(self._invented), self._numbers.get(stem, 0)) + 1
            number = next(number for number in count(first) if f"{stem}_{number}" not in self._words)
            self._numbers[stem] = number
            self._invented[definition] = f"{stem}_{number}"
            self._words.add(self._invented[definition])
        return self._invented[definition]

    @cached_property
    def words_in_functions(self) -> frozenset[str]:
        """The words in the types of the functions that the file declares, among them the tags of records."""
        kind = cindex().CursorKind.FUNCTION_DECL
        types = (one.type.get_canonical().spelling for one in self.unit.own if one.kind == kind)
        return frozenset(word for text in types for word in re.findall(r"\w+", text))

    @cached_property
    def _words(self) -> set[str]:
        texts = self.unit.texts.values()
        return {word.decode() for text in texts for word in re.findall(rb"[A-Za-z_]\w*", text)}

    def _answer(self, question: Question) -> int:
        value: int | Problem | None = literal(question) if isinstance(question, Alignment) else None
        if value is None:
            value = self._answers.get(question)
        if isinstance(value, Problem):
            raise value
        if value is None:
            self.open[question] = None
            return 1
        return value


def identifier(cursor: Any) -> str:
    """The name of `cursor`; for an untagged record or enumeration its typedef name; empty where it has none."""
    # What has no name libclang calls by its type or its place: "union S::(anonymous at FILE:LINE:COLUMN)".
    name: str = cursor.spelling
    return name if re.fullmatch(r"[\w$]+", name) else ""


def _spelling_offset(location: Any) -> int:
    """The byte offset of `location` in its file; for a macro's argument, where the argument is written."""
    offset = c_uint()
    cindex().conf.lib.clang_getSpellingLocation(location, None, None, None, byref(offset))
    return offset.value
