"""Limits on the size of declarations; larger ones are skipped with a line that names the limit, before they cost anything.

What is larger is skipped with a line that names the limit, before it costs anything.

A type is used where it is named, so a few lines of C can say more than any machine can lay out or print: each struct with two of the
one before doubles. The limits are well above what C asks of every compiler (ISO/IEC 9899:2018, 5.2.4.1: 63 nested
structs, 1,023 members, 1,023 enumeration constants, 127 parameters).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from abiprobe.harness.input.limit_values import ALL, LEVELS, MANY, NESTED, PLACES, USED_UP
from abiprobe.harness.input.reading import Inexpressible
from abiprobe.oracles.engine.unfolded import unfolded
from abiprobe.oracles.language.classes import Class, CxxArray, element
from abiprobe.oracles.language.lang import Record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from abiprobe.harness.input.reading import Reading
    from abiprobe.oracles.language.classes import CxxType
    from abiprobe.oracles.language.lang import Prototype, Type


class TooLarge(Inexpressible):
    """A declaration that is beyond a limit."""


def expect_shallow(reading: Reading, cursor: Any) -> None:
    """Raise `TooLarge` at `cursor` if too many records are being read within one another."""
    if reading.inside > LEVELS:
        raise TooLarge(reading.unit.where(cursor.location), NESTED)


def expect_within(reading: Reading, cursor: Any, types: Iterable[Type]) -> int:
    """The scalars in the `types` of a declaration together; raises `TooLarge` at `cursor` beyond a limit."""
    found = [unfolded(c_type, reading.unfolded) for c_type in types]
    if any(one.levels > LEVELS for one in found):
        raise TooLarge(reading.unit.where(cursor.location), NESTED)
    return expect_few(reading, cursor, sum(one.places for one in found))


def expect_few(reading: Reading, cursor: Any, places: int) -> int:
    """`places`, the scalars or constants in a declaration; raises `TooLarge` at `cursor` if they are too many."""
    if places > PLACES:
        raise TooLarge(reading.unit.where(cursor.location), MANY)
    return places


def expect_room(reading: Reading, cursor: Any, question: Record | Prototype) -> None:
    """Count what is to be asked about; raises `TooLarge` at `cursor` beyond a limit of a declaration or of a file."""
    types = (question,) if isinstance(question, Record) else values(question)
    places = expect_within(reading, cursor, types)
    if reading.places + places > ALL:
        raise TooLarge(reading.unit.where(cursor.location), USED_UP)
    reading.places += places


def expect_class_room(reading: Reading, cursor: Any, asked: Class) -> None:
    """Count a class that is to be asked about; raises `TooLarge` at `cursor` beyond a limit of a declaration or of a file."""
    places = expect_few(reading, cursor, places_of(asked, reading.places_of_classes))
    if reading.places + places > ALL:
        raise TooLarge(reading.unit.where(cursor.location), USED_UP)
    reading.places += places


def places_of(asked: Class, known: dict[Class, int]) -> int:
    """The scalars in a class, those of its bases and members included; of an array of more than one element two count."""
    if asked not in known:
        own = [one.type for one in asked.bases] + [one.type for one in asked.members]
        known[asked] = 1 + sum(
            elements(c_type) * (places_of(inner, known) if isinstance(inner, Class) else 1)
            for c_type in own
            for inner in (element(c_type),)
        )
    return known[asked]


def elements(c_type: CxxType) -> int:
    """Return the number of elements of an array that count, with those of its elements."""
    return min(c_type.length, 2) * elements(c_type.element) if isinstance(c_type, CxxArray) else 1


def values(function: Prototype) -> tuple[Type, ...]:
    """The types of what a call passes and returns."""
    passed = tuple(argument.type for argument in function.arguments)
    return passed if function.result is None else (function.result, *passed)
