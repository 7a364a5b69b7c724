"""The records and functions that a file declares itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from abiprobe.harness.declarations.functions import has_prototype, prototype
from abiprobe.harness.declarations.libclang import cindex
from abiprobe.harness.declarations.reading import identifier
from abiprobe.harness.declarations.records import record
from abiprobe.oracles.lang import Record

if TYPE_CHECKING:
    from abiprobe.harness.declarations.reading import Reading
    from abiprobe.oracles.lang import Prototype


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
    """Every function that the file declares, where it is first declared, as its last prototype says."""
    found: dict[str, Any] = {}
    for cursor in reading.unit.own:
        if cursor.kind == cindex().CursorKind.FUNCTION_DECL:
            earlier = found.get(cursor.spelling)
            if earlier is None or has_prototype(cursor) or not has_prototype(earlier):
                found[cursor.spelling] = cursor
    return tuple(prototype(reading, cursor) for cursor in found.values())


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
