"""The points on which the text is silent, and the other readings of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import msgspec

from abiprobe.oracles.abis.itanium.definitions import is_pod
from abiprobe.oracles.abis.itanium.policy import TEXT, Policy
from abiprobe.oracles.language.classes import Class, Declared, parts
from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__).cite
DEFAULTED = cite("pod.defaulted", "oracles.abis.itanium.definitions.is_pod")
DECLARED = frozenset({Declared.DEFAULTED, Declared.DELETED})
LENIENT = Policy(pod_constructors=True, pod_others=True)
"""The reading by which most classes are PODs."""


class Point(msgspec.Struct, frozen=True):
    """A point on which the text is silent: the field of a policy, the clause, and which classes it concerns."""

    field: str
    clause: str
    concerns: Callable[[Class], bool]


OPEN = (
    Point(
        "pod_constructors",
        DEFAULTED,
        lambda one: not DECLARED.isdisjoint(one.specials.constructors) and is_pod(one, LENIENT),
    ),
    Point(
        "pod_others",
        DEFAULTED,
        lambda one: (
            not DECLARED.isdisjoint({one.specials.assign, one.specials.destructor.declared})
            and is_pod(one, LENIENT)
        ),
    ),
    Point(
        "unnamed_align",
        cite("bits.align", "oracles.abis.itanium.construction.Construction.add_bit_field"),
        lambda one: any(member.width is not None and not member.name for member in one.members),
    ),
    Point(
        "zero_width_data",
        cite("bits.zero-width", "oracles.abis.itanium.construction.Construction.add_bit_field"),
        lambda one: any(member.width == 0 for member in one.members),
    ),
)
"""The points on which the text is silent."""


def open_points(asked: Class) -> tuple[Point, ...]:
    """The points that concern a class or one of those that it is made of."""
    every = parts(asked)
    return tuple(point for point in OPEN if any(map(point.concerns, every)))


def other_readings(points: Sequence[Point]) -> Iterator[tuple[str, Policy]]:
    """Every other reading of these points, with a clause that is silent: first those that differ in one point only."""
    for count in range(1, len(points) + 1):
        for chosen in combinations(points, count):
            yield chosen[0].clause, msgspec.structs.replace(TEXT, **{point.field: True for point in chosen})
