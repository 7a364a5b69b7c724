"""Pairs run on a GPU: the caller of one compiler linked with the callee of another, and launched.

The kernel, which is ours, copies a window of shared memory in, calls the caller, and copies the window out again. In it the
caller finds arguments at one place, the callee copies its parameters to another, and the result travels the same way back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.observers.attempt import Attempt, Failed, bisected, compiled
from abiprobe.harness.observers.device.assembler import gpu, probes, reading
from abiprobe.harness.observers.device.assembler.assemble import Assembler
from abiprobe.harness.observers.device.assembler.launches import Gpu, Launch
from abiprobe.harness.observers.device.device_calls import callees_of, cut_down
from abiprobe.harness.observers.device.pairs import SECONDS, link_outcome
from abiprobe.harness.observers.device.plan import DevicePlan
from abiprobe.harness.observers.device.unit import Slots, unit
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.cuda_tools import Tool
from abiprobe.harness.subjects.subject import Built
from abiprobe.oracles.text.place import Passed
from abiprobe.results.verdicts.record import Outcome


class Region(NamedTuple):
    """The region of shared memory with a side's copies: of parameters, and of the result."""

    params: int
    result: int


# The first KiB belongs to the system from sm_80 on, and 48 KiB are to be had without asking.
CALLER, CALLEE = Region(0x400, 0xA000), Region(0x4000, 0x8000)
START, END = 0x400, 0xC000
LAUNCHER = """\
.extern .func c_{number}();
.extern .shared .align 16 .b8 window[];
.visible .entry k(.param .u64 p0)
{{
.reg .b64 %p; .reg .b32 %at, %v; .reg .pred %more;
ld.param.u64 %p, [p0]; cvta.to.global.u64 %p, %p;
mov.u32 %at, {start};
IN: ld.global.b32 %v, [%p]; st.volatile.shared.b32 [%at], %v; add.u64 %p, %p, 4; add.u32 %at, %at, 4;
setp.lt.u32 %more, %at, {end}; @%more bra IN;
call c_{number};
ld.param.u64 %p, [p0]; cvta.to.global.u64 %p, %p;
mov.u32 %at, {start};
OUT: ld.volatile.shared.b32 %v, [%at]; st.global.b32 [%p], %v; add.u64 %p, %p, 4; add.u32 %at, %at, 4;
setp.lt.u32 %more, %at, {end}; @%more bra OUT;
ret;
}}
"""


def run(
    tools: tuple[Tool, Tool],
    subjects: Sequence[tuple[str, Built]],
    plans: Sequence[DevicePlan],
    device: Gpu | None = None,
) -> gpu.GpuResult:
    """Let the first subject call the second, and the second the first; `tools` are ptxas and nvlink."""
    found = gpu.opened(tools[0], device)
    if isinstance(found, gpu.GpuResult):
        return found
    own, name, arch = found
    asked: list[tuple[str, gpu.Prepared | Failed]] = []
    with temporary() as folder:
        for caller, callee in (subjects, subjects[::-1]):
            texts = [
                dict(sources(built, plans, region, Path(folder)))
                for (_, built), region in ((caller, CALLER), (callee, CALLEE))
            ]
            for plan in plans:
                if all(plan.number in side for side in texts):
                    ptx = texts[0][plan.number], texts[1][plan.number]
                    one = prepared(Assembler(tools[0], arch), tools[1], plan, ptx, Path(folder))
                    asked.append((f"{caller[0]} calls {callee[0]}, {plan.probe}", one))
    return gpu.compared(own, name, "pairs", asked)


def sources(
    built: Built, plans: Sequence[DevicePlan], region: Region, folder: Path
) -> Iterator[tuple[int, str]]:
    """The PTX with each prototype, as far as the compiler takes it."""

    def together(attempt: Attempt, some: Sequence[DevicePlan], _text: str | None) -> list[str] | Failed:
        text = unit([(plan.number, plan.prototype, shifted(plan.slots, region)) for plan in some])
        path = compiled(attempt, text, len(some))
        return path if isinstance(path, Failed) else [path.read_text("utf-8", "replace")] * len(some)

    for plan, seen in bisected(Attempt(None, built, folder, Limits()), plans, together):
        if not isinstance(seen, Failed):
            yield plan.number, seen


def shifted(places: Slots, region: Region) -> Slots:
    """The places of copies in a region."""
    params = tuple(msgspec.structs.replace(place, slot=place.slot + region.params) for place in places.params)
    result = places.result
    return Slots(params, None if result is None else msgspec.structs.replace(result, slot=region.result))


def fits(plan: DevicePlan) -> bool:
    """Return whether the values of a prototype fit the regions."""
    used = max((place.slot + place.size for place in plan.slots.params), default=0)
    result = plan.slots.result
    return used <= CALLEE.params - CALLER.params and (result is None or result.size <= END - CALLER.result)


def prepared(
    assembler: Assembler,
    linker: Tool,
    plan: DevicePlan,
    texts: tuple[str, str],
    folder: Path,
) -> gpu.Prepared | Failed:
    """The launch of a caller and a callee, linked with the kernel."""
    number = [plan.number]
    kernel = probes.header(assembler.arch) + LAUNCHER.format(number=plan.number, start=START, end=END)
    modules = (kernel, cut_down(texts[0], number), cut_down(callees_of(texts[1], number), number))
    paths = []
    for index, text in enumerate(modules):
        assembled = assembler.assemble(text, folder)
        if assembled.outcome is not Outcome.OBSERVED:
            return Failed(assembled.outcome, f"ptxas: {assembled.signal or assembled.words}")
        paths.append(folder / f"part{index}.cubin")
        paths[-1].write_bytes(assembled.image)
    image = folder / "pair.cubin"
    command = (linker.path, f"-arch={assembler.arch}", *map(str, paths), "-o", str(image))
    said = link_outcome(child.run(command, timeout=SECONDS), folder)
    if not said.ok:
        return Failed(Outcome.REFUSED if said.outcome is Outcome.OBSERVED else said.outcome, said.words)
    window = bytes((7 * at + (at >> 8)) & 0xFF for at in range(START, END))
    launch = Launch(image.read_bytes(), bytes(8), 0, window, END)
    return gpu.Prepared(launch, lambda end: difference(plan, window, end.seen))


def difference(plan: DevicePlan, window: bytes, seen: bytes) -> str:
    """The first byte that counts and is not where the other side copies it to."""
    for passed, place in zip(plan.assignment.params, plan.slots.params, strict=True):
        source, target = CALLER.params + place.slot, CALLEE.params + place.slot
        if found := lost(passed, place.size, window, source, seen, target):
            return found
    result, place_back = plan.assignment.result, plan.slots.result
    if result is None or place_back is None:
        return ""
    return lost(result, place_back.size, window, CALLEE.result, seen, CALLER.result)


def lost(passed: Passed, size: int, window: bytes, source: int, seen: bytes, target: int) -> str:
    """The first byte of a value that does not arrive."""
    for byte in range(reading.carried(passed, size)):
        care = passed.mask[byte]
        sent, arrived = window[source - START + byte] & care, seen[target - START + byte] & care
        if sent != arrived:
            return f"{passed.name or 'result'}[{byte}] arrives as {arrived:#04x}, not {sent:#04x}"
    return ""
