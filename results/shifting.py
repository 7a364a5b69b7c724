"""What moves the arguments behind it, and may show in nothing else: a result by reference, or a value without bytes.

A compiler that passes the address of a result where the text has none, or a register for an empty record, has every
argument behind it one place further on. The first of these is what is seen, and the other is what is wrong. So it is with
a value that goes on the stack while a caller's copy of it happens to be in the register that the text asks for: that it is
on the stack only the callee shows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain, takewhile
from typing import TypeAlias

import msgspec

from abiprobe.oracles.place import Passed
from abiprobe.results.compare import str_place
from abiprobe.results.place_kinds import NOWHERE, STACK, comes_earlier, comes_later, kinds_in, kinds_of
from abiprobe.results.record import Difference, Judgement, Verdict, from_differences

SHIFTED = "shifted, "
"""Before where a value was found that something else moved: it is not what the broken clause is about."""
Beside: TypeAlias = Callable[[], Sequence[Difference]]
"""What both sides of a call show of its arguments; it is asked only where a value may be shifted."""


def nothing() -> Sequence[Difference]:
    """What is shown where only one side is known."""
    return ()


def blame_shifts(
    verdict: Verdict,
    arguments: Sequence[Passed],
    result: Passed | None,
    misread: Collection[str],
    beside: Beside = nothing,
) -> Verdict:
    """The verdict on arguments, with the clause of what shifts them where that is another one.

    `misread` are the sides of the call that have the result elsewhere, `beside` what both sides of the call show.
    """
    if verdict.verdict is not Judgement.DEVIATES or not verdict.differences:
        return verdict
    found = list(verdict.differences)
    for side in dict.fromkeys(item.side for item in found):
        at, first = next(
            ((at, item) for at, item in enumerate(found) if item.side == side and not item.above), (0, None)
        )
        if first is not None:
            shifted = is_shifted(long_enough(found[at:], side), beside)
            suspects = shifters(first, arguments, result if side in misread else None) if shifted else ()
            clause = next(chain(pushed(first, arguments, beside), suspects), "")
            if clause:
                found[at] = msgspec.structs.replace(first, clause=clause, note=f"{SHIFTED}{first.note}")
    return from_differences(verdict.probe, verdict.kind, tuple(found))


def long_enough(found: Sequence[Difference], side: str) -> Difference:
    """The first misplaced argument on a side, or the first behind it that is told where it is, if it is too short for that."""
    here = [item for item in found if item.side == side and not item.above]
    return next((item for item in here if item.note), here[0])


def is_shifted(difference: Difference, beside: Beside) -> bool:
    """Whether a value is in another place of the kind in which the text has it, all of it: of the kind of its first bytes.

    A caller may have left a copy in a register on the way to where the value is; there the callee does not look for it.
    """
    begins, instead = (data.partition(" ")[0] for data in (difference.expected, difference.seen))
    if begins == instead or is_joined(difference):
        return False
    first = kinds_of(difference.place.partition(", ")[0])
    wanted, kinds = first | (kinds_of(difference.place) & {STACK}), kinds_in(difference.note)
    for other in beside() if wanted & kinds else ():
        if other.side != difference.side and other.what == difference.what and not other.above:
            kinds = kinds & kinds_in(other.note) or kinds
    return bool(wanted & kinds)


def is_joined(difference: Difference) -> bool:
    """Whether what the text puts in several registers is found in one of these."""
    own = difference.place.split(", ")
    return len(own) > 1 and any(re.search(rf"in {re.escape(place)}\b", difference.note) for place in own)


def pushed(first: Difference, arguments: Sequence[Passed], beside: Beside) -> Iterator[str]:
    """The clauses of arguments in front that the other side has on the stack, against the text, so that this one is further on.

    A large one may be too far on to be found.
    """
    lost = first.place.startswith(STACK) and kinds_in(first.note) == {NOWHERE}
    if not (lost or comes_later(first.place, first.note)):
        return
    front = {passed.name for passed in takewhile(lambda passed: passed.name != first.what, arguments)}
    for other in beside():
        on_stack = STACK in kinds_in(other.note) - kinds_of(other.place)
        if other.side != first.side and other.what in front and not other.above and on_stack:
            yield other.clause


def shifters(first: Difference, arguments: Sequence[Passed], result: Passed | None) -> Iterator[str]:
    """The clauses of what may have shifted the first argument that is not in its place.

    A value that has no place in the text, and takes one all the same, moves others further on. Where one behind it is in its
    place, of the kind in which the first misplaced one should be, it has taken none.
    """
    if first.what not in {passed.name for passed in arguments}:
        return
    if result is not None:
        yield result.clause
    wanted = kinds_of(first.place.partition(", ")[0])
    found: list[str] = []
    for passed in arguments:
        if passed.name == first.what:
            break
        if carries(passed):
            found = [] if any(wanted & kinds_of(str_place(piece.place)) for piece in passed.pieces) else found
        elif passed.pieces or not comes_earlier(first.place, first.note):
            found.append(passed.clause)
    yield from found


def carries(passed: Passed) -> bool:
    """Whether at least one bit of a passed value can be compared."""
    return bool(passed.pieces) and any(passed.mask)


def misread_on(verdict: Verdict | None) -> frozenset[str]:
    """The sides of a call that have the result elsewhere, by the verdict on it."""
    found = verdict.differences if verdict is not None else ()
    return frozenset(item.side for item in found if not item.above)
