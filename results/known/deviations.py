"""Known deviations: read their TOML entries and match them against deviations.

Only departures are written down. An entry says of a deviation where it occurs (targets, compiler families with ranges of
versions), how it shows (symptoms with the clauses that are broken, or with the message of a tool that failed), and what a
question must have for it to show (traits, places). All of this must hold for an entry to match; the identity of a
cluster has no part in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from importlib import resources
from importlib.resources.abc import Traversable
from typing import TypeAlias

import msgspec

from abiprobe.oracles.language.question import Question
from abiprobe.oracles.quirks.quirk import Quirk
from abiprobe.oracles.quirks.versions import Range
from abiprobe.results.causes.answers import Answer
from abiprobe.results.causes.blame import families
from abiprobe.results.causes.cluster import Cluster, Finding, Underlying, parts_of
from abiprobe.results.causes.fingerprint import (
    CRASHES,
    Fingerprint,
    Symptom,
    is_telling,
    signature,
)
from abiprobe.results.causes.places import Place
from abiprobe.results.causes.traits import Features, alike, features, traits
from abiprobe.results.known.entries import DEVIATION, KnownEntry, in_force, read_entries, with_name
from abiprobe.results.known.expected import OPEN_DIFFERENCES, ExpectedDifference
from abiprobe.results.known.instead import DIES, fits, seen_in
from abiprobe.results.known.sides import Side, Split, is_as_said, subjects_of
from abiprobe.results.verdicts.readings import CRASHED_AGAIN, OWN
from abiprobe.results.verdicts.record import Verdict

SHOWS = 'shows.misplaced = ["x86_64:pass.sse"] or shows.crashed = ["part of the message"]'
"""How an entry says what it matches, for messages."""
SIDES = (
    '[[deviation.sides]] with subjects = ["clang<23"], and another one with subjects = ["clang>=23", "gcc"]'
)
"""How an entry says who goes together, for messages."""


class Entry(KnownEntry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One known deviation.

    `subjects` are families with a range of versions (`clang>=13,<18`). `shows` maps each
    symptom to the clauses that are broken, or, for a tool that failed, to phrases of its message; the `example` shows
    everything that it lists. The deviating values must be in `places` only; empty `places` are any.
    `instead` gives for a clause what must be seen instead of what the text asks for (`results.known.instead`): the kinds of places
    where the value is, which alignment, which way a member is moved. What is seen otherwise is new; of a clause that is not
    there nothing is said.
    `sides` say who goes together where subjects differ and no text decides (`results.known.sides`); all that they name are then
    the `subjects`.
    """

    subjects: tuple[str, ...] = ()
    shows: dict[Symptom, tuple[str, ...]]
    places: tuple[Place, ...] = ()
    instead: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    sides: tuple[Side, ...] = ()

    def __post_init__(self) -> None:
        """Raise `ValueError` for a field that is empty or malformed."""
        super().__post_init__()
        if (Symptom.DIFFERS in self.shows) != bool(self.sides):
            raise ValueError(
                f"{self.name}: say who goes together where subjects differ, and only there: {SIDES}"
            )
        if self.sides:
            if self.subjects not in {(), subjects_of(self.sides)}:
                raise ValueError(f"{self.name}: its subjects are those of its sides")
            msgspec.structs.force_setattr(self, "subjects", subjects_of(self.sides))
        if not self.subjects:
            raise ValueError(f"{self.name} has no subjects")
        if not self.shows or not all(self.shows.values()) or not all(map(all, self.shows.values())):
            raise ValueError(f"{self.name} does not say how it shows: {SHOWS}")
        if unknown := set(self.instead) - set(self.clauses) | {
            clause for side in self.sides for clause in set(side.instead) - set(self.shows[Symptom.DIFFERS])
        }:
            raise ValueError(f"{self.name} says what is seen of {min(unknown)}, which it does not show")
        for subject in self.subjects:
            Range.read(subject)

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that the deviation breaks."""
        named = (
            clause for symptom, found in self.shows.items() if symptom not in CRASHES for clause in found
        )
        return tuple(dict.fromkeys(named))

    @property
    def summary(self) -> str:
        """The entry in a line: `known (bug): NAME: REASON, LINK`."""
        return f"known ({self.status.value}): {self.name}: {self.reason}, {self.link}"


KnownCause: TypeAlias = Entry | Quirk | ExpectedDifference
"""The knowledge of a deviation: an entry that says what it looks like, a quirk that is its cause, or that each follows its dialect."""


class Known(msgspec.Struct, frozen=True):
    """Every entry, in the order of the files, and the quirks by which deviations are known."""

    entries: tuple[Entry, ...] = ()
    quirks: tuple[Quirk, ...] = ()

    def without(self, name: str) -> Known:
        """All entries but one."""
        return Known(tuple(entry for entry in self.entries if entry.name != name), self.quirks)

    def in_force(self, today: date) -> tuple[KnownCause, ...]:
        """The entries that have not expired, the quirks, and with these the differences between dialects."""
        return (*in_force(self.entries, today), *self.quirks, *((OPEN_DIFFERENCES,) if self.quirks else ()))


def parse(text: str, name: str) -> Known:
    """The entries of a TOML file called `name`; raises `KnownError`."""
    return Known(read_entries(text, name, DEVIATION, entry_of))


def entry_of(table: Mapping[str, object]) -> Entry:
    """One entry of a file; raises `ValueError` with the entry's name for what is missing or not understood."""
    name = table.get("name", "an entry without a name")
    outdated = {"clauses", "cluster"} & set(table)
    if "shows" not in table or outdated:
        instead = f" instead of {' and '.join(sorted(outdated))}" if outdated else ""
        raise ValueError(f"{name}: say how it shows{instead}, as {SHOWS}")
    return with_name(table, Entry)


