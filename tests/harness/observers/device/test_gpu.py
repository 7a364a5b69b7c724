"""The path through a GPU, driven with a faux driver library; no test here needs a GPU."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from abiprobe.harness.observers.device.assembler import driver, gpu, launches
from abiprobe.harness.observers.device.assembler.assemble import Assembler
from abiprobe.harness.observers.device.assembler.launches import CHILD, Gpu, Launch
from abiprobe.oracles.abis.ptx.parameter import Signature, array, scalar
from abiprobe.oracles.abis.ptx.sass import kernels
from abiprobe.results.verdicts.record import Outcome
from tests.harness.observers.device.faux_driver import ILLEGAL_ADDRESS, FauxDriver, Trap, faux_gpu

SIGNATURE = Signature((scalar(1, "u"), array(32, 20), scalar(8, "u"), array(1, 3)))
WHOLE = Signature((*SIGNATURE.params, scalar(8, "u")))
ACCEPTING = r"for f; do case $f in *.cubin) printf '\177ELF' > $f;; esac; done"
MakeFaux = Callable[[str], Assembler]


def copying(arch: tuple[int, int], *, shift: int = 0, fail: dict[str, int] | None = None) -> FauxDriver:
    """A device whose hardware reads parameters so many bytes behind where they are, but for the last."""
    offsets = kernels.layout(WHOLE.params, f"sm_{arch[0]}{arch[1]}").offsets

    def run(device: FauxDriver, block: bytes, _image: bytes) -> None:
        values = zip(WHOLE.params[:-1], offsets, strict=False)
        seen = b"".join(block[offset + shift :][: param.size] for param, offset in values)
        device.write(int.from_bytes(block[offsets[-1] :][:8], "little"), seen)

    return FauxDriver(run, arch=arch, params=[offset + shift for offset in offsets], fail=fail)


@pytest.mark.parametrize("arch", [(7, 5), (9, 0), (12, 0)])
def test_blocks_are_packed_where_the_hardware_reads(faux: MakeFaux, arch: tuple[int, int]) -> None:
    library = copying(arch)
    found = gpu.run(faux(ACCEPTING).tool, (SIGNATURE, SIGNATURE), faux_gpu(library))
    assert (found.device, found.agreed, found.deviations, found.others) == ("faux", 2, (), ())
    assert (library.faults, library.left) == ([], [])


def test_hardware_that_reads_elsewhere_deviates(faux: MakeFaux) -> None:
    found = gpu.run(faux(ACCEPTING).tool, (SIGNATURE,), faux_gpu(copying((9, 0), shift=1)))
    assert found.agreed == 0
    assert len(found.deviations) == 1


def test_a_trap_costs_its_own_launch_only(faux: MakeFaux) -> None:
    library = copying((9, 0))
    works, count = library.hardware, iter(range(5))

    def second_traps(device: FauxDriver, block: bytes, image: bytes) -> None:
        if next(count) == 1:
            raise Trap
        works(device, block, image)

    library.hardware = second_traps
    found = gpu.run(faux(ACCEPTING).tool, (SIGNATURE,) * 5, faux_gpu(library))
    assert (found.agreed, found.others) == (4, ())
    name = "cuCtxSynchronize answered 716 (CUDA_ERROR_MISALIGNED_ADDRESS)"
    assert found.deviations == (f"{SIGNATURE}: {name}",)
    # One that says which device, one up to the trap, one for the rest.
    assert library.processes == 1 + 3


@pytest.mark.parametrize("function", ["cuModuleLoadData", "cuMemAlloc_v2", "cuLaunchKernel", "cuMemFree_v2"])
def test_what_goes_wrong_before_and_behind_a_launch_is_no_deviation(faux: MakeFaux, function: str) -> None:
    library = faux_gpu(copying((9, 0), fail={function: 2}))
    found = gpu.run(faux(ACCEPTING).tool, (SIGNATURE,) * 2, library)
    assert (found.agreed, found.deviations) == (0, ())
    assert [one.partition(": ")[2] for one in found.others] == [f"not run: {function} answered 2"] * 2
    assert "2 were not compared" in found.summary


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("echo 'ptxas fatal   : none of these' >&2; exit 255", "refused: ptxas: "),
        ("kill -SEGV $$", "crashed: ptxas: SIGSEGV"),
    ],
)
def test_what_ptxas_does_not_take_is_no_deviation(faux: MakeFaux, script: str, words: str) -> None:
    found = gpu.run(faux(script).tool, (SIGNATURE,), faux_gpu(copying((9, 0))))
    assert (found.agreed, found.deviations) == (0, ())
    assert words in found.others[0]


def test_a_gpu_newer_than_ptxas_is_skipped(faux: MakeFaux) -> None:
    refusing = "echo \"ptxas fatal   : Value 'sm_120' is not defined for option 'gpu-name'\" >&2; exit 255"
    found = gpu.run(faux(refusing).tool, (SIGNATURE,), faux_gpu(copying((12, 0))))
    assert found.skipped == "GPU faux is sm_120, which ptxas 0.0.0 does not know, so nothing was launched"


def test_a_driver_without_a_device_is_skipped(faux: MakeFaux) -> None:
    found = gpu.run(faux(ACCEPTING).tool, (SIGNATURE,), faux_gpu(copying((9, 0), fail={"cuInit": 100})))
    assert found.skipped == "no usable GPU (cuInit answered 100), so nothing was launched"
    assert found.summary.startswith("skipped:")


def test_without_a_driver_nothing_is_launched(faux: MakeFaux, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "find", lambda: None)
    assert "no CUDA driver" in gpu.run(faux(ACCEPTING).tool, (SIGNATURE,)).summary


def test_a_device_that_is_lost_in_the_middle_leaves_the_rest_not_run(faux: MakeFaux) -> None:
    library = copying((9, 0))

    def breaks(_device: FauxDriver, _block: bytes, _image: bytes) -> None:
        library.fail["cuInit"] = 999
        raise Trap(ILLEGAL_ADDRESS)

    library.hardware = breaks
    found = gpu.run(faux(ACCEPTING).tool, (SIGNATURE,) * 3, faux_gpu(library))
    assert (found.agreed, len(found.deviations), len(found.others)) == (0, 1, 2)
    assert found.others[0].endswith("not run: cuInit answered 999")


CHILD_OF_A_TEST = """\
import json, runpy, sys, time
child = runpy.run_path({child!r})
tell, asked = child["printed"], child["listed"](sys.argv[1])
class DriverError(Exception): pass
class Driver:
    def __init__(self, library): pass
    def open(self, share): return "slow", "sm_90"
    def release(self): return "13.0"
    def launch(self, *, block, **_):
        if block == b"hang":
            while True: time.sleep(1)
        if block == b"die.": __import__("os").abort()
        return block, []
