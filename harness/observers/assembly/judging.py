"""Verdicts on calls observed in assembly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abiprobe.harness.observers.assembly.assembly import Held, Other, State
from abiprobe.harness.observers.assembly.observing import ObservedAssembly
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.standins import CallRules
from abiprobe.oracles.text.place import RESULT_POINTER, Passing, Piece, Place, Register, StackSlot
from abiprobe.results.verdicts.compare import compare_places, first_of_each, in_place
from abiprobe.results.verdicts.observations import Frame, Turn
from abiprobe.results.verdicts.record import Difference, Outcome, Verdict, from_differences, unobserved
from abiprobe.results.verdicts.values import Address, Constant, LeadsTo, Words

NOT_READ = "only callers and results are read from assembly"
WORD = 4
NO_CONSTANT = b"\xa5" * WORD
"""Stands for a place that holds no constant; no value of a first turn looks like it."""


def judge_assembly(plan: CallPlan, seen: ObservedAssembly | Failed, kind: ProbeKind) -> Verdict:
    """The verdict on one kind of probe of a call."""
    if isinstance(seen, Failed):
        return unobserved(plan.probe, kind, seen.outcome, seen.words)
    rules = seen.rules
    match kind:
        case ProbeKind.CALLER:
            return verdict(
                plan, kind, seen.calls, [_caller(rules, plan, *pair) for pair in turns(plan, seen.calls)]
            )
        case ProbeKind.RESULT:
            return _result(rules, plan, seen)
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
            found += addresses(rules, "caller", passed.name, passed.pieces, held)
        else:
            found += compare_places("caller", passed.name, places, value, frame(rules, state))
    return found


def _result(rules: CallRules, plan: CallPlan, seen: ObservedAssembly) -> Verdict:
    """A direct result by what a callee leaves in registers, one in memory by the address that its caller passes."""
    result = plan.assignment.result
    assert result is not None, "only a function with a result is asked for it"
    if result.passing is Passing.DIRECT:
        found: list[list[Difference] | str] = []
        for turn, state in turns(plan, seen.results):
            if Other.UNKNOWN in [held_in(rules, state, piece.place) for piece in result.pieces]:
                found.append("the assembly does not show where the result comes from")
                continue
            value = turn.result or b""
            found.append(
                list(compare_places("callee", "result", turn.result_places, value, frame(rules, state)))
            )
        return verdict(plan, ProbeKind.RESULT, seen.results, found)
    hidden = [piece for item in plan.assignment.hidden for piece in item.pieces]
    found = [
        list(
            addresses(
                rules, "caller", RESULT_POINTER, hidden, [held_in(rules, state, p.place) for p in hidden]
            )
        )
        for _, state in turns(plan, seen.calls)
    ]
    return verdict(plan, ProbeKind.RESULT, seen.calls, found)


def addresses(
    rules: CallRules, side: str, what: str, pieces: Sequence[Piece], held: Sequence[Held]
) -> Iterator[Difference]:
    """Places that must hold an address."""
    for piece, value in zip(pieces, held, strict=True):
        if value is not Other.ADDRESS:
            seen = Constant(value) if isinstance(value, int) else Words(value.value)
            place = in_place(piece.place, rules.files)
            yield Difference(side, what, place, Address(LeadsTo.SOMETHING), seen, piece.clause)


def held_in(rules: CallRules, state: State, place: Place) -> Held:
    """Return the content of a predicted place."""
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
    return Frame(block, slots, rules.files, b"".join(map(_bytes, words)), first - base)


def _bytes(held: Held) -> bytes:
    return held.to_bytes(WORD, "little") if isinstance(held, int) else NO_CONSTANT
