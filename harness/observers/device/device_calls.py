"""Observations of a device compiler: its declarations, and through ptxas the registers of callers and callees."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from abiprobe.harness.machines.readers.ptx import PtxDeclaration, called_by_pointer, signatures
from abiprobe.harness.observers.attempt import Attempt, Failed, bisected, compiled
from abiprobe.harness.observers.device.assembler.assemble import Assembler, halves
from abiprobe.harness.observers.device.assembler.cubin import Cubin, KernelRecord
from abiprobe.harness.observers.device.plan import DevicePlan
from abiprobe.harness.observers.device.pruned import function_texts, functions_at, pruned
from abiprobe.harness.observers.device.sass.decode import UndecodedError
from abiprobe.harness.observers.device.sass.follow import follow
from abiprobe.harness.observers.device.sass.state import State
from abiprobe.harness.observers.device.unit import unit
from abiprobe.harness.observers.device.unnamed import Area, passed, taken
from abiprobe.results.verdicts.record import Outcome

_CALLEE = re.compile(r"\bf_(\d+)\b")


class AssembledUnit(msgspec.Struct, frozen=True):
    """An object with the callers, or the callees, of some prototypes, and the text that it was assembled from."""

    text: str
    cubin: Cubin
    data: bytes
    numbers: frozenset[int]


class ObservedDeviceCall(msgspec.Struct, frozen=True):
    """The observation of one prototype: its declaration, the states of callee and caller, the record of a kernel.

    What ptxas or the decoder did not give is `Failed`. `declared` is how the caller's unit declares what it calls; the codes
    are those of callee and caller, and the parts the objects in which they can be linked. `taken` is the memory that the
    callee takes unnamed arguments from, `passed` the one that the caller passes. `pointed` is the prototype of a call of such a
    function through a pointer.
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
    found = compiled(attempt, unit([(plan.number, plan.prototype, plan.slots) for plan in plans]), len(plans))
    if isinstance(found, Failed):
        return found
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
    if assembler is None:
        callees = callers = dict.fromkeys(numbers, Failed(Outcome.UNSUPPORTED, "ptxas is not installed"))
    else:
        callees = dict(parts(attempt, assembler, callees_of(text, numbers), numbers))
        callers = dict(parts(attempt, assembler, cut_down(text, calling), calling))
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
    return [
        msgspec.structs.replace(
            with_areas(plan, one, bodies) if plan.prototype.unnamed else one, pointed=pointed[plan.number]
        )
        for plan, one in zip(plans, seen, strict=True)
    ]


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


def callees_of(text: str, numbers: Collection[int]) -> str:
    """A text cut down to the callees of these numbers, under the name that callers know: `t_N`."""
    return _CALLEE.sub(r"t_\1", pruned(text, {f"f_{number}" for number in numbers}.__contains__))


def cut_down(text: str, numbers: Collection[int]) -> str:
    """A text cut down to the functions of these numbers that are linked: callers, and what they call."""
    return pruned(text, {f"{kind}_{number}" for number in numbers for kind in "ct"}.__contains__)


def parts(
    attempt: Attempt, assembler: Assembler, text: str, numbers: Sequence[int]
) -> Iterator[tuple[int, AssembledUnit | Failed]]:
    """The object with each of these numbers; when ptxas fails, those without errors, and each of the others by itself."""
    if not numbers:
        return
    cut = cut_down(text, numbers)
    assembled = assembler.assemble(cut, attempt.folder, len(numbers))
    attempt.link_seconds += assembled.cpu_seconds
    if assembled.outcome is Outcome.OBSERVED:
        part = part_of(cut, assembled.image, numbers)
        yield from ((number, part) for number in numbers)
    elif len(numbers) == 1:
        yield numbers[0], Failed(assembled.outcome, f"ptxas: {assembled.signal or assembled.words}")
    else:
        for some in separable(cut, assembled.lines, numbers):
            yield from parts(attempt, assembler, text, some)


def separable(text: str, lines: Collection[int], numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    """The numbers in whose functions no line with an error is, and each other one; each half where no line tells."""
    names = functions_at(text, lines)
    faulty = [number for number in numbers if any(f"{kind}_{number}" in names for kind in "ct")]
    if not faulty:
        yield from halves(numbers)
        return
    others = [number for number in numbers if number not in faulty]
    if others:
        yield others
    yield from ([number] for number in faulty)


def part_of(text: str, image: bytes, numbers: Sequence[int]) -> AssembledUnit | Failed:
    """Return ptxas's output as a unit, if it is an image."""
    try:
        return AssembledUnit(text, Cubin(image), image, frozenset(numbers))
    except ValueError as error:
        return Failed(Outcome.UNDECODED, f"ptxas wrote no image: {error}")


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
        return ObservedDeviceCall(defined, NO_CALLER, NO_CALLER, kernel)
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


def code(part: AssembledUnit | Failed, name: str) -> bytes:
    """The machine code of a function, empty where there is none."""
    return b"" if isinstance(part, Failed) else part.cubin.code(name) or b""


def followed(machine_code: bytes) -> State | Failed:
    """The state at the end of a function."""
    try:
        return follow(machine_code)
    except UndecodedError as error:
        return Failed(Outcome.UNDECODED, str(error))