child["serve"](globals(), lambda: None, asked, float(sys.argv[2]), tell)
"""


def test_a_launch_that_hangs_or_kills_its_process_costs_itself(tmp_path: Path) -> None:
    own = tmp_path / "child.py"
    own.write_text(CHILD_OF_A_TEST.format(child=str(CHILD)))
    device = Gpu((sys.executable, "-P", str(own)), seconds=0.2)
    blocks = (b"good", b"hang", b"well", b"die.", b"fine")
    ends = device.launched([Launch(b"", b"", block=block) for block in blocks])
    assert [one.outcome for one in ends] == [
        Outcome.OBSERVED,
        Outcome.TIMED_OUT,
        Outcome.OBSERVED,
        Outcome.NOT_RUN,
        Outcome.OBSERVED,
    ]
    assert [one.seen for one in ends if one.seen] == [b"good", b"well", b"fine"]
    assert ends[3].words == "its process ends by SIGABRT"


def test_the_child_finds_a_library_that_is_none(tmp_path: Path) -> None:
    library = tmp_path / "libcuda.so"
    library.write_text("")
    with pytest.raises(launches.UnusableError, match=r"libcuda\.so"):
        Gpu((sys.executable, "-P", str(CHILD), str(library))).device()


def test_an_older_driver_tells_no_offsets() -> None:
    class Older:
        def __init__(self) -> None:
            self.newer: Any = copying((9, 0))

        def __getattr__(self, name: str) -> Any:
            if name == "cuFuncGetParamInfo":
                raise AttributeError(name)
            return getattr(self.newer, name)

    assert "cuFuncGetParamInfo" not in driver.Driver(Older()).functions