def shipped() -> Known:
    """Return the known deviations that ship with abiprobe."""
    return parse(shipped_file().read_text("utf-8"), "known.toml")


def shipped_file() -> Traversable:
    """The file of the known deviations that come with abiprobe."""
    return resources.files("abiprobe.results.known").joinpath("known.toml")


def concerns(entry: Entry, target: str, subject: str, version: str) -> bool:
    """Return whether an entry applies to a subject with this version line on a target."""
    return entry.is_about(target) and any(Range.read(one).has(subject, version) for one in entry.subjects)


def expects(entry: Entry, target: str, subject: str, version: str) -> bool:
    """Return whether an entry says of a subject with this version line that it deviates on this very target.

    A dialect that the entry does not name may have another answer than the text, so nothing is missing there.
    """
    return entry.names(target) and concerns(entry, target, subject, version)


def concerning(
    known: Iterable[KnownCause], target: str, subject: str, version: str
) -> tuple[KnownCause, ...]:
    """Return the entries that apply to a subject with this version line on a target, and all else, which verdicts name."""
    return tuple(
        one for one in known if not isinstance(one, Entry) or concerns(one, target, subject, version)
    )


def example_of(causes: Sequence[KnownCause]) -> str:
    """The examples of known causes; empty where the cause has none of its own."""
    return "\n".join(one.example for one in causes if not isinstance(one, ExpectedDifference))


def only_entries(known: Iterable[KnownCause]) -> tuple[Entry, ...]:
    """Return the entries among what is known."""
    return tuple(one for one in known if isinstance(one, Entry))


def shows(entry: Entry, fingerprint: Fingerprint) -> bool:
    """Return whether a deviation shows as an entry says: the symptom, and the clause or the tool's message.

    A compiler that died has died, in whatever place.
    """
    named = entry.shows.get(fingerprint.symptom, ())
    if fingerprint.symptom is Symptom.CRASHED:
        return bool(named)
    if fingerprint.symptom in CRASHES:
        return is_said_by_any(named, fingerprint)
    return fingerprint.clause in named


def shows_in(entry: Entry, fingerprint: Fingerprint, places: Sequence[str]) -> bool:
    """Return whether a deviation shows as an entry says, in the places of these values.

    A program that dies tells of no value, so that the clause which is blamed may be that of a bystander.
    """
    if shows(entry, fingerprint) or fingerprint.symptom is not Symptom.MISPLACED or places:
        return shows(entry, fingerprint)
    return any(DIES in entry.instead.get(clause, ()) for clause in entry.shows.get(Symptom.MISPLACED, ()))


def is_said_by_any(phrases: Iterable[str], fingerprint: Fingerprint) -> bool:
    """Return whether a tool's words are those of one of these phrases of an entry."""
    return any(is_said(signature(phrase), fingerprint.words) for phrase in phrases)


