"""Comparison of the registers of two signatures: both lowerings are run, if the target has a model and an executor."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from abiprobe.harness.lowerings.place import Pair, Place
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.verdicts.record import Judgement, Verdict

LEVELS = "O0", "O2"
SAME, OTHER, UNKNOWN = "same registers", "other registers", "not decided"


class Registers(msgspec.Struct, frozen=True):
    """The answer to whether two lowerings use the same registers, with the reason in words."""

    answer: str
    words: str

    def __str__(self) -> str:
        return f"{self.answer}: {self.words}"


def registers(pair: Pair, place: Place, function: Prototype) -> Registers | None:
    """Run code of both lowerings; `None` where the place has no model."""
    target = place.target
    if target is None:
        return None
    # Observers take long to load, and are needed here only.
    from abiprobe.harness.observers.ask import ask, on

    names = [one.spelling for one in pair]
    seen = ask(target, (function,), [(name, level) for name in names for level in LEVELS])
    by_subject = on(seen, function)
    return decided(
        {name: [one for level in LEVELS for one in by_subject.get((name, level), ())] for name in names}
    )


def decided(verdicts: dict[str, Sequence[Verdict]]) -> Registers:
    """Return the result of the verdicts on both lowerings."""
    deviating = {
        name: one for name, own in verdicts.items() for one in own[::-1] if one.verdict is Judgement.DEVIATES
    }
    if deviating:
        words = "; ".join(
            f"{name} deviates from {one.clause}: {one.detail}" for name, one in deviating.items()
        )
        return Registers(OTHER, words)
    differing = [one for own in verdicts.values() for one in own if one.verdict is Judgement.DIFFERS]
    if differing:
        return Registers(OTHER, f"the documents leave it open, and the two disagree ({differing[0].clause})")
    for name, own in verdicts.items():
        calls = [one for one in own if one.kind is not ProbeKind.PRESERVATION]
        lacking = [one for one in calls if one.verdict is Judgement.UNOBSERVED]
        if lacking or not calls:
            why = f"{lacking[0].outcome.value} {lacking[0].detail}".strip() if lacking else "not asked"
            return Registers(UNKNOWN, f"{name}: {why}")
    if any(one.verdict is Judgement.UNSPECIFIED for own in verdicts.values() for one in own):
        return Registers(SAME, "the documents leave it open, and the two agree")
    return Registers(SAME, "both agree with the text")
