"""Classes in which somebody asks for an alignment: gcc treats them in one way more than others."""

from __future__ import annotations

from functools import lru_cache

from abiprobe.oracles.abis.itanium.graph import REMEMBERED, virtual_bases
from abiprobe.oracles.language.classes import Class, DataMember, element
from abiprobe.oracles.language.lang import Typedef


@lru_cache(REMEMBERED)
def asks_for_alignment(one: Class, *, whole: bool) -> bool:
    """Return whether an alignment is asked for of a class or in it, in its virtual bases only if it is a `whole` object."""
    bases = [base.type for base in one.bases if not base.virtual]
    if whole:
        bases += virtual_bases(one)
    return (
        one.asked > 1
        or any(map(is_asked, one.members))
        or any(asks_for_alignment(base, whole=False) for base in bases)
    )


def is_asked(member: DataMember) -> bool:
    """Return whether an alignment is asked for of a member or of its type."""
    if member.align is not None or member.alignas is not None:
        return True
    match element(member.type):
        case Class() as inner:
            return asks_for_alignment(inner, whole=True)
        case Typedef(align=align):
            return align is not None
        case _:
            return False
