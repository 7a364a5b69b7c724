"""Causes that shift the later arguments and may show in nothing else: a result by reference, or a value without bytes.

A compiler that passes the address of a result where the text has none, or a register for an empty record, has every
argument behind it one place further on. The first of these is what is seen, and the other is what is wrong. So it is with
a value that goes on the stack while a caller's copy of it happens to be in the register that the text asks for: that it is
on the stack only the callee shows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain, takewhile
from typing import TypeAlias

import msgspec

from abiprobe.oracles.text.place import Files, Located, Passed, StackSlot
from abiprobe.results.verdicts.locations import (
    InPlaces,
    Kind,
    OffRegisters,
    Where,
    is_on_stack,
    kinds,
    places_of,
)
from abiprobe.results.verdicts.notes import Found, Note, Shifted, found_in
from abiprobe.results.verdicts.record import Difference, Judgement, Verdict, from_differences
from abiprobe.results.verdicts.values import Bytes, Value

OnBothSides: TypeAlias = Callable[[], Sequence[Difference]]
"""The differences that both sides of a call show of its arguments; it is asked only where a value may be shifted."""


STACK, NOWHERE = OffRegisters.STACK, OffRegisters.NOWHERE


def nothing() -> Sequence[Difference]:
    """Return the places to show if only one side is known."""
    return ()


def blame_shifts(
    verdict: Verdict,
    arguments: Sequence[Passed],
    result: Passed | None,
    misread: Collection[str],
    files: Files,
    both: OnBothSides = nothing,
) -> Verdict:
    """The verdict on arguments, with the clause of what shifts them where that is another one.

    `misread` are the sides of the call that have the result elsewhere, `files` those of the machine's registers, and `both` what
    both sides of the call show.
    """
    if verdict.verdict is not Judgement.DEVIATES or not verdict.differences:
        return verdict
    found = list(verdict.differences)
    for side in dict.fromkeys(item.side for item in found):
        at, first = next(
            ((at, item) for at, item in enumerate(found) if item.side == side and not item.above), (0, None)
        )
        if first is not None:
            shifted = is_shifted(long_enough(found[at:], side), both)
            moved = result if side in misread else None
            suspects = shifters(first, arguments, moved, files) if shifted else ()
            clause = next(chain(pushed(first, arguments, both), suspects), "")
            if clause:
                note = Shifted(first.clause, found_in(first.note))
                found[at] = msgspec.structs.replace(first, clause=clause, note=note)
    return from_differences(verdict.probe, verdict.kind, tuple(found))


def long_enough(found: Sequence[Difference], side: str) -> Difference:
    """The first misplaced argument on a side, or the first behind it that is told where it is, if it is too short for that."""
    here = [item for item in found if item.side == side and not item.above]
    return next((item for item in here if item.note is not None), here[0])


def is_shifted(difference: Difference, both: OnBothSides) -> bool:
    """Return whether all of a value is in another place of the kind in which the text has it: of the kind of its first bytes.

    A caller may have left a copy in a register on the way to where the value is; there the callee does not look for it.
    """
    if begins(difference.expected) == begins(difference.seen) or is_joined(difference):
        return False
    own = places_of(difference.place)
    wanted, found = kinds(own[:1]) | (kinds(own) & {STACK}), kinds_found(difference.note)
    for other in both() if wanted & found else ():
        if other.side != difference.side and other.what == difference.what and not other.above:
            found = found & kinds_found(other.note) or found
    return bool(wanted & found)


def begins(value: Value) -> Value:
    """The first byte of bytes, and any other value as it is."""
    return value.first if isinstance(value, Bytes) else value


def kinds_found(note: Note | None) -> frozenset[Kind]:
    """The kinds of places in which a value was found that nothing moved; none where it was not looked for."""
    found = found_in(note)
    if found is None:
        return frozenset()
    return kinds(found.at) if found.at else frozenset({NOWHERE})


def is_joined(difference: Difference) -> bool:
    """Return whether a value that the text puts in several registers is found in one of these."""
    own, found = places_of(difference.place), found_in(difference.note) or Found()
    registers = {one.place for one in own if not is_on_stack(one)}
    return len(own) > 1 and any(one.place in registers for one in found.at)


def pushed(first: Difference, arguments: Sequence[Passed], both: OnBothSides) -> Iterator[str]:
    """The clauses of arguments in front that the other side has on the stack, against the text, so that this one is further on.

    A large one may be too far on to be found.
    """
    own, found = slot_of(first.place), found_in(first.note)
    if own is None or found is None or not (found == Found() or comes_later(own, found)):
        return
    front = {passed.name for passed in takewhile(lambda passed: passed.name != first.what, arguments)}
    for other in both():
        moved = STACK in kinds_found(other.note) - kinds(places_of(other.place))
        if other.side != first.side and other.what in front and not other.above and moved:
            yield other.clause


def slot_of(place: Where) -> int | None:
    """The offset on the stack at which the text has the first byte of a value; `None` where that is elsewhere."""
    match place:
        case InPlaces((Located(StackSlot(offset)), *_)):
            return offset
        case _:
            return None


def comes_later(own: int, found: Found) -> bool:
    """Return whether a value is on the stack only after the place on the stack that the text gives it."""
    offsets = on_stack(found)
    return bool(offsets) and min(offsets) > own


def comes_earlier(own: int | None, found: Found | None) -> bool:
    """Return whether a value is on the stack only before the place on the stack that the text gives it, if it gives one."""
    offsets = () if found is None else on_stack(found)
    return own is not None and bool(offsets) and max(offsets) < own


def on_stack(found: Found) -> tuple[int, ...]:
    """The offsets on the stack at which a value was found."""
    return tuple(one.place.offset for one in found.at if isinstance(one.place, StackSlot))


def shifters(
    first: Difference, arguments: Sequence[Passed], result: Passed | None, files: Files
) -> Iterator[str]:
    """The clauses of what may have shifted the first argument that is not in its place.

    A value that has no place in the text, and takes one all the same, moves others further on. Where one behind it is in its
    place, of the kind in which the first misplaced one should be, it has taken none.
    """
    if first.what not in {passed.name for passed in arguments}:
        return
    if result is not None:
        yield result.clause
    wanted = kinds(places_of(first.place)[:1])
    earlier = comes_earlier(slot_of(first.place), found_in(first.note))
    found: list[str] = []
    for passed in arguments:
        if passed.name == first.what:
            break
        if carries(passed):
            own = kinds(Located.of(piece.place, files) for piece in passed.pieces)
            found = [] if wanted & own else found
        elif passed.pieces or not earlier:
            found.append(passed.clause)
    yield from found


def carries(passed: Passed) -> bool:
    """Return whether at least one bit of a passed value can be compared."""
    return bool(passed.pieces) and any(passed.mask)


def misread_on(verdict: Verdict | None) -> frozenset[str]:
    """The sides of a call that have the result elsewhere, by the verdict on it."""
    found = verdict.differences if verdict is not None else ()
    return frozenset(item.side for item in found if not item.above)
