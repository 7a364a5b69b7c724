"""Comparison of subjects where no text decides, part by part: the groups that agree, and the parts on which they differ.

Nobody is right here, and nobody to blame. Each subject has each part in one place, of which it shows those that were found:
several only where they could not be told from each other. A part is the same for all subjects that show it if one place is
common to them; two places in common with two others do not make those agree. Where there is no such place, the part
differs, and those that show it are divided into groups with a place common to each. A subject that shows a part in several
places stands with the group that has most of the others.

What one subject shows and another does not is not compared, and is told. The levels of one compiler are one witness:
they can differ, and their agreement is none. A subject whose callee does not take a part from where its caller puts it
contradicts itself there, and is held against nobody on that part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

import msgspec

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.quirks.versions import family
from abiprobe.results.journal.journal import BatchDone
from abiprobe.results.verdicts.locations import Spot
from abiprobe.results.verdicts.readings import AND, NONE, OWN
from abiprobe.results.verdicts.record import Judgement, Shown, Verdict
from abiprobe.results.verdicts.values import Words
from abiprobe.results.verdicts.wording import spot_text, spots_text

Configuration: TypeAlias = tuple[str, str]
"""A subject and an `-O` level."""

TOGETHER = "agree with each other"
"""The words for subjects that go together: no text is behind them."""
PARTLY = "agree with each other on what was compared"
"""The words where a part that one of them shows is not compared with all others."""
ALONE = "not compared"
"""The words where no two subjects show the same part."""
CONTRADICTS = "contradicts itself:"
"""The words for a subject whose callee does not take a value from where its caller puts it."""
NAMED = 3
"""Of parts that are not compared so many are named."""


class Group(msgspec.Struct, frozen=True, omit_defaults=True):
    """Subjects that have a part in one place, and whose reading all of them follow, if any.

    `at` are all places that they have in common; none where they have it nowhere. Of those that contradict themselves, `what`
    is the part that they take from elsewhere, and `taken` says from where.
    """

    subjects: tuple[Configuration, ...]
    at: tuple[Spot, ...]
    reading: str = ""
    what: str = ""
    taken: tuple[Spot, ...] = ()

    @property
    def place(self) -> str:
        """The place in words."""
        words = spots_text(self.at, self.taken)
        return f"{self.what} {words}" if self.what else words

    def __str__(self) -> str:
        reading = f" (reading: {self.reading})" if self.reading else ""
        return f"{in_words(self.subjects)}{reading}: {self.place}"


class ComparedPart(msgspec.Struct, frozen=True):
    """One part of an open question: the groups of those that have it in one place, and who does not show it."""

    what: str
    groups: tuple[Group, ...]
    missing: tuple[Configuration, ...] = ()

    @property
    def differs(self) -> bool:
        """Return whether no place is common to all that show the part."""
        return len(self.groups) > 1

    @property
    def shown_by(self) -> tuple[Configuration, ...]:
        """The configurations that show the part."""
        return tuple(asked for group in self.groups for asked in group.subjects)

    @property
    def compared(self) -> bool:
        """Return whether at least two witnesses show the part."""
        return len(witnesses(self.shown_by)) > 1

    @property
    def division(self) -> frozenset[frozenset[Configuration]]:
        """The configurations that agree on the part, as groups."""
        return frozenset(frozenset(group.subjects) for group in self.groups)


class Gap(msgspec.Struct, frozen=True):
    """Subjects that do not show some parts which were looked for."""

    subjects: tuple[Configuration, ...]
    parts: tuple[str, ...]

    def __str__(self) -> str:
        more = len(self.parts) - NAMED
        parts = ", ".join((*self.parts[:NAMED], *((f"{more} more",) if more > 0 else ())))
        return f"{in_words(self.subjects)}: {parts}"


class Comparison(msgspec.Struct, frozen=True):
    """One open question as all subjects answer it: the clause that leaves it open, and its parts.

    `contradictory` are those that contradict themselves, each with the first part that it does not take from where it puts it.
    """

    target: str
    probe: str
    clause: str
    why: str
    parts: tuple[ComparedPart, ...]
    contradictory: tuple[Group, ...] = ()

    @property
    def differing(self) -> tuple[ComparedPart, ...]:
        """The parts that differ."""
        return tuple(part for part in self.parts if part.differs)

    @property
    def divided(self) -> tuple[ComparedPart, ...]:
        """The parts that differ; of those that divide the subjects alike only the first."""
        found: dict[frozenset[frozenset[Configuration]], ComparedPart] = {}
        for part in self.differing:
            found.setdefault(part.division, part)
        return tuple(found.values())

    @property
    def what(self) -> str:
        """The first part that differs; empty where none does."""
        return next((part.what for part in self.differing), "")

    @property
    def groups(self) -> tuple[Group, ...]:
        """The groups by their place of the first part that differs; empty if none does."""
        return next((part.groups for part in self.differing), ())

    @property
    def subjects_differ(self) -> bool:
        """Return whether a part is in different places; two levels of one compiler are enough."""
        return bool(self.what)

    @property
    def differs(self) -> bool:
        """Return whether a part is in different places, or a subject contradicts itself."""
        return self.subjects_differ or bool(self.contradictory)

    @property
    def concerned(self) -> tuple[Configuration, ...]:
        """The configurations that show a differing part, and those that contradict themselves."""
        found = (
            *(asked for part in self.differing for asked in part.shown_by),
            *(asked for group in self.contradictory for asked in group.subjects),
        )
        return tuple(dict.fromkeys(found))

    @property
    def compared(self) -> bool:
        """Return whether two different subjects were compared on at least one part."""
        return any(part.compared for part in self.parts)

    @property
    def held(self) -> tuple[Configuration, ...]:
        """The configurations of which at least one part was compared with another subject's."""
        found = {asked for part in self.parts if part.compared for asked in part.shown_by}
        return tuple(sorted(found))

    @property
    def showing(self) -> tuple[Configuration, ...]:
        """The configurations that show anything."""
        return tuple(sorted({asked for part in self.parts for asked in part.shown_by}))

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """The parts that were not compared, grouped by the subjects that do not show them."""
        lacking: dict[Configuration, list[str]] = {}
        for part in self.parts:
            for asked in part.missing:
                lacking.setdefault(asked, []).append(part.what)
        alike: dict[tuple[str, ...], list[Configuration]] = {}
        for asked, parts in sorted(lacking.items()):
            alike.setdefault(tuple(parts), []).append(asked)
        return tuple(Gap(tuple(subjects), parts) for parts, subjects in alike.items())

    @property
    def verdict(self) -> str:
        """The result of the comparison in words."""
        if self.differs:
            return Judgement.DIFFERS.value
        if not self.compared:
            return ALONE
        return PARTLY if any(part.missing for part in self.parts) else TOGETHER

    def __str__(self) -> str:
        differ = (f"{self.what}: {'; '.join(map(str, self.groups))}",) if self.subjects_differ else ()
        contradict = (f"{CONTRADICTS} {group}" for group in self.contradictory)
        agree = (f"{in_words(self.held)} {self.verdict}",) if self.compared and not self.differs else ()
        gaps = (f"{ALONE}: {gap}" for gap in self.gaps)
        return "; ".join((*differ, *contradict, *agree, *gaps))


