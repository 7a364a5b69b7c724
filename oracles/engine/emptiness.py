"""Records without a member that carries anything, and records with a flexible array, as compilers tell them apart."""

from __future__ import annotations

from abiprobe.oracles.language.lang import Array, Record, Type, Typedef


def is_empty(c_type: Type) -> bool:
    """Return whether compilers take a record for an empty one: with no member but bit-fields without a name and what is empty itself.

    An array without elements is empty, and one of empty elements; a flexible array and what is atomic are not.
    """
    match c_type:
        case Typedef(base=base):
            return is_empty(base)
        case Array(element=element, length=length):
            return length is not None and (not length or is_empty(element))
        case Record(members=members):
            return all(
                is_empty(member.type) if member.width is None else not member.name for member in members
            )
        case _:
            return False


def has_flexible_array(c_type: Type, *, in_elements: bool = False) -> bool:
    """Return whether a record has a flexible array, itself or in a record that is a member, or also `in_elements` of arrays."""
    match c_type:
        case Typedef(base=base):
            return has_flexible_array(base, in_elements=in_elements)
        case Array(element=element, length=length):
            within = in_elements and bool(length) and has_flexible_array(element, in_elements=True)
            return length is None or within
        case Record(members=members):
            inner = (member.type for member in members if member.width is None)
            return any(has_flexible_array(one, in_elements=in_elements) for one in inner)
        case _:
            return False
