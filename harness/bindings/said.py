"""Declarations as a compiler describes them, while it compiles a unit that asks for them, and the module that they make."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from abiprobe.harness.bindings.described import Described, DescribedField, DescribedFunction, Module
from abiprobe.harness.bindings.header import Header

PREFIX = re.compile(r"(?:struct|union|enum)_(?=\w)")
"""How `zig translate-c` names what has a tag in C."""
ANONYMOUS = re.compile(r"unnamed_\d+")
"""How it names a member without a name."""


class SaidField(msgspec.Struct, frozen=True):
    """A field as a compiler describes it: in a packed record the first bit and a width, else the byte."""

    name: str
    at: int
    width: int
    type: Described


class Said(msgspec.Struct, frozen=True):
    """The description of one declaration, of which it has what its kind has; texts are in hexadecimal."""

    type: Described | None = None
    fields: tuple[SaidField, ...] = ()
    enumerators: tuple[tuple[str, int], ...] = ()
    function: DescribedFunction | None = None
    number: int | None = None
    text: str | None = None


def module_of(said: Mapping[str, Said], refused: Mapping[str, str], header: Header) -> Module:
    """The declarations as a module on a header's target, with those that are `refused`, and why.

    What `translate-c` calls `struct_x` is called `x`, too, if nothing else is.
    """
    is_big = header.target.model().types.data.order == "big"
    types = {name: record_of(one, is_big=is_big) for name, one in said.items() if one.type is not None}
    short = {PREFIX.sub("", name, count=1): one for name, one in types.items() if PREFIX.match(name)}
    constants: dict[str, int | str] = {}
    for name, one in said.items():
        constants |= {f"{name}::{text(each)}": value for each, value in one.enumerators}
        if one.number is not None:
            constants[name] = one.number
        elif one.text is not None:
            constants[name] = bytes.fromhex(one.text).decode("latin-1")
    functions = {name: one.function for name, one in said.items() if one.function is not None}
    return Module({**short, **types}, constants, functions, tuple(refused.items()))


def record_of(said: Said, *, is_big: bool) -> Described:
    """A type, with its fields if it is a record."""
    own = named(said.type)
    if own.kind != "record":
        return own
    fields = {text(one.name): field_of(one, own, is_big=is_big) for one in said.fields}
    return msgspec.structs.replace(own, fields=fields)


def field_of(field: SaidField, owner: Described, *, is_big: bool) -> DescribedField:
    """A field; bits of a packed record are counted from the first of memory, as those of C."""
    inner, name = named(field.type), text(field.name)
    if not field.width:
        anonymous = ANONYMOUS.fullmatch(name) is not None
        return DescribedField(field.at, inner.size, 0, 0, inner, anonymous)
    bit = 8 * owner.size - field.at - field.width if is_big else field.at
    return DescribedField(0, inner.size, bit, field.width, inner, anonymous=False)


def named(one: Described | None) -> Described:
    """A type by the last part of its name, which in Zig has that of its file before it."""
    assert one is not None, "types are described as such"
    element = None if one.element is None else named(one.element)
    return msgspec.structs.replace(one, name=text(one.name).rpartition(".")[2], element=element)


def text(digits: str) -> str:
    """A text that is written in hexadecimal."""
    return bytes.fromhex(digits).decode(errors="replace")
