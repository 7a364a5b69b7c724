"""Values that lie beside one that a compiler stores too wide, as its dialect says.

Clang stores the LLVM struct that it makes of a struct in two registers, and that may be wider than the struct. What lies
behind it in memory is overwritten: another value, a saved register, an address by which the program then dies, the
`va_list` by which the arguments behind are then looked for elsewhere. The dialect says how many bytes may be wrong, not of what.
"""

from __future__ import annotations

from collections.abc import Iterable

from abiprobe.oracles.engine.travelling import is_unnamed
from abiprobe.oracles.quirks.quirk import Side
from abiprobe.oracles.text.place import Assignment, Passed
from abiprobe.results.verdicts.addresses import HIDDEN, UNKNOWN
from abiprobe.results.verdicts.locations import Where, places_of
from abiprobe.results.verdicts.record import Difference, Judgement, Outcome, Verdict, from_differences
from abiprobe.results.verdicts.values import Bytes


def without_overwritten(verdicts: Iterable[Verdict], assignment: Assignment) -> tuple[Verdict, ...]:
    """The verdicts; one agrees where no more than overruns of the call can be seen to be wrong."""
    most = overruns(assignment)
    if not any(most.values()):
        return tuple(verdicts)
    params, misled = {one.name: one for one in assignment.params}, behind_overruns(assignment)

    def is_overwritten(item: Difference) -> bool:
        if item.side == Side.CALLEE.value and item.what in misled:
            return True
        return 0 < span(item, params.get(item.what)) <= most.get(item.side, 0)

    return tuple(
        from_differences(one.probe, one.kind, ())
        if one.verdict is Judgement.DEVIATES
        and (one.outcome is Outcome.DIED or all(map(is_overwritten, one.differences)))
        else one
        for one in verdicts
    )


def overruns(assignment: Assignment) -> dict[str, int]:
    """The most bytes that each side stores beyond a value: a caller its result, a callee what it takes or returns."""
    result = assignment.result.overrun if assignment.result else 0
    taken = max((one.overrun for one in assignment.params), default=0)
    return {Side.CALLER.value: result, Side.CALLEE.value: max(taken, result)}


def behind_overruns(assignment: Assignment) -> frozenset[str]:
    """The names of the unnamed arguments behind one that a callee stores too wide."""
    unnamed = [one for one in assignment.params if is_unnamed(one.name)]
    wide = next((index for index, one in enumerate(unnamed) if one.overrun), len(unnamed))
    return frozenset(one.name for one in unnamed[wide + 1 :])


def span(difference: Difference, passed: Passed | None = None) -> int:
    """The bytes from the first to the last that is not as expected; 0 where that is not told byte by byte.

    Bits that are not in the mask of the value that is `passed` may be anything.
    """
    expected, seen = difference.expected, difference.seen
    if not (isinstance(expected, Bytes) and isinstance(seen, Bytes)):
        return 0
    bits = compared_bits(passed, difference.place, len(expected.each)) if passed else b""
    bits = bits or b"\xff" * len(expected.each)
    wrong = [
        index
        for index, (own, other, told) in enumerate(zip(expected.each, seen.each, bits, strict=False))
        if is_other(own, other, told)
    ]
    return wrong[-1] - wrong[0] + 1 if wrong else 0


def compared_bits(passed: Passed, place: Where, length: int) -> bytes:
    """The bits of a value's mask, as far as the value, or a piece of it in a place, is told byte by byte; else none."""
    if length == len(passed.mask):
        return passed.mask
    places = tuple(one.place for one in places_of(place))
    for piece in passed.pieces:
        if (piece.place,) == places and piece.bit is None and not piece.lane and piece.form is None:
            return (b"\xff" * piece.at + passed.mask[piece.start : piece.end]).ljust(length, b"\xff")
    return b""


def is_other(expected: str, seen: str, told: int) -> bool:
    """Return whether two bytes, as they are written, differ in a bit that is told of."""
    if expected == UNKNOWN:
        return False
    if {expected, seen} & {UNKNOWN, HIDDEN}:
        return expected != seen
    return bool((int(expected, 16) ^ int(seen, 16)) & told)
