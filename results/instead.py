"""What is seen instead of what the text asks for, in the words of entries for known deviations.

Of a value that is not in its place, the kinds of places where both sides of its compiler have it; of bits above a value,
what they are; of a layout, which way its sizes, alignments and members depart; of registers that are not kept, which. Where
no text decides, where a compiler takes a value from that it puts elsewhere; `results.sides` compares what several do. What was too short to be recognised, or is observed in another way, is not told: it contradicts no entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import reduce

from abiprobe.oracles.question import ProbeKind
from abiprobe.results.fingerprint import WHOLE, Fingerprint, Symptom
from abiprobe.results.place_kinds import NOWHERE, kinds_in
from abiprobe.results.places import telling
from abiprobe.results.record import Difference, Judgement, Outcome, Verdict
from abiprobe.results.shifting import SHIFTED

DIES = "dies"
UNTOLD = "unrecognised"
"""What entries name where a deviation shows in nothing that is told: a value too short, or no value."""
DECLARED = re.compile(r"\.param \.align (\d+) \.b8\[(\d+)\]")
"""A record in `.param` space, with its alignment and its size in bytes."""
ALTERNATIVES = "|"
"""Between places that all hold the value: one of them is where it is passed, and the others have copies of it."""


def instead_of(fingerprint: Fingerprint, verdicts: Iterable[Verdict]) -> tuple[str, ...]:
    """What is seen where a fingerprint shows, each item one or several alternatives, sorted; none where nothing is told."""
    match fingerprint.symptom:
        case Symptom.MISPLACED:
            found = _of_values(fingerprint, verdicts)
        case Symptom.ABOVE:
            found = _of_bits_above(fingerprint, verdicts)
        case Symptom.TORN:
            found = _of_torn(fingerprint, verdicts)
        case Symptom.LAYOUT | Symptom.DEBUG_INFO | Symptom.VALUES | Symptom.KEPT:
            found = _of_whole(fingerprint, verdicts)
        case _:
            found = ()
    return tuple(sorted(set(found)))


def fits(seen: Sequence[str], named: Sequence[str]) -> bool:
    """Whether one alternative of each thing that is seen is among those that an entry names; `*` in these is any text."""
    return not named or all(
        any(fnmatchcase(one, pattern) for one in item.split(ALTERNATIVES) for pattern in named)
        for item in seen
    )


def _of_values(fingerprint: Fingerprint, verdicts: Iterable[Verdict]) -> Iterable[str]:
    """The kinds of places that both sides of a call have a value in; or those of each, if they have none in common."""
    own = [one for one in verdicts if one.kind is not ProbeKind.PAIR and one.verdict is Judgement.DEVIATES]
    shown = tuple(telling(fingerprint, own))
    for item in shown:
        yield from _of_number(item)
    # Where a value is that something else moved says nothing of what moved it.
    told = [kinds_in(item.note) for item in shown if not item.note.startswith(SHIFTED)]
    sides = [_passing(kinds, fingerprint.target) for kinds in told if kinds]
    died = any(one.outcome is Outcome.DIED and one.clause == fingerprint.clause for one in own)
    if died and not (sides and _moves_an_address(own)):
        yield DIES
    if sides:
        common = reduce(frozenset.__and__, sides)
        for kinds in (common,) if common else sides:
            yield ALTERNATIVES.join(sorted(kinds))


def _of_number(item: Difference) -> Iterator[str]:
    """What a number is that is no part of a value.

    Of an address, told as so many bytes above a multiple, that are all alignments that it has, of a count whether it is too small, of a declaration in PTX which way
    its alignment and its size depart.
    """
    multiple, counted = (
        re.fullmatch(form, item.expected) for form in (r".*a multiple of (\d+)", r"(\d+) to (\d+)")
    )
    declared, instead = (DECLARED.fullmatch(text) for text in (item.expected, item.seen))
    if declared is not None and instead is not None:
        (align, size), (own, room) = (map(int, found.groups()) for found in (declared, instead))
        if own != align:
            yield f"aligned to {own}"
        if room != size:
            yield "smaller" if room < size else "larger"
    elif multiple is not None:
        beyond = int(item.seen.partition(" ")[0], 0)
        found = (1 << power for power in range(int(multiple[1]).bit_length()))
        yield ALTERNATIVES.join(f"aligned to {one}" for one in found if beyond % one == 0)
    elif counted is not None:
        yield "too few" if int(item.seen) < int(counted[1]) else "too many"


def _passing(kinds: frozenset[str], target: str) -> frozenset[str]:
    """The kinds of places without registers called s, which only Arm passes values in: elsewhere they are what a function saves."""
    passing = kinds if target.startswith("arm") else kinds - {"s register"}
    return passing or frozenset({NOWHERE})


def _moves_an_address(verdicts: Iterable[Verdict]) -> bool:
    """Whether an address is not where the other side looks for it, so that a program dies whatever moved it."""
    return any(item.place.startswith("memory at") for one in verdicts for item in one.differences)


def _of_bits_above(fingerprint: Fingerprint, verdicts: Iterable[Verdict]) -> Iterable[str]:
    """What stands above a value; of a program that relies on these bits it is not told, since it was given noise."""
    for item in telling(fingerprint, verdicts):
        yield "relied on" if item.note.startswith("it relies") else filling(item)


def filling(item: Difference) -> str:
    """What the bytes are that should have been others: all zeros, all ones, or something else."""
    wrong = {
        seen for wanted, seen in zip(item.expected.split(), item.seen.split(), strict=False) if wanted != seen
    }
    return {frozenset({"00"}): "zeros", frozenset({"ff"}): "ones"}.get(frozenset(wrong), "other bits")


def open_place(what: str, at: str) -> str:
    """Where a subject has something on which no text decides, in the words of entries: a place, or a number and of what it is."""
    return f"{_thing(what, at)}{_place(at)}"


def _of_torn(fingerprint: Fingerprint, verdicts: Iterable[Verdict]) -> Iterable[str]:
    """Where a subject puts the first thing that it does not take from there, and where it takes it from."""
    for one in verdicts:
        for item in one.shown if _is_open(one, fingerprint) else ():
            ways = (
                f"{_place(at)} but taken from {_taken(at, taken)}" for at in item.at for taken in item.taken
            )
            yield ALTERNATIVES.join(dict.fromkeys(ways))


def _is_open(verdict: Verdict, fingerprint: Fingerprint) -> bool:
    """Whether a verdict says that subjects part, or one contradicts itself, by the clause of a fingerprint."""
    return verdict.verdict is Judgement.DIFFERS and verdict.clause == fingerprint.clause


def _thing(what: str, at: str) -> str:
    """What a number of a layout is about, without the name of the member; of a value's part nothing is said."""
    if what == "sizeof" or "lignof" in what:
        kind, of, whose = what.partition(" of ")
        whole = whose.startswith("the type of ")
        return f"{kind} of {'the type of ' if whole else ''}a member " if of else f"{kind} "
    return "member " if at.startswith(("bit ", "byte ")) else ""