def witness(subject: str) -> str:
    """Return the compiler that a subject stands for, without its `-O` level."""
    return " ".join(word for word in subject.split(" ") if not word.startswith("-O"))


def witnesses(subjects: Iterable[Configuration]) -> tuple[str, ...]:
    """The witnesses among configurations, each once."""
    return tuple(sorted({witness(subject) for subject, _ in subjects}))


def follows(shown: Sequence[Shown], expected: Sequence[Shown]) -> bool:
    """Return whether a subject agrees with a reading; one that shows nothing comparable agrees with none."""
    by_what = {one.what for one in expected if one.at}
    common = any(one.what in by_what for one in shown if one.at)
    return common and contradiction(shown) is None and first_difference(shown, expected) is None


def follows_sides(shown: Sequence[Shown], passed: Sequence[Shown], taken: Sequence[Shown]) -> bool:
    """Return whether a subject's callers follow one reading and its callees another, in all that it shows and both have."""
    where = {one.what: set(one.at) for one in passed if one.at}
    whence = {one.what: set(one.at) for one in taken if one.at}
    compared = [one for one in shown if one.at and one.what in where.keys() & whence.keys()]
    return bool(compared) and all(
        is_said(one.at, where[one.what], one.taken) and is_said(one.taken or one.at, whence[one.what], one.at)
        for one in compared
    )


