"""Calls in the assembly that a subject writes: the state at each call, and at each return of a constant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from abiprobe.harness.observers.assembly.arm import ARM
from abiprobe.harness.observers.assembly.assembly import Dialect, State, follow, split
from abiprobe.harness.observers.assembly.dpu import DPU
from abiprobe.harness.observers.assembly.ipu import IPU
from abiprobe.harness.observers.assembly.powerpc import POWERPC
from abiprobe.harness.observers.assembly.unit import callee, caller, target, unit
from abiprobe.harness.observers.assembly.xcore import XCORE
from abiprobe.harness.observers.attempt import Attempt, Failed, bisected
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.subjects.compile import compile_unit
from abiprobe.harness.subjects.families.standin import without_ir
from abiprobe.oracles.registry import find_model
from abiprobe.oracles.standins import CallRules, stand_ins
from abiprobe.results.verdicts.record import Outcome

DIALECTS: Mapping[str, Dialect] = {"xcore": XCORE, "powerpc": POWERPC, "arm": ARM, "dpu": DPU, "ipu": IPU}
OPTIONS = ("-S", "-O1", "-fno-optimize-sibling-calls")
VENDOR_OPTIONS = ("-S", "-O1")
OWN = {
    "dpu": CallRules("upmem-dpu@compiler", "dpu", {f"r{n}": f"r{n}" for n in range(8)}, stack=0),
    "ipu": CallRules(
        "colossus-ipu@compiler",
        "ipu",
        {f"{file}{n}": f"{file}{n}" for file, count in (("m", 4), ("a", 6)) for n in range(count)},
        stack=0,
        floating=frozenset(f"a{n}" for n in range(6)),
    ),
}
"""The vendors' compilers: every register has its own name."""


class ObservedAssembly(msgspec.Struct, frozen=True):
    """One plan's states, one for each turn: at the call, and at the return of a constant.

    `source` is the stand-in, or the assembly of a vendor, that wrote them.
    """

    source: str
    calls: tuple[State | None, ...]
    results: tuple[State | None, ...]

    @property
    def rules(self) -> CallRules:
        """The rules of the subject's calls."""
        return call_rules(self.source)


def call_rules(source: str) -> CallRules:
    """Return the rules by which the assembly of a stand-in, or of a vendor's compiler, shows calls."""
    rules = OWN[source] if source in OWN else stand_ins()[source].calls
    assert rules is not None, "only a stand-in for calls is asked about them"
    return rules


def observe_assembly(
    attempt: Attempt, plans: Sequence[CallPlan]
) -> Iterator[tuple[CallPlan, ObservedAssembly | Failed]]:
    """The states of callers and callees of each plan."""
    return bisected(attempt, plans, _together)


def _together(
    attempt: Attempt, plans: Sequence[CallPlan], _text: str | None
) -> list[ObservedAssembly] | Failed:
    source = attempt.built.assembly or attempt.built.standin
    rules = call_rules(source)
    output = attempt.scratch(".s")
    options = VENDOR_OPTIONS if attempt.built.assembly == "ipu" else OPTIONS
    built = msgspec.structs.replace(attempt.built, command=(*without_ir(attempt.built.command), *options))
    text = unit(find_model(rules.follows).types, plans)
    done = compile_unit(built, text, output, attempt.limits, len(plans))
    attempt.compile_seconds += done.cpu_seconds
    if done.outcome is not Outcome.OBSERVED:
        return Failed(done.outcome, done.words)
    dialect = DIALECTS[rules.instructions]
    functions = split(dialect, output.read_text("utf-8", "replace"))
    return [
        ObservedAssembly(
            source,
            tuple(
                follow(dialect, functions, caller(index, turn), target(index))
                for turn in range(len(plan.turns))
            ),
            tuple(follow(dialect, functions, callee(index, turn)) for turn in range(len(plan.turns))),
        )
        for index, plan in enumerate(plans)
    ]
