"""How long reductions take, and whether anything is left that could be dropped.

    python benchmarks/reductions.py RUN [COUNT]

Takes from each group of deviations of a run its middle member by size, COUNT of them at most, reduces it with the same
blame, and then drops every parameter and every member by itself, to see that none could be.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from abiprobe.generators.reduction.cost import cost
from abiprobe.generators.reduction.lawful import lawful
from abiprobe.generators.reduction.substitute import in_question, used_types
from abiprobe.harness.machines.render.c import definitions
from abiprobe.harness.triage.reduce import Goal, Reduced, reaching, reduce
from abiprobe.oracles.language.lang import Prototype, Record, declared
from abiprobe.oracles.language.question import Question
from abiprobe.results.causes.groups import Group, groups
from abiprobe.results.journal.journal import read


def middle(group: Group, number: int) -> tuple[Goal, Reduced, int]:
    """The reduction of a group's middle member, and its size before."""
    member = sorted(group.members, key=lambda one: (cost(one.question), one.probe))[len(group.members) // 2]
    goal = Goal(group.fingerprint, member.deviating, member.agreeing)
    found = reduce(member.question, goal, member.everyone)
    print(
        f"{number:3} {found.seconds:6.2f} s {found.rounds:3} rounds {found.tried:5} tried "
        f"cost {cost(member.question):5} -> {cost(found.question):4}  {found.confirmation}  "
        f"{group.fingerprint.target} {group.fingerprint.clause} {', '.join(group.subjects)}",
        flush=True,
    )
    return goal, found, cost(member.question)


def one_less(question: Question) -> Iterator[Question]:
    """The question without one parameter or one member, by a way that shares nothing with the reducer's candidates."""
    if isinstance(question, Prototype):
        for index in range(len(question.params)):
            yield replace(question, params=(*question.params[:index], *question.params[index + 1 :]))
        for index in range(len(question.unnamed)):
            unnamed = (*question.unnamed[:index], *question.unnamed[index + 1 :])
            yield replace(question, unnamed=unnamed, variadic=bool(unnamed))
    for record in declared(used_types(question)):
        if isinstance(record, Record):
            for index in range(len(record.members)):
                less = replace(record, members=(*record.members[:index], *record.members[index + 1 :]))
                changed = in_question(question, record, less)
                if changed is not None:
                    yield changed


def main() -> None:
    """Reduce, and print the figures."""
    run, count = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 40
    found = [middle(group, number) for number, group in enumerate(groups(read(run).batches)[:count], 1)]
    seconds = sorted(reduced.seconds for _, reduced, _ in found)
    droppable = 0
    for goal, reduced, _ in found:
        less = [one for one in one_less(reduced.question) if lawful(one)]
        if less and reaching(less, goal):
            droppable += 1
            print(f"not minimal: {definitions(used_types(reduced.question))} {reduced.question}")
    print(
        f"{len(found)} reductions: median {statistics.median(seconds):.2f} s, worst {seconds[-1]:.2f} s, "
        f"{sum(reduced.confirmation.steady for _, reduced, _ in found)} confirmed, "
        f"{sum(reduced.finished for _, reduced, _ in found)} finished, {droppable} with something to drop"
    )


if __name__ == "__main__":
    main()
