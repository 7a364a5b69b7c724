"""Reduce groups of deviations to findings.

The smallest member of a group is reduced; the traits of the result are a predicate. Members with all these traits are
attributed to the same cause, and the smallest of the others is reduced next. A sample of the attributed members is
reduced as well, to test the predicate.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

import msgspec

from abiprobe.generators.reduction.cost import cost
from abiprobe.harness.base.stopwatch import cpu_seconds
from abiprobe.harness.base.workers import Work, in_order, leaving, results
from abiprobe.harness.observers.registry import observer_of
from abiprobe.harness.subjects.find import at_level
from abiprobe.harness.subjects.options import subject_options
from abiprobe.harness.subjects.subject import Subject
from abiprobe.harness.triage.reduce import Goal, Reduced, reduce
from abiprobe.oracles.language.question import Question, probe
from abiprobe.oracles.model import Target
from abiprobe.oracles.quirks.versions import family
from abiprobe.oracles.registry import find_target
from abiprobe.oracles.text.options import DEFAULT, LayoutOptions
from abiprobe.results.causes.attribution import attributed
from abiprobe.results.causes.blame import Blame, Configuration, stand_of
from abiprobe.results.causes.cluster import Finding
from abiprobe.results.causes.fingerprint import OPEN, Fingerprint, Symptom
from abiprobe.results.causes.groups import Group, Member
from abiprobe.results.causes.traits import alike, traits
from abiprobe.results.causes.triage_progress import ReducedMember
from abiprobe.results.known.deviations import KnownCause
from abiprobe.results.known.matches import KnownMatches
from abiprobe.results.verdicts.record import Judgement

TESTED = 2
"""Members that seem to be explained by a group's first finding, reduced to see whether they are."""
MANY = 4
"""Members that a finding must explain to be tested."""
MOST = 8
"""Reductions for one group at most."""
SECONDS = 30.0
"""The budget of one reduction."""
UNREDUCED = "as the run saw it, not reduced"
BY_MESSAGE = frozenset({Symptom.REFUSED, Symptom.TIMED_OUT})
"""Symptoms whose cause is what a tool says, or its silence: one example is enough."""


def ignore(_: Group) -> None:
    """Report no progress."""


EntriesBeside: TypeAlias = Callable[[Group], Mapping[str, tuple[KnownCause, ...]]]
"""The entries for known deviations that show as a group does, by subject of the group."""


def no_entries(_: Group) -> Mapping[str, tuple[KnownCause, ...]]:
    """No entries."""
    return {}


class Task(msgspec.Struct, frozen=True):
    """A group to reduce until `deadline` (monotonic clock), with the reductions already made of it.

    `cpu` is the number of CPU seconds after which a process reduces nothing more. `known` are entries by subject: deviations that they describe are not those of the group.
    """

    group: Group
    done: tuple[ReducedMember, ...] = ()
    deadline: float = math.inf
    cpu: float = math.inf
    known: Mapping[str, tuple[KnownCause, ...]] = {}


class ReducedGroup(msgspec.Struct, frozen=True):
    """The findings of one or more groups, and the reductions behind them."""

    findings: tuple[Finding, ...] = ()
    examined: tuple[ReducedMember, ...] = ()


def reduce_groups(
    groups: Iterable[Group],
    jobs: int,
    progress: Callable[[Group], None],
    done: Sequence[ReducedMember] = (),
    deadline: float = math.inf,
    entries_beside: EntriesBeside = no_entries,
) -> ReducedGroup:
    """Reduce all groups, `jobs` at a time; calls `progress` with each finished group.

    After `deadline` (monotonic clock), the remaining members become findings without reduction. A deviation is not reduced to
    one that `entries_beside` its group describe.
    """
    return merged(reduce_each(tasks(groups, done, deadline, entries_beside), jobs, progress))


def tasks(
    groups: Iterable[Group],
    done: Sequence[ReducedMember],
    deadline: float = math.inf,
    entries_beside: EntriesBeside = no_entries,
) -> list[Task]:
    """Make a task of each group, the largest first, as `reduce_groups` does."""
    return [
        Task(
            group,
            tuple(one for one in done if is_of_group(one, group)),
            deadline,
            known=entries_beside(group),
        )
        for group in sorted(groups, key=lambda group: -len(group.members))
    ]


