"""A CUDA driver library of Python behind real C functions, which has an eye on addresses, sizes, order and contexts.

Its functions have no types of their own, like those of a library that ctypes has loaded: what a caller does not declare is cut as
the C calling convention cuts it.
"""

from __future__ import annotations

import ctypes
import json
import struct
from collections.abc import Callable, Mapping, Sequence
from ctypes import POINTER, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p
from io import BytesIO
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile

from abiprobe.harness.base import child
from abiprobe.harness.observers.device.assembler import driver, gpu_child
from abiprobe.harness.observers.device.assembler.cubin import Cubin
from abiprobe.harness.observers.device.assembler.launches import Gpu, Launch, written

INVALID_VALUE, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_HANDLE, NOT_FOUND = 1, 3, 201, 400, 500
ILLEGAL_ADDRESS, MISALIGNED_ADDRESS = 700, 716
SHARED_LIMIT = 48 << 10
ELF_HEADER, NO_BITS = 64, 8
FIRST, STEP = 0x7000_0000_1000, 0x10_0000
CONTEXTS, CONTEXT = 0x6600_0000_0010, 0x10
Out = Any
PROTOTYPES: dict[str, tuple[Any, ...]] = {
    "cuInit": (c_uint,),
    "cuGetErrorName": (c_int, POINTER(c_char_p)),
    "cuDeviceGetCount": (POINTER(c_int),),
    "cuDeviceGet": (POINTER(c_int), c_int),
    "cuDeviceGetName": (POINTER(ctypes.c_char), c_int, c_int),
    "cuDeviceGetAttribute": (POINTER(c_int), c_int, c_int),
    "cuDevicePrimaryCtxRetain": (POINTER(c_uint64), c_int),
    "cuCtxSetCurrent": (c_uint64,),
    "cuCtxSynchronize": (),
    "cuModuleLoadData": (POINTER(c_uint64), c_void_p),
    "cuModuleGetFunction": (POINTER(c_uint64), c_uint64, c_char_p),
    "cuModuleGetGlobal_v2": (POINTER(c_uint64), POINTER(c_size_t), c_uint64, c_char_p),
    "cuModuleUnload": (c_uint64,),
    "cuDriverGetVersion": (POINTER(c_int),),
    "cuMemAlloc_v2": (POINTER(c_uint64), c_size_t),
    "cuMemFree_v2": (c_uint64,),
    "cuMemcpyHtoD_v2": (c_uint64, c_void_p, c_size_t),
    "cuMemcpyDtoH_v2": (c_void_p, c_uint64, c_size_t),
    "cuLaunchKernel": (c_uint64, *(c_uint,) * 7, c_uint64, POINTER(c_void_p), POINTER(c_void_p)),
    "cuFuncGetParamInfo": (c_uint64, c_size_t, POINTER(c_size_t), POINTER(c_size_t)),
}
"""As cuda.h has them."""


class Trap(Exception):  # noqa: N818 - the word of the field
    """Code that was launched does what the device does not allow; `status` is what the driver says."""

    def __init__(self, status: int = MISALIGNED_ADDRESS) -> None:
        super().__init__(status)
        self.status = status


class Misuse(Exception):  # noqa: N818 - not an error of this library
    """The driver is used wrongly."""

    def __init__(self, fault: str, status: int = INVALID_VALUE) -> None:
        super().__init__(fault)
        self.fault, self.status = fault, status


