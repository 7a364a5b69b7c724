"""Pairs of compilers on a GPU, driven with a faux driver library that moves what the linked code should move."""

from __future__ import annotations

import ctypes
import shutil

import pytest

from abiprobe.harness.cli.commands import ptx_gpu
from abiprobe.harness.input import read
from abiprobe.harness.observers.device import gpu_pairs
from abiprobe.harness.observers.device.gpu_pairs import CALLEE, CALLER, START
from abiprobe.harness.observers.device.plan import DevicePlan, planned
from abiprobe.harness.subjects.cuda_tools import Tool
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.harness.subjects.subject import Built
from abiprobe.oracles.language.question import probe
from abiprobe.oracles.registry import find_model, find_target

SOURCE = "struct T { double d; char c[4]; }; struct T f(short a, struct T t, long c); void g(int a);"
ADDRESS = 0x7000_0000_1000


class FauxPairs:
    """A device that runs each linked pair right, or moves every parameter by `lag` bytes."""

    def __init__(self, plans: list[DevicePlan], *, lag: int = 0, fail: str = "") -> None:
        self.plans, self.lag, self.fail = plans, lag, fail
        self.memory = b""
        self.shared: list[int] = []

    def __getattr__(self, name: str) -> object:
        if not name.startswith("cu"):
            raise AttributeError(name)
        own = getattr(type(self), f"do_{name[2:]}", None)

        def call(*arguments: object) -> int:
            return 700 if name == self.fail else own(self, *arguments) if own is not None else 0

        return call

    def do_DeviceGetAttribute(self, value: object, attribute: int, _device: object) -> int:  # noqa: N802
        value._obj.value = (9, 0)[attribute - 75]  # type: ignore[attr-defined]
        return 0

    def do_ModuleLoadData(self, _module: object, image: ctypes.c_char_p) -> int:  # noqa: N802
        assert image.value is not None
        assert image.value.startswith(b"\x7fELF")
        return 0

    def do_MemAlloc_v2(self, memory: object, _size: object) -> int:  # noqa: N802
        memory._obj.value = ADDRESS  # type: ignore[attr-defined]
        return 0

    def do_MemcpyHtoD_v2(self, _target: object, data: bytes, _size: object) -> int:  # noqa: N802
        self.memory = data
        return 0

    def do_LaunchKernel(self, *arguments: object) -> int:  # noqa: N802
        words = arguments[-1]
        assert ctypes.string_at(words[1], 8) == ADDRESS.to_bytes(8, "little")  # type: ignore[index]
        self.shared.append(arguments[7])  # type: ignore[arg-type]
        window = bytearray(self.memory)
        for plan in self.plans:
            for place in plan.slots.params:
                source = CALLER.params + place.slot - START + self.lag
                target = CALLEE.params + place.slot - START
                window[target : target + place.size] = self.memory[source : source + place.size]
            if plan.slots.result is not None:
                size, source = plan.slots.result.size, CALLEE.result - START
                target = CALLER.result - START
                window[target : target + size] = self.memory[source : source + size]
        self.memory = bytes(window)
        return 0

    def do_MemcpyDtoH_v2(self, target: object, _source: object, size: object) -> int:  # noqa: N802
        ctypes.memmove(target, self.memory, size.value)  # type: ignore[arg-type, attr-defined]
        return 0


@pytest.fixture
def subjects() -> list[tuple[str, Built]]:
    """Two compilers for devices."""
    found = []
    for name in ("clang-14", "clang-19"):
        if shutil.which(name) is None:
            pytest.skip(f"{name} is not installed")
        built = build(parse_subject(name), find_target("nvptx64-cuda"), "O1")
        assert built is not None
        found.append((name, built))
    return found


@pytest.fixture
def plans() -> list[DevicePlan]:
    """A prototype with a result and one without."""
    functions = read(SOURCE, filename="f.h", triple="nvptx64-nvidia-cuda").functions
    model = find_model("nvptx64-cuda")
    found = [planned(number, probe(one).id, one, model.assign(one)) for number, one in enumerate(functions)]
    return [one for one in found if isinstance(one, DevicePlan)]


def test_linked_pairs_are_launched_both_ways(
    ptxas: Tool, nvlink: Tool, subjects: list[tuple[str, Built]], plans: list[DevicePlan]
) -> None:
    library = FauxPairs(plans)
    found = gpu_pairs.run((ptxas, nvlink), subjects, plans, library)
    assert (found.agreed, found.deviations) == (2 * len(plans), ())
    assert library.shared == [gpu_pairs.END] * 2 * len(plans)
    assert "pairs agree" in found.summary


def test_an_argument_that_does_not_arrive_deviates(
    ptxas: Tool, nvlink: Tool, subjects: list[tuple[str, Built]], plans: list[DevicePlan]
) -> None:
    found = gpu_pairs.run((ptxas, nvlink), subjects, plans, FauxPairs(plans, lag=1))
    assert found.agreed == 0
    assert "clang-14 calls clang-19" in found.deviations[0]
    assert "a[0] arrives as" in found.deviations[0]


def test_a_trap_is_a_deviation(
    ptxas: Tool, nvlink: Tool, subjects: list[tuple[str, Built]], plans: list[DevicePlan]
) -> None:
    found = gpu_pairs.run((ptxas, nvlink), subjects, plans[:1], FauxPairs(plans, fail="cuCtxSynchronize"))
    assert len(found.deviations) == 2
    assert "cuCtxSynchronize answered 700" in found.deviations[0]


def test_without_a_device_pairs_are_skipped(
    ptxas: Tool, nvlink: Tool, subjects: list[tuple[str, Built]], plans: list[DevicePlan]
) -> None:
    found = gpu_pairs.run((ptxas, nvlink), subjects, plans, FauxPairs(plans, fail="cuInit"))
    assert found.summary.startswith("skipped: no usable GPU")


def test_random_prototypes_of_two_families_are_chosen(ptxas: Tool) -> None:
    subjects = ptx_gpu.two_subjects()
    if len(subjects) < 2:
        pytest.skip("two compilers for devices are not installed")
    assert len({name.partition("-")[0] for name, _ in subjects}) == 2
    chosen = ptx_gpu.drawn(7, frozenset({"__int128", "_BitInt"}))
    assert 0 < len(chosen) <= ptx_gpu.PAIRS
    assert all(map(gpu_pairs.fits, chosen))
