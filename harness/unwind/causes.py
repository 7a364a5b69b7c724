"""Wrong rows that are wrong in the same way become causes, each with the smallest function that shows it."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from abiprobe.generators.frames import Function, simpler, size
from abiprobe.harness.unwind.image import Answer
from abiprobe.harness.unwind.sorting import grouped
from abiprobe.harness.unwind.sweep import Share, Way, answered
from abiprobe.harness.unwind.wrong import CFA_NAME, ROW_NAME, SIGN_NAME, Wrong
from abiprobe.results.causes.timeline import Version

NUMBER = re.compile(r"[+-]\d+")
OWN = re.compile(r"f(\d+)\b")
"""The functions as they are numbered in their unit, also the parts that compilers split off."""
AT_ONCE = 24
"""Candidates of one unit."""
REGISTER = "a register"
"""A preserved register, or the return address: both are saved and restored together."""


class Kind(msgspec.Struct, frozen=True, order=True):
    """A way in which rows are wrong: of what, by which rule, behind which instruction. Registers and offsets do not count."""

    what: str
    rule: str
    behind: str

    def __str__(self) -> str:
        rule = f" ({self.rule})" if self.rule else ""
        where = f"after {self.behind}" if self.behind else "at the entry"
        return f"{self.what}{rule}, {where}"


class Member(msgspec.Struct, frozen=True):
    """A function whose rows are wrong in one way, and the instructions at which they are."""

    way: Way
    function: Function
    wrong: tuple[Wrong, ...]


class Cause(msgspec.Struct, frozen=True):
    """A kind of wrong rows on a target: functions by subject, the smallest one, how it was compiled and what is wrong in it.

    `reduced` says that no simpler one shows it. `versions` are those of the family, if they were asked.
    """

    target: str
    kind: Kind
    counts: dict[str, int]
    instructions: int
    way: Way
    function: Function
    wrong: tuple[Wrong, ...]
    reduced: bool
    versions: tuple[Version, ...] = ()


def kind(wrong: Wrong) -> Kind:
    """The kind of a wrong row."""
    what = wrong.what if wrong.what in {CFA_NAME, ROW_NAME, SIGN_NAME} else REGISTER
    return Kind(what, NUMBER.sub("", wrong.rule), wrong.behind.partition(" ")[0])


def members(share: Share, answer: Answer) -> Iterator[tuple[Kind, Member]]:
    """The functions of a unit that have wrong rows, for each kind. What follows from the instruction before has no kind of its own."""
    by_function: dict[int, list[Wrong]] = {}
    for one in answer.stepping.wrong.values():
        found = OWN.match(one.function)
        assert found is not None, "compilers keep the names of functions"
        by_function.setdefault(int(found[1]), []).append(one)
    for number, wrong in sorted(by_function.items()):
        for each in sorted({kind(one) for one in wrong if not one.sequel}):
            yield each, Member(share.way, share.functions[number], tuple(wrong))


def causes(found: Iterable[tuple[Kind, Member]], seconds: float) -> list[Cause]:
    """The causes, those of most functions first, with the smallest functions that are found in so many seconds for each."""
    groups = grouped(((member.way.target, each), member) for each, member in found)
    return [cause(target, each, some, time.monotonic() + seconds) for (target, each), some in groups]


def cause(target: str, of: Kind, some: Sequence[Member], deadline: float) -> Cause:
    """One cause, reduced until a time."""
    smallest = min(some, key=lambda one: size(one.function))
    counts = Counter(one.way.subject.spelling for one in some)
    places = sum(len({(one.function, one.at) for one in member.wrong}) for member in some)
    member, reduced = shrunk(smallest, of, deadline)
    return Cause(target, of, dict(counts), places, member.way, member.function, member.wrong, reduced)


def shrunk(member: Member, of: Kind, deadline: float) -> tuple[Member, bool]:
    """The smallest function reached from a member that shows the same kind, and whether none is left to try."""
    while True:
        waiting = sorted(simpler(member.function), key=size)
        better = None
        while waiting and better is None:
            if time.monotonic() >= deadline:
                return member, False
            now, waiting = waiting[:AT_ONCE], waiting[AT_ONCE:]
            better = showing(Share(member.way, tuple(now)), of)
        if better is None:
            # By itself, under the name and at the addresses that a reader of it finds.
            return showing(Share(member.way, (member.function,)), of) or member, True
        member = better


def showing(share: Share, of: Kind) -> Member | None:
    """The smallest function of a unit that shows a kind."""
    shown = [member for each, member in members(share, answered(share)) if each == of]
    return min(shown, key=lambda one: size(one.function), default=None)
