"""The clauses that decided what verdicts compared, and the counts of probes that agree and deviate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.model import RegisterConvention
from abiprobe.oracles.text.place import Assignment, Extension, Layout, Passed, Piece
from abiprobe.results.verdicts.record import Judgement, Verdict

COMPARED = (Judgement.AGREES, Judgement.DEVIATES)


def was_compared(verdict: Verdict) -> bool:
    """Return whether a verdict rests on at least one compared byte."""
    return verdict.verdict in COMPARED


def clause_counts(
    decided: Mapping[str, AbstractSet[str]], verdicts: Iterable[Verdict]
) -> dict[str, tuple[int, int]]:
    """Map each clause to the number of probes that agree with it and that deviate from it.

    A probe that breaks one clause says nothing about the others that it needs.
    """
    broken: dict[str, set[str]] = {}
    agreeing: set[str] = set()
    for verdict in verdicts:
        if verdict.kind is ProbeKind.PAIR:
            continue
        if verdict.verdict is Judgement.DEVIATES:
            broken.setdefault(verdict.probe, set()).add(verdict.clause)
        elif verdict.verdict is Judgement.AGREES:
            agreeing.add(verdict.probe)
    found: dict[str, tuple[int, int]] = {}
    for probe in agreeing - set(broken):
        for clause in decided.get(probe, ()):
            good, bad = found.get(clause, (0, 0))
            found[clause] = (good + 1, bad)
    for clauses in broken.values():
        for clause in clauses - {""}:
            good, bad = found.get(clause, (0, 0))
            found[clause] = (good, bad + 1)
    return dict(sorted(found.items()))


def of_layout(layout: Layout) -> frozenset[str]:
    """The clauses of a layout: of its size and of each member."""
    return frozenset(filter(None, (layout.clause, *(member.clause for member in layout.members))))


def of_call(
    assignment: Assignment, named: int, registers: RegisterConvention | None, kind: ProbeKind
) -> frozenset[str]:
    """The clauses that one kind of probe of a call compares; the first `named` arguments are named."""
    result = () if assignment.result is None else (assignment.result,)
    hidden = [piece.clause for one in assignment.hidden for piece in one.pieces]
    match kind:
        case ProbeKind.CALLER:
            aligned = [registers.stack_alignment] if registers is not None else []
            found = [*of_values(assignment.params[:named], kind), *aligned]
        case ProbeKind.CALLEE:
            found = list(of_values(assignment.params[:named], kind))
        case ProbeKind.VARIADIC:
            found = [*of_values(assignment.params[named:], ProbeKind.CALLER), *hidden]
        case ProbeKind.RESULT:
            found = [*of_values(result, kind), *hidden]
        case ProbeKind.PRESERVATION:
            found = [] if registers is None else [registers.stack_pointer]
            if registers is not None:
                kept = (*registers.preserved, *registers.of(assignment).preserved)
                found += [one.clause for one in kept]
                found += [one.clause for one in registers.forbidden]
                found += of_caller(registers, assignment)
        case ProbeKind.SYMBOL:
            mark = None if registers is None else registers.of(assignment).mark
            found = [] if mark is None else [mark.clause]
        case _:
            found = [*of_values((*assignment.params, *result), kind), *hidden]
    return frozenset(filter(None, found))


def of_caller(registers: RegisterConvention, call: Assignment) -> Iterator[str]:
    """The clauses of what a function leaves to its caller beside registers of its own."""
    if registers.caller_frame is not None:
        yield from registers.caller_frame.clauses
    stack = registers.stack_of_registers
    if stack is not None and stack.is_asked_of(call):
        yield from (stack.clause, stack.alias_clause)


def of_values(values: Iterable[Passed], kind: ProbeKind) -> Iterator[str]:
    """The clauses of values of which at least one bit counts."""
    for value in values:
        if any(value.mask):
            yield value.clause
        if value.param is not None:
            yield value.param.clause
        for piece in value.pieces:
            if is_compared(value, piece):
                yield piece.clause
                # Bits that may be anything are loaded with noise, on which a callee must not rely.
                if piece.extension is not None and (
                    piece.extension is not Extension.ANY or kind is ProbeKind.CALLEE
                ):
                    yield piece.extension_clause


def is_compared(value: Passed, piece: Piece) -> bool:
    """Return whether a bit of a piece is compared; that of an address always is."""
    return len(value.mask) < piece.end or any(value.mask[piece.start : piece.end])


def cited_clauses(value: object) -> Iterator[str]:
    """Every clause that a prediction of any other shape carries, in whatever field is named for one."""
    fields = getattr(value, "__struct_fields__", None) or getattr(value, "__dataclass_fields__", None)
    if fields is not None:
        for name in fields:
            inner = getattr(value, name)
            if "clause" in name:
                yield from (
                    (inner,) if isinstance(inner, str) else (one for one in inner if isinstance(one, str))
                )
            else:
                yield from cited_clauses(inner)
    elif isinstance(value, (tuple, list, frozenset)):
        for inner in value:
            yield from cited_clauses(inner)
    elif isinstance(value, dict):
        yield from cited_clauses(tuple(value.values()))