def is_said(phrase: str, words: str) -> bool:
    """Return whether a tool's words have a phrase in them; words that name no place in the tool must be these and no others."""
    return phrase in words if is_telling(phrase) else phrase == words


def suits(entry: Entry, fingerprint: Fingerprint, asked: Features) -> bool:
    """Return whether the traits that a question needs are those of an entry alone, or what shows needs no such proof.

    A tool that dies without a word, or in another place than an entry names, may have died of anything that is unusual in
    the question; only several traits together tell of what.
    """
    symptom, words = fingerprint.symptom, fingerprint.words
    telling = is_telling(words) and is_said_by_any(entry.shows.get(symptom, ()), fingerprint)
    return (
        symptom not in CRASHES
        or telling
        or any(len(one) > 1 or asked.needed <= one for one in entry.held(asked.named))
    )


def matching(
    cluster: Cluster, entries: Iterable[KnownCause], versions: Mapping[str, str]
) -> tuple[Entry, ...]:
    """Return the entries that together cover every finding of a cluster; empty when one is not covered."""
    candidates = only_entries(entries)
    used: dict[str, Entry] = {}
    for finding in cluster.findings:
        mine = matching_finding(finding, candidates, versions)
        if not mine:
            return ()
        used |= {entry.name: entry for entry in mine}
    return tuple(used.values())


def matching_finding(
    finding: Finding, entries: Iterable[KnownCause], versions: Mapping[str, str]
) -> tuple[Entry, ...]:
    """Return the entries that together cover a finding, one for each family of its subjects; empty when one is not covered."""
    candidates = only_entries(entries)
    found = [
        next((one for one in candidates if covers(one, part, versions)), None)
        for part in parts_of(finding, families(finding.subjects))
    ]
    return () if None in found else tuple(entry for entry in found if entry is not None)


def occurring(cluster: Cluster, entries: Iterable[KnownCause], versions: Mapping[str, str]) -> frozenset[str]:
    """Return the names of the entries that cover a finding of a cluster, even if others are not covered."""
    parts = [part for finding in cluster.findings for part in parts_of(finding, families(finding.subjects))]
    return frozenset(
        one.name for one in only_entries(entries) if any(covers(one, part, versions) for part in parts)
    )


def covers(entry: Entry, finding: Finding, versions: Mapping[str, str]) -> bool:
    """Return whether an entry covers one finding, or a layout that brings it about, for each of its subjects."""
    return (
        finding.steady
        and is_divided(entry, finding.fingerprint, split_of(finding, versions))
        and (is_shown(entry, finding) or any(is_laid_out(entry, one) for one in finding.layouts))
        and all(
            concerns(entry, finding.fingerprint.target, subject, versions.get(subject, ""))
            for subject in finding.blame.deviating
        )
    )


def is_shown(entry: Entry, finding: Finding) -> bool:
    """Return whether a finding shows as an entry says: symptom, traits and places."""
    if not shows_in(entry, finding.fingerprint, finding.places):
        return False
    return (
        entry.suits(finding.features.named)
        and suits(entry, finding.fingerprint, finding.features)
        and is_placed(entry, finding.places)
    )


def is_laid_out(entry: Entry, one: Underlying) -> bool:
    """Return whether the layout of a record deviates as an entry says."""
    return shows(entry, one.fingerprint) and entry.suits(alike(traits(one.record))) and is_placed(entry, ())


def is_placed(entry: Entry, found: Iterable[str]) -> bool:
    """Return whether all deviating values are in the places that an entry names."""
    names = {place.value for place in entry.places}
    here = set(found)
    return not names or (bool(here) and here <= names)


def is_divided(entry: Entry, fingerprint: Fingerprint, split: Split | None) -> bool:
    """Return whether those who differ where no text decides divide as an entry says; anything else needs no others."""
    if fingerprint.symptom is not Symptom.DIFFERS:
        return True
    return split is not None and is_as_said(entry.sides, fingerprint.clause, split)


def split_of(finding: Finding, versions: Mapping[str, str]) -> Split:
    """Return how subjects divide in a finding."""
    return Split(finding.blame.what, finding.blame.groups, versions)


