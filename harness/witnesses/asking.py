"""What the witnesses beside the object are asked: the records for which the object has given an answer."""

from __future__ import annotations

import msgspec

from abiprobe.harness.layouts import LayoutPlan, LayoutSeen
from abiprobe.harness.render.witnesses import Asked
from abiprobe.results.witnesses import Shown


class Known(msgspec.Struct, frozen=True):
    """A record with its prediction, and what the constants in the object file say of it."""

    plan: LayoutPlan
    own: LayoutSeen

    @property
    def asked(self) -> Asked:
        """What to ask in C."""
        return Asked(self.plan.record, self.plan.offsets, self.plan.bit_fields, self.own.size)

    @property
    def shown(self) -> Shown:
        """The object's own testimony."""
        return Shown(self.own.size, self.own.align, self.own.places)