class FauxDriver:
    """A driver of two devices of one architecture.

    `hardware` runs a launch: it is given this driver, the parameter block and the image; `kernel` is the name of what it runs.
    `faults` are the faults of use so far; `fail` has the status that a function answers whatever it is asked.
    """

    def __init__(
        self,
        hardware: Callable[[FauxDriver, bytes, bytes], None],
        *,
        arch: tuple[int, int] = (9, 0),
        params: Sequence[int] = (),
        block: int | None = None,
        fail: Mapping[str, int] | None = None,
    ) -> None:
        self.hardware, self.arch, self.params, self.block = hardware, arch, params, block
        self.fail = dict(fail or {})
        self.faults: list[str] = []
        self.shared: list[int] = []
        self.processes = 0
        self.begin_process()
        self.behind = {name: self.answering(name, types) for name, types in PROTOTYPES.items()}

    def begin_process(self) -> None:
        """Forget what a process of its own would not know."""
        self.processes += 1
        self.initialised, self.context, self.lost = False, 0, 0
        self.memory: dict[int, bytearray] = {}
        self.freed: set[int] = set()
        self.owner: dict[int, int] = {}
        self.modules: dict[int, bytes] = {}
        self.variables: dict[tuple[int, str], int] = {}
        self.functions: dict[int, tuple[int, str]] = {}
        self.pending: tuple[bytes, bytes] | None = None
        self.kernel = ""
        self.handles = 0

    @property
    def left(self) -> list[str]:
        """What was neither freed nor unloaded."""
        taken = len(self.memory) - len(self.variables)
        return ["memory"] * taken + ["module"] * len(self.modules)

    def variable(self, name: str) -> int:
        """The number in a variable of what is loaded."""
        (address,) = (address for (_, own), address in self.variables.items() if own == name)
        return int.from_bytes(self.memory[address], "little")

    def answering(self, name: str, types: tuple[Any, ...]) -> Any:
        """A C function that answers with a status."""

        def answer(*arguments: Any) -> int:
            if name in self.fail:
                return self.fail[name]
            try:
                status: int | None = getattr(self, f"do_{name}")(*arguments)
            except Trap as trap:
                self.lost = trap.status
                return trap.status
            except Misuse as misuse:
                self.faults.append(misuse.fault)
                return misuse.status
            return status or (self.lost if name != "cuGetErrorName" else 0)

        return ctypes.CFUNCTYPE(c_int, *types)(answer)

    def __getattr__(self, name: str) -> Any:
        if name not in PROTOTYPES:
            raise AttributeError(name)
        pointer = ctypes.cast(self.behind[name], c_void_p).value
        function = ctypes.CFUNCTYPE(c_int)(pointer)
        setattr(self, name, function)
        return function

    def handle(self) -> int:
        """A new one, too long for 32 bits."""
        self.handles += 1
        return 0x5500_0000_0000 + 0x100 * self.handles

    def expect_context(self) -> None:
        if not self.initialised:
            raise Misuse("no cuInit", NOT_INITIALIZED)
        if not self.context:
            raise Misuse("no context", INVALID_CONTEXT)

    def read(self, address: int, size: int) -> bytes:
        """What running code reads; outside of memory it traps."""
        for start, data in self.memory.items():
            if start <= address and address + size <= start + len(data):
                return bytes(data[address - start : address - start + size])
        raise Trap(ILLEGAL_ADDRESS)

    def write(self, address: int, new: bytes) -> None:
        """What running code writes."""
        for start, data in self.memory.items():
            if start <= address and address + len(new) <= start + len(data):
                data[address - start : address - start + len(new)] = new
                return
        raise Trap(ILLEGAL_ADDRESS)

    def expect_memory(self, address: int, size: int) -> None:
        self.expect_context()
        self.run()
        if any(start <= address < start + STEP for start in self.freed):
            raise Misuse("use after free")
        start = next((one for one in self.memory if one <= address < one + STEP), None)
        if start is None:
            raise Misuse("unknown address")
        if self.owner[start] != self.context:
            raise Misuse("memory of another context", INVALID_CONTEXT)
        if address + size > start + len(self.memory[start]):
            raise Misuse("copy beyond the memory")

    def run(self) -> None:
        """Run what was launched."""
        own, self.pending = self.pending, None
        if own is not None:
            self.hardware(self, *own)

    def do_cuInit(self, flags: int) -> None:  # noqa: N802
        if flags:
            raise Misuse("flags")
        self.initialised = True

    def do_cuGetErrorName(self, status: int, name: Out) -> None:  # noqa: N802
        name[0] = {MISALIGNED_ADDRESS: b"CUDA_ERROR_MISALIGNED_ADDRESS"}.get(status)

    def do_cuDeviceGetCount(self, count: Out) -> None:  # noqa: N802
        if not self.initialised:
            raise Misuse("no cuInit", NOT_INITIALIZED)
        count[0] = 2

    def do_cuDeviceGet(self, device: Out, number: int) -> None:  # noqa: N802
        if not self.initialised:
            raise Misuse("no cuInit", NOT_INITIALIZED)
        device[0] = number

    def do_cuDeviceGetName(self, name: Out, size: int, _device: int) -> None:  # noqa: N802
        if size < len(b"faux\0"):
            raise Misuse("too little room")
        for index, byte in enumerate(b"faux\0"):
            name[index] = byte

    def do_cuDeviceGetAttribute(self, value: Out, attribute: int, _device: int) -> None:  # noqa: N802
        value[0] = self.arch[attribute - 75]

    def do_cuDevicePrimaryCtxRetain(self, context: Out, device: int) -> None:  # noqa: N802
        context[0] = CONTEXTS + CONTEXT * device

    def do_cuCtxSetCurrent(self, context: int) -> None:  # noqa: N802
        self.context = context

    def do_cuCtxSynchronize(self) -> None:  # noqa: N802
        self.expect_context()
        self.run()

    def do_cuModuleLoadData(self, module: Out, image: int) -> None:  # noqa: N802
        self.expect_context()
        if not ctypes.string_at(image).startswith(b"\x7fELF"):
            raise Misuse("no image")
        module[0] = self.handle()
        self.modules[module[0]] = image_at(image)

    def do_cuModuleGetFunction(self, function: Out, module: int, name: bytes) -> None:  # noqa: N802
        self.expect_context()
        if module not in self.modules:
            raise Misuse("no such module", INVALID_HANDLE)
        image = self.modules[module]
        if name != b"k" if is_planted(image) else Cubin(image).kernel(name.decode()) is None:
            raise Misuse("no such kernel", NOT_FOUND)
        function[0] = self.handle()
        self.functions[function[0]] = module, name.decode()

    def do_cuModuleGetGlobal_v2(self, address: Out, size: Out, module: int, name: bytes) -> None:  # noqa: N802
        self.expect_context()
        if module not in self.modules:
            raise Misuse("no such module", INVALID_HANDLE)
        bytes_ = size_of_variable(self.modules[module], name.decode())
        if bytes_ is None:
            raise Misuse("no such variable", NOT_FOUND)
        key = module, name.decode()
        if key not in self.variables:
            self.variables[key] = self.new_memory(bytes_)
        address[0], size[0] = self.variables[key], bytes_

    def do_cuDriverGetVersion(self, version: Out) -> None:  # noqa: N802
        version[0] = 13000

    def do_cuModuleUnload(self, module: int) -> None:  # noqa: N802
        self.expect_context()
        for key in [one for one in self.variables if one[0] == module]:
            del self.memory[self.variables.pop(key)]
        if self.modules.pop(module, None) is None:
            raise Misuse("no such module", INVALID_HANDLE)

    def do_cuMemAlloc_v2(self, memory: Out, size: int) -> None:  # noqa: N802
        self.expect_context()
        if not size:
            raise Misuse("no bytes")
        memory[0] = self.new_memory(size)

    def new_memory(self, size: int) -> int:
        """The address of memory that nobody had before."""
        start = FIRST + STEP * len(self.owner)
        self.memory[start], self.owner[start] = bytearray(b"\xdd" * size), self.context
        return start

    def do_cuMemFree_v2(self, memory: int) -> None:  # noqa: N802
        self.expect_context()
        if memory in self.freed:
            raise Misuse("freed twice")
        if memory not in self.memory or memory in self.variables.values():
            raise Misuse("free of what is no memory")
        if self.owner[memory] != self.context:
            raise Misuse("memory of another context", INVALID_CONTEXT)
        del self.memory[memory]
        self.freed.add(memory)

    def do_cuMemcpyHtoD_v2(self, target: int, source: int, size: int) -> None:  # noqa: N802
        self.expect_memory(target, size)
        self.write(target, ctypes.string_at(source, size))

    def do_cuMemcpyDtoH_v2(self, target: int, source: int, size: int) -> None:  # noqa: N802
        self.expect_memory(source, size)
        ctypes.memmove(target, self.read(source, size), size)

    def do_cuLaunchKernel(self, function: int, *rest: Any) -> None:  # noqa: N802
        self.expect_context()
        *counts, shared, stream, params, words = rest
        module, name = self.functions.get(function, (0, ""))
        if module not in self.modules:
            raise Misuse("launch without module", INVALID_HANDLE)
        image = self.modules[module]
        if (
            0 in counts
            or counts[:3] != [1, 1, 1]
            or counts[4:] != [1, 1]
            or stream
            or bool(params) is bool(words)
        ):
            raise Misuse("launch parameters")
        self.shared.append(shared)
        if shared > SHARED_LIMIT:
            raise Misuse("too much shared memory")
        block = in_block(image, name, params) if params else from_words(words)
        expected = self.block if is_planted(image) else Cubin(image).kernel(name).size  # type: ignore[union-attr]
        if expected is not None and len(block) != expected:
            raise Misuse("size of the parameter block")
        self.pending, self.kernel = (block, image), name

    def do_cuFuncGetParamInfo(self, _function: int, index: int, offset: Out, _size: Out) -> int:  # noqa: N802
        if index >= len(self.params):
            return INVALID_VALUE
        offset[0] = self.params[index]
        return 0


