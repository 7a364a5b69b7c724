"""The answers of subjects on one probe of a target, with what their verdicts show, worked out once for all who ask."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

import msgspec

from abiprobe.oracles.language.question import ProbeKind, Question
from abiprobe.results.causes.fingerprint import Fingerprint, blamed_value, by_quirks, fingerprints
from abiprobe.results.causes.places import place_of, telling
from abiprobe.results.causes.traits import Features, features
from abiprobe.results.coverage.differing import Comparison, Configuration, compare
from abiprobe.results.verdicts.record import Difference, Judgement, Verdict


class Answer(msgspec.Struct, frozen=True, dict=True):
    """The verdicts of one configuration on one probe of a target.

    What is said of a fingerprint is said of each that the answer shows.
    """

    target: str
    verdicts: tuple[Verdict, ...]

    @cached_property
    def fingerprints(self) -> tuple[Fingerprint, ...]:
        """The fingerprints that it shows, most significant first."""
        return fingerprints(self.target, self.verdicts)

    @cached_property
    def quirks(self) -> dict[Fingerprint, tuple[str, ...]]:
        """The fingerprints that quirks alone bring about, with the names of these."""
        return by_quirks(self.target, self.verdicts)

    @cached_property
    def unexplained(self) -> Answer:
        """The answer without the verdicts that are known by quirks."""
        rest = tuple(verdict for verdict in self.verdicts if not verdict.quirks)
        return self if len(rest) == len(self.verdicts) else Answer(self.target, rest)

    @cached_property
    def differences(self) -> dict[Fingerprint, tuple[Difference, ...]]:
        """The differences of a call in which each fingerprint shows."""
        return {item: tuple(telling(item, self.verdicts)) for item in self.fingerprints}

    @cached_property
    def places(self) -> dict[Fingerprint, tuple[str, ...]]:
        """The places of the values in which each fingerprint shows, sorted; none for what is no call."""
        return {
            item: tuple(sorted({place_of(one).value for one in found}))
            for item, found in self.differences.items()
        }

    @cached_property
    def values(self) -> dict[Fingerprint, str]:
        """The parameter, `result` or member in which each fingerprint shows, or an empty string."""
        return {item: blamed_value(item, self.verdicts) for item in self.fingerprints}

    @property
    def agrees(self) -> bool:
        """Return whether one of the verdicts is an agreement."""
        return any(item.verdict is Judgement.AGREES for item in self.verdicts)

    @property
    def is_self_inconsistent(self) -> bool:
        """Return whether one side of the calls agrees and the other one deviates."""
        named = {ProbeKind.CALLER, ProbeKind.CALLEE}
        sides = {item.kind: item.verdict for item in self.verdicts if item.kind in named}
        return set(sides.values()) == {Judgement.AGREES, Judgement.DEVIATES}


class Answers(msgspec.Struct, frozen=True, dict=True):
    """The verdicts of every configuration on one probe of a target.

    Where no text decides and they part, that is one of the verdicts of each.
    """

    target: str
    probe: str
    verdicts: Mapping[Configuration, tuple[Verdict, ...]]

    @cached_property
    def each(self) -> dict[Configuration, Answer]:
        """The answer of each configuration."""
        return {asked: Answer(self.target, found) for asked, found in self.verdicts.items()}

    @cached_property
    def fingerprints(self) -> tuple[Fingerprint, ...]:
        """The fingerprints that any of them shows, each once."""
        return tuple(dict.fromkeys(item for answer in self.each.values() for item in answer.fingerprints))

    @cached_property
    def comparison(self) -> Comparison | None:
        """Return the comparison of all of them where no text decides; `None` where it does, and where none was observed."""
        return compare(self.target, self.probe, self.verdicts)

    def among(self, asked: Iterable[Configuration]) -> Answers:
        """The answers of some of the configurations."""
        return Answers(self.target, self.probe, {one: self.verdicts[one] for one in asked})


class ProbeVerdicts(Answers, frozen=True, dict=True):
    """The same, with the question that the probe asks."""

    question: Question

    @cached_property
    def features(self) -> Features:
        """The unusual features of the question."""
        return features(self.question)
