"""How large a type is once every record and array in it is opened: what layouts, calls and reports of it cost."""

from __future__ import annotations

from collections.abc import MutableMapping

import msgspec

from abiprobe.oracles.engine.types import WHOLE_ARRAY
from abiprobe.oracles.language.lang import Array, Type, components


class Unfolded(msgspec.Struct, frozen=True):
    """How many types lie within one another (`levels`), and how many `places` a layout tells.

    A place is a scalar; of an array of up to `WHOLE_ARRAY` elements every element counts, of a longer one the first and the last.
    """

    levels: int
    places: int


def unfolded(c_type: Type, known: MutableMapping[Type, Unfolded]) -> Unfolded:
    """What opening a type comes to. `known` is what was found before, so that a type that is used twice is opened once."""
    found = known.get(c_type)
    if found is None:
        inner = [unfolded(part, known) for part in components(c_type)]
        levels = 1 + max((part.levels for part in inner), default=0)
        places = sum(part.places for part in inner)
        found = known[c_type] = Unfolded(levels, max(1, listed(c_type) * places))
    return found


def listed(c_type: Type) -> int:
    """How many elements of an array are told apart; 1 for any other type."""
    length = c_type.length or 0 if isinstance(c_type, Array) else 1
    return length if length <= WHOLE_ARRAY else 2
