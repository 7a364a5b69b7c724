"""Whether two signatures put values into other registers: both lowerings are run, where the target has a model and an executor."""

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
    """Whether code of two lowerings puts values in the same registers, with the words of what says so."""

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
    """What the verdicts on both lowerings come to."""
    deviating = {
        name: one for name, own in verdicts.items() for one in own[::-1] if one.verdict is Judgement.DEVIATES
    }
    if deviating:
        words = "; ".join(
            f"{name} deviates from {one.clause}: {one.detail}" for name, one in deviating.items()
        )
        return Registers(OTHER, words)
    parting = [one for own in verdicts.values() for one in own if one.verdict is Judgement.DIFFERS]
    if parting:
        return Registers(OTHER, f"no text decides, and they do not go together ({parting[0].clause})")
    for name, own in verdicts.items():
        calls = [one for one in own if one.kind is not ProbeKind.PRESERVATION]
        lacking = [one for one in calls if one.verdict is Judgement.UNOBSERVED]
        if lacking or not calls:
            why = f"{lacking[0].outcome.value} {lacking[0].detail}".strip() if lacking else "not asked"
            return Registers(UNKNOWN, f"{name}: {why}")
    if any(one.verdict is Judgement.UNSPECIFIED for own in verdicts.values() for one in own):
        return Registers(SAME, "no text decides, and they go together")
    return Registers(SAME, "both agree with the text")