def reduce_new(
    found: KnownMatches,
    before: Sequence[ReducedMember],
    jobs: int,
    seconds: float,
    progress: Callable[[Group], None] = ignore,
    cpu: float = math.inf,
) -> tuple[tuple[Finding, ...], tuple[ReducedMember, ...]]:
    """Reduce deviations that match no entry, for at most so many seconds and CPU seconds.

    Returns the findings and all reductions, old and new.
    """
    deadline = time.monotonic() + seconds
    new = tasks(found.left, before, deadline, found.entries_beside)
    doubts = tasks(found.doubtful, before, deadline, found.quirks_beside)
    made = reduce_each((*new, *doubts), jobs, progress, cpu)
    left, doubted = merged(made[: len(new)]), merged(made[len(new) :])
    # Whether an entry is really behind what only resembles it, a reduction tells; without one it is taken for known.
    sure = (one for one in doubted.findings if one.confirmed != UNREDUCED)
    return (*left.findings, *sure), (*left.examined, *doubted.examined)


def reduce_each(
    waiting: Sequence[Task], jobs: int, progress: Callable[[Group], None], cpu: float = math.inf
) -> tuple[ReducedGroup, ...]:
    """Reduce the group of each task, `jobs` at a time, and return what becomes of it in the order of the tasks.

    `cpu` is a budget of CPU seconds for all of them, which workers share equally.
    """
    found: list[ReducedGroup] = []
    if jobs == 1 or len(waiting) < 2 or all(time.monotonic() >= task.deadline for task in waiting):
        end = cpu_seconds() + cpu
        for task in waiting:
            found.append(reduce_group(msgspec.structs.replace(task, cpu=end)))
            progress(task.group)
        return tuple(found)
    work = Work(reduce_in_worker, leave_unreduced)
    # The CPU time of a worker begins at zero.
    waiting = [msgspec.structs.replace(task, cpu=cpu / jobs) for task in waiting]
    for task, answer in zip(waiting, in_order(results(work, waiting, jobs)), strict=True):
        found.append(answer)
        progress(task.group)
    return tuple(found)


def is_of_group(one: ReducedMember, group: Group) -> bool:
    """Return whether a reduced member belongs to this group."""
    return (one.finding.fingerprint, one.subjects) == (group.fingerprint, group.subjects)


def merged(parts: Sequence[ReducedGroup]) -> ReducedGroup:
    """Merge the results of several groups."""
    return ReducedGroup(
        tuple(item for part in parts for item in part.findings),
        tuple(item for part in parts for item in part.examined),
    )


def reduce_in_worker(task: Task) -> ReducedGroup:
    """Run `reduce_group` in a worker process that can be stopped."""
    return leaving(reduce_group, task)


def leave_unreduced(task: Task) -> ReducedGroup:
    """Return the result for a group on whose reduction workers die."""
    return reduce_in_worker(msgspec.structs.replace(task, deadline=0.0))


def reduce_group(task: Task) -> ReducedGroup:
    """Reduce members of a group until each is explained by a finding, or the time is up."""
    group = task.group
    left = sorted(group.members, key=lambda member: (cost(member.question), member.probe))
    has = {member.probe: alike(traits(member.question)) for member in left}

    def is_void(member: Member) -> bool:
        subjects = [at_level(asked).subject for asked in member.deviating]
        return not still_asked(group.fingerprint, member.question, subjects)

    def explains(one: ReducedMember, member: Member) -> bool:
        return one.covers and one.finding.needs <= has[member.probe]

    reductions, left = attributed(left, lambda some: reduce_member(task, some[0]), explains, MOST, is_void)
    made = [one for one, _ in reductions]
    found = [(one.finding, mine) for one, mine in reductions]
    if found and group.fingerprint.symptom not in BY_MESSAGE:
        found += list(split_off_others(task, found, made))
    if left:
        found.append((unreduced_finding(group, left[0]), left))
    return ReducedGroup(tuple(with_probes_of(finding, mine) for finding, mine in found), tuple(made))


def still_asked(shown: Fingerprint, question: Question, subjects: Iterable[Subject]) -> bool:
    """Return whether today's model, under the options of one of `subjects`, leaves a question open or decides it, as the run's did.

    A failure of a tool is one whatever a model says.
    """
    if shown.words:
        return True
    target, open_ = find_target(shown.target), shown.symptom in OPEN
    every = {subject_options(subject) for subject in subjects} or {DEFAULT}
    return any(is_unspecified(target, question, options) == open_ for options in every)


