"""How the text is read where it does not decide: the readings among which it leaves the choice, and those of compiler families."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from abiprobe.oracles.abis.itanium.sheet import cite


class Policy(msgspec.Struct, frozen=True):
    """One reading of the text.

    `pod_constructors`: a constructor that is defaulted or deleted leaves a class a POD. `pod_others`: so does an assignment
    operator or a destructor.
    `unnamed_align`: a bit-field without a name raises the alignment of a class even where the C ABI says that it does not.
    `zero_width_data`: the data size includes the bytes by which a bit-field without width moves what follows.
    """

    pod_constructors: bool = False
    pod_others: bool = False
    unnamed_align: bool = False
    zero_width_data: bool = False


TEXT = Policy()
DEFAULTED = cite("pod.defaulted", "oracles.abis.itanium.definitions.is_pod")
OPEN: Mapping[str, str] = MappingProxyType(
    {
        "pod_constructors": DEFAULTED,
        "pod_others": DEFAULTED,
        "unnamed_align": cite("bit-field.align", "oracles.abis.itanium.members.place_bit_field"),
        "zero_width_data": cite("bit-field.zero-width", "oracles.abis.itanium.members.place_bit_field"),
    }
)
"""The fields of a policy about which the text does not decide, each with the clause that is silent."""
