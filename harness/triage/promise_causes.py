"""The causes for which a promise is broken: the questions on which two subjects differ, reduced and told apart.

The machinery is that of every other difference where no text decides. What is added is what the text says all the same:
the clause that decides the part on which they differ, by which causes are told apart, and who follows it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from abiprobe.generators.reduction.cost import cost
from abiprobe.harness.base.progress import steps
from abiprobe.harness.observers.ask import ask, on
from abiprobe.harness.observers.registry import observer_of
from abiprobe.harness.triage.group_reduction import Task, reduce_each, reduce_groups
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import Question, probe
from abiprobe.oracles.registry import find_target
from abiprobe.oracles.text.place import Unspecified
from abiprobe.oracles.unmodelled.opened import with_text
from abiprobe.results.causes.blame import Configuration
from abiprobe.results.causes.cluster import Cluster, Finding, cluster, digest
from abiprobe.results.causes.fingerprint import OPEN, Symptom
from abiprobe.results.causes.groups import Group, Member, group_members, members_of, verdicts_by_probe
from abiprobe.results.causes.promises import BrokenPromise, CounterExamples, Stand
from abiprobe.results.coverage.differing import Group as Together
from abiprobe.results.coverage.promises import Both, Tested
from abiprobe.results.journal.journal import BatchDone
from abiprobe.results.verdicts.record import Judgement, Verdict


def broken_promises(
    tested: Tested,
    batches: Iterable[BatchDone],
    pairs: Sequence[Both],
    jobs: int,
    seconds: float,
) -> tuple[BrokenPromise, ...]:
    """Return the causes for which a promise was broken in a run, reduced for at most `seconds`; the most frequent first."""
    apart = groups_apart(tested, batches, pairs)
    with steps("groups of differences", len(apart)) as step:
        reduced = reduce_groups(
            apart, jobs, lambda group: step(group.fingerprint.target), deadline=time.monotonic() + seconds
        )
    by_clause: dict[str, list[Finding]] = {}
    for finding in reduced.findings:
        by_clause.setdefault(clause_of_finding(finding), []).append(finding)
    found = [
        (named(one, clause), clause) for clause, findings in by_clause.items() for one in cluster(findings)
    ]
    found.sort(key=lambda one: (not one[0].first.steady, -one[0].probes, one[0].id))
    return tuple(BrokenPromise(one, clause, stands(one.first, pairs)) for one, clause in found)


def groups_apart(tested: Tested, batches: Iterable[BatchDone], pairs: Sequence[Both]) -> list[Group]:
    """The groups of the questions of a run on which a promise is broken, each of one clause."""
    configurations = {one for both in pairs for one in both}
    mine = [one for one in batches if (one.key.subject, one.key.level) in configurations]
    return [part for group in broken_groups(tested, mine, pairs) for part in by_deciding_clause(group)]


def counter_examples(
    broken: Sequence[tuple[Tested, Sequence[Both]]], batches: Sequence[BatchDone], jobs: int, seconds: float
) -> tuple[CounterExamples, ...]:
    """Return the counter-examples of promises that were broken in a run: of each the smallest question of its largest group.

    That is one for the layouts and one for the calls of each target. They are reduced together, for at most `seconds`.
    """
    held = broken_alone(batches, [tested for tested, _ in broken])
    apart = [(groups_apart(tested, held, pairs), pairs) for tested, pairs in broken]
    chosen = [(at, group) for at, (groups, _) in enumerate(apart) for group in largest(groups)]
    deadline = time.monotonic() + seconds
    with steps("counter-examples", len(chosen)) as step:
        reduced = reduce_each(
            [Task(with_simplest(group), deadline=deadline) for _, group in chosen],
            jobs,
            lambda group: step(group.fingerprint.target),
        )
    causes: list[list[BrokenPromise]] = [[] for _ in broken]
    for (at, _), item in zip(chosen, reduced, strict=True):
        finding = item.findings[0]
        clause = clause_of_finding(finding)
        (one,) = cluster((finding,))
        causes[at].append(BrokenPromise(named(one, clause), clause, stands(finding, apart[at][1])))
    return tuple(
        CounterExamples(tuple(mine), len(groups)) for mine, (groups, _) in zip(causes, apart, strict=True)
    )


def broken_alone(batches: Iterable[BatchDone], every: Iterable[Tested]) -> list[BatchDone]:
    """Return batches with what they say of the probes on which a promise is broken; those of a large run are read for that once."""
    broken = {(part.target, probe) for tested in every for part in tested.parts for probe in part.broken}
    probes = {probe for _, probe in broken}
    return [
        replace(
            one,
            verdicts=tuple(seen for seen in one.verdicts if (one.key.target, seen.probe) in broken),
            kept=tuple(question for question in one.kept if question.probe in probes),
            observed=(),
            raw=b"",
        )
        for one in batches
    ]


def largest(groups: Iterable[Group]) -> tuple[Group, ...]:
    """Return the group with most members of each target, of layouts and of calls."""
    found: dict[tuple[str, bool], Group] = {}
    for group in groups:
        key = group.fingerprint.target, isinstance(group.members[0].question, Prototype)
        if key not in found or len(group.members) > len(found[key].members):
            found[key] = group
    return tuple(found.values())


def with_simplest(group: Group) -> Group:
    """A group with its simplest member alone."""
    return replace(group, members=(min(group.members, key=lambda one: (cost(one.question), one.probe)),))


def broken_groups(tested: Tested, batches: Sequence[BatchDone], pairs: Sequence[Both]) -> Iterator[Group]:
    """Yield the groups of the questions of a run on which a promise is broken."""
    broken = {(part.target, probe) for part in tested.parts for probe in part.broken}
    for group in group_members(
        found for one in verdicts_by_probe(batches, broken) for found in members_of(one)
    ):
        symptom = group.fingerprint.symptom
        if symptom not in OPEN or (symptom is Symptom.SELF_INCONSISTENT and len(group.subjects) > 1):
            continue
        alone = symptom is Symptom.SELF_INCONSISTENT
        yield replace(group, members=tuple(opposed(one, pairs) if alone else one for one in group.members))


def opposed(member: Member, pairs: Sequence[Both]) -> Member:
    """A question on which one side contradicts itself, with the other side as the one that does not."""
    others = {one: other for both in pairs for one, other in (both, both[::-1])}
    agreeing = dict.fromkeys(others[asked] for asked in member.deviating if asked in others)
    return replace(member, agreeing=tuple(one for one in agreeing if one not in member.deviating))


def by_deciding_clause(group: Group) -> Iterator[Group]:
    """A group for each clause of the text that decides the part on which subjects differ."""
    found: dict[str, list[Member]] = {}
    for member in group.members:
        part = part_in(member.what, member.groups)
        found.setdefault(deciding_clause(group.fingerprint.target, member.question, part), []).append(member)
    for members in found.values():
        yield replace(group, members=tuple(members))


def part_in(what: str, contradictory: Sequence[Together]) -> str:
    """The part on which subjects differ, or which one does not take from where it puts it."""
    return what or next((one.what for one in contradictory), "")


def deciding_clause(target: str, question: Question, part: str) -> str:
    """The clause of the text that decides one part of an answer, or that leaves it open; empty where none says anything."""
    observer, asked = observer_of(with_text(find_target(target)), question), probe(question)
    answer = observer.answer(asked)
    return answer.clause if isinstance(answer, Unspecified) else observer.decides(asked, part)


def clause_of_finding(finding: Finding) -> str:
    """The clause of the text that decides the part on which subjects differ in a reduced example."""
    part = part_in(finding.blame.what, finding.blame.groups)
    return deciding_clause(finding.fingerprint.target, finding.example, part)


def named(item: Cluster, clause: str) -> Cluster:
    """A cause under a name of its own: those that differ in the clause alone are different ones."""
    return replace(item, id=digest(item.id, clause), former=(item.id, *item.former))


def stands(finding: Finding, pairs: Sequence[Both]) -> tuple[Stand, ...]:
    """Return the stands of both sides by the text in the example of a cause, at a level at which it shows."""
    shown = {one for group in finding.blame.groups for one in group.subjects}
    both = next((each for each in pairs if shown & set(each)), pairs[0])
    written = with_text(find_target(finding.fingerprint.target))
    seen = on(ask(written, (finding.example,), both), finding.example)
    return tuple(stand(asked, seen.get(asked, ())) for asked in both)


def stand(asked: Configuration, verdicts: Sequence[Verdict]) -> Stand:
    """Return the stand of one side by its verdicts."""
    judged = {one.verdict for one in verdicts}
    quirks = tuple(
        dict.fromkeys(name for one in verdicts if one.verdict is Judgement.DEVIATES for name in one.quirks)
    )
    if Judgement.DEVIATES in judged:
        return Stand(*asked, follows=False, quirks=quirks)
    if Judgement.AGREES in judged:
        return Stand(*asked, follows=True)
    return Stand(*asked, follows=None, reading=next((one.reading for one in verdicts if one.reading), ""))
