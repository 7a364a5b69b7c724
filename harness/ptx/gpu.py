"""Kernels launched on a GPU, through the driver library: parameters packed by the model, every byte read back.

A kernel copies its parameters to global memory byte by byte. It is launched with one block of bytes, laid out as the model says, so
that driver and hardware decide whether the model is right; the driver is asked for the offsets, too.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from abiprobe.harness.ptx import probes
from abiprobe.harness.ptx.assemble import Assembler
from abiprobe.harness.ptx.tools import Tool
from abiprobe.oracles.ptx.parameter import Signature, scalar
from abiprobe.oracles.ptx.sass import kernels
from abiprobe.results.record import Outcome

LIBRARY = "cuda"
BUFFER_POINTER, BUFFER_SIZE, END = 1, 2, 0
"""The words of the driver's list of extra launch parameters."""
CAPABILITY_MAJOR, CAPABILITY_MINOR = 75, 76
OLDEST = 75


class DriverError(Exception):
    """The driver answered with an error; says to which call."""


class Ran(msgspec.Struct, frozen=True):
    """What a GPU said: how many kernels, or `what` else, agreed, which did not, or why none was launched."""

    device: str
    agreed: int
    deviations: tuple[str, ...]
    skipped: str
    what: str = "kernels"

    @property
    def told(self) -> str:
        """One line for people."""
        if self.skipped:
            return f"skipped: {self.skipped}"
        return f"GPU {self.device}: {self.agreed} {self.what} agree, {len(self.deviations)} do not" + "".join(
            f"\n  {one}" for one in self.deviations
        )


class Driver:
    """The driver library; every call that fails raises `DriverError`."""

    def __init__(self, library: Any) -> None:
        self.library = library
        self.call("cuInit", 0)

    def call(self, name: str, *arguments: object) -> None:
        """Call a function of the driver."""
        status = getattr(self.library, name)(*arguments)
        if status:
            raise DriverError(f"{name} answered {status}")

    def open(self) -> tuple[str, str]:
        """Open the first device: its name and architecture."""
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        name = ctypes.create_string_buffer(100)
        self.call("cuDeviceGetName", name, 100, device)
        numbers = []
        for attribute in (CAPABILITY_MAJOR, CAPABILITY_MINOR):
            value = ctypes.c_int()
            self.call("cuDeviceGetAttribute", ctypes.byref(value), attribute, device)
            numbers.append(value.value)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        return name.value.decode("utf-8", "replace"), f"sm_{numbers[0]}{numbers[1]}"

    def launch(
        self, image: bytes, name: str, block: bytes, output: int, pointer_at: int
    ) -> tuple[bytes, list[int]]:
        """Launch a kernel once with a parameter block: the bytes that it copied, and the offsets that the driver knows."""
        module, function = self.load(image, name)
        memory = self.allocate(output)
        packed = bytearray(block)
        packed[pointer_at : pointer_at + 8] = memory.to_bytes(8, "little")
        self.start(function, bytes(packed))
        seen, offsets = self.get(memory, output), self.offsets(function)
        self.call("cuMemFree_v2", ctypes.c_uint64(memory))
        self.call("cuModuleUnload", module)
        return seen, offsets

    def load(self, image: bytes, name: str) -> tuple[ctypes.c_void_p, ctypes.c_void_p]:
        """Load an image: the module, and its kernel of that name."""
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(image))
        self.call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        return module, function

    def allocate(self, size: int) -> int:
        """The address of so many bytes of the device's memory."""
        memory = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(memory), ctypes.c_size_t(max(size, 1)))
        return memory.value

    def put(self, memory: int, data: bytes) -> None:
        """Copy bytes to the device's memory."""
        self.call("cuMemcpyHtoD_v2", ctypes.c_uint64(memory), data, ctypes.c_size_t(len(data)))

    def get(self, memory: int, size: int) -> bytes:
        """Copy bytes from the device's memory."""
        seen = ctypes.create_string_buffer(max(size, 1))
        self.call("cuMemcpyDtoH_v2", seen, ctypes.c_uint64(memory), ctypes.c_size_t(max(size, 1)))
        return seen.raw[:size]

    def start(self, function: ctypes.c_void_p, block: bytes, shared: int = 0) -> None:
        """Launch a kernel with one thread, a parameter block and so many bytes of shared memory, and wait for its end."""
        buffer = ctypes.create_string_buffer(block, len(block))
        size = ctypes.c_size_t(len(block))
        words = (ctypes.c_void_p * 5)(
            BUFFER_POINTER,
            ctypes.cast(buffer, ctypes.c_void_p),
            BUFFER_SIZE,
            ctypes.cast(ctypes.byref(size), ctypes.c_void_p),
            END,
        )
        self.call("cuLaunchKernel", function, 1, 1, 1, 1, 1, 1, shared, None, None, words)
        self.call("cuCtxSynchronize")

    def offsets(self, function: ctypes.c_void_p) -> list[int]:
        """The offsets of a kernel's parameters; empty with a driver that does not tell."""
        found: list[int] = []
        if not hasattr(self.library, "cuFuncGetParamInfo"):
            return found
        offset, size = ctypes.c_size_t(), ctypes.c_size_t()
        while not self.library.cuFuncGetParamInfo(
            function, ctypes.c_size_t(len(found)), ctypes.byref(offset), ctypes.byref(size)
        ):
            found.append(offset.value)
        return found


def load() -> Any | None:
    """The driver library, `None` where there is none."""
    name = ctypes.util.find_library(LIBRARY) or "libcuda.so.1"
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None


def run(tool: Tool, signatures: Sequence[Signature], library: Any | None = None) -> Ran:
    """Launch a kernel for each signature, or say why none was launched."""
    found = opened(library)
    if isinstance(found, Ran):
        return found
    driver, device, arch = found
    agreed, deviations = 0, []
    with tempfile.TemporaryDirectory(prefix="abiprobe-") as folder:
        for signature in signatures:
            try:
                difference = launched(driver, Assembler(tool, arch), signature, Path(folder))
            except DriverError as error:
                difference = str(error)
            agreed += not difference
            if difference:
                deviations.append(f"{signature}: {difference}")
    return Ran(device, agreed, tuple(deviations), "")


def opened(library: Any | None) -> tuple[Driver, str, str] | Ran:
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


def skipped(why: str) -> Ran:
    """No kernel was launched."""
    return Ran("", 0, (), why)


def launched(driver: Driver, assembler: Assembler, signature: Signature, folder: Path) -> str:
    """What differs in one launch, or nothing; the output pointer is a parameter behind those of the signature."""
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
