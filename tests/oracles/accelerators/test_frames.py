"""What a call preserves on the IPU and the DPU, and object files; where values travel is in the tables beside this."""

from __future__ import annotations

import pytest
from laboratory.golden import dpu_files, tables

from abiprobe.oracles.registry import find_target

WORKER, SUPERVISOR, DPU = "colossus-ipu", "colossus-ipu-supervisor", "upmem-dpu"


@pytest.mark.parametrize(
    ("target", "preserved"),
    [
        (WORKER, ("m7", "m8", "m9", "a6", "a7")),
        (SUPERVISOR, ("m7", "m8", "m9")),
        (DPU, tuple(f"r{n}" for n in range(14, 22))),
    ],
)
def test_what_a_call_preserves(target: str, preserved: tuple[str, ...]) -> None:
    frame = find_target(target).frame
    assert frame is not None
    assert frame.preserved == preserved
    assert frame.align == 8


@pytest.mark.parametrize(("asked", "said"), tables.rows(*dpu_files.TABLE))
def test_object_files_of_the_dpu(asked: str, said: str) -> None:
    assert dpu_files.answer(asked) == said