def is_unspecified(target: Target, question: Question, options: LayoutOptions) -> bool:
    """Return whether today's model leaves a question unspecified under language options."""
    prepared = observer_of(target, question, options=options).prepare((probe(question),))
    asked = any(getattr(plan, "silence", None) is not None for plan in prepared.plans)
    return asked or {one.verdict for one in prepared.settled} == {Judgement.UNSPECIFIED}


def unreduced_finding(group: Group, member: Member) -> Finding:
    """Make a finding of a member without reducing it, for the members that time did not allow to reduce."""
    deviating = tuple(sorted({subject for subject, _ in member.deviating}))
    agreeing = tuple(sorted({subject for subject, _ in member.agreeing}))
    levels = tuple(dict.fromkeys(level for _, level in member.deviating))
    return Finding(
        group.fingerprint,
        member.question,
        cost(member.question),
        traits(member.question),
        Blame(
            stand_of(group.fingerprint, set(deviating), set(agreeing)),
            deviating=deviating,
            agreeing=agreeing,
            levels=levels,
            what=member.what,
            groups=member.groups,
        ),
        levels[0],
        UNREDUCED,
        steady=True,
        probes=(),
        subjects=dict.fromkeys(group.subjects, 1),
        places=member.places,
        value=member.value,
    )


def split_off_others(
    task: Task, found: list[tuple[Finding, list[Member]]], made: list[ReducedMember]
) -> Iterator[tuple[Finding, list[Member]]]:
    """Reduce a sample of the first finding's members; yield those with another cause and remove them from it."""
    finding, mine = found[0]
    for member in mine[1:][:: max(1, len(mine) // TESTED)][: TESTED if len(mine) >= MANY else 0]:
        other = reduce_member(task, member)
        if other is None:
            return
        made.append(other)
        if other.finding.steady and not finding.needs <= alike(other.finding.traits):
            mine.remove(member)
            yield other.finding, [member]


def reduce_member(task: Task, member: Member) -> ReducedMember | None:
    """Reduce one member, or reuse its earlier reduction; `None` when no time is left."""
    group = task.group
    before = next((one for one in task.done if one.probe == member.probe), None)
    seconds = min(SECONDS, task.deadline - time.monotonic(), task.cpu - cpu_seconds())
    if (before is not None and before.finished) or seconds <= 0:
        return before
    goal = Goal(group.fingerprint, first_and_last(member.deviating), one_of_each(member.agreeing), task.known)
    reduced = reduce(member.question, goal, member.everyone, budget=seconds)
    alone = group.fingerprint.symptom not in BY_MESSAGE
    covers = reduced.confirmation.steady and (reduced.finished or not alone) and reduced.goal == goal
    finding = as_finding(reduced, group, (member,))
    return ReducedMember(group.subjects, member.probe, finding, covers, reduced.finished)


def first_and_last(asked: Sequence[Configuration]) -> tuple[Configuration, ...]:
    """Return the first and last configuration as representatives; the final confirmation runs all of them."""
    return tuple(dict.fromkeys((*asked[:1], *asked[-1:])))


def one_of_each(asked: Sequence[Configuration]) -> tuple[Configuration, ...]:
    """Return one configuration of each compiler family."""
    return tuple({family(subject): (subject, level) for subject, level in asked}.values())


def as_finding(reduced: Reduced, group: Group, covered: Iterable[Member]) -> Finding:
    """Convert a reduction into a finding."""
    confirmation = reduced.confirmation
    words = (
        str(confirmation)
        if reduced.finished or not confirmation.steady
        else f"{confirmation}, not fully reduced"
    )
    return Finding(
        reduced.goal.fingerprint,
        reduced.question,
        cost(reduced.question),
        traits(reduced.question, confirmation.value),
        confirmation.blame,
        reduced.goal.deviating[0][1],
        words,
        confirmation.steady,
        tuple(member.probe for member in covered),
        dict.fromkeys(group.subjects, 1),
        confirmation.places,
        confirmation.value,
    )


def with_probes_of(finding: Finding, members: list[Member]) -> Finding:
    """Return a finding with the probes of `members`."""
    probes = tuple(sorted(member.probe for member in members))
    counts = dict.fromkeys(finding.subjects, len(probes))
    return msgspec.structs.replace(finding, probes=probes, subjects=counts)