def is_planted(image: bytes) -> bool:
    """Return whether an image is none of nvlink's."""
    return len(image) < ELF_HEADER


def image_at(address: int) -> bytes:
    """The image at an address, as long as its headers say."""
    # The class of an ELF file; of a planted one its end.
    if not ctypes.string_at(address, 5)[4]:
        return ctypes.string_at(address)
    header = ctypes.string_at(address, ELF_HEADER)
    (sections,) = struct.unpack_from("<Q", header, 0x28)
    size, count = struct.unpack_from("<HH", header, 0x3A)
    table = ctypes.string_at(address + sections, size * count)
    ends = [sections + size * count]
    for at in range(0, size * count, size):
        (kind,) = struct.unpack_from("<I", table, at + 4)
        offset, length = struct.unpack_from("<QQ", table, at + 0x18)
        ends.append(offset + (length if kind != NO_BITS else 0))
    return ctypes.string_at(address, max(ends))


def size_of_variable(image: bytes, name: str) -> int | None:
    """The size of a symbol of an image."""
    table = ELFFile(BytesIO(image)).get_section_by_name(".symtab")
    found = table.get_symbol_by_name(name) if table is not None else None
    return found[0]["st_size"] if found else None


def from_words(words: Out) -> bytes:
    """The parameter block of a launch."""
    if (words[0], words[2], words[4]) != (1, 2, None):
        raise Misuse("launch parameters")
    return ctypes.string_at(words[1], ctypes.cast(words[3], POINTER(c_size_t))[0])


