"""Readings of the text where it does not decide: the possible ones, and those of compiler families."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from abiprobe.oracles.engine.policies import ClassHabit, Policies
from abiprobe.oracles.engine.reading import Reading


class Policy(msgspec.Struct, frozen=True, cache_hash=True):
    """One reading of the text.

    `pod_constructors`: a constructor that is defaulted or deleted leaves a class a POD. `pod_others`: so does an assignment
    operator or a destructor.
    `unnamed_align`: a bit-field without a name raises the alignment of a class even where the C ABI says that it does not.
    `zero_width_data`: the data size includes the bytes by which a bit-field without width moves what follows. `family` is
    the family of compilers whose practice is followed where the text has no rule at all, and `habits` are the points in which a
    compiler departs from the text. `near` is the offset in bytes up to which the empty subobjects of a component that is not empty
    are remembered; `None` for all.
    """

    pod_constructors: bool = False
    pod_others: bool = False
    unnamed_align: bool = False
    zero_width_data: bool = False
    family: Reading | None = None
    habits: frozenset[ClassHabit] = frozenset()
    near: int | None = None


TEXT = Policy()
FAMILIES: Mapping[Reading | None, Policy] = MappingProxyType(
    {
        None: TEXT,
        **{
            family: Policy(pod_constructors=True, pod_others=True, zero_width_data=True, family=family)
            for family in (Reading.GCC, Reading.CLANG)
        },
    }
)
"""The text, and how families read it today."""
OF_GCC = frozenset(
    {
        *(
            ClassHabit.OVERLAPPING_PODS,
            ClassHabit.DECLARED_ENDS,
            ClassHabit.UNNAMED_ACCESS,
            ClassHabit.INT128,
        ),
        *(ClassHabit.EMPTY_IS_NO_DATA, ClassHabit.EMPTY_IN_BYTE, ClassHabit.EMPTY_UNALIGNED),
        *(ClassHabit.EMPTY_VIRTUAL_COUNTS, ClassHabit.MEMBERS_IN_PART, ClassHabit.EMPTY_LOWERED),
        *(ClassHabit.TYPE_STEPS, ClassHabit.EMPTY_MEMBER_MOVES, ClassHabit.WHOLE_ALIGNMENT),
    }
)
"""Policies of gcc that are not what its family says today, but for `NEAR_EMPTIES`."""


def policy_of(reading: Reading | None, policies: Policies) -> Policy:
    """The reading of a family, with the habits that a quirk describes."""
    return msgspec.structs.replace(FAMILIES[reading], habits=policies.classes)
