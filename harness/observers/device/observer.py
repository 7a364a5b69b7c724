"""The observer of calls for CUDA devices: compiled to PTX, assembled, read from the machine code, and run where there is a GPU."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.observers.attempt import Attempt, Failed
from abiprobe.harness.observers.bundle import Bundle
from abiprobe.harness.observers.call_observer import CallObserver, prototype
from abiprobe.harness.observers.capabilities import Advice, Capabilities
from abiprobe.harness.observers.comparable import comparable
from abiprobe.harness.observers.device.assembler.assemble import Assembler
from abiprobe.harness.observers.device.bundle import declaration_bundle
from abiprobe.harness.observers.device.cuda import executor
from abiprobe.harness.observers.device.cuda.beside import judged, judged_call
from abiprobe.harness.observers.device.cuda.executor import Cuda, Launchable
from abiprobe.harness.observers.device.device_calls import ObservedDeviceCall, observe_devices
from abiprobe.harness.observers.device.judging import judged_device
from abiprobe.harness.observers.device.open_calls import (
    areas_of,
    declared,
    judged_open,
    placeless,
    readings_of,
)
from abiprobe.harness.observers.device.pairs import Linker, ObservedDevicePair, seen_pairs
from abiprobe.harness.observers.device.plan import DevicePlan, kinds, planned, with_slots
from abiprobe.harness.observers.device.recording import RecordedPair, recorded, replayed, replayed_pair
from abiprobe.harness.observers.device.unit import slots, unit
from abiprobe.harness.observers.observer import OTHERWISE, PairObserver, Prepared, gathered
from abiprobe.harness.observers.recording import Plain, digest
from abiprobe.harness.observers.tool_digests import ToolDigest, of_files
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.cuda_tools import COSTS, INSTALL, INSTALLS, SKIPPED, absent, find_tool
from abiprobe.harness.subjects.subject import Built, Subject
from abiprobe.oracles.engine.silence import AbsentError
from abiprobe.oracles.language.features import features
from abiprobe.oracles.language.question import Probe, ProbeKind
from abiprobe.oracles.model import Target
from abiprobe.oracles.text.place import Unspecified
from abiprobe.results.causes.fingerprint import Fingerprint
from abiprobe.results.history.breaks import Break, shown_breaks
from abiprobe.results.journal.journal import Tool
from abiprobe.results.verdicts.record import Outcome, Verdict, unobserved

UNOPTIMISED = "O0"
LEVEL = "O1"
ARCH = "sm_75"
TOOLS = ("ptxas", "nvlink")
GPU_ADVICE = Advice(
    "a GPU",
    "calls for nvptx64-cuda are read from machine code, and none is run",
    "an NVIDIA GPU from sm_75 on, with NVIDIA's driver",
)


class DeviceAttempt(Attempt):
    """An attempt with ptxas and a GPU, as far as they are there.

    Of each prototype it has, by its number, what was seen and the objects for the GPU.
    """

    assembler: Assembler | None = None
    cuda: Cuda | None = None
    seen: dict[int, tuple[DevicePlan, ObservedDeviceCall]] = msgspec.field(default_factory=dict)
    launchable: dict[int, Launchable] = msgspec.field(default_factory=dict)


class DeviceObserver(
    CallObserver[DevicePlan, ObservedDeviceCall, DeviceAttempt],
    PairObserver[DevicePlan, ObservedDeviceCall, DeviceAttempt, ObservedDevicePair],
):
    """Observes calls in the machine code that ptxas makes of what a compiler writes, and on a GPU."""

    name = "device"

    @classmethod
    def shortage(cls) -> str:
        return SKIPPED if find_tool("ptxas") is None else ""

    @classmethod
    def capabilities(cls, target: Target) -> Capabilities:
        tools = [tool for name in COSTS if (tool := find_tool(name)) is not None]
        missing = absent()
        cuda = executor.find()
        advice = tuple(Advice(name, costs, INSTALLS.get(name, INSTALL)) for name, costs in missing.items())
        return Capabilities(
            any(tool.name == "ptxas" for tool in tools),
            executors=(
                *(f"{tool.name} {tool.release}" for tool in tools),
                *(() if isinstance(cuda, str) else (str(cuda),)),
            ),
            absent={**missing, **({executor.NAME: cuda} if isinstance(cuda, str) else {})},
            advice=(*advice, *((GPU_ADVICE,) if isinstance(cuda, str) else ())),
        )

    @classmethod
    def executor(cls, target: Target) -> Tool | None:
        cuda = executor.find()
        return None if isinstance(cuda, str) else Tool(target.spelling, executor.NAME, str(cuda.device))

    def prepare(self, probes: Sequence[Probe]) -> Prepared[DevicePlan]:
        return gathered(
            (self.planned(number, asked) for number, asked in enumerate(probes)),
            lambda plan: features(plan.prototype),
        )

    def planned(self, number: int, asked: Probe) -> DevicePlan | tuple[Verdict, ...]:
        """Return the plan of a question by the model's answer, ready to be asked; an open one if it is silent."""
        question, answer = prototype(asked), self.answer(asked)
        if not isinstance(answer, Unspecified):
            return planned(number, asked.id, question, answer)
        try:
            supposed = placeless(self.key.model, question)
        except AbsentError:
            return planned(number, asked.id, question, answer)
        known = self.key.readings
        readings, areas = readings_of(question, known), areas_of(question, known)
        return with_slots(
            DevicePlan(number, asked.id, question, supposed, slots((), None), answer, readings, areas)
        )

    def prediction(self, asked: Probe) -> bytes:
        function = prototype(asked)
        if not function.variadic:
            return super().prediction(asked)
        named = self.c_model.assign(msgspec.structs.replace(function, variadic=False, unnamed=()))
        return digest((named, areas_of(function, {"": self.c_model})))

    def kinds(self, plan: DevicePlan) -> tuple[ProbeKind, ...]:
        return kinds(plan.prototype)

    def obstacle(self, built: Built) -> str:
        return built.no_calls

    def tools(self, subject: Subject, level: str) -> Iterator[ToolDigest]:
        for name in TOOLS:
            tool = find_tool(name)
            yield ToolDigest("") if tool is None else of_files(tool.path)
        cuda = executor.find()
        yield ToolDigest("" if isinstance(cuda, str) else str(cuda))

    def begin(
        self, subject: Subject, level: str, folder: Path, limits: Limits, name: str = ""
    ) -> DeviceAttempt:
        # Unoptimised code passes everything through memory that the decoder does not follow.
        built = self.built(subject, LEVEL if level == UNOPTIMISED else level)
        tool = find_tool("ptxas")
        assembler = None if tool is None else Assembler(tool, ARCH, LEVEL)
        cuda = executor.find()
        return DeviceAttempt(
            None, built, folder, limits, assembler=assembler, cuda=None if isinstance(cuda, str) else cuda
        )

    def observe(
        self, attempt: DeviceAttempt, plans: Sequence[DevicePlan]
    ) -> Iterator[tuple[DevicePlan, ObservedDeviceCall | Failed]]:
        found = list(observe_devices(attempt, attempt.assembler, plans))
        for plan, seen in found if attempt.cuda is None else self.launched(attempt, attempt.cuda, found):
            if isinstance(seen, ObservedDeviceCall) and plan.silence is None:
                attempt.seen[plan.number] = plan, seen
            yield plan, seen

    def launched(
        self,
        attempt: DeviceAttempt,
        cuda: Cuda,
        found: Sequence[tuple[DevicePlan, ObservedDeviceCall | Failed]],
    ) -> Iterator[tuple[DevicePlan, ObservedDeviceCall | Failed]]:
        """Add what the GPU runs to each observation."""
        seen = [(plan, one) for plan, one in found if isinstance(one, ObservedDeviceCall)]
        ran = cuda.launched(attempt, seen, self.key.model.types)
        for plan, one in found:
            if isinstance(one, Failed):
                yield plan, one
                continue
            runs, attempt.launchable[plan.number] = ran[plan.number]
            yield plan, msgspec.structs.replace(one, ran=runs)

    def judge(self, plan: DevicePlan, seen: ObservedDeviceCall | Failed) -> tuple[Verdict, ...]:
        if plan.silence is not None:
            return comparable(judged_open(plan, plan.silence, seen), self.key)
        return judged_device(plan, seen) if isinstance(seen, Failed) else judged(plan, seen)

    def breaks(
        self, plan: DevicePlan, before: ObservedDeviceCall, after: ObservedDeviceCall
    ) -> Iterator[Break]:
        if plan.silence is None:
            return super().breaks(plan, before, after)
        declarations = (tuple(declared(plan.prototype, one)) for one in (before, after))
        return shown_breaks(plan.probe, *declarations)

    def fingerprint(self, plan: DevicePlan) -> Plain:
        """Return the places of the values in memory."""
        return digest(plan.slots)

    def record(self, plan: DevicePlan, seen: ObservedDeviceCall) -> Plain:
        return recorded(seen)

    def replay(self, plan: DevicePlan, kept: Plain, asked: Plain) -> ObservedDeviceCall | Failed:
        if asked != self.fingerprint(plan):
            return Failed(Outcome.ASKED_OTHERWISE, OTHERWISE)
        return replayed(kept)

    def text(self, plan: DevicePlan) -> str:
        return unit([(plan.number, plan.prototype, plan.slots)])

    def bundle(self, asked: Probe, fingerprint: Fingerprint) -> Bundle:
        return declaration_bundle(self.prepare((asked,)).plans, fingerprint)

    def pair(
        self, caller: DeviceAttempt, callee: DeviceAttempt
    ) -> Iterable[tuple[DevicePlan, ObservedDevicePair | Failed]]:
        tool = find_tool("nvlink")
        if caller.assembler is None:
            return ()
        linker = None if tool is None else Linker(tool, caller.assembler, caller)
        found = list(seen_pairs(linker, caller.seen, callee.seen))
        if caller.cuda is None:
            return found
        both = {
            plan.number: (plan, there, here)
            for plan, one in found
            if one.strings[0] == one.strings[1]
            and (there := caller.launchable[plan.number][0]) is not None
            and (here := callee.launchable[plan.number][1]) is not None
        }
        ran = caller.cuda.pairs(caller, both, self.key.model.types)
        return [(plan, msgspec.structs.replace(one, ran=ran.get(plan.number))) for plan, one in found]

    def judge_pair(self, plan: DevicePlan, arrived: ObservedDevicePair | Failed) -> Verdict:
        if isinstance(arrived, Failed):
            return unobserved(plan.probe, ProbeKind.PAIR, arrived.outcome, arrived.words)
        return judged_call(plan, arrived)

    def record_pair(self, arrived: ObservedDevicePair) -> Plain:
        return RecordedPair.of(arrived)

    def replay_pair(self, plan: DevicePlan, kept: Plain, asked: Plain) -> ObservedDevicePair | Failed:
        if asked != self.fingerprint(plan):
            return Failed(Outcome.ASKED_OTHERWISE, OTHERWISE)
        return replayed_pair(kept)
