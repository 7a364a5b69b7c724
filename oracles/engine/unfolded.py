"""The size of a type with every record and array in it opened: the cost of its layout, calls and reports."""

from __future__ import annotations

from collections.abc import MutableMapping

import msgspec

from abiprobe.oracles.engine.types import WHOLE_ARRAY
from abiprobe.oracles.language.lang import Array, Type, components


class Unfolded(msgspec.Struct, frozen=True):
    """The depth of nested types (`levels`), and the number of `places` that a layout lists.

    A place is a scalar; of an array of up to `WHOLE_ARRAY` elements every element counts, of a longer one the first and
    the last.
    """

    levels: int
    places: int


def unfolded(c_type: Type, known: MutableMapping[Type, Unfolded]) -> Unfolded:
    """Return the depth and size of an opened type.

    `known` is what was found before, so that a type that is used twice is opened once.
    """
    found = known.get(c_type)
    if found is None:
        inner = [unfolded(part, known) for part in components(c_type)]
        levels = 1 + max((part.levels for part in inner), default=0)
        places = sum(part.places for part in inner)
        found = known[c_type] = Unfolded(levels, max(1, listed(c_type) * places))
    return found


def listed(c_type: Type) -> int:
    """Return the number of elements of an array that are listed separately; 1 for any other type."""
    length = c_type.length or 0 if isinstance(c_type, Array) else 1
    return length if length <= WHOLE_ARRAY else 2
