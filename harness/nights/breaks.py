"""The recorded observations of two runs, held against each other without any model's verdict.

A model still says which values a call was made with and how large they are, and an answer counts only where both
runs have asked for the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from abiprobe.harness.bench import described
from abiprobe.harness.calls.plan import CallPlan
from abiprobe.harness.nights.rejudge import Foresight
from abiprobe.harness.nights.tape import DIED, Tape, heard, observation, unpacked
from abiprobe.harness.observe import seen_calls
from abiprobe.harness.problem import Problem
from abiprobe.harness.toolchains.find import parse_subject
from abiprobe.harness.toolchains.options import subject_options
from abiprobe.oracles.question import ProbeKind, Question, probe
from abiprobe.results.history.breaks import Break, Breaks, Broken, layout_breaks, moved, parts
from abiprobe.results.history.compare import Side, matched
from abiprobe.results.journal import Run
from abiprobe.results.seen import CalleeSeen, CallerSeen
from abiprobe.results.witnesses import Shown

SHOWN = 16
"""Bytes of a value that are shown."""


class Recorded:
    """What one side of a run keeps: a tape for each batch, and the questions."""

    def __init__(self, run: Run, side: Side) -> None:
        lines = {(item.target, item.sort, item.number): item for item in run.asked}
        target, subject, level = side
        self.side = side
        self.layouts: dict[str, Shown] = {}
        self.calls: dict[str, Tape] = {}
        self.questions: dict[str, Question] = {}
        for batch in run.batches:
            key = batch.key
            line = lines.get((target, key.sort, key.number)) or lines.get(("", key.sort, key.number))
            if (
                (key.target, key.subject, key.level) != (target, subject, level)
                or not batch.raw
                or line is None
            ):
                continue
            tape = unpacked(batch.raw)
            self.questions |= {probe(question).id: question for question in line.read()}
            self.calls |= dict.fromkeys(tape.calls, tape)
            for identity, kept in tape.layouts.items():
                said = heard(kept).get(ProbeKind.LAYOUT)
                if isinstance(said, Shown):
                    self.layouts[identity] = said


def breaks(old: Run, new: Run, names: Mapping[str, str]) -> Breaks:
    """Every probe that both runs have observed and that does not show the same in both.

    Raises `Problem` when one of them keeps no observations.
    """
    for run in (old, new):
        if not any(batch.raw for batch in run.batches):
            raise Problem("a run keeps no observations", "those of `run --raw` and nights do")
    before, after = (
        sorted({(item.key.target, item.key.subject, item.key.level) for item in run.batches})
        for run in (old, new)
    )
    found: list[Broken] = []
    questions: dict[str, Question] = {}
    for was, side in matched(before, after, names):
        then, now = Recorded(old, was), Recorded(new, side)
        found.append(broken(then, now))
        questions |= {item.probe: now.questions[item.probe] for item in found[-1].breaks}
    return Breaks(tuple(found), questions)


def broken(then: Recorded, now: Recorded) -> Broken:
    """Two sides, probe by probe."""
    layouts = [identity for identity in then.layouts if identity in now.layouts]
    calls = [identity for identity in then.calls if identity in now.calls]
    alike = [
        each for each in calls if then.calls[each].scripts.get(each) == now.calls[each].scripts.get(each)
    ]
    found: list[Break] = []
    for each in layouts:
        found += layout_breaks(each, then.layouts[each], now.layouts[each])
    if alike:
        subject = parse_subject(now.side[1])
        options = subject_options(subject)
        foresight = Foresight(now.side[0], options, [now.questions[each] for each in alike])
        for each in alike:
            plan = foresight.plan(each)
            if isinstance(plan, CallPlan):
                found += call_breaks(plan, foresight, then.calls[each], now.calls[each])
    return Broken(now.side, then.side, len(layouts) + len(alike), len(calls) - len(alike), tuple(found))


def call_breaks(plan: CallPlan, foresight: Foresight, then: Tape, now: Tape) -> Iterator[Break]:
    """What two compilers do differently with one prototype."""
    old, new = then.calls[plan.probe], now.calls[plan.probe]
    dead, dies = (any(answer[0] == DIED for answer in part) for part in (old, new))
    if dead or dies:
        # A call that kills shows no place; that only one of the two dies of it is enough.
        if dead != dies:
            told = ("dies of it", "answers")
            yield Break(plan.probe, "callee", "the program", told[not dead], told[not dies])
        return
    machine, registers = described(foresight.target, foresight.options.vectors)
    before, after = (
        seen_calls([plan], [observation(answer, 0) for answer in part], machine, registers)[0]
        for part in (old, new)
    )
    callers, calls = (
        [one for one in seen.callers if isinstance(one, CallerSeen)] for seen in (before, after)
    )
    callees, reads = (
        [one for one in seen.callees if isinstance(one, CalleeSeen)] for seen in (before, after)
    )
    if len(callers) == len(calls) == len(plan.turns):
        yield from passed(plan, callers, calls, machine.return_address)
    if len(callees) == len(reads) == len(plan.turns):
        yield from read(plan, callees, reads)
        yield from left(plan, callees, reads)


def passed(plan: CallPlan, before: list[CallerSeen], after: list[CallerSeen], base: int) -> Iterator[Break]:
    """Arguments that one caller puts elsewhere than the other; the first on the stack is at offset `base`."""
    stack = base + plan.assignment.stack_bytes
    for index, argument in enumerate(plan.assignment.params):
        values = [turn.values[index] for turn in plan.turns]
        for start, part in parts(values) if all(argument.mask) else ():
            gone = moved([one.frame for one in before], [one.frame for one in after], part, stack)
            if gone is not None:
                what = f"{argument.name} [{start}..{start + len(part[0])})"
                yield Break(plan.probe, "caller", what, *gone)
                break


def read(plan: CallPlan, before: list[CalleeSeen], after: list[CalleeSeen]) -> Iterator[Break]:
    """Parameters that one callee reads elsewhere than the other: everywhere else is noise."""
    for index, argument in enumerate(plan.assignment.params):
        for turn, old, new in zip(plan.turns, before, after, strict=True):
            # Only the value itself: what stands above a narrow one may be any bits.
            view = turn.views[index]
            care = int.from_bytes(argument.mask, "little") if view.narrow else view.care
            first, second = (int.from_bytes(one.params[index], "little") & care for one in (old, new))
            if first != second:
                told = (shortened(one.params[index]) for one in (old, new))
                yield Break(plan.probe, "callee", argument.name, *told)
                break


def shortened(value: bytes) -> str:
    """The first bytes of a value as people read them."""
    return value[:SHOWN].hex(" ") + (" ..." if len(value) > SHOWN else "")


def left(plan: CallPlan, before: list[CalleeSeen], after: list[CalleeSeen]) -> Iterator[Break]:
    """Results that one callee leaves elsewhere than the other."""
    values = [turn.result for turn in plan.turns if turn.result is not None]
    result = plan.assignment.result
    if result is None or not all(result.mask) or not values:
        return
    # A result in memory is there for both; copies of it in registers are nobody's business.
    if all(one.result_memory in values for one in (*before, *after)):
        return
    for start, part in parts(values):
        gone = moved([one.frame for one in before], [one.frame for one in after], part, 0)
        if gone is not None:
            yield Break(plan.probe, "result", f"result [{start}..{start + len(part[0])})", *gone)
            return
