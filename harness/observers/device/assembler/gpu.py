"""Kernels launched on a GPU, through the driver library: parameters packed by the model, every byte read back.

A kernel copies its parameters to global memory byte by byte. It is launched with one block of bytes, laid out as the model says, so
that driver and hardware decide whether the model is right; the driver is asked for the offsets, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base.removal import temporary
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.device.assembler import probes
from abiprobe.harness.observers.device.assembler.assemble import UNKNOWN_ARCH, Assembler
from abiprobe.harness.observers.device.assembler.launches import Device, Gpu, Launch, Launched, UnusableError
from abiprobe.harness.subjects.cuda_tools import Tool
from abiprobe.oracles.abis.ptx.parameter import Signature, scalar
from abiprobe.oracles.abis.ptx.sass import kernels
from abiprobe.results.verdicts.record import Outcome

OLDEST = 75
Compared = Callable[[Launched], str]
"""The fault that a launch which came to an end shows, or an empty string."""


class GpuResult(msgspec.Struct, frozen=True):
    """The results of a GPU: the number of kernels, or of `what` else, that agreed, those that did not, or why none was launched.

    `others` are those of which the GPU says nothing: a tool refused or crashed, or the launch was not carried out.
    """

    device: str
    agreed: int
    deviations: tuple[str, ...]
    skipped: str
    what: str = "kernels"
    others: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        """One line for people, and one for each that does not agree."""
        if self.skipped:
            return f"skipped: {self.skipped}"
        unasked = f", {len(self.others)} were not compared" if self.others else ""
        head = f"GPU {self.device}: {self.agreed} {self.what} agree, {len(self.deviations)} do not{unasked}"
        return "\n  ".join((head, *self.deviations, *self.others))


def run(tool: Tool, signatures: Sequence[Signature], device: Gpu | None = None) -> GpuResult:
    """Launch a kernel for each signature, or say why none was launched."""
    found = opened(tool, device)
    if isinstance(found, GpuResult):
        return found
    own, what = found
    with temporary() as folder:
        asked = [(str(one), prepared(Assembler(tool, what.arch), one, Path(folder))) for one in signatures]
    return compared(own, what.name, "kernels", asked)


class Prepared(msgspec.Struct, frozen=True):
    """A launch, and how its end is judged."""

    launch: Launch
    compare: Compared


def compared(gpu: Gpu, device: str, what: str, asked: Sequence[tuple[str, Prepared | Failed]]) -> GpuResult:
    """Launch what could be prepared; a trap is a deviation of its own launch, whatever else goes wrong is none."""
    ready = [one for _, one in asked if isinstance(one, Prepared)]
    ends = iter(gpu.launched([one.launch for one in ready]))
    agreed = 0
    deviations, others = [], []
    for title, one in asked:
        if isinstance(one, Failed):
            others.append(f"{title}: {one.outcome.value}: {one.words}")
            continue
        end = next(ends)
        if end.outcome in {Outcome.OBSERVED, Outcome.DIED}:
            wrong = one.compare(end) if end.outcome is Outcome.OBSERVED else end.words
            agreed += not wrong
            deviations += [f"{title}: {wrong}"] if wrong else []
        else:
            others.append(f"{title}: {end.outcome.value}: {end.words}")
    return GpuResult(device, agreed, tuple(deviations), "", what, tuple(others))


def opened(tool: Tool, gpu: Gpu | None) -> tuple[Gpu, Device] | GpuResult:
    """The GPU with what it is, or why there is none to use with this ptxas."""
    gpu = Gpu.found() if gpu is None else gpu
    if gpu is None:
        return skipped("no CUDA driver library, so nothing was launched on a GPU")
    try:
        device = gpu.device()
    except UnusableError as error:
        return skipped(f"no usable GPU ({error}), so nothing was launched")
    name, arch, _ = device
    if kernels.sm(arch) < OLDEST:
        return skipped(f"GPU {name} is {arch}, older than what is assembled for")
    with temporary() as folder:
        words = Assembler(tool, arch).assemble(probes.header(arch), Path(folder)).words
    if UNKNOWN_ARCH in words:
        return skipped(
            f"GPU {name} is {arch}, which ptxas {tool.release} does not know, so nothing was launched"
        )
    return gpu, device


def skipped(why: str) -> GpuResult:
    """No kernel was launched."""
    return GpuResult("", 0, (), why)


def prepared(assembler: Assembler, signature: Signature, folder: Path) -> Prepared | Failed:
    """The launch of a copier; the output pointer is a parameter after those of the signature."""
    whole = Signature((*signature.params, scalar(8, "u")))
    places = kernels.layout(whole.params, assembler.arch)
    block, expected = packed(whole, places)
    assembled = assembler.assemble(probes.header(assembler.arch) + copier("k", whole), folder)
    if assembled.outcome is not Outcome.OBSERVED:
        return Failed(assembled.outcome, f"ptxas: {assembled.signal or assembled.words}")
    launch = Launch(assembled.image, bytes(len(expected)), block=block, pointer_at=places.offsets[-1])
    return Prepared(launch, lambda end: difference(places, expected, end))


def difference(places: kernels.KernelLayout, expected: bytes, end: Launched) -> str:
    """The first byte that the kernel found elsewhere, or offsets of the driver's that are not the model's."""
    if end.offsets and end.offsets != places.offsets:
        return f"the driver has offsets {list(end.offsets)}, the model {list(places.offsets)}"
    pairs = enumerate(zip(expected, end.seen, strict=True))
    wrong = next((at for at, (one, other) in pairs if one != other), None)
    return (
        "" if wrong is None else f"byte {wrong} arrives as {end.seen[wrong]:#04x}, not {expected[wrong]:#04x}"
    )


def packed(whole: Signature, places: kernels.KernelLayout) -> tuple[bytes, bytes]:
    """The parameter block with values that name their own bytes, and those values one behind the other."""
    block, expected = bytearray(places.total), bytearray()
    for index, (param, offset) in enumerate(zip(whole.params[:-1], places.offsets, strict=False)):
        value = bytes((0x11 * (index + 1) + 7 * byte) & 0xFF for byte in range(param.size))
        block[offset : offset + param.size] = value
        expected += value
    return bytes(block), bytes(expected)


def copier(name: str, whole: Signature) -> str:
    """A kernel that copies its parameters, the last excepted, to where the last one points."""
    formals = ", ".join(param.declaration(f"p{index}") for index, param in enumerate(whole.params))
    lines = [
        f".reg .b64 %o; .reg .b16 %b; ld.param.u64 %o, [p{len(whole.params) - 1}]; cvta.to.global.u64 %o, %o;"
    ]
    at = 0
    for index, param in enumerate(whole.params[:-1]):
        for byte in range(param.size):
            lines.append(f"ld.param.b8 %b, [p{index}+{byte}]; st.global.b8 [%o+{at}], %b;")
            at += 1
    return f".visible .entry {name}({formals}) {{ {' '.join(lines)} ret; }}\n"
