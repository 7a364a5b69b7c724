"""The members that `packed` reaches in a class that is no POD: no text says it, and compiler families do it in two ways."""

from __future__ import annotations

from abiprobe.oracles.abis.itanium.definitions import is_empty_member, is_pod, lends_padding
from abiprobe.oracles.abis.itanium.laid import Table
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.language.classes import Class, DataMember, Reference, element


def is_packed(whole: Class, table: Table) -> bool:
    """Return whether the attribute reaches what is no member: to gcc a member that it does not reach takes it away."""
    if table.policy.family is not Reading.GCC:
        return whole.packed
    return whole.packed and all(is_packed_in(member, table) for member in whole.members)


def is_beyond_packing(member: DataMember, table: Table) -> bool:
    """Return whether neither attribute nor `#pragma pack` reaches a member: to gcc an empty one."""
    return table.policy.family is Reading.GCC and is_empty_member(member)


def is_packed_in(member: DataMember, table: Table) -> bool:
    """Return whether the attribute of the class, if it has it, reaches a member: no class that is no POD, unless that is packed itself.

    To gcc an array is as its elements, and a reference is not reached; clang takes both for plain members.
    """
    inner = member.type if table.policy.family is Reading.CLANG else element(member.type)
    match inner:
        case Class():
            pod = is_pod(inner, table.policy) and not lends_padding(inner, table.policy)
            return is_packed(inner, table) or pod
        case Reference():
            return table.policy.family is Reading.CLANG
        case _:
            return True
