"""Policies of the engine: the points at which compilers are known to depart from a text.

Every rule follows the text by the defaults here. A quirk (`oracles.quirks`) sets fields for the compilers that have it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from abiprobe.oracles.engine.reading import Reading


@dataclass(frozen=True)
class Policies:
    """What a compiler does otherwise than the text; the defaults are the text."""

    opaque_atomics: bool = False
    """What is atomic is not looked into: it is no composite of its members, and has no fundamental type to be classified by."""

    unextended_atomics: bool = False
    """No integer that is atomic is extended in a register or on the stack, as if nothing were said of what is above it."""

    records: str = ""
    """The compiler, `tcc` or `pcc`, whose own rules lay out records, instead of those of the text."""
    packs_no_enum: bool = False
    """`packed` on an enumeration is ignored."""

    attributes_on_member: bool = False
    """Attributes between the star and the name of a pointer are the member's, and not those of the pointer type."""
    ignores_unnamed: bool = False
    """Bit-fields without a name count nothing for the alignment of a record."""
    packs_no_characters: bool = False
    """`packed` on a member that is a vector of characters is ignored, as on a character."""
    alignment_of_place: bool = False
    """`__alignof__` of a member tells the alignment of its place in its record, up to that of its type."""
    vectors_as_long: bool = False
    """A vector is aligned to its size."""
    bit_int_chunk: int = 0
    """The bytes of the pieces of a `_BitInt` of more than 64 bits; 0 for those of the text."""
    unnamed_bit_int_align: int = 0
    """The alignment in bytes by which a `_BitInt` of more than 64 bits is taken from variable arguments; 0 for that of the text."""
    unextended_bit_ints: bool = False
    """No `_BitInt` is extended, not even to the end of its bytes."""
    open_bit_ints: bool = False
    """The unused bits of a `_BitInt` in a record hold anything."""
    extended_bit_ints: bool = False
    """The unused bits of a `_BitInt` are copies of its sign, or zero, where the text leaves them open."""
    unsigned_enums: bool = False
    """An enumeration without negative values is unsigned where the text has an `int`."""
    bit_units_of_types: bool = False
    """Bit-fields are in storage units of their types where the text has units of its own."""
    whole_ms_units: bool = False
    """The unit of a packed bit-field of an `ms_struct` is aligned as if it were not packed."""
    plain_atomic_arrays: bool = False
    """An array of what is atomic is aligned as if it were not."""
    signed_words: bool = False
    """An unsigned word is extended as a signed one where the text says that of other variants alone."""
    open_on_stack: bool = False
    """Integers on the stack are not extended."""
    open_complex_parts: bool = False
    """The parts of a complex integer are not extended."""
    loses_real_behind_bit_int: bool = False
    """A real behind a `_BitInt` that leaves bytes of its own unused is looked for where the padding is counted twice."""
    extends_to_32: bool = False
    """On x86-64 an argument that is a narrower integer is extended to 32 bits."""
    extends_apple_results: bool = False
    """On Apple's platforms a narrow result is extended as an argument is."""
    extended_arguments: int = 0
    """The bytes to which an argument is extended that is a narrower integer, where the text leaves open what is above it."""
    extended_on_stack: int = 0
    """The same of arguments on the stack."""
    extended_results: int = 0
    """The same of results."""
    extended_bit_int_results: int = 0
    """The same of results that are a `_BitInt`."""
    stack_sign_extended: bool = False
    """An unsigned integer of less than four bytes on the stack is extended as a signed one."""

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
HABITS: Mapping[Reading | None, Policies] = {Reading.CLANG: Policies(attributes_on_member=True)}
"""What a family's dialect departs in from the text everywhere, where it is asked for without quirks."""
