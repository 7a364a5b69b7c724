"""From the deviations of a run to findings: each group's smallest member reduced, and whatever that does not explain.

A reduced example proposes a predicate, its traits. Members of the group that have all of them are taken for the same
cause; of the others the smallest is reduced next. Some members that seem to be explained are reduced all the same: the
predicate is tested on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from abiprobe.generators.reduction.cost import cost
from abiprobe.harness.prepare import predict
from abiprobe.harness.reduce import Goal, Reduced, reduce
from abiprobe.harness.vectors.batch import asks_vectors
from abiprobe.harness.workers import leaving, pool_of, stop
from abiprobe.oracles.question import Question, probe
from abiprobe.oracles.registry import find_model
from abiprobe.results.blame import Asked, Blame, family, stand
from abiprobe.results.cluster import Finding
from abiprobe.results.deviations import Group, Member
from abiprobe.results.fingerprint import Symptom
from abiprobe.results.record import Judgement
from abiprobe.results.traits import alike, needed, traits

TESTED = 2
"""Members that seem to be explained by a group's first finding, reduced to see whether they are."""
MANY = 4
"""Members that a finding must explain to be tested."""
MOST = 8
"""Reductions for one group at most."""
SECONDS = 30.0
"""The budget of one reduction."""
BY_MESSAGE = frozenset({Symptom.REFUSED, Symptom.TIMED_OUT})
"""What a tool says, or its silence, is the cause: one example is enough."""


def findings(groups: Iterable[Group], jobs: int, progress: Callable[[Group], None]) -> tuple[Finding, ...]:
    """The findings of all groups, several groups at a time; `progress` is told of each group that is done."""
    waiting = sorted(groups, key=lambda group: -len(group.members))
    if jobs == 1:
        return tuple(item for group in waiting for item in told(group, progress))
    found: list[Finding] = []
    pool = pool_of(jobs)
    try:
        answers = [pool.submit(work, group) for group in waiting]
        for group, answer in zip(waiting, answers, strict=True):
            found += answer.result()
            progress(group)
    except BaseException:
        stop(pool)
        raise
    pool.shutdown()
    return tuple(found)


def work(group: Group) -> list[Finding]:
    """`explained` in a worker, which may be told to end."""
    return leaving(explained, group)


def told(group: Group, progress: Callable[[Group], None]) -> list[Finding]:
    """The findings of one group, with progress."""
    found = explained(group)
    progress(group)
    return found


def explained(group: Group) -> list[Finding]:
    """Reduce members of a group until each is explained by a finding."""
    left = sorted(group.members, key=lambda member: (cost(member.question), member.probe))
    has = {member.probe: alike(traits(member.question)) for member in left}
    found: list[tuple[Finding, list[Member]]] = []
    while left and len(found) < MOST:
        if is_open(group.fingerprint.target, left[0].question):
            left.pop(0)
            continue
        finding, covers = investigated(group, left[0])
        mine = [
            member
            for member in left
            if member is left[0] or (covers and needed(finding.traits) <= has[member.probe])
        ]
        found.append((finding, mine))
        left = [member for member in left if member not in mine]
    if found and group.fingerprint.symptom not in BY_MESSAGE:
        found += list(tested(group, found))
    if left:
        found.append((unexamined(group, left[0]), left))
    return [counted(finding, mine) for finding, mine in found]


def is_open(target: str, question: Question) -> bool:
    """Whether the model has no answer to a question to which the model of the run had one."""
    if asks_vectors(target, (question,)):
        return False
    found = predict(find_model(target), probe(question))
    return isinstance(found, tuple) and {one.verdict for one in found} == {Judgement.UNSPECIFIED}


def unexamined(group: Group, member: Member) -> Finding:
    """A member as the run left it, which stands for those that there was no time to reduce."""
    deviating = tuple(sorted({subject for subject, _ in member.deviating}))
    agreeing = tuple(sorted({subject for subject, _ in member.agreeing}))
    levels = tuple(dict.fromkeys(level for _, level in member.deviating))
    return Finding(
        group.fingerprint,
        member.question,
        cost(member.question),
        traits(member.question),
        Blame(
            stand(group.fingerprint, set(deviating), set(agreeing)),
            deviating=deviating,
            agreeing=agreeing,
            levels=levels,
        ),
        levels[0],
        f"as the run saw it: after {MOST} reductions, it and those like it were not reduced",
        steady=True,
        probes=(),
        subjects=dict.fromkeys(group.subjects, 1),
    )


def tested(group: Group, found: list[tuple[Finding, list[Member]]]) -> Iterator[tuple[Finding, list[Member]]]:
    """Findings of members that were taken for explained and are not; they leave those who claimed them."""
    finding, mine = found[0]
    for member in mine[1:][:: max(1, len(mine) // TESTED)][: TESTED if len(mine) >= MANY else 0]:
        other, _ = investigated(group, member)
        if other.steady and not needed(finding.traits) <= alike(other.traits):
            mine.remove(member)
            yield other, [member]


def investigated(group: Group, member: Member) -> tuple[Finding, bool]:
    """One member reduced, and whether others can be explained by what it became."""
    goal = Goal(group.fingerprint, ends(member.deviating), one_of_each(member.agreeing))
    reduced = reduce(member.question, goal, member.everyone, budget=SECONDS)
    alone = group.fingerprint.symptom not in BY_MESSAGE
    return as_finding(reduced, group, (member,)), reduced.confirmation.steady and (
        reduced.finished or not alone
    )


def ends(asked: Sequence[Asked]) -> tuple[Asked, ...]:
    """The first and the last of some subjects, which stand for those between them: everybody is asked in the end."""
    return tuple(dict.fromkeys((*asked[:1], *asked[-1:])))


def one_of_each(asked: Sequence[Asked]) -> tuple[Asked, ...]:
    """One subject of each family."""
    return tuple({family(subject): (subject, level) for subject, level in asked}.values())


def as_finding(reduced: Reduced, group: Group, covered: Iterable[Member]) -> Finding:
    """What a reduction came to."""
    confirmation = reduced.confirmation
    words = (
        str(confirmation)
        if reduced.finished or not confirmation.steady
        else f"{confirmation}, not fully reduced"
    )
    return Finding(
        group.fingerprint,
        reduced.question,
        cost(reduced.question),
        traits(reduced.question, confirmation.value),
        confirmation.blame,
        reduced.goal.deviating[0][1],
        words,
        confirmation.steady,
        tuple(member.probe for member in covered),
        dict.fromkeys(group.subjects, 1),
    )


def counted(finding: Finding, members: list[Member]) -> Finding:
    """A finding with the probes that it explains."""
    probes = tuple(sorted(member.probe for member in members))
    return Finding(
        finding.fingerprint,
        finding.example,
        finding.size,
        finding.traits,
        finding.blame,
        finding.level,
        finding.confirmed,
        finding.steady,
        probes,
        dict.fromkeys(finding.subjects, len(probes)),
    )
