"""Verdicts and outcomes of probes, as judged and journalled."""

from __future__ import annotations

from enum import Enum

import msgspec

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.verdicts.differing_bytes import differing_part
from abiprobe.results.verdicts.locations import Spot, Where
from abiprobe.results.verdicts.notes import Note
from abiprobe.results.verdicts.values import Value
from abiprobe.results.verdicts.wording import note_text, where_text


class Judgement(Enum):
    """The result of a comparison."""

    AGREES = "agrees"
    """every bit that the text defines is where the text puts it"""
    DEVIATES = "deviates"
    """a bit that the text defines is elsewhere, or the program failed on conforming input"""
    DIFFERS = "differs"
    """the text does not decide this question, and subjects do not go together"""
    UNSPECIFIED = "unspecified"
    """the text does not decide this question"""
    UNOBSERVED = "unobserved"
    """there is nothing to compare; never an agreement"""


class Outcome(Enum):
    """The stage that a probe reached with a subject."""

    OBSERVED = "observed"
    """it was compiled and answered"""
    UNSUPPORTED = "unsupported"
    """the subject or the target lacks a type that it needs"""
    REFUSED = "refused"
    """the compiler or linker rejected it"""
    CRASHED = "crashed"
    """the compiler died on it"""
    TIMED_OUT = "timed out"
    """the compiler or linker did not come to an end"""
    DIED = "died"
    """the compiled program was killed by a signal, or hung, on it"""
    NOT_RUN = "not run"
    """a tool was killed, had no memory or room, or so many others of its batch died that the rest was given up"""
    FAILED = "internal error"
    """abiprobe itself is wrong: an error of its own on this question, which was given up"""
    ASKED_OTHERWISE = "asked otherwise"
    """what was recorded answers another question than the model asks now: compilers must be asked again"""
    TOO_LARGE = "too large"
    """it does not fit the buffers of the runtime"""
    UNDECODED = "undecoded"
    """what the compiler made of it cannot be read here: an instruction, an object format or debug information is not known"""
    NOTHING = "nothing travels"
    """no byte is passed, so none can be compared"""


class Difference(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One thing that is not as predicted.

    `side` is who shows it: `object`, `caller`, `callee` or `pair`; `what` is the parameter, `result` or the member path;
    `place` where the text puts it; `expected` is what is to be there and `seen` what is; `note` adds where the
    value was found instead, or what was done with it. `above` says that the value itself is right, and only bits above it are not.
    """

    side: str
    what: str
    place: Where
    expected: Value
    seen: Value
    clause: str
    note: Note | None = None
    above: bool = False

    @property
    def is_unnamed(self) -> bool:
        """Return whether it is about an unnamed argument, or a member of one."""
        return self.what.startswith("...")

    def __str__(self) -> str:
        part, expected, seen = differing_part(self.expected, self.seen)
        where = f"{self.what} in {where_text(self.place)}" + (f", {part}" if part else "")
        text = f"{self.side}: {where}: expected {expected}, saw {seen}"
        return f"{text} ({note_text(self.note)})" if self.note is not None else text


class Shown(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The place of one item about which no text decides, for one subject: part of a value, a size, a member.

    `what` names it alike for all subjects. `at` are all places where the subject puts it, which its own other side takes it
    from, and empty where it was looked for and not found; where the other side looks elsewhere, `taken` says where.
    """

    what: str
    at: tuple[Spot, ...]
    taken: tuple[Spot, ...] = ()


COUNT = "vector count"
"""The hidden argument that counts the vector registers of the others; a caller that passes some elsewhere counts fewer."""


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The answer to one probe of one kind; `clause` is the one that was broken, or that leaves it open.

    `reading` says, where the text is silent, which family's reading the subject follows. The subject of a pair is the
    caller's compiler, `partner` the callee's. `shown` is what the subject shows where no text decides, to be held against
    what others show (`results.coverage.differing`); it stands with the first verdict on a question. `quirks` are the names of
    those by which a deviation is known: the subject does what its dialect with them says, or each of several that differ does
    (`readings.OWN`). They are no part of a digest.
    """

    probe: str
    kind: ProbeKind
    verdict: Judgement
    outcome: Outcome = Outcome.OBSERVED
    clause: str = ""
    detail: str = ""
    differences: tuple[Difference, ...] = ()
    reading: str = ""
    partner: str = ""
    shown: tuple[Shown, ...] = ()
    quirks: tuple[str, ...] = ()

    @property
    def by_text(self) -> Verdict:
        """The verdict alone, without what is known of it."""
        return msgspec.structs.replace(self, quirks=()) if self.quirks else self

    @property
    def misplaced(self) -> dict[str, Difference]:
        """For each side the first value that is itself not as predicted, which moves those after it.

        A count is so only if nothing on either side is in its way.
        """
        found = [item for item in self.differences if not item.above]
        counted = all(item.what == COUNT for item in found)
        own = [item for item in found if counted or item.what != COUNT]
        return {item.side: item for item in reversed(own)}

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides that show a difference, each once."""
        return tuple(dict.fromkeys(item.side for item in self.differences))

    @property
    def broken(self) -> set[tuple[str, str]]:
        """The clauses that a deviation breaks, and on which side.

        One value in a wrong place moves those after it, so of misplaced values only the first on each side counts;
        what stands above a value moves nothing.
        """
        if not self.differences:
            return {(self.clause, self.outcome.value)}
        above = {(item.clause, item.side) for item in self.differences if item.above}
        return above | {(item.clause, side) for side, item in self.misplaced.items()}


def unobserved(probe: str, kind: ProbeKind, outcome: Outcome, detail: str = "") -> Verdict:
    """The verdict on a probe that gave nothing to compare."""
    return Verdict(probe, kind, Judgement.UNOBSERVED, outcome, "", detail)


def from_differences(probe: str, kind: ProbeKind, differences: tuple[Difference, ...]) -> Verdict:
    """Agreement without differences; with some, a deviation from the clause of the first."""
    if not differences:
        return Verdict(probe, kind, Judgement.AGREES)
    first = differences[0]
    return Verdict(probe, kind, Judgement.DEVIATES, Outcome.OBSERVED, first.clause, str(first), differences)
