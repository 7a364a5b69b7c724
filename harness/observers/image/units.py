"""The text and operations of a batch for compilers and programs.

Compilers that can do the same are given the same text, and every program the same operations, numbered as its unit is.
So each is worded once for all subjects that share a prediction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

import msgspec

from abiprobe.harness.machines.languages.printer import Printer
from abiprobe.harness.machines.render.call_units import calls_unit, functions_of
from abiprobe.harness.machines.runtime.messages import Message, message
from abiprobe.harness.machines.workbench import Bench
from abiprobe.harness.observers.image.operations import operations, pair_operations
from abiprobe.harness.observers.image.plan import CallPlan

A = TypeVar("A")


class Memo(Generic[A]):
    """A memo of values made from plans, by their probes: made anew for another plan of the same probe."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[CallPlan, A]] = {}

    def of(self, plan: CallPlan, make: Callable[[CallPlan], A]) -> A:
        """Return the value that `make` makes, or made, of a plan."""
        memo = self._made.get(plan.probe)
        if memo is None or memo[0] is not plan:
            memo = self._made[plan.probe] = plan, make(plan)
        return memo[1]


def c_functions(plan: CallPlan) -> str:
    """The caller and the callee of a plan in C."""
    return functions_of(plan.prototype, plan.slots)


def printed(printer: Printer, plan: CallPlan) -> str:
    """The caller and the callee of a plan in another language."""
    return printer.functions(plan.prototype, plan.slots)


class Wording(msgspec.Struct):
    """The texts and operations of the plans of one prediction; `units` by their probes, `in_language` by the language.

    The text of a plan is written by `write`, and a unit of such texts by `join`; that of another language by `say`.
    """

    units: dict[tuple[str, ...], str] = msgspec.field(default_factory=dict)
    functions: Memo[str] = msgspec.field(default_factory=Memo)
    in_language: dict[str, Memo[str]] = msgspec.field(default_factory=dict)
    script: Memo[tuple[Message, ...]] = msgspec.field(default_factory=Memo)
    pairs: Memo[tuple[Message, ...]] = msgspec.field(default_factory=Memo)
    write: Callable[[CallPlan], str] = c_functions
    join: Callable[[Sequence[str]], str] = calls_unit
    say: Callable[[Printer, CallPlan], str] = printed


def calls_text(plans: Sequence[CallPlan], wording: Wording | None = None) -> str:
    """The translation unit of a batch of calls."""
    memo = wording or Wording()
    return memo.join([memo.functions.of(plan, memo.write) for plan in plans])


def language_text(plans: Sequence[CallPlan], printer: Printer, wording: Wording, tag: str = "") -> str:
    """The translation unit of a batch of calls in another language; `tag` tells its functions from those of other units."""
    memo = wording.in_language.setdefault(str(printer.language.folder), Memo())
    texts = [memo.of(plan, lambda plan: wording.say(printer, plan)) for plan in plans]
    return printer.calls_unit(texts, tag)


def script(plans: Mapping[int, CallPlan], bench: Bench, wording: Wording) -> list[Message]:
    """The operations for plans, given by their numbers in an image: a caller and a callee for each turn."""

    def asked(plan: CallPlan) -> tuple[Message, ...]:
        ops = operations(plan, 0, bench.machine, bench.registers)
        return tuple(message(op, bench.machine) for op in ops)

    return [
        one.numbered(2 * number + one.index)
        for number, plan in plans.items()
        for one in wording.script.of(plan, asked)
    ]


def pair_script(pairs: Sequence[tuple[CallPlan, int, int]], bench: Bench, wording: Wording) -> list[Message]:
    """The operations for pairs: each plan with the numbers of its probe among the callers and among the callees."""

    def asked(plan: CallPlan) -> tuple[Message, ...]:
        ops = pair_operations(plan, 0, 0, bench.machine, bench.registers)
        return tuple(message(op, bench.machine) for op in ops)

    return [
        one.numbered(2 * caller, 2 * callee + 1)
        for plan, caller, callee in pairs
        for one in wording.pairs.of(plan, asked)
    ]
