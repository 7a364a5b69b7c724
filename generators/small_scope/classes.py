"""The small hierarchies, whole: every class of at most two bases and two members over the forms below, by its number.

Each also comes as the virtual base of another class, which shows whether it is nearly empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from abiprobe.oracles.language.classes import (
    Base,
    Class,
    DataMember,
    Declared,
    Specials,
    VirtualFunction,
)
from abiprobe.oracles.language.lang import Kind, Scalar

CHAR, INT, LLONG = Scalar(Kind.CHAR), Scalar(Kind.INT), Scalar(Kind.LLONG)
MADE = Specials(default=Declared.PROVIDED)
VIRTUAL = (VirtualFunction("v"),)
EMPTY = Class("E")
ALIGNED = Class("A", alignas=16)
PADDED = Class("P", members=(DataMember(INT, "i"), DataMember(CHAR, "c")), specials=MADE)
OVERSIZED = Class("O", members=(DataMember(CHAR, "o", 9),), specials=MADE)
CLASSES = (
    EMPTY,
    ALIGNED,
    Class("X", (Base(EMPTY),)),
    PADDED,
    OVERSIZED,
    Class("N", members=(DataMember(INT, "n", no_unique_address=True), DataMember(CHAR, "d"))),
    Class("V", virtuals=VIRTUAL),
    Class("W", (Base(EMPTY),), virtuals=VIRTUAL),
    Class("Y", (Base(ALIGNED),), virtuals=VIRTUAL),
    Class("Z1", (Base(EMPTY, virtual=True),)),
    Class("D", members=(DataMember(INT, "e"),), virtuals=VIRTUAL),
    Class(
        "M",
        members=(
            DataMember(CHAR, "f"),
            *(DataMember(EMPTY, name, no_unique_address=True) for name in ("g", "h")),
        ),
        specials=MADE,
    ),
)
"""The classes of bases and members."""
BASES = (None, *(Base(one, virtual=virtual) for one, virtual in product(CLASSES, (False, True))))
MEMBERS = (
    None,
    *(DataMember(one) for one in (CHAR, INT, LLONG)),
    *(DataMember(INT, width=width) for width in (0, 3)),
    DataMember(CHAR, width=9),
    DataMember(EMPTY),
    *(DataMember(one, no_unique_address=True) for one in CLASSES[:7]),
    DataMember(EMPTY, no_unique_address=True, alignas=16),
)
"""The forms of members, without their names."""
COUNT = len(BASES) ** 2 * len(MEMBERS) ** 2 * 2
"""So many numbers there are, some of which stand for no class."""
STEP = 1_000_003
"""A prime that divides no count of numbers, so that every number comes once."""


def hierarchy(number: int) -> Class | None:
    """The class of a number below `COUNT`; `None` where it would be no class, or the same as another number's."""
    number, below = divmod(number, 2)
    number, second = divmod(number, len(MEMBERS))
    number, first = divmod(number, len(MEMBERS))
    left, right = divmod(number, len(BASES))
    bases = tuple(base for base in (BASES[left], BASES[right]) if base is not None)
    if (right and not left) or (second and not first) or len({base.type for base in bases}) != len(bases):
        return None
    asked = Class("S", bases, members((MEMBERS[first], MEMBERS[second])))
    return Class("T", (Base(asked, virtual=True),)) if below else asked


def members(forms: Sequence[DataMember | None]) -> tuple[DataMember, ...]:
    """Members of these forms, with names; a bit-field without width has none."""
    return tuple(
        DataMember(
            form.type,
            "" if form.width == 0 else name,
            form.width,
            no_unique_address=form.no_unique_address,
            alignas=form.alignas,
        )
        for name, form in zip(("a", "b"), forms, strict=True)
        if form is not None
    )


def permuted(number: int, *, seed: int) -> int:
    """A number below `COUNT` for each number below it, in another order for each seed."""
    return (number * STEP + seed) % COUNT
