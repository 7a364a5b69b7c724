"""Compilers and targets of which nothing was compared, and the reasons.

A run is green for what it compared only: the agreement of one compiler says nothing about another one that was named beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from typing import TypeAlias

import msgspec

from abiprobe.oracles.language.question import WITNESSES, ProbeKind
from abiprobe.results.coverage.differing import Comparison
from abiprobe.results.journal.journal import BatchDone, Named
from abiprobe.results.verdicts.quantity import quantity
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

NOTHING_NAMED = Named()
NOTHING_COMPARED = 3
"""The exit status where nothing was compared at all, or of something that a user named."""
JUDGED = frozenset({Judgement.AGREES, Judgement.DEVIATES})
"""The verdicts of a comparison with a text; a pair has them too, where it says whether a call arrives."""
TOOLS_OWN = frozenset({Outcome.REFUSED, Outcome.CRASHED, Outcome.TIMED_OUT, Outcome.DIED, Outcome.FAILED})
"""Outcomes whose detail needs the outcome before it to be understood."""
NOT_ASKED = "it was given no question"
ALONE = "the documents leave it open, and no other compiler was compared with it"
LAYOUTS, CALLS = "layouts", "calls"
OF_LAYOUTS = frozenset(WITNESSES.values())
UNABLE = frozenset({Outcome.UNSUPPORTED, Outcome.NOTHING, Outcome.OBSERVED})
"""Outcomes that come of the question: a compiler lacks what it needs, no byte travels, or no text decides."""
TargetConfiguration: TypeAlias = tuple[str, str, str]
"""A target, a subject and a level."""
ComparedPart: TypeAlias = tuple[str, str, str, str]
"""The same, and whether it is about layouts or calls."""
Why: TypeAlias = Counter[tuple[Outcome, str]]
"""Why nothing was compared, counted by verdict: the outcome, and words."""


class Uncompared(msgspec.Struct, frozen=True, rename={"levels": "opt"}):
    """A subject of which nothing was compared, on some targets and at some levels, all of them for the same reason.

    `subject` is empty where it is about all of a target, `targets` where it is about all of them. `part` is empty, or `layouts` or
    `calls` where only those were not compared, or only so many `probes` of them. `named` says that the user named it, so that it
    decides the exit status.
    """

    subject: str
    targets: tuple[str, ...]
    levels: tuple[str, ...]
    why: str
    part: str = ""
    named: bool = True
    probes: int = 0

    def __str__(self) -> str:
        who = " ".join((self.subject, *(f"-{level}" for level in self.levels)))
        part = f"{self.probes} of the {self.part}" if self.probes else f"the {self.part}" * bool(self.part)
        whose = " of ".join(filter(None, (part, who)))
        return f"nothing was compared of {' on '.join(filter(None, (whose, ', '.join(self.targets))))}: {self.why}"


class Coverage(msgspec.Struct, frozen=True):
    """The coverage of a run: whether anything was compared, and the subjects of which nothing was."""

    anything: bool
    uncompared: tuple[Uncompared, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """A line for each, those first that decide the exit status."""
        return tuple(map(str, sorted(self.uncompared, key=lambda item: not item.named)))

    @property
    def complete(self) -> bool:
        """Return whether something was compared, and something of everything that was named."""
        return self.anything and not any(item.named for item in self.uncompared)


def coverage(
    batches: Collection[BatchDone],
    comparisons: Iterable[Comparison],
    named: Named = NOTHING_NAMED,
    *,
    each: bool = False,
) -> Coverage:
    """Return the subjects of which nothing was compared in a run; `comparisons` are those of its open questions.

    Of a subject that was named something has to be compared at each level at which it was asked, on each target that was named
    as well; of a target that was named something of one subject. If only its layouts or only its calls were not compared,
    that counts unless it could not be asked them. A single question on which abiprobe itself failed counts, and where `each`
    question is a user's own one that was not run as well, as where a tool had no memory for it.
    """
    asked, compared, open_parts = looked_at(batches)
    compared |= {
        (found.target, *one, open_parts[found.target, found.probe])
        for found in comparisons
        for one in {*found.held, *found.concerned}
    }
    whys = reasons(batches, asked - compared)
    found = [
        *of_named(named, {part[:3] for part in asked}),
        *of_asked(named, whys, {part[:3] for part in compared}),
        *of_probes(named, batches, compared, {Outcome.FAILED, *([Outcome.NOT_RUN] if each else [])}),
    ]
    return Coverage(bool(compared), tuple(found))


def looked_at(
    batches: Collection[BatchDone],
) -> tuple[set[ComparedPart], set[ComparedPart], dict[tuple[str, str], str]]:
    """Return the questions of each subject, those that were judged or called another subject, and the part of each open question."""
    asked: set[ComparedPart] = set()
    compared: set[ComparedPart] = set()
    open_parts: dict[tuple[str, str], str] = {}
    for batch in batches:
        target, subject, level = batch.key.target, batch.key.subject, batch.key.level
        for verdict in batch.verdicts:
            part = part_of(verdict)
            key = (target, subject, level, part)
            if verdict.shown:
                open_parts[target, verdict.probe] = part
            if verdict.verdict in JUDGED:
                compared.add(key)
            asked.add(key)
    return asked, compared, open_parts


def part_of(verdict: Verdict) -> str:
    """Return whether a verdict is on a layout or on a call."""
    return LAYOUTS if verdict.kind in OF_LAYOUTS else CALLS


def of_named(named: Named, asked: set[TargetConfiguration]) -> Iterator[Uncompared]:
    """Yield what was named and not asked anything at all."""
    for one in named.unusable:
        yield Uncompared(one.subject, (one.target,) if one.target else (), (), one.why)
    told = {(one.target, one.subject) for one in named.unusable}
    subjects = {subject for _, subject, _ in asked}
    for subject in named.subjects:
        if subject not in subjects and not any(subject == other for _, other in told):
            yield Uncompared(subject, (), (), NOT_ASKED)
    targets = {target for target, _, _ in asked}
    for target in named.targets:
        if target not in targets and (target, "") not in told:
            yield Uncompared("", (target,), (), NOT_ASKED)


def of_asked(
    named: Named, whys: Mapping[ComparedPart, Why], compared: set[TargetConfiguration]
) -> Iterator[Uncompared]:
    """Yield the subjects that were asked and show nothing comparable, grouped by reason."""
    subjects = {subject for _, subject, _ in compared}
    targets = {target for target, _, _ in compared}
    together: dict[tuple[str, str, str, bool], tuple[dict[str, None], dict[str, None]]] = {}
    for (target, subject, level, part), why in sorted(merged(whys, compared).items()):
        able = {outcome for outcome, _ in why} - {Outcome.UNSUPPORTED}
        by_subject = subject in named.subjects and (
            target in named.targets or subject not in subjects or bool(able)
        )
        by_target = target in named.targets and target not in targets
        key = (subject, in_words(why), part, by_subject or by_target)
        of_targets, levels = together.setdefault(key, ({}, {}))
        of_targets[target] = levels[level] = None
    for (subject, words, part, counts), (of_targets, levels) in together.items():
        yield Uncompared(subject, tuple(of_targets), tuple(levels), words, part, counts)


def of_probes(
    named: Named,
    batches: Collection[BatchDone],
    compared: Container[ComparedPart],
    lost: Container[Outcome],
) -> Iterator[Uncompared]:
    """Yield the subjects that were compared, with the single probes that were `lost` on them, and the reason."""
    found: dict[tuple[ComparedPart, str], dict[str, None]] = {}
    for batch in batches:
        key = (batch.key.target, batch.key.subject, batch.key.level)
        for verdict in batch.verdicts:
            part = (*key, part_of(verdict))
            if verdict.outcome in lost and verdict.kind is not ProbeKind.PAIR and part in compared:
                found.setdefault((part, reason(verdict)[1]), {})[verdict.probe] = None
    together: dict[tuple[str, str, str, int], tuple[dict[str, None], dict[str, None]]] = {}
    for ((target, subject, level, part_name), words), probes in found.items():
        of_targets, levels = together.setdefault((subject, part_name, words, len(probes)), ({}, {}))
        of_targets[target] = levels[level] = None
    for (subject, part_name, words, many), (of_targets, levels) in together.items():
        yield Uncompared(
            subject, tuple(of_targets), tuple(levels), words, part_name, subject in named.subjects, many
        )


def merged(whys: Mapping[ComparedPart, Why], compared: set[TargetConfiguration]) -> dict[ComparedPart, Why]:
    """Return why nothing was compared of a subject as a whole, or only of its layouts or its calls though it could be asked."""
    found: dict[ComparedPart, Why] = {}
    for (target, subject, level, part), why in whys.items():
        if (target, subject, level) not in compared:
            found.setdefault((target, subject, level, ""), Counter()).update(why)
        elif any(outcome not in UNABLE for outcome, _ in why):
            found[target, subject, level, part] = why
    return found


def reasons(batches: Collection[BatchDone], silent: set[ComparedPart]) -> dict[ComparedPart, Why]:
    """Count why nothing was compared of the silent parts."""
    found: dict[ComparedPart, Why] = {part: Counter() for part in silent}
    for batch in batches if silent else ():
        key = (batch.key.target, batch.key.subject, batch.key.level)
        for verdict in batch.verdicts:
            part = (*key, part_of(verdict))
            if part in silent and verdict.kind is not ProbeKind.PAIR:
                found[part][reason(verdict)] += 1
    return found


def reason(verdict: Verdict) -> tuple[Outcome, str]:
    """Return how far a probe got that was not compared, and why in words."""
    outcome = verdict.outcome
    if outcome is Outcome.OBSERVED:
        return outcome, ALONE
    if outcome in TOOLS_OWN:
        return outcome, f"{outcome.value}: {verdict.detail}" if verdict.detail else outcome.value
    return outcome, verdict.detail or outcome.value


def in_words(why: Why) -> str:
    """Return the reason that tells most, and how many more there are: what a subject lacks comes last, then what is rare."""
    words = Counter[tuple[bool, str]]()
    for (outcome, text), count in why.items():
        words[outcome in UNABLE, text] += count
    ordered = sorted(words, key=lambda key: (key[0], -words[key], key[1]))
    more = f" (and {quantity(len(ordered) - 1, 'more reason')})" if ordered[1:] else ""
    return (ordered[0][1] if ordered else NOT_ASKED) + more
