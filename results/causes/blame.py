"""The blame for a deviation: the subjects that deviate, agree or deviate differently."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum

import msgspec

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.quirks.versions import family
from abiprobe.results.causes.answers import Answer, Answers
from abiprobe.results.causes.fingerprint import CRASHES, OPEN, Fingerprint, Symptom
from abiprobe.results.coverage.differing import Comparison, Group

Configuration = tuple[str, str]
"""A subject and an optimisation level."""


class Stand(Enum):
    """The division of compiler families over a deviation."""

    ALONE = "stands alone"
    """one compiler family against the text and every other"""
    SPLIT = "compilers split"
    """several families deviate, and others follow the text"""
    MODEL = "all against the model"
    """nobody follows the model: suspect the model, and then the text"""
    UNOPPOSED = "nobody to compare with"
    """one family deviates, and no other was asked or could answer"""
    UNDECIDED = "no text decides"
    """compilers do not go together, and nobody is to blame"""
    DEBUG_INFO = "code against its own debug information"
    """a compiler contradicts itself"""
    SELF_INCONSISTENT = "a caller against the callee of the same compiler"
    """no text decides, and the code of one compiler does not go together"""


class Blame(msgspec.Struct, frozen=True, omit_defaults=True):
    """The subjects of one deviation by what they showed, each field sorted.

    `self_inconsistent` lists those whose caller and callee disagree: only one side of the call follows the text. `levels` are the
    optimisation levels at which a blamed subject deviates. `groups` are, where no text decides, those that go together,
    and where they have `what` they part on; then `deviating` are all who part from somebody.
    """

    stand: Stand
    deviating: tuple[str, ...]
    agreeing: tuple[str, ...] = ()
    otherwise: tuple[str, ...] = ()
    unobserved: tuple[str, ...] = ()
    self_inconsistent: tuple[str, ...] = msgspec.field(default=(), name="torn")
    levels: tuple[str, ...] = ()
    what: str = ""
    groups: tuple[Group, ...] = ()

    @property
    def families(self) -> tuple[str, ...]:
        """The families of the subjects that deviate."""
        return families(self.deviating)

    @property
    def representatives(self) -> tuple[Configuration, ...]:
        """One level of each subject in each group of those that agree; the first and the last disagree, if two do."""
        found = {
            (number, subject): level
            for number, group in enumerate(self.groups)
            for subject, level in reversed(group.subjects)
        }
        return tuple((subject, level) for (_, subject), level in sorted(found.items()))

    def __str__(self) -> str:
        return self.describe(Symptom.MISPLACED)

    def describe(self, symptom: Symptom) -> str:
        """Describe in a sentence the compilers that show a symptom and those that do not."""
        if not self.deviating:
            return self.describe_absence()
        who = list_in_words(self.deviating)
        if symptom is Symptom.DIFFERS:
            groups = "; ".join(map(str, self.groups))
            return f"{who} {verb(self.deviating, 'differ')} on {self.what}: {groups}"
        if symptom is Symptom.SELF_INCONSISTENT:
            both = "contradict themselves" if len(self.deviating) > 1 else "contradicts itself"
            return f"{who} {both}: {'; '.join(map(str, self.groups))}"
        if self.stand is Stand.DEBUG_INFO:
            text = f"the debug information of {who} contradicts its own code"
        elif symptom in CRASHES:
            text = f"{who} {BROKE[symptom]}"
        elif self.stand is Stand.MODEL:
            text = f"{who} deviate from the model, and no compiler follows it"
        else:
            text = f"{who} {verb(self.deviating, 'deviate')} from the text"
        parts = [text]
        if self.agreeing:
            does = "compile it" if symptom in CRASHES else "follow it"
            parts.append(f"{list_in_words(self.agreeing)} {verb(self.agreeing, does)}")
        elif self.stand is Stand.UNOPPOSED:
            parts.append("no other compiler can be compared")
        if self.otherwise:
            parts.append(f"{list_in_words(self.otherwise)} {verb(self.otherwise, 'deviate')} in another way")
        if self.self_inconsistent:
            parts.append(f"caller and callee of {list_in_words(self.self_inconsistent)} disagree")
        return "; ".join(parts)

    def describe_absence(self) -> str:
        """Describe in a sentence the behaviour of compilers on a deviation that none shows again."""
        parts = ["no compiler shows it again"]
        if self.agreeing:
            parts.append(f"{list_in_words(self.agreeing)} {verb(self.agreeing, 'follow the text')}")
        if self.otherwise:
            parts.append(f"{list_in_words(self.otherwise)} {verb(self.otherwise, 'deviate')} in another way")
        return "; ".join(parts)


BROKE = {
    Symptom.CRASHED: "crashed",
    Symptom.TIMED_OUT: "did not finish in time",
    Symptom.REFUSED: "rejected a valid program",
}
"""How a tool failed, as a predicate."""


def list_in_words(names: Sequence[str]) -> str:
    """Names in words: `a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def verb(names: Sequence[str], plural: str) -> str:
    """A verb, and what follows it, in the number of its subjects."""
    first, _, rest = plural.partition(" ")
    return plural if len(names) != 1 else f"{first}s {rest}".rstrip()


def families(subjects: Iterable[str]) -> tuple[str, ...]:
    """The families of subjects, each once."""
    return tuple(sorted({family(subject) for subject in subjects}))


def blame(fingerprint: Fingerprint, seen: Answers) -> Blame:
    """Return the subjects that show `fingerprint` on a probe, given the answers of every configuration."""
    shown = {asked: relevant(fingerprint.symptom, answer) for asked, answer in seen.each.items()}
    deviating = {subject for (subject, _), answer in shown.items() if fingerprint in answer.fingerprints}
    if fingerprint.symptom in OPEN:
        return blame_for_disagreement(fingerprint, seen.comparison, deviating)
    otherwise = {subject for (subject, _), answer in shown.items() if answer.fingerprints} - deviating
    agreeing = {subject for (subject, _), answer in shown.items() if answer.agrees} - (deviating | otherwise)
    silent = {subject for subject, _ in shown} - deviating - otherwise - agreeing
    showing = {asked: answer for asked, answer in shown.items() if fingerprint in answer.fingerprints}
    # One side of its calls follows the text.
    inconsistent = {subject for (subject, _), answer in showing.items() if answer.is_self_inconsistent}
    return Blame(
        stand_of(fingerprint, deviating, agreeing),
        deviating=tuple(sorted(deviating)),
        agreeing=tuple(sorted(agreeing)),
        otherwise=tuple(sorted(otherwise)),
        unobserved=tuple(sorted(silent)),
        self_inconsistent=tuple(sorted(inconsistent)) if fingerprint.symptom is Symptom.MISPLACED else (),
        levels=tuple(dict.fromkeys(level for _, level in showing)),
    )


def blame_for_disagreement(fingerprint: Fingerprint, found: Comparison | None, subjects: set[str]) -> Blame:
    """Return the groups of agreeing subjects where no text decides; none is to blame."""
    alone = fingerprint.symptom is Symptom.SELF_INCONSISTENT
    what, groups = (
        ("", ()) if found is None else ("", found.contradictory) if alone else (found.what, found.groups)
    )
    levels = dict.fromkeys(level for group in groups for _, level in group.subjects)
    return Blame(
        stand_of(fingerprint, subjects, set()),
        tuple(sorted(subjects)),
        levels=tuple(levels),
        what=what,
        groups=groups,
    )


def stand_of(fingerprint: Fingerprint, deviating: set[str], agreeing: set[str]) -> Stand:
    """Classify how deviating and agreeing subjects divide."""
    if fingerprint.symptom is Symptom.DEBUG_INFO:
        return Stand.DEBUG_INFO
    if fingerprint.symptom is Symptom.DIFFERS:
        return Stand.UNDECIDED
    if fingerprint.symptom is Symptom.SELF_INCONSISTENT:
        return Stand.SELF_INCONSISTENT
    mine = families(deviating)
    if agreeing:
        return Stand.ALONE if len(mine) == 1 else Stand.SPLIT
    return Stand.MODEL if len(mine) > 1 else Stand.UNOPPOSED


CALLS = frozenset(ProbeKind) - {
    ProbeKind.LAYOUT,
    ProbeKind.DEBUG_INFO,
    ProbeKind.VALUES,
    ProbeKind.SYMBOL,
    ProbeKind.VARIANTS,
    ProbeKind.NAME,
    ProbeKind.TABLES,
    ProbeKind.PAIR,
    ProbeKind.OPEN,
}
KINDS = {
    Symptom.LAYOUT: frozenset({ProbeKind.LAYOUT, ProbeKind.TABLES}),
    Symptom.DEBUG_INFO: frozenset({ProbeKind.DEBUG_INFO}),
    Symptom.VALUES: frozenset({ProbeKind.VALUES}),
    Symptom.DIFFERS: frozenset({ProbeKind.OPEN}),
    Symptom.SELF_INCONSISTENT: frozenset({ProbeKind.OPEN}),
    Symptom.UNMARKED: frozenset({ProbeKind.SYMBOL}),
    Symptom.NAMES: frozenset({ProbeKind.VARIANTS, ProbeKind.NAME}),
    **dict.fromkeys((Symptom.MISPLACED, Symptom.ABOVE, Symptom.KEPT), CALLS),
    **dict.fromkeys(CRASHES, frozenset(ProbeKind)),
}
"""The kinds of verdicts on a probe in which each symptom can appear."""


def relevant(symptom: Symptom, answer: Answer) -> Answer:
    """Return the answer without verdicts in which a symptom cannot appear."""
    found = tuple(item for item in answer.verdicts if item.kind in KINDS[symptom])
    return answer if len(found) == len(answer.verdicts) else Answer(answer.target, found)
