"""The observer of calls for CUDA devices: compiled to PTX, assembled, and read from the machine code, without a GPU."""

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
from abiprobe.harness.observers.device.device_calls import ObservedDeviceCall, observe_devices
from abiprobe.harness.observers.device.judging import judged_device
from abiprobe.harness.observers.device.open_calls import declared, judged_open, placeless, readings_of
from abiprobe.harness.observers.device.pairs import Linker, ObservedDevicePair, judged_pair, seen_pairs
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
from abiprobe.results.verdicts.record import Outcome, Verdict, unobserved

UNOPTIMISED = "O0"
LEVEL = "O1"
ARCH = "sm_75"
TOOLS = ("ptxas", "nvlink")


class DeviceAttempt(Attempt):
    """An attempt with ptxas, if it is installed, and what was seen of each prototype by its number."""

    assembler: Assembler | None = None
    seen: dict[int, tuple[DevicePlan, ObservedDeviceCall]] = msgspec.field(default_factory=dict)


class DeviceObserver(
    CallObserver[DevicePlan, ObservedDeviceCall, DeviceAttempt],
    PairObserver[DevicePlan, ObservedDeviceCall, DeviceAttempt, ObservedDevicePair],
):
    """Observes calls in the machine code that ptxas makes of what a compiler writes."""

    name = "device"

    @classmethod
    def shortage(cls) -> str:
        return SKIPPED if find_tool("ptxas") is None else ""

    @classmethod
    def capabilities(cls, target: Target) -> Capabilities:
        tools = [tool for name in COSTS if (tool := find_tool(name)) is not None]
        missing = absent()
        return Capabilities(
            any(tool.name == "ptxas" for tool in tools),
            executors=tuple(f"{tool.name} {tool.release}" for tool in tools),
            absent=missing,
            advice=tuple(Advice(name, costs, INSTALLS.get(name, INSTALL)) for name, costs in missing.items()),
        )

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
        readings = readings_of(question, self.key.readings)
        return with_slots(DevicePlan(number, asked.id, question, supposed, slots((), None), answer, readings))

    def kinds(self, plan: DevicePlan) -> tuple[ProbeKind, ...]:
        return kinds(plan.prototype)

    def obstacle(self, built: Built) -> str:
        return built.no_calls

    def tools(self, subject: Subject, level: str) -> Iterator[ToolDigest]:
        for name in TOOLS:
            tool = find_tool(name)
            yield ToolDigest("") if tool is None else of_files(tool.path)

    def begin(
        self, subject: Subject, level: str, folder: Path, limits: Limits, name: str = ""
    ) -> DeviceAttempt:
        # Unoptimised code passes everything through memory that the decoder does not follow.
        built = self.built(subject, LEVEL if level == UNOPTIMISED else level)
        tool = find_tool("ptxas")
        assembler = None if tool is None else Assembler(tool, ARCH, LEVEL)
        return DeviceAttempt(None, built, folder, limits, assembler=assembler)

    def observe(
        self, attempt: DeviceAttempt, plans: Sequence[DevicePlan]
    ) -> Iterator[tuple[DevicePlan, ObservedDeviceCall | Failed]]:
        for plan, seen in observe_devices(attempt, attempt.assembler, plans):
            if isinstance(seen, ObservedDeviceCall) and plan.silence is None:
                attempt.seen[plan.number] = plan, seen
            yield plan, seen

    def judge(self, plan: DevicePlan, seen: ObservedDeviceCall | Failed) -> tuple[Verdict, ...]:
        if plan.silence is not None:
            return comparable(judged_open(plan, plan.silence, seen), self.key)
        return judged_device(plan, seen)

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
        return seen_pairs(linker, caller.seen, callee.seen)

    def judge_pair(self, plan: DevicePlan, arrived: ObservedDevicePair | Failed) -> Verdict:
        if isinstance(arrived, Failed):
            return unobserved(plan.probe, ProbeKind.PAIR, arrived.outcome, arrived.words)
        return judged_pair(plan, arrived)

    def record_pair(self, arrived: ObservedDevicePair) -> Plain:
        return RecordedPair.of(arrived)

    def replay_pair(self, plan: DevicePlan, kept: Plain, asked: Plain) -> ObservedDevicePair | Failed:
        if asked != self.fingerprint(plan):
            return Failed(Outcome.ASKED_OTHERWISE, OTHERWISE)
        return replayed_pair(kept)