def is_said(seen: Iterable[Spot], said: Collection[Spot], other: Iterable[Spot]) -> bool:
    """Return whether one side has a part in one of the places that a reading has it in.

    Of a part that it has where nobody can tell, since an address stands there, no more is known than that it is not where
    the other side has it.
    """
    if all(isinstance(place, Words) for place in seen):
        return not any(place in said for place in other)
    return any(place in said for place in seen)


def contradiction(shown: Sequence[Shown]) -> Shown | None:
    """The first part that a subject does not take from where it puts it."""
    return next((item for item in shown if item.taken), None)


def first_difference(one: Sequence[Shown], other: Sequence[Shown]) -> str | None:
    """The first part that two show without a place in common, of those about which neither contradicts itself."""
    theirs = {item.what: item for item in other if is_found(item)}
    for item in one:
        match = theirs.get(item.what)
        if is_found(item) and match is not None and not set(item.at) & set(match.at):
            return item.what
    return None


def is_found(item: Shown) -> bool:
    """Return whether a subject has a part somewhere, and takes it from there."""
    return bool(item.at) and not item.taken


def compare(
    target: str, probe: str, verdicts: Mapping[Configuration, Sequence[Verdict]]
) -> Comparison | None:
    """Compare the answers of all subjects to one question; `None` if none was observed."""
    answers = {
        asked: answer for asked, found in verdicts.items() if (answer := open_answer(found)) is not None
    }
    if not any(answer.shown for answer in answers.values()):
        return None
    # One that the text decides for is shown beside those about which it is silent.
    first = max(answers.values(), key=lambda item: (bool(item.clause), bool(item.shown)))
    answers = dict(sorted(answers.items()))
    shown = {asked: {item.what: item for item in answer.shown} for asked, answer in answers.items()}
    readings = {asked: answer.reading for asked, answer in answers.items()}
    whats = dict.fromkeys(
        what for of_one in shown.values() for what, item in of_one.items() if not item.taken
    )
    parts = tuple(part_of(what, shown, readings) for what in whats)
    return Comparison(target, probe, first.clause, first.detail, parts, contradictions(answers))


def open_answer(verdicts: Iterable[Verdict]) -> Verdict | None:
    """The verdict that has what a subject shows of an open question; one without anything if nothing was found."""
    own = [one for one in verdicts if one.verdict is not Judgement.DIFFERS]
    silent = (one for one in own if one.verdict is Judgement.UNSPECIFIED)
    return next((one for one in own if one.shown), next(silent, None))


def part_of(
    what: str, shown: Mapping[Configuration, Mapping[str, Shown]], readings: Mapping[Configuration, str]
) -> ComparedPart:
    """One part as all subjects show it; those that contradict themselves on it are not among them."""
    found = {
        asked: frozenset(own[what].at) for asked, own in shown.items() if what in own and is_found(own[what])
    }
    missing = tuple(
        asked for asked, own in shown.items() if what not in own or not (own[what].at or own[what].taken)
    )
    groups = (
        Group(subjects, ordered(places), common_reading(readings[asked] for asked in subjects))
        for subjects, places in divided(found)
    )
    return ComparedPart(what, tuple(sorted(groups, key=lambda group: group.subjects)), missing)


def ordered(places: Iterable[Spot]) -> tuple[Spot, ...]:
    """Places in the order of their words, which is that of reports."""
    return tuple(sorted(places, key=spot_text))


