"""Kernels launched on a GPU, through the driver library: parameters packed by the model, every byte read back.

A kernel copies its parameters to global memory byte by byte. It is launched with one block of bytes, laid out as the model says, so
that driver and hardware decide whether the model is right; the driver is asked for the offsets, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from abiprobe.harness.base.removal import temporary
from abiprobe.harness.observers.device.assembler import probes
from abiprobe.harness.observers.device.assembler.assemble import Assembler
from abiprobe.harness.observers.device.assembler.driver import Driver, DriverError, load
from abiprobe.harness.subjects.cuda_tools import Tool
from abiprobe.oracles.abis.ptx.parameter import Signature, scalar
from abiprobe.oracles.abis.ptx.sass import kernels
from abiprobe.results.verdicts.record import Outcome

OLDEST = 75


class GpuResult(msgspec.Struct, frozen=True):
    """The results of a GPU: the number of kernels, or of `what` else, that agreed, those that did not, or why none was launched."""

    device: str
    agreed: int
    deviations: tuple[str, ...]
    skipped: str
    what: str = "kernels"

    @property
    def summary(self) -> str:
        """One line for people."""
        if self.skipped:
            return f"skipped: {self.skipped}"
        return f"GPU {self.device}: {self.agreed} {self.what} agree, {len(self.deviations)} do not" + "".join(
            f"\n  {one}" for one in self.deviations
        )


def run(tool: Tool, signatures: Sequence[Signature], library: Any | None = None) -> GpuResult:
    """Launch a kernel for each signature, or say why none was launched."""
    found = opened(library)
    if isinstance(found, GpuResult):
        return found
    driver, device, arch = found
    agreed, deviations = 0, []
    with temporary() as folder:
        for signature in signatures:
            try:
                difference = launched(driver, Assembler(tool, arch), signature, Path(folder))
            except DriverError as error:
                difference = str(error)
            agreed += not difference
            if difference:
                deviations.append(f"{signature}: {difference}")
    return GpuResult(device, agreed, tuple(deviations), "")


def opened(library: Any | None) -> tuple[Driver, str, str] | GpuResult:
    """The driver with the first device open, its name and architecture, or why there is none to use."""
    library = load() if library is None else library
    if library is None:
        return skipped("no CUDA driver library, so nothing was launched on a GPU")
    try:
        driver = Driver(library)
        device, arch = driver.open()
    except DriverError as error:
        return skipped(f"no usable GPU ({error}), so nothing was launched")
    if kernels.sm(arch) < OLDEST:
        return skipped(f"GPU {device} is {arch}, older than what is assembled for")
    return driver, device, arch


def skipped(why: str) -> GpuResult:
    """No kernel was launched."""
    return GpuResult("", 0, (), why)


def launched(driver: Driver, assembler: Assembler, signature: Signature, folder: Path) -> str:
    """Return the difference in one launch, or an empty string; the output pointer is a parameter after those of the signature."""
    whole = Signature((*signature.params, scalar(8, "u")))
    places = kernels.layout(whole.params, assembler.arch)
    block, expected = packed(whole, places)
    assembled = assembler.assemble(probes.header(assembler.arch) + copier("k", whole), folder)
    if assembled.outcome is not Outcome.OBSERVED:
        return f"not assembled: {assembled.words}"
    seen, offsets = driver.launch(assembled.image, "k", block, len(expected), places.offsets[-1])
    if offsets and tuple(offsets) != places.offsets:
        return f"the driver has offsets {offsets}, the model {list(places.offsets)}"
    wrong = next(
        (at for at, (one, other) in enumerate(zip(expected, seen, strict=True)) if one != other), None
    )
    return "" if wrong is None else f"byte {wrong} arrives as {seen[wrong]:#04x}, not {expected[wrong]:#04x}"


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
