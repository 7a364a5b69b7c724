"""nvcc: CUDA C++ to PTX, through a child that makes it read C."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from abiprobe.harness.machines.targets import options_of
from abiprobe.harness.subjects.cuda_tools import find_tool
from abiprobe.harness.subjects.subject import Family

CHILD = Path(__file__).with_name("nvcc_child.py")
COMMAND = (sys.executable, "-P", str(CHILD))


HOST_COMPILER = "gcc"
"""The compiler that nvcc preprocesses with, unless the environment variable `NVCC_CCBIN` names another."""


def find(name: str, _target: str) -> tuple[str, ...] | None:
    """The child with the nvcc that is installed; none without the host compiler that nvcc needs."""
    host = os.environ.get("NVCC_CCBIN") or HOST_COMPILER
    tool = find_tool(name) if name == "nvcc" and shutil.which(host) else None
    return (*COMMAND, tool.path) if tool is not None else None


NVCC = Family("nvcc", options_of("nvcc"), (), find)
