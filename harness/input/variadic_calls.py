"""Calls of variadic functions in a file: each says with which unnamed arguments to ask about the function."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from abiprobe.harness.input import Skipped
from abiprobe.harness.input.errors import by_path, inside
from abiprobe.harness.input.libclang import cindex
from abiprobe.harness.input.types import convert
from abiprobe.harness.input.unit import Unit, parse, parse_as
from abiprobe.oracles.language.promotion import promoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from abiprobe.harness.input.reading import Reading
    from abiprobe.harness.input.unit import Input
    from abiprobe.oracles.language.lang import Prototype, Type


def may_call(text: bytes) -> bool:
    """Return whether a file may declare a variadic function and call one; if not, bodies of functions need not be read."""
    return re.search(rb"\.\.\.\s*\)", text) is not None and re.search(rb"\)\s*\{", text) is not None


def with_bodies(source: Input) -> Unit:
    """`source` parsed with the bodies of functions; an error inside one is a matter of that statement only.

    Where clang makes no sense of the bodies at all, the unit is without them. Raises `Problem` as `parse` does.
    """
    whole_source = msgspec.structs.replace(source, bodies=True)
    whole = parse_as(whole_source, source.languages[0])
    if not whole.errors:
        return whole
    plain = parse(source)
    if plain.language != whole.language:
        whole = parse_as(whole_source, plain.language)
    in_bodies = tuple(error for error in whole.errors if error not in plain.errors)
    kept = plain if any(error.fatal for error in in_bodies) else whole
    return Unit(kept.source, kept.language, kept.tree, plain.errors, in_bodies)


def unreadable_calls(reading: Reading, functions: Iterable[Prototype]) -> Iterator[Skipped]:
    """The statements with errors that name a variadic function of the file: with what they call it is not known."""
    variadic = {function.name for function in functions if function.variadic}
    for error in reading.unit.in_bodies if variadic else ():
        text = reading.unit.texts.get(error.path, b"")
        start = max(text.rfind(mark, 0, error.offset) for mark in (b";", b"{", b"}")) + 1
        end = re.compile(rb"[;{}]|$").search(text, error.offset)
        statement = text[start : end.start() if end else None].decode(errors="replace")
        for name in dict.fromkeys(re.findall(r"([A-Za-z_]\w*)\s*\(", statement)):
            if name in variadic:
                yield Skipped(f"a call of {name}", error.where, error.reason)


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
    errors = by_path(reading.unit.in_bodies)
    for cursor in reading.unit.own if reading.unit.source.bodies else ():
        if cursor.kind == kinds.FUNCTION_DECL and cursor.is_definition():
            for inner in cursor.walk_preorder():
                if inner.kind == kinds.CALL_EXPR and not inside(inner, errors):
                    found.setdefault(inner.spelling, []).append(inner)
    return found


def unnamed(reading: Reading, call: Any, function: Prototype) -> tuple[Type, ...]:
    """The types of the arguments of a call behind those that are named."""
    passed = list(call.get_arguments())[len(function.params) :]
    return tuple(promoted(convert(reading, argument.type, argument)) for argument in passed)
