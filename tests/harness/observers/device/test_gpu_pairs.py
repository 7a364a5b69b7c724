"""Pairs of compilers on a GPU, driven with a faux driver library that moves what the linked code should move."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from abiprobe.harness.cli.commands import ptx_gpu
from abiprobe.harness.input import read
from abiprobe.harness.observers.device import gpu_pairs
from abiprobe.harness.observers.device.assembler.assemble import Assembler
from abiprobe.harness.observers.device.gpu_pairs import CALLEE, CALLER, END, START
from abiprobe.harness.observers.device.plan import DevicePlan, planned
from abiprobe.harness.subjects.cuda_tools import Tool
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.harness.subjects.subject import Built, Subject
from abiprobe.oracles.language.question import probe
from abiprobe.oracles.registry import find_model, find_target
from tests.harness.observers.device.faux_driver import FauxDriver, faux_gpu

SOURCE = "struct T { double d; char c[4]; }; struct T f(short a, struct T t, long c); void g(int a);"


def moving(plans: list[DevicePlan], *, lag: int = 0, fail: dict[str, int] | None = None) -> FauxDriver:
    """A device that runs each linked pair right, or moves every parameter by `lag` bytes."""

    def run(device: FauxDriver, block: bytes, _image: bytes) -> None:
        address = int.from_bytes(block, "little")
        before = device.read(address, END - START)
        window = bytearray(before)
        for plan in plans:
            for place in plan.slots.params:
                source = CALLER.params + place.slot - START + lag
                target = CALLEE.params + place.slot - START
                window[target : target + place.size] = before[source : source + place.size]
            if plan.slots.result is not None:
                size, source = plan.slots.result.size, CALLEE.result - START
                target = CALLER.result - START
                window[target : target + size] = before[source : source + size]
        device.write(address, bytes(window))

    return FauxDriver(run, params=(0,), block=8, fail=fail)


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
    library = moving(plans)
    found = gpu_pairs.run((ptxas, nvlink), subjects, plans, faux_gpu(library))
    assert (found.agreed, found.deviations, found.others) == (2 * len(plans), (), ())
    assert library.shared == [END] * 2 * len(plans)
    assert (library.faults, library.left) == ([], [])
    assert "pairs agree" in found.summary


def test_an_argument_that_does_not_arrive_deviates(
    ptxas: Tool, nvlink: Tool, subjects: list[tuple[str, Built]], plans: list[DevicePlan]
) -> None:
    found = gpu_pairs.run((ptxas, nvlink), subjects, plans, faux_gpu(moving(plans, lag=1)))
    assert found.agreed == 0
    assert "clang-14 calls clang-19" in found.deviations[0]
    assert "a[0] arrives as" in found.deviations[0]


def test_a_trap_is_a_deviation(
    ptxas: Tool, nvlink: Tool, subjects: list[tuple[str, Built]], plans: list[DevicePlan]
) -> None:
    library = moving(plans, fail={"cuCtxSynchronize": 700})
    found = gpu_pairs.run((ptxas, nvlink), subjects, plans[:1], faux_gpu(library))
    assert len(found.deviations) == 2
    assert "cuCtxSynchronize answered 700" in found.deviations[0]


@pytest.mark.parametrize(
    ("script", "words"),
    [("echo 'nvlink fatal   : no' >&2; exit 1", "refused: "), ("kill -SEGV $$", "crashed: nvlink: SIGSEGV")],
)
def test_what_nvlink_does_not_take_is_no_deviation(
    ptxas: Tool,
    faux: Callable[[str], Assembler],
    subjects: list[tuple[str, Built]],
    plans: list[DevicePlan],
    script: str,
    words: str,
) -> None:
    found = gpu_pairs.run((ptxas, faux(script).tool), subjects, plans[1:], faux_gpu(moving(plans)))
    assert (found.agreed, found.deviations) == (0, ())
    assert [words in one for one in found.others] == [True, True]


def test_without_a_device_pairs_are_skipped(
    ptxas: Tool, nvlink: Tool, subjects: list[tuple[str, Built]], plans: list[DevicePlan]
) -> None:
    found = gpu_pairs.run((ptxas, nvlink), subjects, plans, faux_gpu(moving(plans, fail={"cuInit": 100})))
    assert found.summary.startswith("skipped: no usable GPU")


def subject(name: str) -> Subject:
    return parse_subject(name)


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (("clang-14", "clang-19", "nvcc", "nvrtc"), ["nvcc", "clang-14"]),
        (("clang-19", "nvrtc"), ["nvrtc", "clang-19"]),
        (("nvcc", "nvrtc"), ["nvcc"]),
        (("clang-14", "clang-19"), ["clang-14"]),
    ],
)
def test_a_pair_has_two_front_ends(
    monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...], chosen: list[str]
) -> None:
    """NVRTC has the front end of nvcc: against each other they would show nothing."""
    monkeypatch.setattr(ptx_gpu, "discover", lambda _: [subject(name) for name in names])
    monkeypatch.setattr(ptx_gpu, "build", lambda one, *_: one)
    assert [name for name, _ in ptx_gpu.two_subjects()] == chosen


def test_random_prototypes_are_chosen() -> None:
    chosen = ptx_gpu.drawn(7, frozenset({"__int128", "_BitInt"}))
    assert 0 < len(chosen) <= ptx_gpu.PAIRS
    assert all(map(gpu_pairs.fits, chosen))
