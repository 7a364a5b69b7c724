"""Calls of variadic functions in a file: each says with which unnamed arguments to ask about the function."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input.libclang import cindex
from abiprobe.harness.input.types import convert
from abiprobe.harness.input.unit import parse
from abiprobe.oracles.promotion import promoted

if TYPE_CHECKING:
    from abiprobe.harness.input.reading import Reading
    from abiprobe.harness.input.unit import Input, Unit
    from abiprobe.oracles.lang import Prototype, Type


def may_call(text: bytes) -> bool:
    """Whether a file may declare a variadic function and call one; if not, bodies of functions need not be read."""
    return re.search(rb"\.\.\.\s*\)", text) is not None and re.search(rb"\)\s*\{", text) is not None


def with_bodies(source: Input) -> Unit:
    """Parse `source` with the bodies of functions, or without them if clang cannot make sense of one."""
    try:
        found = parse(msgspec.structs.replace(source, bodies=True))
    except Problem:
        return parse(source)
    if not found.errors:
        return found
    plain = parse(source)
    return plain if len(plain.errors) < len(found.errors) else found


def as_called(reading: Reading, function: Prototype) -> tuple[Prototype, ...]:
    """A function once for each list of unnamed arguments that the file passes to it; as it is if there is none."""
    if not function.variadic:
        return (function,)
    if reading.calls is None:
        reading.calls = calls(reading)
    made = reading.calls.get(function.name, ())
    lists = dict.fromkeys(unnamed(reading, call, function) for call in made)
    return tuple(msgspec.structs.replace(function, unnamed=types) for types in lists) or (function,)


def calls(reading: Reading) -> dict[str, list[Any]]:
    """The calls in the bodies of the file's own functions, by the name of what is called."""
    kinds = cindex().CursorKind
    found: dict[str, list[Any]] = {}
    for cursor in reading.unit.own if reading.unit.source.bodies else ():
        if cursor.kind == kinds.FUNCTION_DECL and cursor.is_definition():
            for inner in cursor.walk_preorder():
                if inner.kind == kinds.CALL_EXPR:
                    found.setdefault(inner.spelling, []).append(inner)
    return found


def unnamed(reading: Reading, call: Any, function: Prototype) -> tuple[Type, ...]:
    """The types of the arguments of a call behind those that are named."""
    passed = list(call.get_arguments())[len(function.params) :]
    return tuple(promoted(convert(reading, argument.type, argument)) for argument in passed)
