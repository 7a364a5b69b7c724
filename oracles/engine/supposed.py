"""Assumptions about types for which a text has no rule, so that a question about them can be asked all the same.

The sizes of buffers and the bits that carry a value come from here where no model says them. Nothing is judged by them.
"""

from __future__ import annotations

import dataclasses
from functools import cache

from msgspec.structs import replace

from abiprobe.oracles.engine.data_model import EXTENSIONS, Sized
from abiprobe.oracles.engine.data_model import bit_int as usual
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import BitInt, Kind, Scalar, Type, strip


@cache
def supposed(types: TypeTable, reading: Reading) -> TypeTable:
    """The type table of a model that has an answer wherever a text is silent: that of a family, or the usual one."""

    def bit_int(width: int) -> Sized:
        try:
            return types.data.bit_int(width)
        except SilentError as silence:
            return usual(types.data.bit_int_chunk or types.data.pointer.size, silence.clause)(width)

    data = dataclasses.replace(
        types.data,
        bit_int=bit_int,
        kinds={**EXTENSIONS, **types.data.kinds, **types.data.unsaid},
        unsaid={},
        int_enums="",
        empty="",
    )
    options = types.options
    if types.own is not None and options.ms_bitfields is None:
        options = replace(options, ms_bitfields=True)
    text = dataclasses.replace(types.text, unit=0)
    return TypeTable(data, text, reading, options, habits=types.policies)


def compared_mask(types: TypeTable, c_type: Type) -> bytes:
    """The bits of a value that are compared however it travels, one byte per byte of what gcc makes of the type."""
    keeps = not types.data.bit_int_flattened or isinstance(strip(c_type), BitInt)
    return common_mask(types, c_type) if keeps else value_mask(types, c_type)


def value_mask(types: TypeTable, c_type: Type) -> bytes:
    """The bits of a value that those above it do not follow from: a `_BitInt` and a `_Bool` without their unused bits."""
    if strip(c_type) == Scalar(Kind.BOOL):
        return b"\1"
    if not types.data.bit_int_extended:
        return common_mask(types, c_type)
    return common_mask(unextended(types), c_type)


def common_mask(types: TypeTable, c_type: Type) -> bytes:
    """The bits of a value that carry it in every reading, one byte per byte of what gcc makes of the type."""
    first, second = (supposed(types, reading).mask(c_type) for reading in Reading)
    return bytes(one & other for one, other in zip(first, second.ljust(len(first), b"\0"), strict=False))


@cache
def unextended(types: TypeTable) -> TypeTable:
    """The same types, of which nothing is above a `_BitInt`."""
    data = dataclasses.replace(types.data, bit_int_extended=False)
    return TypeTable(data, types.text, types.reading, types.options, types.own, types.policies)