def divided(
    found: Mapping[Configuration, frozenset[Spot]],
) -> Iterator[tuple[tuple[Configuration, ...], frozenset[Spot]]]:
    """Divide subjects by the place that most of them have, then those that are left; with the places common to each group."""
    left = dict(found)
    while left:
        votes = Counter(place for places in left.values() for place in places)
        chosen = min(votes, key=lambda place: (-votes[place], spot_text(place)))
        group = {asked: places for asked, places in left.items() if chosen in places}
        left = {asked: places for asked, places in left.items() if chosen not in places}
        yield tuple(sorted(group)), frozenset.intersection(*group.values())


def common_reading(readings: Iterable[str]) -> str:
    """The families whose reading all follow; empty where there is none."""
    each = [reading.split(" and ") for reading in readings]
    return " and ".join(
        name for name in each[0] if name not in {"", NONE} and all(name in others for others in each)
    )


def contradictions(answers: Mapping[Configuration, Verdict]) -> tuple[Group, ...]:
    """Return the subjects that contradict themselves, grouped if they do so alike."""
    found: dict[Shown, list[Configuration]] = {}
    for asked, verdict in answers.items():
        first = contradiction(verdict.shown)
        if first is not None:
            found.setdefault(first, []).append(asked)
    return tuple(
        Group(tuple(group), shown.at, what=shown.what, taken=shown.taken) for shown, group in found.items()
    )


def in_words(subjects: Sequence[Configuration]) -> str:
    """Subjects with the levels at which they do something."""
    levels: dict[str, list[str]] = {}
    for subject, level in subjects:
        levels.setdefault(subject, []).append(f"-{level}")
    return ", ".join(f"{subject} {' '.join(found)}" for subject, found in levels.items())


def with_differences(
    target: str, probe: str, verdicts: Mapping[Configuration, tuple[Verdict, ...]]
) -> dict[Configuration, tuple[Verdict, ...]]:
    """The verdicts of all subjects on one question.

    Those that differ have one that says so, as have those that contradict themselves.

    The verdict on one that contradicts itself alone shows on what.
    """
    found = compare(target, probe, verdicts)
    if found is None or not found.differs:
        return dict(verdicts)
    judged = dict(verdicts)
    differing = {asked for part in found.differing for asked in part.shown_by}
    expected = all(follows_own(asked, verdicts[asked]) for asked in differing)
    apart = Verdict(
        probe,
        ProbeKind.OPEN,
        Judgement.DIFFERS,
        clause=found.clause,
        detail=str(found),
        quirks=(OWN,) if expected else (),
    )
    for asked in found.concerned:
        lost = tuple(item for one in verdicts[asked] for item in one.shown if item.taken)[:1]
        quirks = tuple(dict.fromkeys(name for one in verdicts[asked] if one.shown for name in one.quirks))
        own = (msgspec.structs.replace(apart, shown=lost, quirks=quirks),) if lost else ()
        judged[asked] = (*verdicts[asked], *((apart,) if asked in differing else ()), *own)
    return judged


def follows_own(asked: Configuration, verdicts: Iterable[Verdict]) -> bool:
    """Return whether a subject does on an open question what its own dialect says: its family's reading, or quirks."""
    answer = open_answer(verdicts)
    return answer is not None and (bool(answer.quirks) or family(asked[0]) in answer.reading.split(AND))


def comparisons(batches: Iterable[BatchDone]) -> tuple[Comparison, ...]:
    """Return every open question of a run for which a subject was observed, even if there was none to compare it with."""
    shown: dict[tuple[str, str], dict[Configuration, tuple[Verdict, ...]]] = {}
    for batch in batches:
        asked = (batch.key.subject, batch.key.level)
        for verdict in batch.verdicts:
            if verdict.shown:
                shown.setdefault((batch.key.target, verdict.probe), {})[asked] = (verdict,)
            elif verdict.verdict is Judgement.UNSPECIFIED:
                shown.setdefault((batch.key.target, verdict.probe), {}).setdefault(asked, (verdict,))
    every = (compare(*key, found) for key, found in shown.items())
    return tuple(found for found in every if found is not None)
