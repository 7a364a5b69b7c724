"""Policies of the engine: the points at which compilers are known to depart from a text.

Every rule follows the text by the defaults here. A quirk (`oracles.quirks`) sets fields for the compilers that have it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum


class ValueKind(Enum):
    """A kind of value, as far as compilers tell two apart."""

    SCALAR = "scalar"
    """also a complex number, a vector or a `_BitInt`"""
    RECORD = "record"
    """a struct or a union"""


class Unflattened(Enum):
    """A member without bytes that a compiler cannot flatten past."""

    FLEXIBLE_ARRAY = "flexible array"
    ZERO_LENGTH_ARRAY = "array of length zero"
    EMPTY_ELEMENTS = "array of empty records"


class Argument(Enum):
    """The arguments of a call by what the prototype says of them."""

    NAMED = "named"
    """those that have a parameter"""
    UNNAMED = "unnamed"
    """variable arguments"""

    @classmethod
    def of(cls, *, named: bool) -> Argument:
        """Return the sort of an argument."""
        return cls.NAMED if named else cls.UNNAMED


@dataclass(frozen=True)
class Policies:
    """What a compiler does otherwise than the text; the defaults are the text."""

    opaque_atomics: bool = False
    """What is atomic is not looked into: it is no composite of its members, and has no fundamental type to be classified by."""

    unaligned_names: frozenset[ValueKind] = frozenset()
    """The kinds of values that travel as their type does without the alignment that a typedef name gives it."""
    opaque_flexible_arrays: bool = False
    """No record with a flexible array is looked into: it is in memory or by reference, and none of its members has a register of its own."""
    memory_unions: bool = False
    """A union with a flexible array is in memory."""
    flexible_words: bool = False
    """An argument of no bytes takes a word if it has a flexible array."""
    aligned_nothing: frozenset[Argument] = frozenset()
    """The arguments of no bytes that align the stack as if they were there."""
    aligned_flexible: frozenset[Argument] = frozenset()
    """The arguments of no bytes with a flexible array that take nothing else than what lies before their alignment."""
    unread_empties: bool = False
    """`va_arg` passes over no record that has no named member, whatever its size."""
    unplaced_empties: bool = False
    """An argument that has no named member has no place, whatever its size."""
    natural_copies: bool = False
    """The memory of an argument by reference is aligned as its type is, where the text asks for more."""
    most_aligned_copy: int = 0
    """The largest alignment in bytes of the memory to which a value is copied that travels by reference; 0 for any."""
    unflattened: frozenset[Unflattened] = frozenset()
    """The members without bytes that keep a record which has them from being flattened."""
    skips_unnamed_bit_fields: bool = False
    """A bit-field without a name is no field of an aggregate that is classified, of whatever width."""

    def changed(self, fields: Mapping[str, object]) -> Policies:
        """Return these policies with other values in some fields; a set is united with what is there.

        Raises `TypeError` for a field that there is none of.
        """
        united = {
            name: value | getattr(self, name) if isinstance(value, frozenset) else value
            for name, value in fields.items()
        }
        return replace(self, **united)  # type: ignore[arg-type]


TEXT = Policies()
"""The text, as it is written."""
