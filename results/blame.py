"""Blame: for one deviation, who stands against whom and against the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import Enum

import msgspec

from abiprobe.oracles.question import ProbeKind
from abiprobe.results.fingerprint import Fingerprint, Symptom, fingerprints
from abiprobe.results.record import Judgement, Verdict

Asked = tuple[str, str]
"""A subject and an optimisation level."""


class Stand(Enum):
    """Who stands where."""

    ALONE = "stands alone"
    """one compiler family against the text and every other"""
    SPLIT = "compilers split"
    """several families deviate, and others follow the text"""
    MODEL = "all against the model"
    """nobody follows the model: suspect the model, and then the text"""
    UNOPPOSED = "nobody to compare with"
    """one family deviates, and no other was asked or could answer"""
    DEBUG_INFO = "code against its own debug information"
    """a compiler contradicts itself"""


class Blame(msgspec.Struct, frozen=True, omit_defaults=True):
    """One deviation's subjects by what they showed, each sorted.

    `torn` are those whose caller and callee differ from each other: of one call they follow the text on one side only.
    `levels` are the optimisation levels at which a blamed subject deviates.
    """

    stand: Stand
    deviating: tuple[str, ...]
    agreeing: tuple[str, ...] = ()
    otherwise: tuple[str, ...] = ()
    unobserved: tuple[str, ...] = ()
    torn: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()

    @property
    def families(self) -> tuple[str, ...]:
        """The families of the subjects that deviate."""
        return families(self.deviating)

    def __str__(self) -> str:
        text = f"{', '.join(self.deviating)} {'against the model' if self.stand is Stand.MODEL else 'against the text'}"
        if self.agreeing:
            text += f" and {', '.join(self.agreeing)}"
        extra = [f"{self.stand.value}"]
        if self.otherwise:
            extra.append(f"{', '.join(self.otherwise)} deviate otherwise")
        if self.torn:
            extra.append(f"caller and callee of {', '.join(self.torn)} differ")
        return f"{text} ({'; '.join(extra)})"


def family(subject: str) -> str:
    """The compiler family of a subject: `clang` for `clang-19 -O1`, `clang:PROGRAM` and `zig`."""
    name = re.split(r"[-: @]", subject, maxsplit=1)[0]
    return "clang" if name == "zig" else name


def families(subjects: Iterable[str]) -> tuple[str, ...]:
    """The families of subjects, each once."""
    return tuple(sorted({family(subject) for subject in subjects}))


def blame(fingerprint: Fingerprint, seen: Mapping[Asked, tuple[Verdict, ...]]) -> Blame:
    """Who shows `fingerprint` on a probe, given the verdicts of every subject and level on it."""
    shown = {
        asked: fingerprints(fingerprint.target, concerned(fingerprint, verdicts))
        for asked, verdicts in seen.items()
    }
    deviating = {subject for (subject, _), found in shown.items() if fingerprint in found}
    otherwise = {subject for (subject, _), found in shown.items() if found} - deviating
    agreeing = {
        subject
        for (subject, _), verdicts in seen.items()
        if any(item.verdict is Judgement.AGREES for item in concerned(fingerprint, verdicts))
    } - (deviating | otherwise)
    silent = {subject for subject, _ in seen} - deviating - otherwise - agreeing
    torn = {
        subject
        for (subject, level), verdicts in seen.items()
        if fingerprint in shown[subject, level] and is_torn(fingerprint, verdicts)
    }
    levels = dict.fromkeys(level for (_, level), found in shown.items() if fingerprint in found)
    return Blame(
        stand(fingerprint, deviating, agreeing),
        deviating=tuple(sorted(deviating)),
        agreeing=tuple(sorted(agreeing)),
        otherwise=tuple(sorted(otherwise)),
        unobserved=tuple(sorted(silent)),
        torn=tuple(sorted(torn)),
        levels=tuple(levels),
    )


def stand(fingerprint: Fingerprint, deviating: set[str], agreeing: set[str]) -> Stand:
    """What the two camps come to."""
    if fingerprint.symptom is Symptom.DEBUG_INFO:
        return Stand.DEBUG_INFO
    mine = families(deviating)
    if agreeing:
        return Stand.ALONE if len(mine) == 1 else Stand.SPLIT
    return Stand.MODEL if len(mine) > 1 else Stand.UNOPPOSED


CALLS = frozenset(ProbeKind) - {
    ProbeKind.LAYOUT,
    ProbeKind.DEBUG_INFO,
    ProbeKind.VALUES,
    ProbeKind.VARIANTS,
    ProbeKind.PAIR,
}


def concerned(fingerprint: Fingerprint, verdicts: Iterable[Verdict]) -> tuple[Verdict, ...]:
    """The verdicts on a probe that a fingerprint may show in."""
    match fingerprint.symptom:
        case Symptom.LAYOUT:
            wanted = frozenset({ProbeKind.LAYOUT})
        case Symptom.DEBUG_INFO:
            wanted = frozenset({ProbeKind.DEBUG_INFO})
        case Symptom.VALUES:
            wanted = frozenset({ProbeKind.VALUES})
        case Symptom.NAMES:
            wanted = frozenset({ProbeKind.VARIANTS})
        case Symptom.MISPLACED | Symptom.ABOVE | Symptom.KEPT:
            wanted = CALLS
        case Symptom.CRASHED | Symptom.TIMED_OUT | Symptom.REFUSED:
            wanted = frozenset(ProbeKind)
    return tuple(item for item in verdicts if item.kind in wanted)


def is_torn(fingerprint: Fingerprint, verdicts: Iterable[Verdict]) -> bool:
    """Whether one side of the calls of a probe shows `fingerprint` and the other side agrees."""
    if fingerprint.symptom is not Symptom.MISPLACED:
        return False
    sides = {
        item.kind: item.verdict for item in verdicts if item.kind in {ProbeKind.CALLER, ProbeKind.CALLEE}
    }
    return set(sides.values()) == {Judgement.AGREES, Judgement.DEVIATES}
