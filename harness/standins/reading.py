"""What the assembly of a stand-in says about calls, judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from abiprobe.harness.calls.plan import CallPlan
from abiprobe.harness.compile import compile_unit
from abiprobe.harness.observe import Attempt, Failed, bisected
from abiprobe.harness.prepare import kinds
from abiprobe.harness.standins.arm import ARM
from abiprobe.harness.standins.assembly import Dialect, Held, Other, State, follow, split
from abiprobe.harness.standins.dpu import DPU
from abiprobe.harness.standins.ipu import IPU
from abiprobe.harness.standins.powerpc import POWERPC
from abiprobe.harness.standins.unit import callee, caller, target, unit
from abiprobe.harness.standins.xcore import XCORE
from abiprobe.harness.toolchains.standin import without_ir
from abiprobe.harness.toolchains.subject import Built
from abiprobe.oracles.place import Passing, Piece, Place, Register, StackSlot
from abiprobe.oracles.question import ProbeKind
from abiprobe.oracles.registry import find_model
from abiprobe.oracles.standins import CallRules, stand_ins
from abiprobe.results.compare import compare_places, first_of_each, str_place
from abiprobe.results.record import Difference, Outcome, Verdict, from_differences, unobserved
from abiprobe.results.seen import Frame, Turn

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
    ),
}
"""The vendors' compilers: every register has its own name."""
NOT_READ = "only callers and results are read from assembly"
WORD = 4
NO_CONSTANT = b"\xa5" * WORD
"""Stands for a place that holds no constant; no value of a first turn looks like it."""


class Told(msgspec.Struct, frozen=True):
    """One plan's states, one for each turn: at the call, and at the return of a constant."""

    calls: tuple[State | None, ...]
    results: tuple[State | None, ...]


def call_rules(built: Built) -> CallRules:
    """How the assembly of a subject tells calls."""
    rules = OWN[built.assembly] if built.assembly else stand_ins()[built.standin].calls
    assert rules is not None, "only a stand-in for calls is asked about them"
    return rules


def judged_by_assembly(attempt: Attempt, plans: Sequence[CallPlan]) -> Iterator[tuple[Verdict, ...]]:
    """The verdicts on each plan."""
    rules = call_rules(attempt.built)
    for plan, told in bisected(attempt, plans, _together):
        yield tuple(judge(rules, plan, told, kind) for kind in kinds(plan.prototype))


def _together(attempt: Attempt, plans: Sequence[CallPlan], _text: str | None) -> list[Told] | Failed:
    rules = call_rules(attempt.built)
    output = attempt.scratch(".s")
    options = VENDOR_OPTIONS if attempt.built.assembly == "ipu" else OPTIONS
    built = msgspec.structs.replace(attempt.built, command=(*without_ir(attempt.built.command), *options))
    text = unit(find_model(rules.follows).types, plans)
    done = compile_unit(built, text, output, attempt.limits, len(plans))
    attempt.compile_seconds += done.cpu_seconds
    if done.outcome is not Outcome.OBSERVED:
        return Failed(done.outcome, done.words)
    dialect = DIALECTS[rules.instructions]
    functions = split(dialect, output.read_text("utf-8"))
    return [
        Told(
            tuple(
                follow(dialect, functions, caller(index, turn), target(index))
                for turn in range(len(plan.turns))
            ),
            tuple(follow(dialect, functions, callee(index, turn)) for turn in range(len(plan.turns))),
        )
        for index, plan in enumerate(plans)
    ]


def judge(rules: CallRules, plan: CallPlan, told: Told | Failed, kind: ProbeKind) -> Verdict:
    """The verdict on one kind of probe of a call."""
    if isinstance(told, Failed):
        return unobserved(plan.probe, kind, told.outcome, told.words)
    match kind:
        case ProbeKind.CALLER:
            return verdict(
                plan, kind, told.calls, [_caller(rules, plan, *pair) for pair in turns(plan, told.calls)]
            )
        case ProbeKind.RESULT:
            return _result(rules, plan, told)
        case _:
            return unobserved(plan.probe, kind, Outcome.UNSUPPORTED, NOT_READ)


