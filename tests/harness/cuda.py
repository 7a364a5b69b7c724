"""ptxas for tests that need a real one, and faux ones for the rest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from abiprobe.harness.observers.device.assembler.assemble import Assembler
from abiprobe.harness.subjects.cuda_tools import Tool, find_tool


@pytest.fixture
def ptxas() -> Tool:
    """The ptxas that is installed."""
    tool = find_tool("ptxas")
    if tool is None:
        pytest.skip("ptxas is not installed")
    return tool


@pytest.fixture
def nvlink() -> Tool:
    """The nvlink that is installed."""
    tool = find_tool("nvlink")
    if tool is None:
        pytest.skip("nvlink is not installed")
    return tool


@pytest.fixture
def faux(tmp_path: Path) -> Callable[[str], Assembler]:
    """Makes a ptxas of a shell script."""

    def make(script: str) -> Assembler:
        program = tmp_path / "ptxas"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        return Assembler(Tool("ptxas", str(program), "0.0.0"))

    return make
