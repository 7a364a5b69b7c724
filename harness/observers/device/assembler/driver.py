"""NVIDIA's driver library: devices, images, memory and launches, through ctypes.

It has no import of abiprobe's: `gpu_child` loads it by its path.
"""

import ctypes
import ctypes.util
from collections.abc import Iterator, Sequence
from typing import Any

LIBRARY = "cuda"
BUFFER_POINTER, BUFFER_SIZE, END = 1, 2, 0
"""The words of the driver's list of extra launch parameters."""
CAPABILITY_MAJOR, CAPABILITY_MINOR = 75, 76
ADDRESS_BYTES = 8
MEMORY = "abi_memory"
"""The variable of an image that has the address of the memory which its kernels read and write."""
HANDLE, ADDRESS, SIZE, UNSIGNED = ctypes.c_void_p, ctypes.c_uint64, ctypes.c_size_t, ctypes.c_uint
INT, TEXT, DATA = ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p
FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "cuInit": (UNSIGNED,),
    "cuGetErrorName": (INT, ctypes.POINTER(TEXT)),
    "cuDeviceGetCount": (ctypes.POINTER(INT),),
    "cuDeviceGet": (ctypes.POINTER(INT), INT),
    "cuDeviceGetName": (TEXT, INT, INT),
    "cuDeviceGetAttribute": (ctypes.POINTER(INT), INT, INT),
    "cuDevicePrimaryCtxRetain": (ctypes.POINTER(HANDLE), INT),
    "cuCtxSetCurrent": (HANDLE,),
    "cuCtxSynchronize": (),
    "cuModuleLoadData": (ctypes.POINTER(HANDLE), DATA),
    "cuModuleGetFunction": (ctypes.POINTER(HANDLE), HANDLE, TEXT),
    "cuModuleGetGlobal_v2": (ctypes.POINTER(ADDRESS), ctypes.POINTER(SIZE), HANDLE, TEXT),
    "cuModuleUnload": (HANDLE,),
    "cuDriverGetVersion": (ctypes.POINTER(INT),),
    "cuMemAlloc_v2": (ctypes.POINTER(ADDRESS), SIZE),
    "cuMemFree_v2": (ADDRESS,),
    "cuMemcpyHtoD_v2": (ADDRESS, DATA, SIZE),
    "cuMemcpyDtoH_v2": (DATA, ADDRESS, SIZE),
    "cuLaunchKernel": (HANDLE, *(UNSIGNED,) * 7, HANDLE, ctypes.POINTER(DATA), ctypes.POINTER(DATA)),
    "cuFuncGetParamInfo": (HANDLE, SIZE, ctypes.POINTER(SIZE), ctypes.POINTER(SIZE)),
}
"""The parameters of each function that is used, from cuda.h of CUDA 13.0; each returns a CUresult. Without them ctypes cuts
an address to 32 bits."""


class DriverError(Exception):
    """The driver answered with an error; `function` is which, `status` its number."""

    def __init__(self, function: str, status: int, name: str = "") -> None:
        super().__init__(f"{function} answered {status}{f' ({name})' if name else ''}")
        self.function, self.status = function, status


