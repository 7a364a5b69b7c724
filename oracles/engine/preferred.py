"""The alignment of a type wherever that is possible, which it may not have in a record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abiprobe.oracles.language.lang import Array, Complex, Kind, Scalar, Type, unnamed

if TYPE_CHECKING:
    from abiprobe.oracles.engine.types import TypeTable

NATURAL = frozenset({Kind.DOUBLE, Kind.LLONG, Kind.ULLONG})


def preferred(types: TypeTable, c_type: Type) -> int:
    """The alignment of a type that compilers prefer, in bytes: a double and a long long are aligned to their size wherever that is possible."""
    extent, (inner, _) = types.extent(c_type), elements(unnamed(c_type))
    number = Scalar(inner.kind) if isinstance(inner, Complex) else inner
    if extent.user or not (isinstance(number, Scalar) and number.kind in NATURAL):
        return extent.align
    return max(extent.align, types.extent(number).size)


def elements(c_type: Type) -> tuple[Type, tuple[int | None, ...]]:
    """The type of the innermost elements of an array, and its dimensions; of what is no array the type itself."""
    dimensions: list[int | None] = []
    while isinstance(c_type, Array):
        dimensions.append(c_type.length)
        c_type = c_type.element
    return c_type, tuple(dimensions)
