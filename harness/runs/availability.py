"""Availability of a recorded run's compilers on this machine, in the same build.

A run may come from another machine, or a compiler may have been replaced since. The answers of a different build are
never reported as those of the run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.subjects.find import build, identity, parse_subject
from abiprobe.harness.subjects.trust import LEVEL as LEVELS
from abiprobe.harness.subjects.trust import distrust
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.blame import Configuration
from abiprobe.results.causes.groups import Group
from abiprobe.results.journal.journal import Run, SubjectInfo

LEVEL = "O0"


class Unavailable(msgspec.Struct, frozen=True):
    """A compiler of a run that is not installed in the same build; `now` is the version line of its replacement."""

    target: str
    subject: str
    then: str
    now: str = ""
    distrusted: str = ""

    def __str__(self) -> str:
        if self.distrusted:
            return self.distrusted
        if not self.now:
            return f"{self.subject} is not installed"
        if self.now == self.then:
            return f"{self.subject} is another build of {self.then!r}"
        return f"{self.subject} is {self.now!r} here and was {self.then!r}"


class Availability:
    """The compilers of a run that can be run again, by target.

    `known` are those that the run's header names, `None` for all; what else a run or its triage may name is never started.
    """

    def __init__(
        self, absent: Iterable[Unavailable] = (), known: Iterable[tuple[str, str]] | None = None
    ) -> None:
        self._absent: Mapping[tuple[str, str], Unavailable] = {
            (one.target, one.subject): one for one in absent
        }
        self._known = None if known is None else frozenset(known)

    def has(self, target: str, subject: str) -> bool:
        """Return whether the compiler that the run used is installed."""
        named = self._known is None or (target, subject) in self._known
        return named and (target, subject) not in self._absent

    def here(self, target: str, asked: Iterable[Configuration]) -> tuple[Configuration, ...]:
        """Return those configurations whose compiler is installed."""
        return tuple(
            (subject, level)
            for subject, level in asked
            if self.has(target, subject) and (self._known is None or LEVELS.fullmatch(level))
        )

    @property
    def missing(self) -> tuple[str, ...]:
        """The compilers of the run that are not installed, sorted."""
        return tuple(sorted({subject for _, subject in self._absent}))

    def askable(self, group: Group) -> Group | None:
        """Restrict a group to installed compilers; `None` when one that shows the deviation is missing."""
        target = group.fingerprint.target
        if not all(self.has(target, subject) for subject in group.subjects):
            return None
        members = (
            msgspec.structs.replace(
                one, everyone=self.here(target, one.everyone), agreeing=self.here(target, one.agreeing)
            )
            for one in group.members
        )
        return msgspec.structs.replace(group, members=tuple(members))

    def divided(self, groups: Sequence[Group]) -> tuple[tuple[Group, ...], tuple[Group, ...]]:
        """Divide groups into those whose compilers are installed, restricted to these, and the others."""
        here = [(group, self.askable(group)) for group in groups]
        return (
            tuple(mine for _, mine in here if mine is not None),
            tuple(group for group, mine in here if mine is None),
        )

    def words(self) -> str:
        """One line that says which compilers are unavailable and why; empty when none is."""
        return "; ".join(dict.fromkeys(str(one) for one in self._absent.values()))


def availability_of(run: Run) -> Availability:
    """Look up which compilers of a run are installed in the build that the run used."""
    subjects = run.header.subjects
    known = ((info.target, info.subject) for info in subjects)
    return Availability(filter(None, map(why_unavailable, subjects)), known)


def why_unavailable(info: SubjectInfo) -> Unavailable | None:
    """Return why one compiler of a run is unavailable, `None` when it is available."""
    gone = Unavailable(info.target, info.subject, info.version)
    try:
        subject = parse_subject(info.subject)
        words = distrust(subject)
        if words:
            return msgspec.structs.replace(gone, distrusted=words)
        built = build(subject, find_target(info.target), LEVEL)
        found = None if built is None else identity(built.command)
    except (Problem, OSError):
        return gone
    if found is None:
        return gone
    return None if found.digest == info.digest else msgspec.structs.replace(gone, now=found.version)
