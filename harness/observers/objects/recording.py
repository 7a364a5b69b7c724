"""Observations of the witnesses of a layout, as plain values."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.objects.layouts import LayoutPlan
from abiprobe.harness.observers.objects.witnesses import Answers
from abiprobe.harness.observers.recording import Plain
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.verdicts.record import Outcome
from abiprobe.results.verdicts.witnesses import WitnessObservation


class RecordedObservation(msgspec.Struct, frozen=True, array_like=True):
    """The observation of a record by a witness, or the outcome and the words with which it failed."""

    size: int
    align: int | None
    places: dict[str, tuple[int, int]]
    outcome: str = ""
    words: str = ""
    preferred: dict[str, int] = {}
    alignments: dict[str, int] = {}

    @classmethod
    def of(cls, said: WitnessObservation | Failed) -> RecordedObservation:
        """Return an observation as plain values."""
        if isinstance(said, Failed):
            return cls(0, None, {}, said.outcome.value, said.words)
        return cls(
            said.size,
            said.align,
            dict(said.places),
            preferred=dict(said.preferred),
            alignments=dict(said.alignments),
        )

    @property
    def observation(self) -> WitnessObservation | Failed:
        """The observation."""
        if self.outcome:
            return Failed(Outcome(self.outcome), self.words)
        return WitnessObservation(self.size, self.align, self.places, self.preferred, self.alignments)


def recorded(answers: Answers) -> dict[str, RecordedObservation]:
    """Return the observations of the witnesses, by kind of probe."""
    return {kind.value: RecordedObservation.of(said) for kind, said in answers.items()}


def replayed(plan: LayoutPlan, kept: Plain) -> Mapping[ProbeKind, WitnessObservation | Failed]:
    """Return the recorded observations under a plan of today."""
    said = msgspec.convert(kept, dict[str, RecordedObservation])
    return {ProbeKind(kind): measured(plan, ProbeKind(kind), one.observation) for kind, one in said.items()}


def measured(
    plan: LayoutPlan, kind: ProbeKind, said: WitnessObservation | Failed
) -> WitnessObservation | Failed:
    """Return a witness's observation under the plan of today: only DWARF gives the width of a member that is no bit-field."""
    if isinstance(said, Failed) or kind is ProbeKind.DEBUG_INFO:
        return said
    widths = {member.path: member.bit_width for member in plan.predicted.members if not member.bit_field}
    places = {path: (at, widths.get(path, width)) for path, (at, width) in said.places.items()}
    return msgspec.structs.replace(said, places=places)
