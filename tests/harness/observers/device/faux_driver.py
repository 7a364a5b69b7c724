"""A CUDA driver library of Python: it launches a kernel by copying what the block has where it believes the parameters are."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from abiprobe.oracles.abis.ptx.parameter import Signature
from abiprobe.oracles.abis.ptx.sass import kernels


class FauxDriver:
    """Device of one architecture; `offsets` are where its hardware reads the parameters of the only kernel."""

    def __init__(
        self, signature: Signature, arch: tuple[int, int], *, shift: int = 0, fail: str = ""
    ) -> None:
        self.signature, self.arch, self.fail, self.shift = signature, arch, fail, shift
        self.memory = b""
        self.calls: list[str] = []

    @property
    def offsets(self) -> Sequence[int]:
        """Where the hardware reads."""
        places = kernels.layout(self.signature.params, f"sm_{self.arch[0]}{self.arch[1]}").offsets
        return [offset + self.shift for offset in places]

    def __getattr__(self, name: str) -> object:
        if not name.startswith("cu"):
            raise AttributeError(name)
        own = getattr(type(self), f"do_{name}", None)

        def call(*arguments: object) -> int:
            self.calls.append(name)
            if name == self.fail:
                return 716
            return own(self, *arguments) if own is not None else 0

        return call

    def do_cuDeviceGetName(self, name: ctypes.Array[ctypes.c_char], _size: int, _device: object) -> int:  # noqa: N802
        name.value = b"faux"
        return 0

    def do_cuDeviceGetAttribute(self, value: object, attribute: int, _device: object) -> int:  # noqa: N802
        value._obj.value = self.arch[attribute - 75]  # type: ignore[attr-defined]
        return 0

    def do_cuMemAlloc_v2(self, memory: object, _size: object) -> int:  # noqa: N802
        memory._obj.value = 0x7000_0000_1000  # type: ignore[attr-defined]
        return 0

    def do_cuLaunchKernel(self, *arguments: object) -> int:  # noqa: N802
        words = arguments[-1]
        size = ctypes.cast(words[3], ctypes.POINTER(ctypes.c_size_t))[0]  # type: ignore[index]
        block = ctypes.string_at(words[1], size)  # type: ignore[index]
        assert block[self.offsets[-1] - self.shift :][:8] == (0x7000_0000_1000).to_bytes(8, "little")
        self.memory = b"".join(
            block[offset : offset + param.size]
            for param, offset in zip(self.signature.params[:-1], self.offsets, strict=False)
        )
        return 0

    def do_cuMemcpyDtoH_v2(self, target: object, _source: object, size: object) -> int:  # noqa: N802
        ctypes.memmove(target, self.memory.ljust(size.value, b"\0"), size.value)  # type: ignore[arg-type, attr-defined]
        return 0

    def do_cuFuncGetParamInfo(self, _function: object, index: object, offset: object, _size: object) -> int:  # noqa: N802
        if index.value >= len(self.signature.params):  # type: ignore[attr-defined]
            return 1
        offset._obj.value = self.offsets[index.value]  # type: ignore[attr-defined]
        return 0
