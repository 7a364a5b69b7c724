"""Structs, unions and enumerations, as they were declared."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from abiprobe.harness.input import types
from abiprobe.harness.input.libclang import cindex, some_children, some_fields
from abiprobe.harness.input.limit_values import PLACES
from abiprobe.harness.input.limits import TooLarge, expect_few, expect_shallow, expect_within
from abiprobe.harness.input.reading import identifier
from abiprobe.oracles.language.lang import Enum, Enumerator, Member, Pointer, Position, Record

if TYPE_CHECKING:
    from collections.abc import Callable

    from abiprobe.harness.input.reading import Reading
    from abiprobe.oracles.language.lang import Type


QUALIFIERS = frozenset({"const", "volatile", "restrict", "__restrict", "_Atomic"})


def record(reading: Reading, declaration: Any, where: Any) -> Type:
    """The struct or union that `declaration` declares; raises `Problem` at `where` if it is incomplete."""
    return _read_once(reading, _definition(reading, declaration, where), _record)


def _read_once(reading: Reading, definition: Any, read: Callable[[Reading, Any], Type]) -> Type:
    """Return what `read` makes of a definition, which is read once, even if it is too large to be read at all."""
    if definition in reading.known:
        return reading.known[definition]
    if definition in reading.too_large:
        raise TooLarge(reading.unit.where(definition.location), reading.too_large[definition])
    reading.inside += 1
    try:
        expect_shallow(reading, definition)
        reading.known[definition] = read(reading, definition)
    except TooLarge as error:
        reading.too_large[definition] = error.reason
        raise
    finally:
        reading.inside -= 1
    return reading.known[definition]


def _record(reading: Reading, definition: Any) -> Record:
    reading.expect_sound(definition)
    fields = some_fields(definition.type, PLACES + 1)
    expect_few(reading, definition, len(fields))
    if reading.unit.cxx:
        _refuse_classes(reading, definition)
    attributes = reading.attributes(definition)
    result = Record(
        reading.tag(definition),
        tuple(_member(reading, field) for field in fields),
        union=definition.kind == cindex().CursorKind.UNION_DECL,
        packed=attributes.packed,
        align=reading.single_alignment(definition, attributes.aligned),
        pack=reading.pack(definition),
        ms_struct=attributes.ms_struct or None,
    )
    expect_within(reading, definition, (result,))
    return result


def _refuse_classes(reading: Reading, definition: Any) -> None:
    """Raise `Problem` for what C++ lays out or passes as no C does."""
    base = cindex().CursorKind.CXX_BASE_SPECIFIER
    if any(child.kind == base for child in definition.get_children()):
        why = "has a base class, which no struct of C has"
    elif not any(definition.type.get_fields()):
        why = "has no members: C++ passes such a struct by rules that C does not have"
    elif not definition.type.is_pod():
        why = "has a constructor, a virtual function or the like, which no struct of C has"
    else:
        return
    raise reading.problem(definition, f"{definition.type.spelling} {why}")


def _member(reading: Reading, field: Any) -> Member:
    attributes = reading.attributes(field)
    if attributes.overlapping:
        raise reading.problem(field, "attribute no_unique_address is not something abiprobe can express")
    c_type = types.convert(reading, field.type, field)
    name = identifier(field)
    width = field.get_bitfield_width() if field.is_bitfield() else None
    if not name and width is None and isinstance(c_type, Record) and c_type.tag:
        raise reading.problem(field, "an anonymous member with a tag is an extension abiprobe cannot express")
    return Member(
        c_type,
        name,
        width=width,
        packed=attributes.packed,
        align=reading.alignment(field, attributes.aligned),
        alignas=reading.alignment(field, attributes.alignas),
        position=_position(field) if isinstance(c_type, Pointer) else Position.AFTER,
    )


def _position(field: Any) -> Position:
    """Return the position of a pointer's attributes: between its last star and its name, or elsewhere, which all means the same."""
    if not cindex().conf.lib.clang_Cursor_hasAttrs(field):
        return Position.AFTER
    words = [token.spelling for token in field.get_tokens()]
    stars = [at for at, word in enumerate(words) if word == "*"]
    rest = [word for word in words[stars[-1] + 1 :] if word not in QUALIFIERS] if stars else []
    return Position.POINTER if rest[:1] == ["__attribute__"] else Position.AFTER


def enum(reading: Reading, declaration: Any, where: Any) -> Type:
    """The enumeration that `declaration` declares; raises `Problem` at `where` if it is incomplete."""
    return _read_once(reading, _definition(reading, declaration, where), _enum)


def _enum(reading: Reading, definition: Any) -> Enum:
    reading.expect_sound(definition)
    attributes = reading.attributes(definition)
    if attributes.aligned or attributes.alignas:
        raise reading.problem(
            definition, "attribute aligned on an enumeration is not something abiprobe can express"
        )
    if re.search(r"(?<!:):(?!:)", reading.print(definition).partition("{")[0]):
        raise reading.problem(definition, "an enumeration with a fixed underlying type is not supported")
    constants = some_children(definition, (cindex().CursorKind.ENUM_CONSTANT_DECL,), PLACES + 1)
    expect_few(reading, definition, len(constants))
    return Enum(
        reading.tag(definition),
        tuple(Enumerator(constant.spelling, constant.enum_value) for constant in constants),
        packed=attributes.packed,
    )


def _definition(reading: Reading, declaration: Any, where: Any) -> Any:
    definition = declaration if declaration.is_definition() else declaration.get_definition()
    if definition is None:
        raise reading.problem(where, f"{declaration.type.spelling} is incomplete here")
    return definition
