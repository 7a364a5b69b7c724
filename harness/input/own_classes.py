"""The C++ classes that a file defines itself, and which of them cannot be asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import Skipped
from abiprobe.harness.input.classes import class_of
from abiprobe.harness.input.libclang import TOO_DEEP, cindex, element_type, kind_of
from abiprobe.harness.input.limits import expect_class_room
from abiprobe.harness.input.own_declarations import skip
from abiprobe.oracles.language.classes import Class

if TYPE_CHECKING:
    from collections.abc import Iterator

    from abiprobe.harness.input.reading import Reading


def own_classes(reading: Reading, skipped: list[Skipped]) -> tuple[Class, ...]:
    """Every complete class of the file, in the order of their beginnings, and the instances of templates that it names.

    Those that cannot be asked about go to `skipped`.
    """
    found: dict[str, Class] = {}
    for cursor in definitions(reading):
        try:
            value = class_of(reading, cursor, cursor)
            if not value.tag:
                continue
            if found.get(value.tag, value) != value:
                raise reading.problem(cursor, f"two types would both be called {value.tag}")
            expect_class_room(reading, cursor, value)
        except (Problem, *TOO_DEEP) as error:
            skipped.append(skip(reading, cursor, cursor.type.spelling, error))
            continue
        found[value.tag] = value
    return tuple(found.values())


def definitions(reading: Reading) -> Iterator[Any]:
    """Yield the definitions of classes, each once: at all levels of namespaces and classes, and those of instances of templates."""
    kinds = cindex().CursorKind
    records = (kinds.STRUCT_DECL, kinds.CLASS_DECL, kinds.UNION_DECL)
    names = (
        *(kinds.TYPEDEF_DECL, kinds.TYPE_ALIAS_DECL),
        *(kinds.VAR_DECL, kinds.FIELD_DECL, kinds.CXX_BASE_SPECIFIER),
    )
    given: set[Any] = set()
    for cursor in scopes(reading, (*records, kinds.NAMESPACE, kinds.LINKAGE_SPEC)):
        found = None
        if cursor.kind in records and cursor.is_definition():
            found = cursor
        elif cursor.kind in names:
            found = instance(cursor)
        if found is not None and found not in given:
            given.add(found)
            yield found


def instance(named: Any) -> Any | None:
    """The definition of the instance of a template that a declaration names, if its type is one."""
    clang = cindex()
    c_type = named.type.get_canonical()
    while kind_of(c_type) == clang.TypeKind.CONSTANTARRAY:
        c_type = element_type(c_type)
    declaration = c_type.get_declaration()
    is_instance = clang.conf.lib.clang_getSpecializedCursorTemplate(declaration) is not None
    return declaration.get_definition() if kind_of(c_type) == clang.TypeKind.RECORD and is_instance else None


def scopes(reading: Reading, inner: tuple[Any, ...]) -> Iterator[Any]:
    """Yield the declarations of a file in their order, and those within declarations of the kinds `inner` behind each."""
    waiting = list(reading.unit.own)
    while waiting:
        cursor = waiting.pop(0)
        yield cursor
        if cursor.kind in inner:
            waiting = [*cursor.get_children(), *waiting]
