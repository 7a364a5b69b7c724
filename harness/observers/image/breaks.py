"""Differences between two compilers in one call, compared without any model's verdict.

A model still says which values the call was made with and how large they are.
"""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.harness.machines.executors.replay import Died
from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.observers.image.observe import ObservedCall
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.results.history.breaks import Break, moved, parts
from abiprobe.results.verdicts.observations import ObservedCallee, ObservedCaller

SHOWN = 16
"""Bytes of a value that are shown."""


def call_breaks(
    plan: CallPlan, machine: Machine, before: ObservedCall, after: ObservedCall
) -> Iterator[Break]:
    """Yield the differences between two compilers' handling of one prototype."""
    dead, dies = (any(isinstance(answer, Died) for answer in seen.answers) for seen in (before, after))
    if dead or dies:
        # A call that kills shows no place; that only one of the two dies of it is enough.
        if dead != dies:
            side = side_of_death(before if dead else after)
            yield Break(plan.probe, side, "", ending(before), ending(after))
        return
    callers, calls = (
        [one for one in seen.callers if isinstance(one, ObservedCaller)] for seen in (before, after)
    )
    callees, reads = (
        [one for one in seen.callees if isinstance(one, ObservedCallee)] for seen in (before, after)
    )
    if len(callers) == len(calls) == len(plan.turns):
        yield from passed(plan, callers, calls, machine.return_address)
    if len(callees) == len(reads) == len(plan.turns):
        yield from read(plan, callees, reads)
        yield from left(plan, callees, reads)


def side_of_death(seen: ObservedCall) -> str:
    """Return the side that ran when a program died, caller or callee: they take turns."""
    number = next(index for index, answer in enumerate(seen.answers) if isinstance(answer, Died))
    return "callee" if number % 2 else "caller"


def ending(seen: ObservedCall) -> str:
    """Return how a program ended on one prototype."""
    why = next((answer.why for answer in seen.answers if isinstance(answer, Died)), None)
    return "ran" if why is None else f"crashed ({why})"


def passed(
    plan: CallPlan, before: list[ObservedCaller], after: list[ObservedCaller], base: int
) -> Iterator[Break]:
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


def read(plan: CallPlan, before: list[ObservedCallee], after: list[ObservedCallee]) -> Iterator[Break]:
    """Parameters that one callee reads elsewhere than the other: everywhere else is noise."""
    for index, argument in enumerate(plan.assignment.params):
        for turn, old, new in zip(plan.turns, before, after, strict=True):
            # Only the value itself: what stands above a narrow one may be any bits.
            view = turn.views[index]
            care = view.own or view.care
            first, second = (int.from_bytes(one.params[index], "little") & care for one in (old, new))
            if first != second:
                values = (shortened(one.params[index]) for one in (old, new))
                yield Break(plan.probe, "callee", argument.name, *values)
                break


def shortened(value: bytes) -> str:
    """The first bytes of a value as people read them."""
    return value[:SHOWN].hex(" ") + (" ..." if len(value) > SHOWN else "")


def left(plan: CallPlan, before: list[ObservedCallee], after: list[ObservedCallee]) -> Iterator[Break]:
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
