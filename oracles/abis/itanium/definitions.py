"""The definitions of section 1.1 that layouts rest on, as far as they need no layout."""

from __future__ import annotations

from functools import lru_cache

from abiprobe.oracles.abis.itanium.graph import REMEMBERED, virtual_bases
from abiprobe.oracles.abis.itanium.policy import Policy
from abiprobe.oracles.engine.policies import ClassHabit
from abiprobe.oracles.language.classes import (
    Access,
    Class,
    CxxType,
    DataMember,
    Declared,
    Reference,
    element,
)
from abiprobe.oracles.text.clause import load_sheet

implements = load_sheet(__package__).implements


@lru_cache(REMEMBERED)
@implements("dynamic")
def is_dynamic(asked: Class) -> bool:
    """Return whether a class needs a pointer to a virtual table."""
    return asked.own_virtual or any(base.virtual or is_dynamic(base.type) for base in asked.bases)


@lru_cache(REMEMBERED)
@implements("empty")
def is_empty(asked: Class) -> bool:
    """Return whether a class is empty."""
    return (
        all(is_empty_member(member) or member.width == 0 for member in asked.members)
        and not asked.own_virtual
        and not virtual_bases(asked)
        and all(is_empty(base.type) for base in asked.bases)
    )


@implements("empty-member", "overlapping")
def is_empty_member(member: DataMember) -> bool:
    """Return whether a data member is empty."""
    # [cxxabi:overlapping] [cxxabi:empty-member]
    return member.no_unique_address and isinstance(member.type, Class) and is_empty(member.type)


def holds_data(asked: Class, *, empty: bool) -> bool:
    """Return whether a class has a data member, `empty` ones among them, or an unnamed bit-field with a width."""
    return any(member.width != 0 and (empty or not is_empty_member(member)) for member in asked.members)


@lru_cache(REMEMBERED)
@implements("pod", "pod.defaulted")
def is_pod(asked: Class, policy: Policy) -> bool:
    """Return whether a class is a POD by ISO C++ TC1."""
    specials = asked.specials
    constructors = policy.pod_constructors and ClassHabit.DEFAULTED_CONSTRUCTORS not in policy.habits
    others = policy.pod_others and ClassHabit.DEFAULTED_OTHERS not in policy.habits
    # [cxxabi:pod] [cxxabi:pod.defaulted]
    return (
        breaks(allowed=constructors).isdisjoint(specials.constructors)
        and breaks(allowed=others).isdisjoint({specials.assign, specials.destructor.declared})
        and all(member.access is Access.PUBLIC for member in asked.members if has_access(member, policy))
        and not asked.bases
        and not asked.own_virtual
        and all(is_pod_member(member.type, policy) for member in asked.members)
    )


@lru_cache(REMEMBERED)
def lends_padding(asked: Class, policy: Policy) -> bool:
    """Return whether a compiler lends the tail padding of a POD for its potentially-overlapping members, or those of its members."""
    inner = (element(member.type) for member in asked.members)
    return ClassHabit.OVERLAPPING_PODS in policy.habits and (
        any(member.no_unique_address for member in asked.members)
        or any(isinstance(one, Class) and lends_padding(one, policy) for one in inner)
    )


def breaks(*, allowed: bool) -> frozenset[Declared]:
    """Return the declarations of a special member function that make a class no POD."""
    declared = {Declared.PROVIDED} if allowed else {Declared.PROVIDED, Declared.DEFAULTED, Declared.DELETED}
    return frozenset(declared)


def is_data_member(member: DataMember) -> bool:
    """Return whether this is a data member: a bit-field without a name is none ([class.bit]p2)."""
    return bool(member.name) or member.width is None


def has_access(member: DataMember, policy: Policy) -> bool:
    """Return whether the access of a member has a say in whether its class is a POD."""
    return is_data_member(member) or ClassHabit.UNNAMED_ACCESS in policy.habits


def is_pod_member(c_type: CxxType, policy: Policy) -> bool:
    """Return whether a member of this type leaves its class a POD."""
    inner = element(c_type)
    return not isinstance(inner, Reference) and (not isinstance(inner, Class) or is_pod(inner, policy))