def in_block(image: bytes, name: str, params: Out) -> bytes:
    """The parameter block that the driver makes of addresses, by what the image says of the kernel."""
    record = Cubin(image).kernel(name)
    assert record is not None
    block = bytearray(record.size)
    for index, one in enumerate(record.params):
        if not params[index]:
            raise Misuse("a parameter without an address")
        block[one.offset : one.offset + one.size] = ctypes.string_at(params[index], one.size)
    return bytes(block)


class FauxGpu(Gpu, frozen=True):
    """A GPU with a faux driver, which is asked in this process as if each time in one of its own; `driver_class` uses it."""

    library: Any = None
    driver_class: Any = driver.Driver

    def served(self, launches: Sequence[Launch], folder: Path) -> child.Exit:
        self.library.begin_process()
        lines: list[dict[str, Any]] = []
        names = {**vars(driver), "Driver": self.driver_class}
        asked = list(written(launches, folder))
        gpu_child.serve(names, lambda: self.library, asked, self.seconds, lines.append)
        output = "\n".join(map(json.dumps, lines)).encode()
        return child.Exit(
            0, None, timed_out=False, truncated=False, stdout=output, stderr=b"", cpu_seconds=0.0
        )


def faux_gpu(library: FauxDriver, driver_class: Any = driver.Driver) -> FauxGpu:
    """The GPU of a faux driver."""
    return FauxGpu((), library=library, driver_class=driver_class)
