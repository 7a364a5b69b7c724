"""Observations of a device compiler: its declarations, and through ptxas the registers of callers and callees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from abiprobe.harness.machines.readers.ptx import PtxDeclaration, called_by_pointer, signatures
from abiprobe.harness.observers.attempt import Attempt, Failed, bisected, compiled
from abiprobe.harness.observers.device.assembled import (
    POINTERS,
    AssembledUnit,
    callees_of,
    code,
    parts,
)
from abiprobe.harness.observers.device.assembler.assemble import Assembler
from abiprobe.harness.observers.device.assembler.cubin import KernelRecord
from abiprobe.harness.observers.device.cuda.runs import Runs
from abiprobe.harness.observers.device.plan import DevicePlan
from abiprobe.harness.observers.device.pruned import function_texts
from abiprobe.harness.observers.device.sass.decode import UndecodedError
from abiprobe.harness.observers.device.sass.follow import follow
from abiprobe.harness.observers.device.sass.state import State
from abiprobe.harness.observers.device.unit import unit
from abiprobe.harness.observers.device.unnamed import Area, passed, taken
from abiprobe.results.verdicts.record import Outcome


class ObservedDeviceCall(msgspec.Struct, frozen=True):
    """The observation of one prototype: its declaration, the states of callee and caller, the record of a kernel.

    What ptxas or the decoder did not give is `Failed`. `declared` is how the caller's unit declares what it calls; the codes
    are those of callee and caller, and the parts the objects in which they can be linked. `taken` is the memory that the
    callee takes unnamed arguments from, `passed` the one that the caller passes. `pointed` is the prototype of a call of such a
    function through a pointer, and `pointer` the state of what makes it. `ran` is what a GPU has run.
    """

    signature: PtxDeclaration | None
    callee: State | Failed
    caller: State | Failed
    kernel: KernelRecord | Failed | None = None
    declared: PtxDeclaration | None = None
    callee_code: bytes = b""
    caller_code: bytes = b""
    callee_part: AssembledUnit | None = None
    caller_part: AssembledUnit | None = None
    taken: Area = Area()
    passed: Area = Area()
    pointed: PtxDeclaration | None = None
    pointer: State | Failed | None = None
    pointer_code: bytes = b""
    ran: Runs = Runs()


def observe_devices(
    attempt: Attempt, assembler: Assembler | None, plans: Sequence[DevicePlan]
) -> Iterator[tuple[DevicePlan, ObservedDeviceCall | Failed]]:
    """Compile and assemble all plans; a plan that breaks the compiler or ptxas costs itself only."""

    def together(
        attempt: Attempt, some: Sequence[DevicePlan], _text: str | None
    ) -> list[ObservedDeviceCall] | Failed:
        return device_unit(attempt, assembler, some)

    return bisected(attempt, plans, together)


def device_unit(
    attempt: Attempt, assembler: Assembler | None, plans: Sequence[DevicePlan]
) -> list[ObservedDeviceCall] | Failed:
    """One translation unit, seen as far as it gets; callers and callees are assembled apart, so that they can be linked."""
    asked = [(plan.number, plan.prototype, plan.slots) for plan in plans]
    first = found = compiled(attempt, unit(asked), len(plans))
    if isinstance(first, Failed) and len(plans) == 1:
        # A call through a pointer costs itself only.
        found = compiled(attempt, unit(asked, pointers=False), 1)
    if isinstance(found, Failed):
        return first if isinstance(first, Failed) else found
    text = found.read_text("utf-8", "replace")
    try:
        defined, called = signatures(text), signatures(text, "extern")
        bodies = function_texts(text)
        pointed = {plan.number: called_by_pointer(bodies.get(f"p_{plan.number}", "")) for plan in plans}
    except ValueError as error:
        return Failed(Outcome.REFUSED, f"the PTX is not readable: {error}")
    numbers = [plan.number for plan in plans]
    calling = [plan.number for plan in plans if not plan.prototype.kernel]
    callees: dict[int, AssembledUnit | Failed]
    callers: dict[int, AssembledUnit | Failed]
    pointers: dict[int, AssembledUnit | Failed]
    if assembler is None:
        callees = callers = pointers = dict.fromkeys(
            numbers, Failed(Outcome.UNSUPPORTED, "ptxas is not installed")
        )
    else:
        callees = dict(parts(attempt, assembler, callees_of(text, numbers), numbers))
        callers = dict(parts(attempt, assembler, text, calling))
        pointers = dict(parts(attempt, assembler, text, calling, POINTERS))
    if isinstance(first, Failed):
        pointers = dict.fromkeys(calling, first)
    seen = [
        observed_call(
            plan,
            defined.get(f"f_{plan.number}"),
            called.get(f"t_{plan.number}"),
            callees[plan.number],
            callers.get(plan.number, NO_CALLER),
        )
        for plan in plans
    ]
    seen = [
        with_areas(plan, one, bodies) if plan.prototype.unnamed else one
        for plan, one in zip(plans, seen, strict=True)
    ]
    return [
        with_pointer(plan, one, pointed[plan.number], pointers.get(plan.number, NO_CALLER))
        for plan, one in zip(plans, seen, strict=True)
    ]


def with_pointer(
    plan: DevicePlan,
    seen: ObservedDeviceCall,
    pointed: PtxDeclaration | None,
    part: AssembledUnit | Failed,
) -> ObservedDeviceCall:
    """Add to an observation how a function is called through a pointer."""
    own = code(part, f"p_{plan.number}")
    state = part if isinstance(part, Failed) else followed(own)
    return msgspec.structs.replace(seen, pointed=pointed, pointer=state, pointer_code=own)


def with_areas(plan: DevicePlan, seen: ObservedDeviceCall, bodies: Mapping[str, str]) -> ObservedDeviceCall:
    """Add to the observation of a call with unnamed arguments the memory that they are in."""
    at, name = len(plan.prototype.params), f"f_{plan.number}"
    copied = plan.slots.params[at:]
    return msgspec.structs.replace(
        seen,
        taken=taken(bodies.get(name, ""), f"{name}_param_{at}", copied),
        passed=passed(bodies.get(f"c_{plan.number}", ""), at, copied),
    )


NO_CALLER = Failed(Outcome.NOTHING, "a kernel is not called")


def observed_call(
    plan: DevicePlan,
    defined: PtxDeclaration | None,
    called: PtxDeclaration | None,
    callee: AssembledUnit | Failed,
    caller: AssembledUnit | Failed,
) -> ObservedDeviceCall:
    """Return the observation of one prototype in the objects."""
    if plan.prototype.kernel:
        record = callee if isinstance(callee, Failed) else callee.cubin.kernel(f"t_{plan.number}")
        kernel = record or Failed(Outcome.REFUSED, "no such kernel")
        part = None if isinstance(callee, Failed) else callee
        return ObservedDeviceCall(defined, NO_CALLER, NO_CALLER, kernel, callee_part=part)
    return ObservedDeviceCall(
        defined,
        callee if isinstance(callee, Failed) else followed(code(callee, f"t_{plan.number}")),
        caller if isinstance(caller, Failed) else followed(code(caller, f"c_{plan.number}")),
        None,
        called,
        code(callee, f"t_{plan.number}"),
        code(caller, f"c_{plan.number}"),
        None if isinstance(callee, Failed) else callee,
        None if isinstance(caller, Failed) else caller,
    )


def followed(machine_code: bytes) -> State | Failed:
    """The state at the end of a function."""
    try:
        return follow(machine_code)
    except UndecodedError as error:
        return Failed(Outcome.UNDECODED, str(error))
