"""Ask again about what deviates: a compiler that answers now this, now that is to blame for nothing but that.

A wrapper that fails now and then, or a machine that miscalculates, shows a deviation that its next call does not have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

import msgspec

from abiprobe.harness.observers.ask import Seen, ask
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import ProbeKind, Question
from abiprobe.oracles.model import Target
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.blame import Configuration
from abiprobe.results.causes.fingerprint import CRASHES, OPEN, Fingerprint, fingerprints
from abiprobe.results.causes.groups import Group
from abiprobe.results.verdicts.quantity import quantity
from abiprobe.results.verdicts.record import Outcome, Verdict

TIMES = 2
ANSWERED = frozenset({Outcome.OBSERVED, Outcome.DIED, Outcome.NOTHING})
"""Outcomes that say that a compiler has answered; it may have been killed this time."""


class Put(Protocol):
    """A function that puts questions to subjects and returns the verdicts, as `ask` does."""

    def __call__(
        self,
        target: Target,
        questions: Sequence[Question],
        subjects: Iterable[Configuration],
        kinds: tuple[ProbeKind, ...],
        /,
    ) -> Seen: ...


class Shown(msgspec.Struct, frozen=True):
    """A deviation of a configuration on a question."""

    fingerprint: Fingerprint
    asked: Configuration
    probe: str
    question: Question


class Unsteady(msgspec.Struct, frozen=True):
    """A compiler at a level that answered otherwise when it was asked again; `names` are the probes, of so many that deviate."""

    target: str
    subject: str
    level: str
    probes: tuple[str, ...]
    deviating: int

    def __str__(self) -> str:
        of = f"{len(self.probes)} of {quantity(self.deviating, 'deviating probe')}"
        return (
            f"{self.subject} -{self.level} contradicts itself between two calls on {self.target}: "
            f"asked again, it answers {of} otherwise"
        )


def unsteady(
    groups: Iterable[Group],
    kinds: tuple[ProbeKind, ...],
    put: Put = ask,
) -> tuple[Unsteady, ...]:
    """Return the deviations, in groups, that do not recur each time; crashes and hangs are not run again."""
    by_asked: dict[tuple[str, Configuration], list[Shown]] = {}
    for one in shown(groups):
        by_asked.setdefault((one.fingerprint.target, one.asked), []).append(one)
    found = ((key, mine, other_answers(key, mine, kinds, put)) for key, mine in by_asked.items())
    return tuple(
        Unsteady(target, *asked, tuple(sorted(changed)), len({one.probe for one in mine}))
        for (target, asked), mine, changed in found
        if changed
    )


def shown(groups: Iterable[Group]) -> Iterator[Shown]:
    """Yield each deviation from a text that somebody shows."""
    for group in groups:
        if group.fingerprint.symptom not in OPEN | CRASHES:
            for member in group.members:
                for asked in member.deviating:
                    yield Shown(group.fingerprint, asked, member.probe, member.question)


def other_answers(
    key: tuple[str, Configuration],
    mine: Sequence[Shown],
    kinds: tuple[ProbeKind, ...],
    put: Put,
) -> set[str]:
    """The probes on which a compiler once does not show what it showed."""
    target, asked = key
    questions = {one.probe: one.question for one in mine}
    sorts = (
        tuple(one for one in questions.values() if isinstance(one, Prototype) is call)
        for call in (False, True)
    )
    changed: set[str] = set()
    for some in filter(None, sorts):
        for _ in range(TIMES):
            seen = put(find_target(target), some, (asked,), kinds).get(asked, {})
            changed |= {one.probe for one in mine if is_other(one, seen)}
    return changed


def is_other(one: Shown, seen: Mapping[str, tuple[Verdict, ...]]) -> bool:
    """Return whether a compiler has answered, and does not show a deviation."""
    verdicts = seen.get(one.probe, ())
    answered = bool(verdicts) and all(verdict.outcome in ANSWERED for verdict in verdicts)
    return answered and one.fingerprint not in fingerprints(one.fingerprint.target, verdicts)
