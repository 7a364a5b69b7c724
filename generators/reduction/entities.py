"""Simpler C++ entities: one thing less in a name, a type, an argument or a scope."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from abiprobe.oracles.language.entities import (
    AnyEntity,
    ArrayOf,
    Builtin,
    Expansion,
    Function,
    FunctionType,
    Guard,
    Local,
    MemberPointer,
    Named,
    NullPointer,
    Pack,
    PointerTo,
    Qualified,
    ReferenceTo,
    Variable,
    What,
)

INT = Builtin("int")
TYPES = (PointerTo, ReferenceTo, Qualified, ArrayOf, FunctionType, MemberPointer, Expansion)
NAMES = frozenset({"scope", "name", "template"})
"""The fields that no type may stand in."""
CLASSES = frozenset({What.STRUCT, What.UNION, What.ENUM, What.SCOPED_ENUM})


def simpler_entities(asked: AnyEntity) -> Iterator[AnyEntity]:
    """Every entity one step simpler."""
    yield from (cast(AnyEntity, one) for one in changes(asked))


def changes(of: Any) -> Iterator[Any]:
    """A value with one thing less in it."""
    if isinstance(of, tuple):
        for index, one in enumerate(of):
            yield from ((*of[:index], changed, *of[index + 1 :]) for changed in changes(one))
    elif isinstance(of, msgspec.Struct):
        yield from own(of)
        for name in of.__struct_fields__:
            if name == "head":
                continue
            allowed = (one for one in changes(getattr(of, name)) if one != INT or name not in NAMES)
            yield from (replace(of, **{name: changed}) for changed in allowed)


def own(of: msgspec.Struct) -> Iterator[msgspec.Struct]:
    """A value with one thing less of its own."""
    match of:
        case Function() | FunctionType():
            for index in range(len(of.params)):
                yield replace(of, params=of.params[:index] + of.params[index + 1 :])
            if of.result not in {None, INT, Builtin("void")}:
                yield replace(of, result=Builtin("void"))
            yield from flags(of)
        case Guard(inner):
            yield inner
        case Variable() if of.of != INT:
            yield replace(of, of=INT)
        case Local() if of.occurrence > 1:
            yield replace(of, occurrence=1)
        case Pack(arguments):
            for index in range(len(arguments)):
                yield Pack(arguments[:index] + arguments[index + 1 :])
        case NullPointer() if of.of == PointerTo(INT):
            return
        case Named():
            yield from simpler_names(of)
        case _ if isinstance(of, TYPES):
            yield INT


def flags(of: Function | FunctionType) -> Iterator[Function | FunctionType]:
    """A function without one of its qualifiers."""
    plain: dict[str, object] = {
        "const": False,
        "volatile": False,
        "variadic": False,
        "ref": "",
        "noexcept": False,
    }
    for name, value in plain.items():
        if getattr(of, name, value) != value:
            yield replace(of, **{name: value})


def simpler_names(of: Named) -> Iterator[msgspec.Struct]:
    """A class as `int`, and a name with less of a scope."""
    if of.what in CLASSES:
        yield INT
    if isinstance(of.scope, Named):
        yield replace(of, scope=of.scope.scope)
    if (
        isinstance(of.id, str)
        and len(of.id) > 1
        and (not isinstance(of.scope, Named) or of.scope.id != "std")
    ):
        yield replace(of, id=of.id[0])


def of_entity(asked: object) -> int:
    """The cost of an entity: that of all it is made of."""
    if isinstance(asked, tuple):
        return sum(map(of_entity, asked))
    if not isinstance(asked, msgspec.Struct):
        return len(asked) if isinstance(asked, str) else int(asked is True)
    if isinstance(asked, Builtin):
        return 1 + (asked != INT)
    fields = (name for name in asked.__struct_fields__ if name != "head")
    occurrence = asked.occurrence if isinstance(asked, Local) else 0
    return 5 + occurrence + sum(of_entity(getattr(asked, name)) for name in fields)
