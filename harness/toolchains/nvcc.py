"""nvcc: CUDA C++ to PTX, through a child that makes it read C."""

from __future__ import annotations

import sys
from pathlib import Path

from abiprobe.harness.ptx.tools import find_tool
from abiprobe.harness.toolchains.subject import Family

CHILD = Path(__file__).with_name("nvcc_child.py")
COMMAND = (sys.executable, "-P", str(CHILD))
FLAGS = {"nvptx64-cuda": ("-ptx", "-rdc=true", "-arch=sm_75", "-std=c++20", "-w")}


def find(name: str, _target: str) -> tuple[str, ...] | None:
    """The child with the nvcc that is installed."""
    tool = find_tool(name) if name == "nvcc" else None
    return (*COMMAND, tool.path) if tool is not None else None


NVCC = Family("nvcc", FLAGS, (), find)
