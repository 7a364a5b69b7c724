"""Classes of which a program can make the objects of a call."""

from __future__ import annotations

from msgspec.structs import replace

from abiprobe.oracles.abis.itanium.definitions import is_dynamic
from abiprobe.oracles.abis.itanium.triviality import Special, copy_constructor, move_constructor
from abiprobe.oracles.language.classes import Class, CxxArray, Declared, element, parts, with_parts


def makable(asked: Class) -> Class:
    """A class, and those that it is made of, with a default constructor of the user's beside another constructor of the user's.

    Where it can neither be copied nor moved it has one with parameters, too. Beside a constructor that the user provides
    neither changes how the class is laid out or passed.
    """
    made = with_parts(asked, makable)
    provided = Declared.PROVIDED in made.specials.constructors
    specials = replace(made.specials, default=Declared.PROVIDED) if provided else made.specials
    if provided and not is_usable(made):
        specials = replace(specials, other=True)
    return replace(made, specials=specials)


def is_usable(asked: Class) -> bool:
    """Return whether an object can be copied or moved."""
    unusable = {Special.DELETED, Special.ABSENT}
    return not {copy_constructor(asked), move_constructor(asked)} <= unusable


def can_be_made(asked: Class) -> bool:
    """Return whether an object can be copied, moved, or made with parameters.

    Elements of an array may be copied with their pointers to virtual tables, which lead nowhere where objects are bytes.
    """
    arrays = (one.type for part in parts(asked) for one in part.members if isinstance(one.type, CxxArray))
    inner = (element(one) for one in arrays)
    virtual = any(isinstance(one, Class) and has_virtual_pointer(one) for one in inner)
    return not virtual and (is_usable(asked) or asked.specials.other)


def has_virtual_pointer(asked: Class) -> bool:
    """Return whether a class or a part of it is dynamic."""
    return any(map(is_dynamic, parts(asked)))
