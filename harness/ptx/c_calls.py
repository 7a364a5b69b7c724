"""What a device compiler makes of prototypes: its declarations, and through ptxas the registers of callers and callees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from abiprobe.harness.observe import Attempt, Failed, bisected, compiled
from abiprobe.harness.ptx.assemble import Assembler
from abiprobe.harness.ptx.c_unit import Slots, unit
from abiprobe.harness.ptx.cubin import Cubin, KernelRecord
from abiprobe.harness.ptx.pruned import pruned
from abiprobe.harness.ptx.sass.decode import UndecodedError
from abiprobe.harness.ptx.sass.follow import State, follow
from abiprobe.harness.readers.ptx import Signature, signatures
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.place import Assignment
from abiprobe.results.record import Outcome


class DevicePlan(msgspec.Struct, frozen=True):
    """Everything about one prototype that no compiler changes."""

    probe: str
    prototype: Prototype
    assignment: Assignment
    slots: Slots


class DeviceSeen(msgspec.Struct, frozen=True):
    """What one prototype came to: its declaration, the states of callee and caller, the record of a kernel.

    `call` is the prototype string under which the caller knows its callee. What ptxas or the decoder did not give is `Failed`.
    """

    signature: Signature | None
    callee: State | Failed
    caller: State | Failed
    kernel: KernelRecord | Failed | None = None
    defined: str = ""
    called: str = ""


def observe_devices(
    attempt: Attempt, assembler: Assembler | None, plans: Sequence[DevicePlan]
) -> Iterator[tuple[DevicePlan, DeviceSeen | Failed]]:
    """Compile and assemble all plans; a plan that breaks the compiler or ptxas costs itself only."""

    def together(
        attempt: Attempt, some: Sequence[DevicePlan], _text: str | None
    ) -> list[DeviceSeen] | Failed:
        return device_unit(attempt, assembler, some)

    return bisected(attempt, plans, together)


def device_unit(
    attempt: Attempt, assembler: Assembler | None, plans: Sequence[DevicePlan]
) -> list[DeviceSeen] | Failed:
    """One translation unit, seen as far as it gets."""
    found = compiled(attempt, unit([(plan.prototype, plan.slots) for plan in plans]), len(plans))
    if isinstance(found, Failed):
        return found
    text = found.read_text("utf-8", "replace")
    try:
        declared = signatures(text)
    except ValueError as error:
        return Failed(Outcome.REFUSED, f"the PTX is not readable: {error}")
    if assembler is None:
        absent = Failed(Outcome.UNSUPPORTED, "ptxas is not installed")
        return [DeviceSeen(declared.get(f"f_{number}"), absent, absent) for number in range(len(plans))]
    return list(assembled_parts(attempt, assembler, text, declared, list(enumerate(plans))))


def assembled_parts(
    attempt: Attempt,
    assembler: Assembler,
    text: str,
    declared: dict[str, Signature],
    plans: Sequence[tuple[int, DevicePlan]],
) -> Iterator[DeviceSeen]:
    """What ptxas makes of some functions of a text; when it fails, of each half of them, down to the one it fails on."""
    own = {f"{kind}_{number}" for number, _ in plans for kind in "fct"}
    assembled = assembler.assemble(pruned(text, own.__contains__), attempt.folder, len(plans))
    attempt.link_seconds += assembled.cpu_seconds
    if assembled.outcome is Outcome.OBSERVED:
        try:
            image = Cubin(assembled.image)
        except ValueError as error:
            none = Failed(Outcome.UNDECODED, f"ptxas wrote no image: {error}")
            yield from (DeviceSeen(declared.get(f"f_{number}"), none, none, none) for number, _ in plans)
            return
        yield from (seen(image, declared, number, plan) for number, plan in plans)
    elif len(plans) == 1:
        failed = Failed(assembled.outcome, f"ptxas: {assembled.signal or assembled.words}")
        yield DeviceSeen(declared.get(f"f_{plans[0][0]}"), failed, failed, failed)
    else:
        half = len(plans) // 2
        yield from assembled_parts(attempt, assembler, text, declared, plans[:half])
        yield from assembled_parts(attempt, assembler, text, declared, plans[half:])


def seen(image: Cubin, declared: dict[str, Signature], number: int, plan: DevicePlan) -> DeviceSeen:
    """What an image shows of one prototype."""
    signature = declared.get(f"f_{number}")
    if plan.prototype.kernel:
        record = image.kernel(f"f_{number}")
        nothing = Failed(Outcome.NOTHING, "a kernel is not called")
        return DeviceSeen(signature, nothing, nothing, record or Failed(Outcome.REFUSED, "no such kernel"))
    return DeviceSeen(
        signature,
        followed(image, f"f_{number}"),
        followed(image, f"c_{number}"),
        None,
        image.prototypes.get(f"f_{number}", ""),
        image.prototypes.get(f"t_{number}", ""),
    )


def followed(image: Cubin, name: str) -> State | Failed:
    """The state at the end of a function."""
    try:
        return follow(image.code(name) or b"")
    except UndecodedError as error:
        return Failed(Outcome.UNDECODED, str(error))