class Driver:
    """The driver library; every call that fails raises `DriverError`."""

    def __init__(self, library: Any) -> None:
        self.functions = dict(declared(library))
        self.image, self.module = b"", ctypes.c_void_p()
        self.call("cuInit", 0)

    def call(self, name: str, *arguments: object) -> None:
        """Call a function of the driver."""
        function = self.functions.get(name)
        if function is None:
            raise DriverError(name, 0, "the library has no such function")
        status = function(*arguments)
        if status:
            raise DriverError(name, status, self.error_name(status))

    def error_name(self, status: int) -> str:
        """The driver's name of an error; empty for one that it does not know."""
        name = ctypes.c_char_p()
        function = self.functions.get("cuGetErrorName")
        if function is None or function(status, ctypes.byref(name)) or name.value is None:
            return ""
        return name.value.decode("utf-8", "replace")

    def release(self) -> str:
        """The newest CUDA that the driver knows: `13.0`."""
        found = ctypes.c_int()
        self.call("cuDriverGetVersion", ctypes.byref(found))
        return f"{found.value // 1000}.{found.value % 1000 // 10}"

    def open(self, share: int = 0) -> tuple[str, str]:
        """Open one of the devices that are like the first, number `share` if they are counted round; its name and architecture."""
        count, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGetCount", ctypes.byref(count))
        # Without a device the first is asked for all the same, so that the driver says why there is none.
        devices = [self.device(number) for number in range(max(count.value, 1))]
        first, *others = map(self.described, devices)
        alike = [device for device, one in zip(devices, (first, *others), strict=True) if one == first]
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), alike[share % len(alike)])
        self.call("cuCtxSetCurrent", context)
        return first

    def device(self, number: int) -> ctypes.c_int:
        """A device by its number."""
        device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(device), number)
        return device

    def described(self, device: ctypes.c_int) -> tuple[str, str]:
        """The name and the architecture of a device."""
        name = ctypes.create_string_buffer(100)
        self.call("cuDeviceGetName", name, 100, device)
        numbers = []
        for attribute in (CAPABILITY_MAJOR, CAPABILITY_MINOR):
            value = ctypes.c_int()
            self.call("cuDeviceGetAttribute", ctypes.byref(value), attribute, device)
            numbers.append(value.value)
        return name.value.decode("utf-8", "replace"), f"sm_{numbers[0]}{numbers[1]}"

    def launch(
        self,
        image: bytes,
        kernel: str,
        given: bytes,
        *,
        block: bytes = b"",
        values: Sequence[bytes] | None = None,
        pointer_at: int | None = None,
        threads: int = 1,
        shared: int = 0,
        keep: bool = False,
    ) -> tuple[bytes, list[int]]:
        """Launch a kernel of an image once: the bytes that memory has afterwards, and the offsets that the driver knows.

        `given` is what the memory has before. Its address is put into the parameter block at `pointer_at`, or into the variable
        `MEMORY` of the image. Parameters are `values`, or the bytes of the block; `shared` is a number of bytes. To `keep` the
        image spares the next launch to load it.
        """
        self.load(image)
        function = self.function(kernel)
        memory = self.allocate(len(given))
        self.put(memory, given)
        address = memory.to_bytes(ADDRESS_BYTES, "little")
        if pointer_at is None:
            self.put(self.variable(MEMORY), address)
        else:
            block = block[:pointer_at] + address + block[pointer_at + ADDRESS_BYTES :]
        if values is None:
            self.start(function, block, threads, shared)
        else:
            self.start_with(function, values, threads, shared)
        seen, offsets = self.get(memory, len(given)), self.offsets(function)
        self.call("cuMemFree_v2", memory)
        if not keep:
            self.unload()
        return seen, offsets

    def load(self, image: bytes) -> None:
        """Load an image, unless it is loaded; there is one at a time."""
        if image == self.image:
            return
        if self.image:
            self.unload()
        self.call("cuModuleLoadData", ctypes.byref(self.module), image)
        self.image = image

    def unload(self) -> None:
        """Unload the image."""
        self.image = b""
        self.call("cuModuleUnload", self.module)

    def function(self, name: str) -> ctypes.c_void_p:
        """The kernel of the image that has this name."""
        found = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(found), self.module, name.encode())
        return found

    def variable(self, name: str) -> int:
        """The address of the variable of the image that has this name."""
        found, size = ctypes.c_uint64(), ctypes.c_size_t()
        self.call("cuModuleGetGlobal_v2", ctypes.byref(found), ctypes.byref(size), self.module, name.encode())
        return found.value

    def allocate(self, size: int) -> int:
        """The address of so many bytes of the device's memory, at least one."""
        memory = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(memory), max(size, 1))
        return memory.value

    def put(self, memory: int, data: bytes) -> None:
        """Copy bytes to the device's memory."""
        if data:
            self.call("cuMemcpyHtoD_v2", memory, data, len(data))

    def get(self, memory: int, size: int) -> bytes:
        """Copy bytes from the device's memory."""
        seen = ctypes.create_string_buffer(max(size, 1))
        if size:
            self.call("cuMemcpyDtoH_v2", seen, memory, size)
        return seen.raw[:size]

    def start(self, function: ctypes.c_void_p, block: bytes, threads: int = 1, shared: int = 0) -> None:
        """Launch one block of threads of a kernel with a parameter block and so many bytes of shared memory, and wait for its end."""
        if not block:
            self.start_with(function, (), threads, shared)
            return
        buffer = ctypes.create_string_buffer(block, len(block))
        size = ctypes.c_size_t(len(block))
        words = (ctypes.c_void_p * 5)(
            BUFFER_POINTER,
            ctypes.cast(buffer, ctypes.c_void_p),
            BUFFER_SIZE,
            ctypes.cast(ctypes.byref(size), ctypes.c_void_p),
            END,
        )
        self.call("cuLaunchKernel", function, 1, 1, 1, threads, 1, 1, shared, None, None, words)
        self.call("cuCtxSynchronize")

    def start_with(
        self, function: ctypes.c_void_p, values: Sequence[bytes], threads: int = 1, shared: int = 0
    ) -> None:
        """The same with the address of each parameter's value, of which the driver knows size and place (`kernelParams`)."""
        buffers = [ctypes.create_string_buffer(value, max(1, len(value))) for value in values]
        addresses = (ctypes.c_void_p * (len(values) + 1))(*map(ctypes.addressof, buffers), None)
        self.call("cuLaunchKernel", function, 1, 1, 1, threads, 1, 1, shared, None, addresses, None)
        self.call("cuCtxSynchronize")

    def offsets(self, function: ctypes.c_void_p) -> list[int]:
        """The offsets of a kernel's parameters; empty with a driver that does not tell."""
        found: list[int] = []
        tell = self.functions.get("cuFuncGetParamInfo")
        offset, size = ctypes.c_size_t(), ctypes.c_size_t()
        while tell is not None and not tell(function, len(found), ctypes.byref(offset), ctypes.byref(size)):
            found.append(offset.value)
        return found


def declared(library: Any) -> Iterator[tuple[str, Any]]:
    """Yield each function that a library has, with the types of its parameters, by its name."""
    for name, types in FUNCTIONS.items():
        function = getattr(library, name, None)
        if function is not None:
            function.argtypes, function.restype = types, ctypes.c_int
            yield name, function


def find() -> str | None:
    """The name of the driver library, `None` where there is none."""
    name = ctypes.util.find_library(LIBRARY) or "libcuda.so.1"
    try:
        ctypes.CDLL(name)
    except OSError:
        return None
    return name
