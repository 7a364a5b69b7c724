"""For every known deviation what its compiler shows, and lies beside it: the same question, answered wrongly in another way.

All are made from the entries: a truth for each clause or message, and from each truth the lies that apply to its symptom. A
value is in another kind of place, or at an address of another alignment; a layout departs the other way; the bits above
a value are others; another register is not kept; a tool dies in other words; where no text decides, subjects divide in
another way, or follow another reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.quirks.versions import Range
from abiprobe.oracles.text.place import Located, Register, RegisterFile, StackSlot
from abiprobe.results.causes.fingerprint import CRASHES, TOOL, WHOLE, Symptom, is_telling, signature
from abiprobe.results.causes.places import Place
from abiprobe.results.coverage.differing import Group
from abiprobe.results.known.deviations import Entry
from abiprobe.results.known.instead import ALTERNATIVES, UNTOLD, fits
from abiprobe.results.known.sides import Side, Split
from abiprobe.results.verdicts.locations import BYTES, InMemory, InPlaces, Named, Where
from abiprobe.results.verdicts.notes import Found, Note, OnlyAbove, ReliesOnAbove
from abiprobe.results.verdicts.record import Difference, Judgement, Outcome, Shown, Verdict, unobserved
from abiprobe.results.verdicts.values import (
    Alignment,
    AlignmentOf,
    Beyond,
    BitRange,
    Bounds,
    Bytes,
    Multiple,
    Nothing,
    Number,
    Size,
    Value,
    Words,
)

PROBE, VALUE, LEVEL = "p", "a", "O0"
PLANTED = Words("planted")
OTHERS = Bytes("20 21 22 23"), Bytes("c3 c3 c3 c3")
"""What is expected, and other bytes that are seen."""
REGISTER = InPlaces((Located(Register("x0"), 0, RegisterFile.GENERAL),))
PLACES: dict[Place, Where] = {
    Place.REGISTER: REGISTER,
    Place.STACK: InPlaces((Located(StackSlot(8)),)),
    Place.MEMORY: InMemory(REGISTER.at),
    Place.RESULT: REGISTER,
}
"""Where the text has a value, by the place that an entry names."""
KINDS = {
    **{
        file.value: Found((Located(Register("planted"), 0, file),))
        for file in (
            RegisterFile.GENERAL,
            RegisterFile.FLOATING,
            RegisterFile.VECTOR,
            RegisterFile.X87,
            RegisterFile.MMX,
        )
    },
    "stack": Found((Located(StackSlot(8)),)),
    "nowhere": Found(),
}
"""The notes of a value that is elsewhere, by kind of place."""
ALIGNMENTS = tuple(1 << power for power in range(8))
MEMBER, TYPE = AlignmentOf.MEMBER, AlignmentOf.MEMBER_TYPE
LAYOUTS: dict[str, tuple[str, Value, Value]] = {
    "smaller": ("sizeof", Size(8), Size(4)),
    "larger": ("sizeof", Size(8), Size(16)),
    "earlier": ("a", BitRange(32, 8), BitRange(16, 8)),
    "later": ("a", BitRange(32, 8), BitRange(64, 8)),
    "narrower": ("a", BitRange(32, 8), BitRange(32, 4)),
    "wider": ("a", BitRange(32, 8), BitRange(32, 16)),
    "member aligned less": ("__alignof__ of a", Alignment(8, MEMBER), Alignment(4, MEMBER)),
    "member aligned more": ("__alignof__ of a", Alignment(8, MEMBER), Alignment(16, MEMBER)),
    "unknown member": ("b", BitRange(8, 8), Nothing()),
}
"""What differs, what was expected and what is seen, by which way a layout departs."""
ABOVE: dict[str, tuple[str, str, Note]] = {
    "relied on": ("00 00", "00 00", ReliesOnAbove()),
    "zeros": ("2a 11", "2a 00", OnlyAbove()),
    "ones": ("2a 11", "2a ff", OnlyAbove()),
    "other bits": ("2a 11", "2a 5c", OnlyAbove()),
}
"""Expected and seen bytes and the note, by what is above a value."""
WORDS = (
    "crash in planted::Frame::lower",
    "planted.cc: Assertion `planted' failed",
    "error: planted words that nobody says",
    "the compiler died (SIGILL)",
    "the compiler died",
    "SIGSEGV",
)
"""How else a tool may fail."""


class Answer(NamedTuple):
    """What a compiler answers: which clause or message it is about, what it shows, and how all subjects divide, if they do."""

    about: str
    way: str
    verdicts: tuple[Verdict, ...]
    split: Split | None = None


def truths(entry: Entry) -> Iterator[Answer]:
    """What an entry says: one answer for each clause and each way in which it shows, or for each message."""
    for symptom, named in entry.shows.items():
        for what in named:
            if symptom is Symptom.DIFFERS:
                yield from divided(entry, what, entry.sides)
            elif symptom in CRASHES:
                yield failed(symptom, signature(what), what)
                if symptom is Symptom.CRASHED and len(entry.traits) > 1:
                    # Whoever dies of these traits may do so in any place.
                    yield failed(symptom, WORDS[0], what)
            else:
                yield from (one for way, one in ways(entry, symptom, what) if is_named(entry, what, way))


def lies(entry: Entry) -> Iterator[Answer]:
    """Answers to the same question that are wrong in another way than the entry says."""
    for symptom, named in entry.shows.items():
        for what in named:
            if symptom is Symptom.DIFFERS:
                yield from divided_otherwise(entry, what)
            elif symptom in CRASHES:
                other = Symptom.TIMED_OUT if symptom is Symptom.CRASHED else symptom
                yield from failed_otherwise(other, named)
            else:
                yield from (one for way, one in ways(entry, symptom, what) if not is_named(entry, what, way))
                yield from placed_otherwise(entry, symptom, what)
                yield from shown_otherwise(symptom, what)


def is_named(entry: Entry, clause: str, way: str) -> bool:
    """Return whether an entry says of a clause that it shows in a way."""
    return way == UNTOLD or fits((way,), entry.instead.get(clause, ()))


def ways(entry: Entry, symptom: Symptom, clause: str) -> Iterator[tuple[str, Answer]]:
    """Every way in which a symptom may show, in the words of entries, with an answer."""
    place = PLACES[next(iter(entry.places), Place.REGISTER)]
    match symptom:
        case Symptom.MISPLACED:
            yield from misplaced(entry, clause, place)
        case Symptom.ABOVE:
            for way, (wanted, seen, note) in ABOVE.items():
                values = Bytes(wanted), Bytes(seen)
                item = Difference("callee", value(entry), place, *values, clause, note, above=True)
                yield way, answer(clause, way, ProbeKind.CALLEE, item)
        case Symptom.SELF_INCONSISTENT:
            for way in (*map(plain, entry.instead.get(clause, ())), "planted1 but taken from planted2"):
                yield way, contradicting(clause, way)
        case Symptom.LAYOUT | Symptom.DEBUG_INFO | Symptom.VALUES:
            yield from laid_out(clause, symptom)
        case _:
            yield from kept(entry, clause, symptom)


def misplaced(entry: Entry, clause: str, place: Where) -> Iterator[tuple[str, Answer]]:
    """A value elsewhere, nowhere, or recognised in nothing; a program that dies; an address with too small an alignment."""
    what = value(entry)
    for way, note in (*KINDS.items(), (UNTOLD, None)):
        item = Difference("callee", what, place, *OTHERS, clause, note)
        yield way, answer(clause, way, ProbeKind.CALLEE, item)
    died = Verdict(PROBE, ProbeKind.CALLEE, Judgement.DEVIATES, Outcome.DIED, clause)
    if not entry.places:
        yield "dies", Answer(clause, "dies", (died,))
    for number, align in enumerate(ALIGNMENTS, 1):
        way = ALTERNATIVES.join(f"aligned to {one}" for one in ALIGNMENTS[:number])
        item = Difference("caller", what, place, Multiple(256), Beyond(align), clause)
        yield way, answer(clause, way, ProbeKind.CALLER, item)
    for way, seen in (("too few", 0), ("too many", 9)):
        counted = Difference("caller", what, place, Bounds(1, 8), Number(seen), clause)
        yield way, answer(clause, way, ProbeKind.CALLER, counted)


def laid_out(clause: str, symptom: Symptom) -> Iterator[tuple[str, Answer]]:
    """A layout that departs in one way."""
    kind = next(kind for kind, shown in WHOLE.items() if shown is symptom)
    aligned: dict[str, tuple[str, Value, Value]] = {
        f"aligned to {one}": ("_Alignof", Alignment(3), Alignment(one)) for one in ALIGNMENTS
    }
    typed: dict[str, tuple[str, Value, Value]] = {
        f"type of a member aligned to {one}": ("_Alignof of a", Alignment(3, TYPE), Alignment(one, TYPE))
        for one in ALIGNMENTS
    }
    for way, (what, wanted, seen) in (LAYOUTS | aligned | typed).items():
        item = Difference("object", what, BYTES, wanted, seen, clause)
        yield way, answer(clause, way, kind, item)


def kept(entry: Entry, clause: str, symptom: Symptom) -> Iterator[tuple[str, Answer]]:
    """Registers that are not kept, and what has no ways to show."""
    kind = next(kind for kind, shown in WHOLE.items() if shown is symptom)
    for way in (*map(plain, entry.instead.get(clause, ())), "planted register"):
        if symptom is Symptom.KEPT or way != "planted register":
            yield way, answer(clause, way, kind, Difference("callee", "kept", Named(way), *OTHERS, clause))
    if symptom is not Symptom.KEPT:
        yield "", answer(clause, "", kind, Difference("object", "f", Named("symbol"), *OTHERS, clause))


def contradicting(clause: str, way: str) -> Answer:
    """A caller that puts a value elsewhere than its callee looks."""
    put, _, read = way.partition(" but taken from ")
    if read == put:
        read = read.replace("1", "2")
    at, taken = Located(Register(put)), Located(Register(read))
    if read == "another byte of it":
        taken = replace(at, at=4)
    shown = (Shown("a [0..4)", (at,), (taken,)),)
    verdict = Verdict(PROBE, ProbeKind.OPEN, Judgement.DIFFERS, clause=clause, shown=shown)
    return Answer(clause, way, (verdict,))


def placed_otherwise(entry: Entry, symptom: Symptom, clause: str) -> Iterator[Answer]:
    """The same of a value that the text has in a place that the entry does not name."""
    if symptom not in {Symptom.MISPLACED, Symptom.ABOVE} or not entry.places:
        return
    for place in (Place.REGISTER, Place.STACK, Place.MEMORY, Place.RESULT):
        if place not in entry.places:
            other = replace(entry, places=(place,))
            for way, one in ways(other, symptom, clause):
                if is_named(entry, clause, way) and way != "dies":
                    yield one._replace(way=f"{way}, of a value in {place.value}")


def shown_otherwise(symptom: Symptom, clause: str) -> Iterator[Answer]:
    """Of what a symbol is called or marked with nothing more is told than the clause, which a moved value may break as well."""
    if symptom in {Symptom.NAMES, Symptom.UNMARKED}:
        item = Difference("callee", VALUE, REGISTER, *OTHERS, clause)
        yield answer(clause, "a value that is moved", ProbeKind.CALLEE, item)


def failed(symptom: Symptom, words: str, what: str) -> Answer:
    """A tool that fails with these words."""
    outcome = next(outcome for outcome, shown in TOOL.items() if shown is symptom)
    return Answer(what, words, (unobserved(PROBE, ProbeKind.CALLER, outcome, words),))


def failed_otherwise(symptom: Symptom, named: Sequence[str]) -> Iterator[Answer]:
    """A tool that fails with other words, or with a part of those that are known."""
    phrases = tuple(map(signature, named))
    longer = tuple(f"{phrase} planted" for phrase in phrases if not is_telling(phrase))
    for words in (*WORDS, *longer):
        known = any(one in words if is_telling(one) else one == words for one in phrases)
        if not known:
            yield failed(symptom, words, phrases[0])


def divided(entry: Entry, clause: str, sides: Sequence[Side], *, turned: int = 0) -> Iterator[Answer]:
    """Subjects that divide as sides say: one of each side, with its reading, where the side has the thing.

    With `turned`, each answers as the side that many places before it.
    """
    what = thing_of(entry, clause)
    groups, versions = [], {}
    for number, side in enumerate(sides):
        subject, version = subject_of(side, number)
        versions[subject] = version
        own = sides[number - turned]
        groups.append(Group(((subject, LEVEL),), (place_of(own, clause, what),), reading_of(own)))
    yield open_answer(clause, "as another side" if turned else "", Split(what, tuple(groups), versions))


def divided_otherwise(entry: Entry, clause: str) -> Iterator[Answer]:
    """Subjects that divide in another way than the sides of an entry say, or differ elsewhere, or follow another reading."""
    (whole,) = divided(entry, clause, entry.sides)
    split = whole.split
    assert split is not None
    first, second, *rest = split.groups
    ((subject, _),) = first.subjects
    twin, optimised = ((f"{subject}-twin", LEVEL),), ((subject, "O2"),)
    more = dict(split.versions) | {f"{subject}-twin": split.versions[subject]}
    made = {
        "one version with the other side": (
            first,
            replace(second, subjects=(*second.subjects, *twin)),
            *rest,
        ),
        "one version by itself": (first, second, *rest, replace(first, subjects=twin)),
        "one level with the other side": (
            first,
            replace(second, subjects=(*second.subjects, *optimised)),
            *rest,
        ),
        "one level by itself": (first, second, *rest, replace(first, subjects=optimised)),
        "one side alone": (first, replace(first, subjects=twin)),
        "on a reading of nobody": (replace(first, reading="planted"), second, *rest),
    }
    for way, groups in made.items():
        yield open_answer(clause, way, Split(split.what, groups, more))
    if entry.sides[0].instead.get(clause):
        groups = tuple(replace(group, at=(PLANTED,)) for group in split.groups)
        yield open_answer(clause, "elsewhere", Split("planted", groups, more))
    if is_turn_told(entry, clause, split.what):
        yield from divided(entry, clause, entry.sides, turned=1)


def is_turn_told(entry: Entry, clause: str, what: str) -> bool:
    """Return whether what is said of one side is not said of another."""
    befores = [entry.sides[number - 1] for number in range(len(entry.sides))]
    return any(
        not side.may_have(clause, (place_of(before, clause, what),)) or not side.reads(reading_of(before))
        for side, before in zip(entry.sides, befores, strict=True)
    )


THINGS = (
    ("_Alignof of the type of a member ", "_Alignof of the type of a"),
    ("__alignof__ of the type of a member ", "__alignof__ of the type of a"),
    ("__alignof__ of a member ", "__alignof__ of a"),
    ("__alignof__ of ", "__alignof__ of a"),
    ("_Alignof ", "_Alignof"),
    ("sizeof ", "sizeof"),
    ("member ", "a"),
)
"""How the patterns of numbers begin, and what they are about."""


def parsed(pattern: str) -> tuple[str, Words]:
    """What a pattern of a side is about, and a place or number that it takes."""
    about = (what for head, what in THINGS if pattern.startswith(head))
    return next(about, "a [0..4)"), Words(plain(pattern))


def thing_of(entry: Entry, clause: str) -> str:
    """What all sides of an entry say something about."""
    said = [{parsed(one)[0] for one in side.instead.get(clause, ())} for side in entry.sides]
    common = set.intersection(*said) if all(said) else set().union(*said)
    return min(common, default="a [0..4)")


def open_answer(clause: str, way: str, split: Split) -> Answer:
    """What each of the subjects shows on an open question on which they divide."""
    verdict = Verdict(
        PROBE, ProbeKind.OPEN, Judgement.DIFFERS, clause=clause, detail=f"{split.what}: planted"
    )
    return Answer(clause, way, (verdict,), split)


def subject_of(side: Side, number: int) -> tuple[str, str]:
    """A subject of a side, with a version of its range."""
    bounds = Range.read(side.subjects[0])
    return f"{bounds.family}-{number + 1}", version_in(bounds)


def version_in(bounds: Range) -> str:
    """A version in a range."""
    tried = ["999.0.0", *(f"{number}.0.0" for number in range(1, 40)), "0.9"]
    return next(version for version in tried if bounds.has(bounds.family, version))


def reading_of(side: Side) -> str:
    """A reading that a side may follow."""
    return next(iter(side.readings), Range.read(side.subjects[0]).family)


def place_of(side: Side, clause: str, what: str) -> Words:
    """A place or number that a side may have of something."""
    said = (parsed(one) for one in side.instead.get(clause, ()))
    return next((place for thing, place in said if thing == what), PLANTED)


def value(entry: Entry) -> str:
    """What an entry speaks of: a result, or an argument."""
    return "result" if entry.places[:1] == (Place.RESULT,) else VALUE


def plain(pattern: str) -> str:
    """Some text that a pattern takes."""
    return pattern.replace("*", "1").replace("?", "1")


def answer(clause: str, way: str, kind: ProbeKind, *items: Difference) -> Answer:
    """A deviation with these differences."""
    verdict = Verdict(PROBE, kind, Judgement.DEVIATES, Outcome.OBSERVED, clause, "", items)
    return Answer(clause, way, (verdict,))


def count(every: Iterable[Entry]) -> int:
    """How many lies are planted beside entries."""
    return sum(1 for entry in every for _ in lies(entry))
