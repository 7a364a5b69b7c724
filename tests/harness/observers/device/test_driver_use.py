"""Faults in the use of the driver: a faux one tells each, and a kernel launched so never counts as right."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import pytest

from abiprobe.harness.observers.device.assembler import gpu
from abiprobe.harness.observers.device.assembler.assemble import Assembler
from abiprobe.harness.observers.device.assembler.driver import FUNCTIONS, Driver
from abiprobe.oracles.abis.ptx.parameter import Signature, scalar
from tests.harness.observers.device.faux_driver import CONTEXT, CONTEXTS, PROTOTYPES, FauxDriver, faux_gpu

MakeFaux = Callable[[str], Assembler]
SIGNATURE = Signature((scalar(4, "u"),))
ACCEPTING = r"for f; do case $f in *.cubin) printf '\177ELF' > $f;; esac; done"


def copied(device: Any, block: bytes, _image: bytes) -> None:
    """What the kernel of `SIGNATURE` does."""
    device.write(int.from_bytes(block[8:16], "little"), block[:4])


class CutPointer(Driver):
    """Frees by a function whose parameters ctypes is not told of, as G1 of the first review on a GPU."""

    def __init__(self, library: Any) -> None:
        super().__init__(library)
        cut = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.cast(library.cuMemFree_v2, ctypes.c_void_p).value)
        self.functions["cuMemFree_v2"] = cut


class CutAddress(Driver):
    """Passes the lower half of an address in the parameter block."""

    def start(self, function: Any, block: bytes, threads: int = 1, shared: int = 0) -> None:
        super().start(function, block[:12] + bytes(4), threads, shared)


class FreedTwice(Driver):
    def call(self, name: str, *arguments: object) -> None:
        super().call(name, *arguments)
        if name == "cuMemFree_v2":
            super().call(name, *arguments)


class FreedElsewhere(Driver):
    def call(self, name: str, *arguments: Any) -> None:
        super().call(name, *((arguments[0] + 8,) if name == "cuMemFree_v2" else arguments))


class NeverFreed(Driver):
    def call(self, name: str, *arguments: object) -> None:
        if name != "cuMemFree_v2":
            super().call(name, *arguments)


class NeverUnloaded(Driver):
    def call(self, name: str, *arguments: object) -> None:
        if name != "cuModuleUnload":
            super().call(name, *arguments)


class UnloadedTwice(Driver):
    def call(self, name: str, *arguments: object) -> None:
        super().call(name, *arguments)
        if name == "cuModuleUnload":
            super().call(name, *arguments)


class TooSmall(Driver):
    def allocate(self, size: int) -> int:
        return super().allocate(size - 1)


class TooMuchBack(Driver):
    def get(self, memory: int, size: int) -> bytes:
        return super().get(memory, size + 1)[:size]


class UseAfterFree(Driver):
    def get(self, memory: int, size: int) -> bytes:
        self.call("cuMemFree_v2", memory)
        return super().get(memory, size)


class OtherContext(Driver):
    def get(self, memory: int, size: int) -> bytes:
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 1)
        self.call("cuCtxSetCurrent", context)
        return super().get(memory, size)


class NoContext(Driver):
    def open(self, share: int = 0) -> tuple[str, str]:
        found = super().open(share)
        self.call("cuCtxSetCurrent", None)
        return found


class WithoutModule(Driver):
    def function(self, name: str) -> ctypes.c_void_p:
        found = super().function(name)
        self.unload()
        return found


class WrongBlock(Driver):
    def start(self, function: Any, block: bytes, threads: int = 1, shared: int = 0) -> None:
        super().start(function, block + bytes(8), threads, shared)


class TooMuchShared(Driver):
    def start(self, function: Any, block: bytes, threads: int = 1, shared: int = 0) -> None:
        super().start(function, block, threads, shared + (49 << 10))


class NotInitialised(Driver):
    def call(self, name: str, *arguments: object) -> None:
        if name != "cuInit":
            super().call(name, *arguments)


class NotWaitedFor(Driver):
    """Asks for nothing but a launch: it is not known how that ended."""

    def call(self, name: str, *arguments: object) -> None:
        if name not in {"cuCtxSynchronize", "cuMemcpyDtoH_v2"}:
            super().call(name, *arguments)


FAULTS: dict[type[Driver], str] = {
    CutPointer: "free of what is no memory",
    FreedTwice: "freed twice",
    FreedElsewhere: "free of what is no memory",
    UnloadedTwice: "no such module",
    TooSmall: "copy beyond the memory",
    TooMuchBack: "copy beyond the memory",
    UseAfterFree: "use after free",
    OtherContext: "memory of another context",
    NoContext: "no context",
    WithoutModule: "launch without module",
    WrongBlock: "size of the parameter block",
    TooMuchShared: "too much shared memory",
    NotInitialised: "no cuInit",
}


def launched(faux: MakeFaux, driver_class: type[Driver]) -> tuple[gpu.GpuResult, Any]:
    """The answer to one kernel, and the driver."""
    library = FauxDriver(copied, params=(0, 8), block=16)
    return gpu.run(faux(ACCEPTING).tool, (SIGNATURE,), faux_gpu(library, driver_class)), library


def test_the_driver_is_used_without_fault(faux: MakeFaux) -> None:
    found, library = launched(faux, Driver)
    assert (found.agreed, found.deviations, found.others) == (1, (), ())
    assert (library.faults, library.left) == ([], [])


@pytest.mark.parametrize(
    ("driver_class", "fault"), FAULTS.items(), ids=lambda one: getattr(one, "__name__", "")
)
def test_a_fault_of_use_is_told_and_no_deviation(
    faux: MakeFaux, driver_class: type[Driver], fault: str
) -> None:
    found, library = launched(faux, driver_class)
    assert library.faults[0] == fault
    assert (found.agreed, found.deviations) == (0, ())
    assert found.skipped or found.others


def test_a_cut_address_traps(faux: MakeFaux) -> None:
    found, _ = launched(faux, CutAddress)
    assert found.deviations == (f"{SIGNATURE}: cuCtxSynchronize answered 700",)


@pytest.mark.parametrize(
    ("driver_class", "left"), [(NeverFreed, ["memory"]), (NeverUnloaded, ["module"]), (NotWaitedFor, [])]
)
def test_what_the_driver_takes_is_seen_in_what_is_left(
    faux: MakeFaux, driver_class: type[Driver], left: list[str]
) -> None:
    found, library = launched(faux, driver_class)
    assert library.left == left
    assert left or found.deviations


class OtherSecond(FauxDriver):
    """A driver whose second device is of another architecture."""

    def do_cuDeviceGetAttribute(self, value: Any, attribute: int, device: int) -> None:  # noqa: N802
        super().do_cuDeviceGetAttribute(value, attribute, device)
        value[0] -= device


@pytest.mark.parametrize(("devices", "taken"), [(FauxDriver, [0, 1, 0]), (OtherSecond, [0, 0, 0])])
def test_workers_take_devices_of_one_kind_in_turn(devices: type[FauxDriver], taken: list[int]) -> None:
    library = devices(copied)
    contexts = []
    for share in range(3):
        library.begin_process()
        assert Driver(library).open(share) == ("faux", "sm_90")
        contexts.append(library.context)
    assert contexts == [CONTEXTS + CONTEXT * number for number in taken]


def test_every_function_has_the_types_of_the_header() -> None:
    assert {name: len(types) for name, types in FUNCTIONS.items()} == {
        name: len(types) for name, types in PROTOTYPES.items()
    }
    for name, types in FUNCTIONS.items():
        assert [ctypes.sizeof(one) for one in types] == [ctypes.sizeof(one) for one in PROTOTYPES[name]]