def _place(at: str) -> str:
    """A place without the byte in it where a part of a value begins."""
    return re.sub(r"\[\d+\]$", "", at)


def _taken(at: str, taken: str) -> str:
    """Where a value is taken from that is put elsewhere."""
    return _place(taken) if _place(taken) != _place(at) else "another byte of it"


def _of_whole(fingerprint: Fingerprint, verdicts: Iterable[Verdict]) -> Iterable[str]:
    """Every difference of a probe that is judged as a whole."""
    for one in verdicts:
        shown = WHOLE.get(one.kind) is fingerprint.symptom and one.clause == fingerprint.clause
        if shown and one.outcome is Outcome.DIED:
            yield DIES
        for item in one.differences if shown else ():
            yield from _of_layout(item) if fingerprint.symptom is not Symptom.KEPT else (item.place,)


def _of_layout(item: Difference) -> Iterator[str]:
    """Which way a number of a layout departs; an alignment is told as such."""
    if item.what == "_Alignof":
        yield f"aligned to {item.seen}"
    elif item.what.startswith("_Alignof of"):
        yield f"type of a member aligned to {item.seen}"
    elif item.what.startswith("__alignof__ of"):
        yield "member aligned less" if int(item.seen) < int(item.expected) else "member aligned more"
    elif item.what == "sizeof":
        yield "smaller" if int(item.seen) < int(item.expected) else "larger"
    elif ":" in item.expected and ":" in item.seen:
        (wanted, wide), (at, width) = (map(int, place.split(":")) for place in (item.expected, item.seen))
        if at != wanted:
            yield "earlier" if at < wanted else "later"
        if width != wide:
            yield "narrower" if width < wide else "wider"
    else:
        yield "unknown member"
