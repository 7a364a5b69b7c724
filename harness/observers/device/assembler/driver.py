"""NVIDIA's driver library: devices, images, memory and launches, through ctypes."""

from __future__ import annotations

import ctypes
import ctypes.util
from typing import Any

LIBRARY = "cuda"
BUFFER_POINTER, BUFFER_SIZE, END = 1, 2, 0
"""The words of the driver's list of extra launch parameters."""
CAPABILITY_MAJOR, CAPABILITY_MINOR = 75, 76


class DriverError(Exception):
    """The driver answered with an error; says to which call."""


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
