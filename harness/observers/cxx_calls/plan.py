"""The plan of a call of C++: that of the call in C which it comes to, with the function itself."""

from __future__ import annotations

import msgspec

from abiprobe.harness.machines.render.cxx_calls import arranged
from abiprobe.harness.observers.image.plan import CallPlan, plan_arranged
from abiprobe.oracles.engine.cxx_call import CxxCall
from abiprobe.oracles.language.cxx_calls import CxxPrototype


class CxxCallPlan(CallPlan, frozen=True, kw_only=True):
    """The plan of a call of C++, whose values those of `prototype` stand for."""

    asked: CxxPrototype


def plan_cxx_call(probe: str, asked: CxxPrototype, call: CxxCall) -> CxxCallPlan:
    """Prepare a call of C++; raises `TooLargeError` when it does not fit the image."""
    plan = plan_arranged(call.types, probe, call.prototype, call.assignment, arranged(call))
    own = {name: getattr(call, name) for name in ("destroyed", "destroyed_by", "destroyed_in_callee")}
    return CxxCallPlan(**(msgspec.structs.asdict(plan) | own | {"asked": asked}))
