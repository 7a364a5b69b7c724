"""The alternatives to what the text asks for, as they are seen, in the words of entries for known deviations.

Of a value that is not in its place, the kinds of places where both sides of its compiler have it; of bits above a value,
what they are; of a layout, which way its sizes, alignments and members depart; of registers that are not kept, which. Where
no text decides, where a compiler takes a value from that it puts elsewhere; `results.known.sides` compares what several do. What was too short to be recognised, or is observed in another way, is not told: it contradicts no entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import reduce

from msgspec.structs import replace

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.text.place import Located, RegisterFile
from abiprobe.results.causes.fingerprint import WHOLE, Fingerprint, Symptom
from abiprobe.results.causes.places import telling
from abiprobe.results.verdicts.locations import (
    AmongUnnamed,
    InMemory,
    InPieces,
    Kind,
    MemberAt,
    OffRegisters,
    Spot,
)
from abiprobe.results.verdicts.notes import ReliesOnAbove
from abiprobe.results.verdicts.record import Difference, Judgement, Outcome, Verdict
from abiprobe.results.verdicts.shifting import kinds_found
from abiprobe.results.verdicts.values import (
    Alignment,
    AlignmentOf,
    Beyond,
    BitRange,
    Bounds,
    Bytes,
    Multiple,
    Number,
    Offset,
    Parameter,
    Size,
    Words,
)
from abiprobe.results.verdicts.wording import spot_text, where_text

DIES = "dies"
UNTOLD = "unrecognised"
"""The word that entries have where a deviation shows in nothing that is told: a value too short, or no value."""
ALIGNED = {
    AlignmentOf.WHOLE: "_Alignof",
    AlignmentOf.MEMBER: "__alignof__ of a member",
    AlignmentOf.MEMBER_TYPE: "_Alignof of the type of a member",
    AlignmentOf.PREFERRED: "__alignof__ of the type of a member",
}
"""The thing that an alignment is of, as C asks for it."""
ALTERNATIVES = "|"
"""Between places that all hold the value: one of them is where it is passed, and the others have copies of it."""


def instead_of(fingerprint: Fingerprint, verdicts: Iterable[Verdict]) -> tuple[str, ...]:
    """Return what is seen in the verdicts on a probe where a fingerprint shows, as `seen_in` tells it."""
    given = tuple(verdicts)
    return seen_in(fingerprint, given, tuple(telling(fingerprint, given)))


def seen_in(
    fingerprint: Fingerprint, verdicts: Sequence[Verdict], shown: Sequence[Difference]
) -> tuple[str, ...]:
    """Return what is seen where a fingerprint shows, each item one or several alternatives, sorted; none where nothing is told.

    `shown` are the differences of a call in which it shows.
    """
    match fingerprint.symptom:
        case Symptom.MISPLACED:
            found = _of_values(fingerprint, verdicts, shown)
        case Symptom.ABOVE:
            found = map(_of_bits_above, shown)
        case Symptom.SELF_INCONSISTENT:
            found = _of_inconsistent(fingerprint, verdicts)
        case Symptom.LAYOUT | Symptom.DEBUG_INFO | Symptom.VALUES | Symptom.KEPT:
            found = _of_whole(fingerprint, verdicts)
        case _:
            found = ()
    return tuple(sorted(set(found)))


def fits(seen: Sequence[str], named: Sequence[str]) -> bool:
    """Return whether one alternative of each thing that is seen is among those that an entry names; `*` in these is any text."""
    return not named or all(
        any(fnmatchcase(one, pattern) for one in item.split(ALTERNATIVES) for pattern in named)
        for item in seen
    )


def _of_values(
    fingerprint: Fingerprint, verdicts: Iterable[Verdict], shown: Sequence[Difference]
) -> Iterable[str]:
    """The kinds of places that both sides of a call have a value in; or those of each, if they have none in common."""
    own = [one for one in verdicts if one.kind is not ProbeKind.PAIR and one.verdict is Judgement.DEVIATES]
    for item in shown:
        yield from _of_number(item)
    # Where a value is that something else moved says nothing of what moved it.
    sides = [_passing(found) for item in shown if (found := kinds_found(item.note))]
    died = any(one.outcome is Outcome.DIED and one.clause == fingerprint.clause for one in own)
    if died and not (sides and _moves_an_address(own)):
        yield DIES
    if sides:
        common = reduce(frozenset.__and__, sides)
        for found in (common,) if common else sides:
            yield ALTERNATIVES.join(sorted(kind.value for kind in found))


def _of_number(item: Difference) -> Iterator[str]:
    """The departure of a number that is no part of a value.

    Of an address, told as so many bytes above a multiple, that are all alignments that it has, of a count whether it is too small, of a declaration in PTX which way
    its alignment and its size depart.
    """
    match item.expected, item.seen:
        case Parameter(align, size, _, True), Parameter(own, room, _, True):
            if own != align:
                yield f"aligned to {own}"
            if room != size:
                yield "smaller" if room < size else "larger"
        case Multiple(of), Beyond(remainder):
            found = (1 << power for power in range(of.bit_length()))
            yield ALTERNATIVES.join(f"aligned to {one}" for one in found if remainder % one == 0)
        case Bounds(least, _), Number(count):
            yield "too few" if count < least else "too many"
        case _:
            return


def _passing(found: frozenset[Kind]) -> frozenset[Kind]:
    """The kinds of places without registers in which nothing is passed, since a function saves them."""
    return found - {RegisterFile.SAVED} or frozenset({OffRegisters.NOWHERE})


def _moves_an_address(verdicts: Iterable[Verdict]) -> bool:
    """Return whether an address is not where the other side looks for it, so that a program dies whatever moved it."""
    return any(
        isinstance(item.place, InMemory) and item.place.behind for one in verdicts for item in one.differences
    )


def _of_bits_above(item: Difference) -> str:
    """The bits above a value; of a program that relies on these bits it is not told, since it was given noise."""
    return "relied on" if isinstance(item.note, ReliesOnAbove) else filling(item)


def filling(item: Difference) -> str:
    """Return what the bytes are that should have been others: all zeros, all ones, or something else."""
    wrong: set[str] = set()
    if isinstance(item.expected, Bytes) and isinstance(item.seen, Bytes):
        pairs = zip(item.expected.each, item.seen.each, strict=False)
        wrong = {seen for wanted, seen in pairs if wanted != seen}
    return {frozenset({"00"}): "zeros", frozenset({"ff"}): "ones"}.get(frozenset(wrong), "other bits")


def open_place(at: Spot) -> str:
    """Return where a subject has something on which no text decides, in the words of entries: a place, or a number and of what it is.

    The name of a member is left out.
    """
    match at:
        case Size():
            return f"sizeof {_place(at)}"
        case Alignment(_, of):
            return f"{ALIGNED[of]} {_place(at)}"
        case MemberAt(int()) | AmongUnnamed():
            return f"member {_place(at)}"
        case _:
            return _place(at)


def _of_inconsistent(fingerprint: Fingerprint, verdicts: Iterable[Verdict]) -> Iterable[str]:
    """Where a subject puts the first thing that it does not take from there, and where it takes it from."""
    for one in verdicts:
        for item in one.shown if _is_open(one, fingerprint) else ():
            ways = (
                f"{_place(at)} but taken from {_taken(at, taken)}" for at in item.at for taken in item.taken
            )
            yield ALTERNATIVES.join(dict.fromkeys(ways))


def _is_open(verdict: Verdict, fingerprint: Fingerprint) -> bool:
    """Return whether a verdict says that subjects part, or one contradicts itself, by the clause of a fingerprint."""
    return verdict.verdict is Judgement.DIFFERS and verdict.clause == fingerprint.clause


def _place(at: Spot) -> str:
    """A place without the byte in it where a part of a value begins."""
    match at:
        case Located():
            return spot_text(replace(at, at=0))
        case InPieces((*runs, last)) if isinstance(last.place, Located) and last.length == 1:
            return spot_text(InPieces((*runs, replace(last, place=replace(last.place, at=0)))))
        case _:
            return spot_text(at)


def _taken(at: Spot, taken: Spot) -> str:
    """Where a value is taken from that is put elsewhere."""
    return _place(taken) if _place(taken) != _place(at) else "another byte of it"


def _of_whole(fingerprint: Fingerprint, verdicts: Iterable[Verdict]) -> Iterable[str]:
    """Every difference of a probe that is judged as a whole."""
    for one in verdicts:
        shown = WHOLE.get(one.kind) is fingerprint.symptom and one.clause == fingerprint.clause
        if shown and one.outcome is Outcome.DIED:
            yield DIES
        for item in one.differences if shown else ():
            yield from (
                _of_layout(item) if fingerprint.symptom is not Symptom.KEPT else (where_text(item.place),)
            )


def _of_layout(item: Difference) -> Iterator[str]:
    """Which way a number of a layout departs; an alignment is told as such."""
    match item.expected, item.seen:
        case Alignment(_, AlignmentOf.WHOLE), Alignment(align):
            yield f"aligned to {align}"
        case Alignment(_, AlignmentOf.MEMBER_TYPE), Alignment(align):
            yield f"type of a member aligned to {align}"
        case Alignment(wanted), Alignment(align):
            yield "member aligned less" if align < wanted else "member aligned more"
        case Size(wanted), Size(size):
            yield "smaller" if size < wanted else "larger"
        case Offset(wanted), Offset(at):
            yield "earlier" if at < wanted else "later"
        case BitRange(wanted, wide), BitRange(at, width):
            if at != wanted:
                yield "earlier" if at < wanted else "later"
            if width != wide:
                yield "narrower" if width < wide else "wider"
        case Words(), _:
            # A journal of an earlier version has nothing but words.
            return
        case _:
            yield "unknown member"
