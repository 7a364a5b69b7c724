"""The records and functions that a file declares itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from abiprobe.harness.declarations.calls import as_called
from abiprobe.harness.declarations.functions import has_prototype, prototype
from abiprobe.harness.declarations.libclang import cindex
from abiprobe.harness.declarations.reading import identifier
from abiprobe.harness.declarations.records import record
from abiprobe.harness.declarations.simd import UnreadableError, macros, named_right, pragmas
from abiprobe.harness.declarations.vectors import with_pragmas
from abiprobe.oracles.lang import Record

if TYPE_CHECKING:
    from abiprobe.harness.declarations.reading import Reading
    from abiprobe.oracles.lang import Prototype
    from abiprobe.oracles.simd import Simd


def records(reading: Reading) -> tuple[Record, ...]:
    """Every complete struct and union of the file that has a name, in the order in which they are completed."""
    tags: dict[str, Any] = {}
    found = []
    for cursor in _definitions(reading):
        value = record(reading, cursor, cursor)
        if not isinstance(value, Record) or not identifier(cursor):
            continue
        if value.tag in tags:
            raise reading.problem(cursor, f"two types would both be called {value.keyword} {value.tag}")
        tags[value.tag] = cursor
        found.append(value)
    return tuple(found)


def functions(reading: Reading) -> tuple[Prototype, ...]:
    """Every function that the file declares, where it is first declared, as its last prototype says.

    A variadic one is there once for each list of unnamed arguments with which the file calls it.
    """
    found: dict[str, Any] = {}
    for cursor in reading.unit.own:
        if cursor.kind == cindex().CursorKind.FUNCTION_DECL:
            earlier = found.get(cursor.spelling)
            if earlier is not None and reading.unit.cxx and earlier.mangled_name != cursor.mangled_name:
                raise reading.problem(cursor, f"{cursor.spelling} is overloaded: give each a name of its own")
            if earlier is None or has_prototype(cursor) or not has_prototype(earlier):
                found[cursor.spelling] = cursor
    asked = simd_pragmas(reading)
    return tuple(
        called
        for name, cursor in found.items()
        for called in as_called(
            reading, with_pragmas(reading, cursor, prototype(reading, cursor), asked.get(name, ()))
        )
    )


def simd_pragmas(reading: Reading) -> dict[str, tuple[Simd, ...]]:
    """The `declare simd` pragmas of each function, those of all its declarations; raises `Problem` for an odd one."""
    data = reading.unit.source.text
    found: dict[str, tuple[Simd, ...]] = {}
    if b"simd" not in data:
        return found
    defined = macros(data.decode(errors="replace"))
    before = 0
    for cursor in reading.unit.own:
        text = data[before : cursor.extent.end.offset].decode(errors="replace")
        before = cursor.extent.end.offset
        if cursor.kind != cindex().CursorKind.FUNCTION_DECL:
            continue
        try:
            simds = pragmas(text, defined)
        except UnreadableError as error:
            raise reading.problem(cursor, f"declare simd: {error} cannot be read") from None
        names = {argument.spelling for argument in cursor.get_arguments()}
        unknown = named_right(names, simds)
        if unknown:
            raise reading.problem(cursor, f"declare simd: {unknown} is no parameter of {cursor.spelling}")
        if simds:
            found[cursor.spelling] = (*found.get(cursor.spelling, ()), *simds)
    return found


def _definitions(reading: Reading) -> list[Any]:
    """Every record definition of the file, inner ones first, so that deep nesting needs no deep recursion."""
    cursors = cindex().CursorKind
    waiting = list(reading.unit.own)
    found = []
    while waiting:
        cursor = waiting.pop()
        if cursor.kind in (cursors.STRUCT_DECL, cursors.UNION_DECL) and cursor.is_definition():
            found.append(cursor)
            waiting += cursor.get_children()
    return found[::-1]
