"""Questions for the witnesses beside the object: about the records for which the object has given an answer."""

from __future__ import annotations

import msgspec

from abiprobe.harness.machines.render.witnesses import WitnessedRecord
from abiprobe.harness.observers.objects.layouts import LayoutPlan, ObservedLayout
from abiprobe.results.verdicts.witnesses import WitnessObservation


class WitnessQuestion(msgspec.Struct, frozen=True):
    """A record with its prediction, and what the constants in the object file say of it."""

    plan: LayoutPlan
    own: ObservedLayout

    @property
    def asked(self) -> WitnessedRecord:
        """The question in C."""
        return WitnessedRecord(self.plan.record, self.plan.offsets, self.plan.bit_fields, self.own.size)

    @property
    def shown(self) -> WitnessObservation:
        """The object's own testimony."""
        own = self.own
        return WitnessObservation(own.size, own.align, own.places, own.preferred, own.alignments)
