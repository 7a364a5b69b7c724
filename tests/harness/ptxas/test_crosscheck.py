"""Our decoder and NVIDIA's give every instruction the same name."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.generators.ptx import device_pool
from abiprobe.harness.observers.device.assembler.assemble import Assembler
from abiprobe.harness.ptxas.crosscheck import differences
from abiprobe.harness.ptxas.physical import Side, text
from abiprobe.harness.subjects.cuda_tools import Tool, find_tool


@pytest.mark.parametrize("arch", ["sm_75", "sm_90"])
@pytest.mark.parametrize("side", [Side.CALLEE, Side.CALLER])
def test_nvdisasm_agrees(ptxas: Tool, tmp_path: Path, side: Side, arch: str) -> None:
    nvdisasm = find_tool("nvdisasm")
    if nvdisasm is None:
        pytest.skip("nvdisasm is not installed")
    pool = [own for own in device_pool(11, 40) if own.params]
    path = tmp_path / "image.cubin"
    path.write_bytes(Assembler(ptxas, arch).assemble(text(arch, side, pool), tmp_path).image)
    count, found = differences(nvdisasm, path)
    assert count > 1000
    assert found == ()
