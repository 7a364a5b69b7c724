"""Pairs of device compilers: the caller of one linked with the callee of another, and whether what is passed arrives.

No model has a say: each byte that the callee's code reads is looked up in the state in which the caller's code makes its call.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.observers.attempt import Attempt, Failed
from abiprobe.harness.observers.device.arrival import arrivals
from abiprobe.harness.observers.device.assembled import AssembledUnit, cut_down
from abiprobe.harness.observers.device.assembler.assemble import Assembler, halves, message
from abiprobe.harness.observers.device.cuda.runs import Run
from abiprobe.harness.observers.device.device_calls import ObservedDeviceCall
from abiprobe.harness.observers.device.plan import DevicePlan
from abiprobe.harness.observers.device.sass.decode import UndecodedError
from abiprobe.harness.subjects.cuda_tools import Tool
from abiprobe.oracles.abis.ptx.sass.prototypes import STRING
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.verdicts.locations import Named
from abiprobe.results.verdicts.record import Difference, Outcome, Verdict, from_differences, unobserved
from abiprobe.results.verdicts.values import Words

OBJECTS = Named("objects")

SECONDS = 60.0
Answers = Mapping[int, tuple[DevicePlan, ObservedDeviceCall]]


class Linked(msgspec.Struct, frozen=True):
    """The linker's answer about the functions with one number, or how it ended without a message."""

    ok: bool
    words: str = ""
    outcome: Outcome = Outcome.OBSERVED


class Linker(msgspec.Struct, frozen=True):
    """nvlink, with the ptxas that makes smaller objects for it and the attempt that pays."""

    tool: Tool
    assembler: Assembler
    attempt: Attempt

    def link(
        self, caller: AssembledUnit, callee: AssembledUnit, numbers: Sequence[int]
    ) -> Iterator[tuple[int, Linked]]:
        """Yield the linker's answer for each number; all are tried together first."""
        objects = [self.smaller(part, numbers) for part in (caller, callee)]
        done = None if None in objects else self.once([data for data in objects if data is not None])
        if done is not None and (done.ok or len(numbers) == 1):
            yield from ((number, link_outcome(done, self.attempt.folder)) for number in numbers)
        elif len(numbers) > 1:
            for half in halves(numbers):
                yield from self.link(caller, callee, half)

    def smaller(self, part: AssembledUnit, numbers: Sequence[int]) -> bytes | None:
        """The object with no more than these numbers."""
        if part.numbers == frozenset(numbers):
            return part.data
        assembled = self.assembler.assemble(cut_down(part.text, numbers), self.attempt.folder, len(numbers))
        self.attempt.link_seconds += assembled.cpu_seconds
        return assembled.image if assembled.outcome is Outcome.OBSERVED else None

    def once(self, objects: Sequence[bytes]) -> child.Exit:
        """Link two objects."""
        folder = self.attempt.folder
        paths = [folder / name for name in ("caller.cubin", "callee.cubin")]
        for path, data in zip(paths, objects, strict=True):
            path.write_bytes(data)
        output = folder / "linked.cubin"
        command = (
            self.tool.path,
            f"-arch={self.assembler.arch}",
            "-r",
            *map(str, paths),
            "-o",
            str(output),
        )
        done = child.run(command, timeout=SECONDS)
        self.attempt.link_seconds += done.cpu_seconds
        return done


def link_outcome(done: child.Exit, folder: Path) -> Linked:
    """Return how a link ended."""
    if done.ok:
        return Linked(ok=True)
    if done.timed_out or done.signal:
        how = Outcome.TIMED_OUT if done.timed_out else Outcome.CRASHED
        return Linked(ok=False, words=f"nvlink: {done.signal or how.value}", outcome=how)
    return Linked(ok=False, words=message(done, folder))


class ObservedDevicePair(msgspec.Struct, frozen=True):
    """A caller beside the callee of another compiler, with the prototype strings of both, callee's first.

    `said` is what the linker said of them; without a linker the places alone are compared. `ran` is what a GPU has run.
    """

    there: ObservedDeviceCall
    here: ObservedDeviceCall
    strings: tuple[str, str]
    said: Linked | None
    ran: Run | None = None


def seen_pairs(
    linker: Linker | None, callers: Answers, callees: Answers
) -> Iterator[tuple[DevicePlan, ObservedDevicePair]]:
    """The calls that one compiler's functions make of another's.

    Prototypes that only one of the two has compiled are not paired, nor are kernels.
    """
    both = {
        number: (plan, there, callees[number][1])
        for number, (plan, there) in callers.items()
        if number in callees and there.caller_part is not None and callees[number][1].callee_part is not None
    }
    said = dict(linked(linker, both)) if linker is not None else {}
    for number, (plan, there, here) in both.items():
        assert there.caller_part is not None
        assert here.callee_part is not None
        strings = string(here.callee_part, number), string(there.caller_part, number)
        yield plan, ObservedDevicePair(there, here, strings, said.get(number))


def linked(
    linker: Linker, both: Mapping[int, tuple[DevicePlan, ObservedDeviceCall, ObservedDeviceCall]]
) -> Iterator[tuple[int, Linked]]:
    """Yield the linker's answer for each pair; those whose prototype strings differ are linked one by one."""
    groups: dict[tuple[int, int], list[int]] = {}
    for number, (_, there, here) in both.items():
        assert there.caller_part is not None
        assert here.callee_part is not None
        if string(there.caller_part, number) == string(here.callee_part, number):
            groups.setdefault((id(there.caller_part), id(here.callee_part)), []).append(number)
        else:
            yield from linker.link(there.caller_part, here.callee_part, [number])
    for numbers in groups.values():
        _, there, here = both[numbers[0]]
        assert there.caller_part is not None
        assert here.callee_part is not None
        yield from linker.link(there.caller_part, here.callee_part, numbers)


def string(part: AssembledUnit, number: int) -> str:
    """The prototype string of a called or defined function."""
    return part.cubin.prototypes.get(f"t_{number}", "")


def judged_pair(plan: DevicePlan, seen: ObservedDevicePair) -> Verdict:
    """The verdict on one pair: strings and linker first, then what arrives."""
    there, here, said, strings = seen.there, seen.here, seen.said, seen.strings
    if said is not None and said.outcome is not Outcome.OBSERVED:
        return unobserved(plan.probe, ProbeKind.PAIR, said.outcome, said.words)
    if strings[0] != strings[1]:
        note = None if said is None else Words("nvlink says nothing" if said.ok else "nvlink refuses")
        here_is, there_is = map(Words, strings)
        other = Difference("pair", "function", OBJECTS, here_is, there_is, STRING, note)
        return from_differences(plan.probe, ProbeKind.PAIR, (other,))
    if said is not None and not said.ok:
        refusal = Difference("pair", "function", OBJECTS, Words("a link"), Words(said.words), STRING)
        return from_differences(plan.probe, ProbeKind.PAIR, (refusal,))
    for side in (there.caller, here.callee):
        if isinstance(side, Failed):
            return unobserved(plan.probe, ProbeKind.PAIR, side.outcome, side.words)
    try:
        found = tuple(arrivals(plan, there, here, silent=said is not None))
    except UndecodedError as error:
        return unobserved(plan.probe, ProbeKind.PAIR, Outcome.UNDECODED, str(error))
    return from_differences(plan.probe, ProbeKind.PAIR, found)
