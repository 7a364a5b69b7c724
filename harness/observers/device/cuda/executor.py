"""The executor `cuda`: launches what compilers have made for a GPU, each side of a call by itself, pairs, and kernels.

Up to a hundred prototypes are in an image with a kernel for each. One process launches them all, on one context.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import msgspec

from abiprobe.generators.values import TURNS
from abiprobe.harness.base.stopwatch import RUN, stage
from abiprobe.harness.observers.attempt import Attempt, Failed
from abiprobe.harness.observers.device.assembled import AssembledUnit, code, parts
from abiprobe.harness.observers.device.assembler import gpu
from abiprobe.harness.observers.device.assembler.assemble import Assembler
from abiprobe.harness.observers.device.assembler.cubin import KernelRecord
from abiprobe.harness.observers.device.assembler.launches import Device, Gpu, Launch, Launched
from abiprobe.harness.observers.device.assembler.probes import END
from abiprobe.harness.observers.device.cuda import partners, windows
from abiprobe.harness.observers.device.cuda.linking import ImageLinker
from abiprobe.harness.observers.device.cuda.partners import THREADS, Raw
from abiprobe.harness.observers.device.cuda.runs import KernelRun, Run, Runs
from abiprobe.harness.observers.device.cuda.windows import NOISE
from abiprobe.harness.observers.device.device_calls import ObservedDeviceCall
from abiprobe.harness.observers.device.plan import DevicePlan
from abiprobe.harness.subjects.cuda_tools import Tool, find_tool
from abiprobe.oracles.engine.types import TypeTable

NAME = "cuda"
LEVEL = "O3"
Seen: TypeAlias = tuple[DevicePlan, ObservedDeviceCall]
Objects: TypeAlias = dict[int, AssembledUnit]
Launchable: TypeAlias = tuple[AssembledUnit | None, AssembledUnit | None]
"""The objects for a GPU with the caller and the callee of a prototype, where there are any."""


class Cuda(msgspec.Struct, frozen=True):
    """A GPU with what assembles and links for it."""

    gpu: Gpu
    device: Device
    assembler: Assembler
    linker: Tool

    @classmethod
    def found(cls, asked: Gpu | None = None) -> Cuda | str:
        """The executor of this machine, or why there is none."""
        ptxas, nvlink = find_tool("ptxas"), find_tool("nvlink")
        if ptxas is None or nvlink is None:
            return "ptxas or nvlink is not installed"
        opened = gpu.opened(ptxas, asked)
        if isinstance(opened, gpu.GpuResult):
            return opened.skipped
        own, device = opened
        return cls(own, device, Assembler(ptxas, device.arch, LEVEL), nvlink)

    def __str__(self) -> str:
        return f"{NAME} ({self.device})"

    def objects(
        self,
        attempt: Attempt,
        seen: Iterable[Seen],
        side: Callable[[ObservedDeviceCall], AssembledUnit | None],
    ) -> Objects:
        """The objects for the GPU of what ptxas has taken for the architecture whose code is read."""
        texts: dict[str, list[int]] = {}
        for plan, one in seen:
            part = side(one)
            if part is not None and windows.fits(plan):
                texts.setdefault(part.text, []).append(plan.number)
        found: dict[int, AssembledUnit | Failed] = {}
        for text, numbers in texts.items():
            found.update(parts(attempt, self.assembler, text, numbers))
        return {number: one for number, one in found.items() if isinstance(one, AssembledUnit)}

    def launched(
        self, attempt: Attempt, seen: Sequence[Seen], types: TypeTable
    ) -> dict[int, tuple[Runs, Launchable]]:
        """Run each prototype; the runs by its number, with the objects, which can be linked with those of others."""
        callers = self.objects(attempt, seen, lambda one: one.caller_part)
        callees = self.objects(attempt, seen, lambda one: one.callee_part)
        plans = {plan.number: plan for plan, _ in seen}
        asked = [
            *self.sides(attempt, plans, callers, types, "caller"),
            *self.sides(attempt, plans, callees, types, "callee"),
            *self.kernels(attempt, plans, callees, types),
        ]
        runs: dict[int, dict[str, Any]] = {number: {} for number in plans}
        for number, what, run in self.carried_out(asked):
            runs[number][what] = run
        return {
            number: (self.runs(number, callers, callees, own), (callers.get(number), callees.get(number)))
            for number, own in runs.items()
        }

    def runs(self, number: int, callers: Objects, callees: Objects, own: Mapping[str, Any]) -> Runs:
        """All that was run of a prototype, with its code."""
        return Runs(
            self.device.arch,
            **own,
            caller_code=code(callers[number], f"c_{number}") if number in callers else b"",
            callee_code=code(callees[number], f"t_{number}") if number in callees else b"",
        )

    def carried_out(self, asked: Sequence[Asked]) -> Iterator[tuple[int, str, Run | KernelRun]]:
        """Launch everything in one process, as far as that goes."""
        with stage(RUN):
            ends = iter(self.gpu.launched([launch for one in asked for launch in one.launches]))
        for one in asked:
            yield one.number, one.what, one.run([next(ends) for _ in one.launches])

    def linker_of(self, attempt: Attempt) -> ImageLinker:
        """The linker of images, which an attempt pays for."""
        return ImageLinker(self.linker, self.assembler, attempt)

    def sides(
        self, attempt: Attempt, plans: Mapping[int, DevicePlan], objects: Objects, types: TypeTable, side: str
    ) -> Iterator[Asked]:
        """Callers with raw callees, or callees with raw callers; of calls that no text decides no places are known."""
        compiled = partners.raw_callee if side == "caller" else partners.raw_caller
        memory = windows.window if side == "caller" else windows.raw_window
        raw = {
            number: Raw.of(plan.assignment)
            for number, plan in plans.items()
            if plan.silence is None and not plan.prototype.kernel
        }

        def partner(some: Sequence[int]) -> str:
            return partners.module(self.device.arch, (compiled(one, raw[one]) for one in some))

        for unit, numbers in grouped({number: (objects[number],) for number in raw if number in objects}):
            for some, image in self.linker_of(attempt).images(numbers, unit, partner, raw=True):
                for number in some:
                    memories = [memory(plans[number], types, turn) for turn in TURNS]
                    yield asked_call(number, side, image, memories, windows.used(plans[number]), raw[number])

    def pairs(
        self,
        attempt: Attempt,
        both: Mapping[int, tuple[DevicePlan, AssembledUnit, AssembledUnit]],
        types: TypeTable,
    ) -> dict[int, Run]:
        """Run callers, each with the callee of another compiler, whose object comes second."""

        def partner(some: Sequence[int]) -> str:
            return partners.module(self.device.arch, (partners.launcher(one, declared=True) for one in some))

        asked = []
        for units, numbers in grouped({number: objects for number, (_, *objects) in both.items()}):
            for some, image in self.linker_of(attempt).images(numbers, units, partner, raw=False):
                for number in some:
                    plan = both[number][0]
                    memories = [windows.window(plan, types, turn) for turn in TURNS]
                    asked.append(asked_call(number, "pair", image, memories, windows.used(plan)))
        return {number: run for number, _, run in self.carried_out(asked) if isinstance(run, Run)}

    def kernels(
        self, attempt: Attempt, plans: Mapping[int, DevicePlan], objects: Objects, types: TypeTable
    ) -> Iterator[Asked]:
        """Kernels, launched with a parameter block and value by value."""
        own = {
            number: (objects[number],)
            for number, plan in plans.items()
            if plan.prototype.kernel and plan.silence is None and plan.prototype.params and number in objects
        }
        for unit, numbers in grouped(own):
            for some, image in self.linker_of(attempt).images(
                numbers, unit, lambda _: partners.module(self.device.arch), raw=True
            ):
                for number in some:
                    record = unit[0].cubin.kernel(f"t_{number}")
                    if record is not None:
                        yield from asked_kernel(plans[number], types, image, record)


class Asked(NamedTuple):
    """The launches of one function, and what their ends make."""

    number: int
    what: str
    launches: Sequence[Launch]
    run: Callable[[Sequence[Launched]], Run | KernelRun]


def asked_call(
    number: int,
    what: str,
    image: bytes | Failed,
    memories: Sequence[bytes],
    sizes: tuple[int, int],
    raw: Raw | None = None,
) -> Asked:
    """A call with each of some memories."""
    if isinstance(image, Failed):
        outcome, words = image.outcome, image.words
        return Asked(number, what, (), lambda _: Run(outcome, words, raw=raw))
    launches = [Launch(image, memory, f"k_{number}", threads=THREADS, shared=END) for memory in memories]
    return Asked(number, what, launches, lambda ends: Run.of(memories, ends, sizes, raw))


def asked_kernel(
    plan: DevicePlan, types: TypeTable, image: bytes | Failed, record: KernelRecord
) -> Iterator[Asked]:
    """A kernel by both ways of passing parameters."""
    if isinstance(image, Failed):
        failed = KernelRun(image.outcome, image.words)
        yield from (Asked(plan.number, what, (), lambda _: failed) for what in ("block", "values"))
        return
    given = [windows.parameters(plan, types, turn, record.params, record.size) for turn in TURNS]
    name, (size, _) = f"t_{plan.number}", windows.used(plan)
    blocks = [
        Launch(image, NOISE[turn], name, block=block, threads=THREADS, shared=END)
        for turn, (block, _) in zip(TURNS, given, strict=True)
    ]
    singly = [
        Launch(image, NOISE[turn], name, values=values, threads=THREADS, shared=END)
        for turn, (_, values) in zip(TURNS, given, strict=True)
    ]
    in_block, one_by_one = [(block,) for block, _ in given], [values for _, values in given]
    yield Asked(plan.number, "block", blocks, lambda ends: KernelRun.of(in_block, ends, size))
    yield Asked(plan.number, "values", singly, lambda ends: KernelRun.of(one_by_one, ends, size))


def grouped(
    objects: Mapping[int, Sequence[AssembledUnit]],
) -> Iterator[tuple[Sequence[AssembledUnit], list[int]]]:
    """The numbers that share objects."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for number, own in objects.items():
        groups.setdefault(tuple(map(id, own)), []).append(number)
    return ((objects[numbers[0]], numbers) for numbers in groups.values())


@cache
def find() -> Cuda | str:
    """The executor of this machine, or why there is none; asked once in a process."""
    return Cuda.found()
