"""Types that are non-trivial for the purposes of calls (section 1.1), by the special member functions of ISO C++."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from msgspec.structs import replace

from abiprobe.oracles.abis.itanium.definitions import is_dynamic
from abiprobe.oracles.abis.itanium.graph import REMEMBERED
from abiprobe.oracles.language.classes import (
    Access,
    Class,
    Declared,
    Reference,
    Specials,
    direct_classes,
    element,
    parts,
    with_parts,
)
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
NON_TRIVIAL = cite("calls.non-trivial")
SPECIAL = cite("calls.special-members")


class Special(Enum):
    """The special member function that a class has."""

    TRIVIAL = "trivial"
    """it does nothing but copy bytes, or nothing at all"""
    NON_TRIVIAL = "non-trivial"
    """it runs code"""
    DELETED = "deleted"
    """to use it is an error"""
    ABSENT = "absent"
    """there is none, or overload resolution does not see it"""

    @property
    def usable(self) -> bool:
        """Return whether a program can call it."""
        return self in {Special.TRIVIAL, Special.NON_TRIVIAL}


@implements("calls.non-trivial")
def is_non_trivial(asked: Class, *, declared: bool = False) -> bool:
    """Return whether a class is non-trivial for the purposes of calls.

    With `declared`, no implicit copy constructor counts as deleted where no move constructor is declared.
    """
    copy, move = copy_constructor(asked), move_constructor(asked)
    specials = asked.specials
    unusable = {copy, move} <= {Special.DELETED, Special.ABSENT}
    if declared and unusable and {specials.copy, specials.move} == {Declared.IMPLICIT}:
        unusable = would_run(asked)
    return unusable or runs_code(asked)


def moves_by_code(asked: Class) -> bool:
    """Return whether to move an object or a part of it would run code, even where the whole has no move constructor."""
    return move_constructor(asked) is Special.NON_TRIVIAL or any(map(moves_by_code, direct_classes(asked)))


@lru_cache(REMEMBERED)
@implements("calls.trivial-abi")
def with_attributes(asked: Class) -> Class:
    """Return a class as clang has it for the purposes of calls: without special members where the attribute `trivial_abi` holds."""
    found = with_parts(asked, with_attributes)
    unusable = {copy_constructor(asked), move_constructor(asked)} <= {Special.DELETED, Special.ABSENT}
    ignored = is_dynamic(found) or unusable or any(map(is_non_trivial, direct_classes(found)))
    return replace(found, specials=Specials()) if asked.trivial_abi and not ignored else found


def runs_code(asked: Class) -> bool:
    """Return whether to copy, move or destroy an object runs code."""
    return Special.NON_TRIVIAL in {copy_constructor(asked), move_constructor(asked), destructor(asked)}


def is_refused_unnamed(asked: Class) -> bool:
    """Return whether clang makes a trap of an unnamed argument: a move constructor that is deleted counts as what it would be."""
    return runs_code(asked) or would_move(asked)


def would_move(asked: Class) -> bool:
    """Return whether a move constructor, if it were not deleted, would run code."""
    specials, inner = asked.specials, tuple(direct_classes(asked))
    match specials.move:
        case Declared.DELETED:
            return any(moved(one) is Special.NON_TRIVIAL or would_move(one) for one in inner)
        case Declared.IMPLICIT:
            declared = {specials.copy, specials.assign, specials.destructor.declared} - {Declared.IMPLICIT}
            return not declared and any(map(would_move, inner))
        case _:
            return move_constructor(asked) is Special.NON_TRIVIAL


def has_non_trivial_part(asked: Class, *, declared: bool = False) -> bool:
    """Return whether a base or member, through any depth, is non-trivial for the purposes of calls; see `is_non_trivial`."""
    return any(is_non_trivial(part, declared=declared) for part in parts(asked) if part != asked)


def would_run(asked: Class) -> bool:
    """Return whether a constructor that copies or moves would run code if no part deleted it."""
    provided = Declared.PROVIDED in {asked.specials.copy, asked.specials.move}
    return provided or is_dynamic(asked) or any(map(would_run, direct_classes(asked)))


@lru_cache(REMEMBERED)
@implements("calls.special-members")
def destructor(asked: Class) -> Special:
    """The destructor of a class."""
    declared = asked.specials.destructor
    if declared.declared is Declared.DELETED:
        return Special.DELETED
    inner = [destructor_from(one, asked) for one in direct_classes(asked)]
    if declared.declared is not Declared.PROVIDED and Special.DELETED in inner:
        return Special.DELETED
    runs = declared.declared is Declared.PROVIDED or declared.virtual
    return Special.NON_TRIVIAL if runs or Special.NON_TRIVIAL in inner else Special.TRIVIAL


def destructor_from(inner: Class, outer: Class) -> Special:
    """The destructor of a part of a class as far as that may use it; a union has none for a member with one that runs code."""
    access = inner.specials.destructor.access
    is_base = any(base.type == inner for base in outer.bases)
    hidden = access is Access.PRIVATE or (access is Access.PROTECTED and not is_base)
    found = destructor(inner)
    return Special.DELETED if hidden or (outer.union and found is Special.NON_TRIVIAL) else found


@lru_cache(REMEMBERED)
@implements("calls.special-members")
def copy_constructor(asked: Class) -> Special:
    """The copy constructor of a class: deleted unasked where a move constructor is declared."""
    specials = asked.specials
    match specials.copy:
        case Declared.PROVIDED:
            return Special.NON_TRIVIAL
        case Declared.DELETED:
            return Special.DELETED
        case Declared.IMPLICIT if specials.move is not Declared.IMPLICIT:
            return Special.DELETED
        case _:
            moved_only = any(isinstance(one, Reference) and one.rvalue for one in member_types(asked))
            inner = [copy_constructor(one) for one in direct_classes(asked)]
            return Special.DELETED if moved_only else memberwise(asked, inner)


@lru_cache(REMEMBERED)
@implements("calls.special-members")
def move_constructor(asked: Class) -> Special:
    """The move constructor of a class: none unasked beside other declared ones, and none where a defaulted one would be deleted."""
    specials = asked.specials
    others = (specials.copy, specials.assign, specials.destructor.declared)
    match specials.move:
        case Declared.PROVIDED:
            return Special.NON_TRIVIAL
        case Declared.DELETED:
            return Special.DELETED
        case Declared.IMPLICIT if any(one is not Declared.IMPLICIT for one in others):
            return Special.ABSENT
        case _:
            found = memberwise(asked, [moved(one) for one in direct_classes(asked)])
            return Special.ABSENT if found is Special.DELETED else found


def moved(asked: Class) -> Special:
    """The constructor that moves a part of a class: that which copies it where it has no other."""
    found = move_constructor(asked)
    return copy_constructor(asked) if found is Special.ABSENT else found


def memberwise(asked: Class, inner: list[Special]) -> Special:
    """A constructor that uses those of the parts."""
    destroyed = [destructor_from(one, asked) for one in direct_classes(asked)]
    if Special.DELETED in (*inner, *destroyed) or (asked.union and Special.NON_TRIVIAL in inner):
        return Special.DELETED
    runs = is_dynamic(asked) or Special.NON_TRIVIAL in inner
    return Special.NON_TRIVIAL if runs else Special.TRIVIAL


def member_types(asked: Class) -> tuple[object, ...]:
    """The types of the members of a class, of arrays those of their elements."""
    return tuple(element(member.type) for member in asked.members)
