"""Judge an observation against its prediction: one function for each kind of probe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.text.place import BEHIND_THE_CALL, Assignment, Layout, MemberAlignment, Passed, Passing
from abiprobe.results.verdicts.compare import (
    compare_left,
    compare_memory,
    compare_places,
    compare_view,
    first_of_each,
)
from abiprobe.results.verdicts.locations import BITS, BYTES
from abiprobe.results.verdicts.observations import ObservedCallee, ObservedCaller, ObservedPair, Turn
from abiprobe.results.verdicts.record import Difference, Outcome, Verdict, from_differences, unobserved
from abiprobe.results.verdicts.shifting import carries
from abiprobe.results.verdicts.values import Alignment, AlignmentOf, BitRange, Size


def judge_layout(
    probe: str,
    predicted: Layout,
    size: int,
    align: int,
    places: Mapping[str, tuple[int, int]],
    alignments: Iterable[tuple[MemberAlignment, int]] = (),
) -> Verdict:
    """Compare a layout; `places` gives bit offset and width by member path, as far as C can name them.

    `alignments` are those of members and their types that are predicted, each with what a compiler told.
    """
    differences = []
    for what, expected, seen in (
        ("sizeof", Size(predicted.size), Size(size)),
        ("_Alignof", Alignment(predicted.align), Alignment(align)),
    ):
        if expected != seen:
            differences.append(Difference("object", what, BYTES, expected, seen, predicted.clause))
    moved = False
    for member in predicted.members:
        if member.path in places and places[member.path] != (member.bit_offset, member.bit_width):
            offset, width = places[member.path]
            differences.append(
                Difference(
                    "object",
                    member.path,
                    BITS,
                    BitRange(member.bit_offset, member.bit_width),
                    BitRange(offset, width),
                    # What cannot be asked for moves what is behind it, unless something before has moved both.
                    member.clause if moved else member.behind or member.clause,
                )
            )
            moved = True
    if not differences:
        # Of a record that is laid out otherwise the alignments of its members tell nothing new.
        differences += [
            aligned_otherwise(asked, found) for asked, found in alignments if found != asked.align
        ]
    # A misplaced member tells more than the size that follows from it.
    differences.sort(key=lambda item: item.place == BYTES)
    return from_differences(probe, ProbeKind.LAYOUT, tuple(differences))


def aligned_otherwise(asked: MemberAlignment, found: int) -> Difference:
    """An alignment of a member, or of its type, that a compiler tells otherwise."""
    of = AlignmentOf.MEMBER if asked.type is None else AlignmentOf.MEMBER_TYPE
    return Difference(
        "object", asked.what, BYTES, Alignment(asked.align, of), Alignment(found, of), asked.clause
    )


def judge_caller(
    probe: str, params: tuple[Passed, ...], turns: tuple[tuple[Turn, ObservedCaller], ...]
) -> Verdict:
    """Compare where a compiled caller put its named arguments, `params`, and the state of its stack and flags."""
    if not (turns and any(map(carries, params))):
        return unobserved(probe, ProbeKind.CALLER, Outcome.NOTHING)
    found = list(misplaced(range(len(params)), params, turns))
    found += [item for _, seen in turns for item in seen.entry]
    return from_differences(probe, ProbeKind.CALLER, first_of_each(found))


def judge_callee(
    probe: str, params: tuple[Passed, ...], turns: tuple[tuple[Turn, ObservedCallee], ...]
) -> Verdict:
    """Compare the parameters `params` that a compiled callee read with the values placed as the text says."""
    if not (turns and any(map(carries, params))):
        return unobserved(probe, ProbeKind.CALLEE, Outcome.NOTHING)
    found = list(misread(range(len(params)), params, turns))
    found += [item for _, seen in turns for item in seen.computed if not item.is_unnamed]
    found += [item for _, seen in turns for item in seen.entry]
    return from_differences(probe, ProbeKind.CALLEE, first_of_each(found))


def judge_variadic(
    probe: str,
    arguments: tuple[Passed, ...],
    named: int,
    callers: tuple[tuple[Turn, ObservedCaller], ...],
    callees: tuple[tuple[Turn, ObservedCallee], ...],
) -> Verdict:
    """Compare both sides of the unnamed arguments, which are `arguments` from number `named` on.

    A caller also tells by a hidden argument how many registers it uses, where the text asks for that.
    """
    if not ((callers or callees) and any(map(carries, arguments[named:]))):
        return unobserved(probe, ProbeKind.VARIADIC, Outcome.NOTHING)
    unnamed = range(named, len(arguments))
    found = [*misplaced(unnamed, arguments, callers), *misread(unnamed, arguments, callees)]
    found += [item for _, seen in callees for item in seen.computed if item.is_unnamed]
    found += [item for _, seen in callers for item in seen.bounded if item.what != BEHIND_THE_CALL]
    return from_differences(probe, ProbeKind.VARIADIC, first_of_each(found))


def misplaced(
    which: Iterable[int], arguments: tuple[Passed, ...], turns: tuple[tuple[Turn, ObservedCaller], ...]
) -> Iterator[Difference]:
    """Yield the differences of the arguments numbered `which` that a caller misplaced, in the order of the arguments.

    In one turn a place may hold the expected byte by chance, so the first value misplaced is not always the first seen.
    """
    for index in which:
        passed = arguments[index]
        for turn, seen in turns:
            value = turn.values[index]
            if passed.passing is Passing.INDIRECT:
                every = ((one.values[index], each.frame) for one, each in turns)
                yield from compare_memory(passed, value, seen.memory[index], seen.frame, every)
            elif not seen.frame.holds(turn.places[index]):
                frames = [(one.values[index], each.frame) for one, each in turns]
                yield from compare_places(
                    "caller", passed.name, turn.places[index], value, seen.frame, frames
                )


def misread(
    which: Iterable[int], arguments: tuple[Passed, ...], turns: tuple[tuple[Turn, ObservedCallee], ...]
) -> Iterator[Difference]:
    """Yield the differences of the arguments numbered `which` that a callee misread, in the order of the arguments."""
    changed = [(turn, seen) for turn, seen in turns if not seen.as_given]
    for index in which:
        for turn, seen in changed:
            view, data = turn.views[index], seen.params[index]
            if view.differs(data):
                read = [(each.params[index], each.given) for _, each in changed if each.given is not None]
                yield from compare_view(
                    "callee",
                    arguments[index],
                    turn.places[index],
                    view,
                    data,
                    seen.frame.files,
                    read,
                    seen.frame.addresses,
                )


def judge_preservation(
    probe: str,
    callers: tuple[tuple[Turn, ObservedCaller], ...],
    callees: tuple[tuple[Turn, ObservedCallee], ...],
) -> Verdict:
    """Compare the registers and memory that a call must preserve, for a compiled caller and callee."""
    if not (callers or callees):
        return unobserved(probe, ProbeKind.PRESERVATION, Outcome.NOTHING)
    found = [item for _, caller in callers for item in caller.disturbed]
    found += [item for _, callee in callees for item in callee.disturbed]
    return from_differences(probe, ProbeKind.PRESERVATION, first_of_each(found))


def judge_pair(probe: str, assignment: Assignment, turns: tuple[tuple[Turn, ObservedPair], ...]) -> Verdict:
    """Compare what arrives, of arguments and result, when one compiler's caller calls another's callee.

    No model has a say in where the values travel; the clause is that of the first value that did not arrive.
    """
    params, result = assignment.params, assignment.result
    values = (*params, result) if result is not None else params
    if not (turns and any(value.passing is not Passing.IGNORED and any(value.mask) for value in values)):
        return unobserved(probe, ProbeKind.PAIR, Outcome.NOTHING)
    found: list[Difference] = []
    changed = [(turn, seen) for turn, seen in turns if not seen.as_given]
    for index, passed in enumerate(params):
        for turn, seen in changed:
            view, data = turn.views[index], seen.params[index]
            if view.differs(data):
                found += compare_view(
                    "pair", passed, turn.places[index], view, data, seen.files, addresses=seen.addresses
                )
    for turn, seen in turns:
        if result is not None and turn.result_view is not None:
            found += compare_view(
                "pair",
                result,
                turn.result_places,
                turn.result_view,
                seen.result,
                seen.files,
                addresses=seen.addresses,
            )
    return from_differences(probe, ProbeKind.PAIR, first_of_each(found))


def judge_result(
    probe: str,
    result: Passed,
    callers: tuple[tuple[Turn, ObservedCaller], ...],
    callees: tuple[tuple[Turn, ObservedCallee], ...],
) -> Verdict:
    """Compare where a compiled callee leaves its result, where a compiled caller looks for it, and what it has behind the call."""
    if result.passing is Passing.IGNORED or not any(result.mask) or not (callers or callees):
        return unobserved(probe, ProbeKind.RESULT, Outcome.NOTHING)
    found: list[Difference] = []
    for turn, left in callees:
        if turn.result is not None:
            found += compare_left(
                result, turn, left, [(one.result or b"", each.frame) for one, each in callees]
            )
    for turn, read in callers:
        if turn.result_view is not None:
            given = [(each.result, each.given) for _, each in callers if each.given is not None]
            found += compare_view(
                "caller",
                result,
                turn.result_places,
                turn.result_view,
                read.result,
                read.frame.files,
                given,
                read.frame.addresses,
            )
    found += [item for _, read in callers for item in (*read.result_memory, *read.computed)]
    found += [item for _, read in callers for item in read.bounded if item.what == BEHIND_THE_CALL]
    return from_differences(probe, ProbeKind.RESULT, first_of_each(found))