def turns(plan: CallPlan, states: Sequence[State | None]) -> list[tuple[Turn, State]]:
    """The turns whose function was followed to its end."""
    return [(turn, state) for turn, state in zip(plan.turns, states, strict=True) if state is not None]


def verdict(
    plan: CallPlan, kind: ProbeKind, states: Sequence[State | None], found: Sequence[list[Difference] | str]
) -> Verdict:
    """A verdict from what each turn shows: differences, or why nothing can be said."""
    if not found or any(state is None for state in states):
        return unobserved(plan.probe, kind, Outcome.UNSUPPORTED, "its assembly does not come to the call")
    unclear = next((one for one in found if isinstance(one, str)), "")
    if unclear:
        return unobserved(plan.probe, kind, Outcome.UNSUPPORTED, unclear)
    differences = [item for one in found if not isinstance(one, str) for item in one]
    return from_differences(plan.probe, kind, first_of_each(differences))


def _caller(rules: CallRules, plan: CallPlan, turn: Turn, state: State) -> list[Difference] | str:
    found: list[Difference] = []
    for passed, value, places in zip(plan.assignment.params, turn.values, turn.places, strict=True):
        held = [held_in(rules, state, piece.place) for piece in passed.pieces]
        if Other.UNKNOWN in held:
            return f"the assembly does not show where {passed.name} comes from"
        if passed.passing is Passing.INDIRECT:
            found += addresses("caller", passed.name, passed.pieces, held)
        else:
            found += compare_places("caller", passed.name, places, value, frame(rules, state))
    return found


def _result(rules: CallRules, plan: CallPlan, told: Told) -> Verdict:
    """A direct result by what a callee leaves in registers, one in memory by the address that its caller passes."""
    result = plan.assignment.result
    assert result is not None, "only a function with a result is asked for it"
    if result.passing is Passing.DIRECT:
        found: list[list[Difference] | str] = []
        for turn, state in turns(plan, told.results):
            if Other.UNKNOWN in [held_in(rules, state, piece.place) for piece in result.pieces]:
                found.append("the assembly does not show where the result comes from")
                continue
            value = turn.result or b""
            found.append(
                list(compare_places("callee", "result", turn.result_places, value, frame(rules, state)))
            )
        return verdict(plan, ProbeKind.RESULT, told.results, found)
    hidden = [piece for item in plan.assignment.hidden for piece in item.pieces]
    found = [
        list(addresses("caller", "result pointer", hidden, [held_in(rules, state, p.place) for p in hidden]))
        for _, state in turns(plan, told.calls)
    ]
    return verdict(plan, ProbeKind.RESULT, told.calls, found)


def addresses(side: str, what: str, pieces: Sequence[Piece], held: Sequence[Held]) -> Iterator[Difference]:
    """Places that must hold an address."""
    for piece, value in zip(pieces, held, strict=True):
        if value is not Other.ADDRESS:
            seen = f"{value:#x}" if isinstance(value, int) else value.value
            yield Difference(side, what, str_place(piece.place), "an address", seen, piece.clause)


def held_in(rules: CallRules, state: State, place: Place) -> Held:
    """What a predicted place holds."""
    match place:
        case Register(name):
            return state.get(rules.registers[name])
        case StackSlot(offset):
            return state.stack.get(state.shift + offset + (rules.stack or 0), Other.UNWRITTEN)


def frame(rules: CallRules, state: State) -> Frame:
    """The constants of a state as the judge of calls reads them, under the names of the target."""
    names = list(rules.registers)
    block = b"".join(_bytes(state.get(rules.registers[name])) for name in names)
    slots = {name: (at * WORD, WORD) for at, name in enumerate(names)}
    base = (rules.stack or 0) + state.shift
    first, last = min((*state.stack, base)), max((*state.stack, base)) + WORD
    words = (state.stack.get(at, Other.UNWRITTEN) for at in range(first, last, WORD))
    return Frame(block, slots, b"".join(map(_bytes, words)), first - base)


def _bytes(held: Held) -> bytes:
    return held.to_bytes(WORD, "little") if isinstance(held, int) else NO_CONSTANT
