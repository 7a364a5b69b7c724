"""What must be supposed of types about which a text is silent, so that a question about them can be asked all the same.

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
from abiprobe.oracles.lang import Kind, Scalar, Type, strip


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
    return TypeTable(data, dataclasses.replace(types.text, unit=0), reading, options)


def common_mask(types: TypeTable, c_type: Type) -> bytes:
    """The bits of a value that carry it in every reading, one byte per byte of what gcc makes of the type.

    Bits above a `_BitInt` or a `_Bool` follow from it, and not every way in which a value can travel keeps them: a
    flattened member of a record is no wider than itself.
    """
    if strip(c_type) == Scalar(Kind.BOOL):
        return b"\1"
    first, second = (carrying(types, reading).mask(c_type) for reading in Reading)
    return bytes(one & other for one, other in zip(first, second.ljust(len(first), b"\0"), strict=False))


@cache
def carrying(types: TypeTable, reading: Reading) -> TypeTable:
    """What is supposed of types, with no bits above a `_BitInt` among those that carry a value."""
    made = supposed(types, reading)
    if not made.data.bit_int_extended:
        return made
    return TypeTable(dataclasses.replace(made.data, bit_int_extended=False), made.text, reading, made.options)