class Resemblance(msgspec.Struct, frozen=True):
    """The entry that a deviation of one probe resembles, from its verdicts alone.

    `exact` says that the question has no traits but those of the entry. Otherwise only a reduction, or asking again without
    the entry's traits, can tell whether these traits are the cause. Where there is no entry, `unlike` is one that it would
    resemble if something else were seen instead.
    """

    fingerprint: Fingerprint
    entry: KnownCause | None
    exact: bool = False
    unlike: Entry | None = None


def resemblances(
    known: Sequence[KnownCause],
    target: str,
    question: Question,
    verdicts: Iterable[Verdict],
    split: Split | None = None,
) -> tuple[Resemblance, ...]:
    """Return what each deviation in one subject's verdicts on one probe resembles, as `resembled` finds it."""
    return resembled(known, Answer(target, tuple(verdicts)), features(question), split)


def resembled(
    known: Sequence[KnownCause], given: Answer, asked: Features, split: Split | None
) -> tuple[Resemblance, ...]:
    """Return what each deviation in an answer to a question, as drawn, resembles of what is `known` and concerns the subject.

    What its verdicts say to be known by a quirk is so, if that is among the known ones.

    `split` says how all that were asked divide where no text decides; without it no difference between them is known.
    """
    answers = []
    entries = only_entries(known)
    for fingerprint in given.fingerprints:
        # What a quirk explains beside it is no part of what an entry describes.
        own = given.unexplained if fingerprint in given.unexplained.fingerprints else given
        names = given.quirks.get(fingerprint, ())
        cause = (
            known_crash(entries, asked) if CRASHED_AGAIN in names else known_cause(known, fingerprint, names)
        )
        answers.append(
            Resemblance(fingerprint, cause, exact=True)
            if cause is not None
            else most_alike(entries, fingerprint, own, asked, split)
        )
    return tuple(answers)


def most_alike(
    entries: Sequence[Entry], fingerprint: Fingerprint, own: Answer, asked: Features, split: Split | None
) -> Resemblance:
    """Return what a deviation resembles of the entries that concern the subject.

    An entry without traits, or with the traits of the question, comes before others. Symptom, clause or
    message, and places are compared exactly; traits can only be found to be there, not to be the cause.
    """
    places = own.places[fingerprint]
    like = [
        entry
        for entry in entries
        if shows_in(entry, fingerprint, places) and entry.suits(asked.named) and is_placed(entry, places)
    ]
    suiting = [
        entry for entry in like if suits(entry, fingerprint, asked) and is_divided(entry, fingerprint, split)
    ]
    seen = seen_in(fingerprint, own.verdicts, own.differences[fingerprint]) if suiting else ()
    fitting = [
        Resemblance(
            fingerprint, entry, any(not one or asked.needed <= one for one in entry.held(asked.named))
        )
        for entry in suiting
        if fits(seen, entry.instead.get(fingerprint.clause, ()))
    ]
    other = Resemblance(fingerprint, None, unlike=like[0] if like else None)
    return min(fitting, key=lambda one: not one.exact) if fitting else other


def known_cause(
    known: Iterable[KnownCause], fingerprint: Fingerprint, names: Sequence[str]
) -> KnownCause | None:
    """Return the first of the quirks of these `names` that is known, or the difference between dialects."""
    if OWN in names and OPEN_DIFFERENCES in known:
        return ExpectedDifference(fingerprint.clause)
    quirks = {one.name: one for one in known if isinstance(one, Quirk) and one.name in names}
    return next((quirks[name] for name in names if name in quirks), None)


def known_crash(entries: Iterable[Entry], asked: Features) -> Entry | None:
    """Return the first entry of a crash that has the traits of a question, by which a compiler may live or die from one time to the next."""
    dying = (entry for entry in entries if Symptom.CRASHED in entry.shows)
    return next((entry for entry in dying if entry.suits(asked.named) and any(entry.held(asked.named))), None)


def is_described(
    known: Sequence[KnownCause],
    fingerprint: Fingerprint,
    question: Question,
    verdicts: Iterable[Verdict],
    split: Split | None = None,
) -> bool:
    """Return whether what is `known` and concerns a subject speaks of a deviation in its verdicts on a question."""
    found = resemblances(known, fingerprint.target, question, verdicts, split)
    return any(one.fingerprint == fingerprint and one.entry is not None for one in found)
