"""The records and functions that a file declares itself, and which of them cannot be asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import Skipped
from abiprobe.harness.input.functions import for_processor, has_prototype, prototype
from abiprobe.harness.input.libclang import TOO_DEEP, cindex, some_children
from abiprobe.harness.input.limit_values import NESTED
from abiprobe.harness.input.limits import expect_room
from abiprobe.harness.input.reading import Inexpressible, identifier
from abiprobe.harness.input.records import record
from abiprobe.harness.input.simd import UnreadableError, macros, named_right, pragmas
from abiprobe.harness.input.variadic_calls import as_called
from abiprobe.harness.input.vectors import with_pragmas
from abiprobe.oracles.language.lang import Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from abiprobe.harness.input.reading import Reading
    from abiprobe.oracles.language.lang import Prototype
    from abiprobe.oracles.language.simd import Simd

NAMESPACE = "C++: in a namespace"
CLASS = "C++: a class or a template"


def records(reading: Reading, skipped: list[Skipped]) -> tuple[Record, ...]:
    """Every complete struct and union of the file that has a name, in the order in which they are completed.

    Those that cannot be asked about go to `skipped`.
    """
    tags: dict[str, Any] = {}
    found = []
    for cursor in definitions(reading):
        try:
            value = record(reading, cursor, cursor)
            if not isinstance(value, Record) or not identifier(cursor):
                continue
            if value.tag in tags:
                raise reading.problem(cursor, f"two types would both be called {value.keyword} {value.tag}")
            expect_room(reading, cursor, value)
        except (Problem, *TOO_DEEP) as error:
            if name := identifier(cursor):
                keyword = "union" if cursor.kind == cindex().CursorKind.UNION_DECL else "struct"
                one = skip(reading, cursor, f"{keyword} {name}", error)
                skipped.append(replace(one, called=reading.unit.cxx or name in reading.words_in_functions))
            continue
        tags[value.tag] = cursor
        found.append(value)
    return tuple(found)


def functions(reading: Reading, skipped: list[Skipped]) -> tuple[Prototype, ...]:
    """Every function that the file declares, where it is first declared, as its last prototype says.

    A variadic one is there once for each list of unnamed arguments with which the file calls it. Those that cannot be
    asked about go to `skipped`.
    """
    found: dict[str, Any] = {}
    overloaded: dict[str, Any] = {}
    for cursor in reading.unit.own:
        if cursor.kind == cindex().CursorKind.FUNCTION_DECL:
            earlier = found.get(cursor.spelling)
            if earlier is not None and reading.unit.cxx and earlier.mangled_name != cursor.mangled_name:
                overloaded.setdefault(cursor.spelling, cursor)
            if earlier is None or has_prototype(cursor) or not has_prototype(earlier):
                found[cursor.spelling] = cursor
    asked: list[Prototype] = []
    for name, cursor in found.items():
        try:
            if name in overloaded:
                message = f"{name} is overloaded: give each a name of its own"
                raise reading.problem(overloaded[name], message)
            plain = prototype(reading, cursor)
            expect_room(reading, cursor, plain)
            called = as_called(reading, with_pragmas(reading, cursor, plain, simd_of(reading, name)))
            asked += [for_processor(reading, cursor, one) for one in called]
        except (Problem, *TOO_DEEP) as error:
            skipped.append(skip(reading, cursor, name, error))
    return tuple(asked)


def unread(reading: Reading) -> Iterator[Skipped]:
    """The declarations that are left out because they are C++: everything in namespaces, classes and templates."""
    kinds = cindex().CursorKind
    others = (kinds.CLASS_DECL, kinds.CLASS_TEMPLATE, kinds.FUNCTION_TEMPLATE)
    waiting = list(reading.unit.own) if reading.unit.cxx else []
    while waiting:
        cursor = waiting.pop(0)
        where = reading.unit.where(cursor.location)
        inside = is_in_namespace(cursor)
        if cursor.kind == kinds.NAMESPACE:
            waiting += cursor.get_children()
        elif cursor.kind in others and (cursor.is_definition() or cursor.kind == kinds.FUNCTION_TEMPLATE):
            yield Skipped(cursor.spelling, where, CLASS)
        elif inside and cursor.kind == kinds.LINKAGE_SPEC:
            waiting += cursor.get_children()
        elif inside and (
            cursor.kind == kinds.FUNCTION_DECL
            or (cursor.kind in (kinds.STRUCT_DECL, kinds.UNION_DECL) and cursor.is_definition())
        ):
            yield Skipped(cursor.spelling, where, NAMESPACE)


def is_in_namespace(cursor: Any) -> bool:
    """Return whether a declaration is a member of a namespace with a name or without."""
    parent = cursor.semantic_parent
    return parent is not None and parent.kind == cindex().CursorKind.NAMESPACE


def lost(reading: Reading) -> Iterator[Skipped]:
    """The errors after which clang kept no declaration at all, in the file itself."""
    for error in reading.unit.errors:
        if error.path == reading.unit.source.path and error not in reading.unit.broken.values():
            yield Skipped("", error.where, error.reason)


def skip(reading: Reading, cursor: Any, name: str, error: Exception) -> Skipped:
    """A declaration that cannot be asked about, because of an error that reading it raised."""
    match error:
        case Inexpressible(where=where, reason=reason, hint=hint):
            return Skipped(name, where, reason, hint)
        case Problem(message=message, hint=hint):
            return Skipped(name, "", message, hint)
        case _:
            return Skipped(name, reading.unit.where(cursor.location), NESTED)


def simd_of(reading: Reading, name: str) -> tuple[Simd, ...]:
    """The `declare simd` pragmas of all declarations of a function; raises `Inexpressible` for an odd one."""
    if reading.pragmas is None:
        reading.pragmas = _simd_pragmas(reading)
    found = reading.pragmas.get(name, ())
    if isinstance(found, Inexpressible):
        raise found
    return found


def _simd_pragmas(reading: Reading) -> dict[str, tuple[Simd, ...] | Inexpressible]:
    """The pragmas of each function that the file declares itself; of an included one they are not read."""
    data = reading.unit.source.text
    found: dict[str, tuple[Simd, ...] | Inexpressible] = {}
    if b"simd" not in data:
        return found
    defined = macros(data.decode(errors="replace"))
    before = 0
    for cursor in reading.unit.own:
        if not reading.unit.is_in_file(cursor):
            continue
        text = data[before : cursor.extent.end.offset].decode(errors="replace")
        before = cursor.extent.end.offset
        earlier = found.get(cursor.spelling, ())
        if cursor.kind == cindex().CursorKind.FUNCTION_DECL and not isinstance(earlier, Inexpressible):
            try:
                found[cursor.spelling] = (*earlier, *_pragmas(reading, cursor, text, defined))
            except Inexpressible as error:
                found[cursor.spelling] = error
    return found


def _pragmas(reading: Reading, cursor: Any, text: str, defined: Mapping[str, str]) -> tuple[Simd, ...]:
    """The pragmas in the text before a function; raises `Inexpressible`."""
    try:
        simds = pragmas(text, defined)
    except UnreadableError as error:
        raise reading.problem(cursor, f"declare simd: {error} cannot be read") from None
    unknown = named_right({argument.spelling for argument in cursor.get_arguments()}, simds)
    if unknown:
        raise reading.problem(cursor, f"declare simd: {unknown} is no parameter of {cursor.spelling}")
    return simds


def definitions(reading: Reading) -> list[Any]:
    """Every record definition of the file, inner ones first, so that deep nesting needs no deep recursion."""
    cursors = cindex().CursorKind
    kinds = (cursors.STRUCT_DECL, cursors.UNION_DECL)
    waiting = list(reading.unit.own)
    found = []
    while waiting:
        cursor = waiting.pop()
        if cursor.kind in kinds and cursor.is_definition():
            found.append(cursor)
            waiting += some_children(cursor, kinds)
    return found[::-1]
