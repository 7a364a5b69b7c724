"""Verdicts on what a GPU ran: whether each byte was where the model puts it, in every turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abiprobe.harness.observers.device.assembler import reading
from abiprobe.harness.observers.device.cuda.runs import KernelRun, Run, Runs, Turn
from abiprobe.harness.observers.device.declarations import KERNEL, plan_clause
from abiprobe.harness.observers.device.plan import DevicePlan
from abiprobe.harness.observers.device.unit import Copied
from abiprobe.oracles.abis.ptx.parameter import array
from abiprobe.oracles.abis.ptx.sass import kernels
from abiprobe.oracles.abis.ptx.sass.places import FILES, FIRST, WORD
from abiprobe.oracles.abis.ptx.text.rules import MISALIGNED
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.text.place import Extension, Passed, Passing, Piece, Register, StackSlot
from abiprobe.results.verdicts.compare import in_place
from abiprobe.results.verdicts.locations import InMemory, Where
from abiprobe.results.verdicts.record import (
    Difference,
    Judgement,
    Outcome,
    Verdict,
    from_differences,
    unobserved,
)
from abiprobe.results.verdicts.values import Bytes

MISALIGNED_ADDRESS = " 716"
"""How the driver says, by its number, that code accessed memory misaligned."""


class ElsewhereError(Exception):
    """The run does not show the place that the model has: another model was asked."""


def ran(plan: DevicePlan, runs: Runs, kind: ProbeKind) -> Verdict | None:
    """The verdict of one kind on what was run; `None` where the GPU says nothing."""
    own = [run for run in asked(plan, runs, kind) if run is not None]
    if not own:
        return None
    if (stopped := stopped_verdict(plan, kind, own)) is not None:
        return stopped
    if len(own) < len(asked(plan, runs, kind)) or any(run.outcome is not Outcome.OBSERVED for run in own):
        return None
    try:
        return from_differences(plan.probe, kind, tuple(differences(plan, runs, kind)))
    except ElsewhereError:
        return None


def asked(plan: DevicePlan, runs: Runs, kind: ProbeKind) -> tuple[Run | KernelRun | None, ...]:
    """The runs that tell of a kind."""
    match kind:
        case ProbeKind.CALLER:
            return (runs.caller,)
        case ProbeKind.CALLEE:
            return (runs.callee,)
        case ProbeKind.RESULT:
            return runs.callee, runs.caller
        case _:
            return (runs.block, runs.values) if plan.prototype.kernel else ()


def stopped_verdict(plan: DevicePlan, kind: ProbeKind, runs: Sequence[Run | KernelRun]) -> Verdict | None:
    """The verdict on code that died, or was stopped before its end; `None` where nothing of that happened."""
    if died := next((run for run in runs if run.outcome is Outcome.DIED), None):
        return dead(plan, kind, died.words)
    if late := next((run for run in runs if run.outcome is Outcome.TIMED_OUT), None):
        return unobserved(plan.probe, kind, Outcome.TIMED_OUT, f"a launch does not end: {late.words}")
    return None


def dead(plan: DevicePlan, kind: ProbeKind, words: str) -> Verdict:
    """The verdict on code that does not come to its end."""
    clause = MISALIGNED.clause if MISALIGNED_ADDRESS in words else plan_clause(plan)
    return Verdict(plan.probe, kind, Judgement.DEVIATES, Outcome.DIED, clause, f"the program died: {words}")


def differences(plan: DevicePlan, runs: Runs, kind: ProbeKind) -> Iterator[Difference]:
    """Everything that was elsewhere."""
    match kind:
        case ProbeKind.CALLER if runs.caller is not None:
            yield from arguments(plan, runs.caller)
        case ProbeKind.CALLEE if runs.callee is not None:
            yield from parameters(plan, runs.callee)
        case ProbeKind.RESULT if runs.caller is not None and runs.callee is not None:
            yield from result(plan, "callee", runs.callee)
            yield from result(plan, "caller", runs.caller)
        case _:
            if isinstance(runs.block, KernelRun) and isinstance(runs.values, KernelRun):
                yield from kernel(plan, runs.arch, runs.block, runs.values)


def ran_pair(plan: DevicePlan, run: Run | None) -> Verdict | None:
    """The verdict on a call between two compilers; `None` where the GPU says nothing."""
    if run is None:
        return None
    if (stopped := stopped_verdict(plan, ProbeKind.PAIR, (run,))) is not None:
        return stopped
    if run.outcome is not Outcome.OBSERVED:
        return None
    return from_differences(plan.probe, ProbeKind.PAIR, tuple(lost(plan, run)))


def lost(plan: DevicePlan, run: Run) -> Iterator[Difference]:
    """The values that do not arrive."""
    for passed, place in zip(values(plan), copies(plan), strict=True):
        seen = [(place.slot + byte, place.slot + byte) for byte in range(carried(passed, place))]
        yield from first("pair", passed, run.turns, seen)


def values(plan: DevicePlan) -> Sequence[Passed]:
    """The parameters, and the result behind them."""
    back = plan.assignment.result
    return (*plan.assignment.params, *((back,) if back is not None else ()))


def copies(plan: DevicePlan) -> Sequence[Copied]:
    """The slots of the values."""
    back = plan.slots.result
    return (*plan.slots.params, *((back,) if back is not None else ()))


def carried(passed: Passed, place: Copied) -> int:
    """The bytes of a value that travel."""
    return reading.carried(passed, place.size)


def arguments(plan: DevicePlan, run: Run) -> Iterator[Difference]:
    """Arguments that a caller puts elsewhere, and narrow ones that it does not extend."""
    for passed, place in zip(plan.assignment.params, plan.slots.params, strict=True):
        seen = [(place.slot + byte, raw_slot(run, passed, byte)) for byte in range(carried(passed, place))]
        found = tuple(first("caller", passed, run.turns, seen))
        yield from found or above(passed, place, run)


def parameters(plan: DevicePlan, run: Run) -> Iterator[Difference]:
    """Parameters that a callee takes from elsewhere."""
    for passed, place in zip(plan.assignment.params, plan.slots.params, strict=True):
        seen = [(raw_slot(run, passed, byte), place.slot + byte) for byte in range(carried(passed, place))]
        yield from first("callee", passed, run.turns, seen)


def result(plan: DevicePlan, side: str, run: Run) -> Iterator[Difference]:
    """A result that one side leaves, or looks for, elsewhere."""
    passed, place = plan.assignment.result, plan.slots.result
    assert passed is not None
    assert place is not None
    if run.raw is None or run.raw.in_memory is not (passed.passing is Passing.INDIRECT):
        raise ElsewhereError
    size = carried(passed, place)
    if run.raw.in_memory:
        raw = [place.slot + byte for byte in range(size)]
    else:
        raw = [place.slot + in_registers(passed, byte) for byte in range(size)]
    own = [place.slot + byte for byte in range(size)]
    there = (own, raw) if side == "callee" else (raw, own)
    yield from first(side, passed, run.turns, list(zip(*there, strict=True)))


def in_registers(passed: Passed, byte: int) -> int:
    """The number of a byte of a result among those of all registers."""
    piece = piece_of(passed, byte)
    if piece is None or not isinstance(piece.place, Register):
        raise ElsewhereError
    return (int(piece.place.name[1:]) - FIRST) * WORD + byte - piece.start


def raw_slot(run: Run, passed: Passed, byte: int) -> int:
    """The byte of shared memory that stands for the place of a byte; raises `ElsewhereError` for none."""
    piece = piece_of(passed, byte)
    if piece is None or run.raw is None:
        raise ElsewhereError
    index = byte - piece.start
    if isinstance(piece.place, StackSlot):
        found = run.raw.slot(StackSlot(piece.place.offset + index))
    else:
        found = run.raw.slot(piece.place)
        found = None if found is None else found + index
    if found is None:
        raise ElsewhereError
    return found


def piece_of(passed: Passed, byte: int) -> Piece | None:
    """The piece of a value in which a byte is."""
    return next((piece for piece in passed.pieces if piece.start <= byte < piece.end), None)


def first(
    side: str, passed: Passed, turns: Sequence[Turn], places: Sequence[tuple[int, int]]
) -> Iterator[Difference]:
    """The first byte of a value, of those that count, that is not stored as it was loaded; `places` are its bytes before and after."""
    for byte, (before, after) in enumerate(places):
        care = passed.mask[byte]
        for turn in turns:
            sent, seen = turn.before(before) & care, turn.after(after) & care
            if sent != seen:
                piece = piece_of(passed, byte)
                where: Where = in_place(piece.place, FILES) if piece is not None else InMemory()
                clause = piece.clause if piece is not None else passed.clause
                what = f"{passed.name or 'result'}[{byte}]"
                yield Difference(side, what, where, shown(sent), shown(seen), clause)
                return


def shown(byte: int) -> Bytes:
    """A byte as a value."""
    return Bytes(f"{byte:02x}")


def above(passed: Passed, place: Copied, run: Run) -> Iterator[Difference]:
    """A wrong extension of a narrow integer, if the guide defines it."""
    if not passed.pieces:
        return
    piece = passed.pieces[-1]
    if piece.extension not in {Extension.SIGN, Extension.ZERO} or not isinstance(piece.place, Register):
        return
    top = raw_slot(run, passed, piece.end - 1)
    for turn in run.turns:
        negative = piece.extension is Extension.SIGN and turn.before(place.slot + piece.end - 1) & 0x80
        wanted = 0xFF if negative else 0
        for distance in range(1, WORD - (piece.end - piece.start) + 1):
            if (seen := turn.after(top + distance)) != wanted:
                where, clause = in_place(piece.place, FILES), piece.extension_clause or piece.clause
                yield Difference("caller", passed.name, where, shown(wanted), shown(seen), clause, above=True)
                return


def kernel(plan: DevicePlan, arch: str, block: KernelRun, singly: KernelRun) -> Iterator[Difference]:
    """Parameters that a kernel does not find where the model has them in the block, or not as they were given one by one."""
    params = plan.assignment.params
    layout = kernels.layout([array(one.param.align, one.param.size) for one in params if one.param], arch)
    for index, (passed, place) in enumerate(zip(params, plan.slots.params, strict=True)):
        if passed.param is None:
            raise ElsewhereError
        start = place.slot - plan.slots.params[0].slot
        for run, where in ((block, layout.offsets[index]), (singly, 0)):
            for byte in range(min(place.size, passed.param.size)):
                care = passed.mask[byte]
                for given, seen in zip(run.given, run.seen, strict=True):
                    source = given[0] if run is block else given[index]
                    sent = source[where + byte] & care if where + byte < len(source) else None
                    if sent != seen[start + byte] & care:
                        value = shown(sent or 0), shown(seen[start + byte] & care)
                        yield Difference(
                            "object", f"{passed.name}[{byte}]", KERNEL, *value, passed.param.clause
                        )
                        return
