"""The path through a GPU, driven with a faux driver library; no test here needs a GPU."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest

from abiprobe.harness.observers.device.assembler import gpu
from abiprobe.harness.observers.device.assembler.assemble import Assembler
from abiprobe.oracles.abis.ptx.parameter import Signature, array, scalar

SIGNATURE = Signature((scalar(1, "u"), array(32, 20), scalar(8, "u"), array(1, 3)))
WHOLE = Signature((*SIGNATURE.params, scalar(8, "u")))
ACCEPTING = 'for f; do case $f in *.cubin) echo x > "$f";; esac; done'
_SPEC = importlib.util.spec_from_file_location("faux_driver", Path(__file__).with_name("faux_driver.py"))
assert _SPEC is not None
assert _SPEC.loader is not None
_MODULE = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(_MODULE)
FauxDriver = _MODULE.FauxDriver
MakeFaux = Callable[[str], Assembler]


@pytest.mark.parametrize("arch", [(7, 5), (9, 0), (12, 0)])
def test_blocks_are_packed_where_the_hardware_reads(faux: MakeFaux, arch: tuple[int, int]) -> None:
    library = FauxDriver(WHOLE, arch)
    found = gpu.run(faux(ACCEPTING).tool, (SIGNATURE,), library)
    assert (found.device, found.agreed, found.deviations) == ("faux", 1, ())
    assert {"cuLaunchKernel", "cuFuncGetParamInfo", "cuModuleUnload"} <= set(library.calls)


def test_hardware_that_reads_elsewhere_deviates(faux: MakeFaux) -> None:
    found = gpu.run(faux(ACCEPTING).tool, (SIGNATURE,), FauxDriver(WHOLE, (9, 0), shift=1))
    assert found.agreed == 0
    assert len(found.deviations) == 1


def test_a_launch_that_traps_is_a_deviation_with_its_status(faux: MakeFaux) -> None:
    found = gpu.run(faux(ACCEPTING).tool, (SIGNATURE,), FauxDriver(WHOLE, (9, 0), fail="cuCtxSynchronize"))
    assert "716" in found.deviations[0]


def test_a_driver_without_a_device_is_skipped(faux: MakeFaux) -> None:
    found = gpu.run(faux(ACCEPTING).tool, (SIGNATURE,), FauxDriver(WHOLE, (9, 0), fail="cuInit"))
    assert found.skipped.startswith("no usable GPU")
    assert found.summary.startswith("skipped:")


def test_without_a_driver_nothing_is_launched(faux: MakeFaux, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "load", lambda: None)
    assert "no CUDA driver" in gpu.run(faux(ACCEPTING).tool, (SIGNATURE,)).summary
