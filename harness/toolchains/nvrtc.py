"""NVRTC: NVIDIA's compiler as a library, CUDA C++ to PTX; a child calls it, so that its crashes are not ours."""

from __future__ import annotations

import sys
from pathlib import Path

from abiprobe.harness.ptx.tools import find_library
from abiprobe.harness.toolchains.subject import Family

CHILD = Path(__file__).with_name("nvrtc_child.py")
COMMAND = (sys.executable, "-P", str(CHILD))
FLAGS = {
    "nvptx64-cuda": (
        "-ptx",
        "--gpu-architecture=compute_75",
        "--relocatable-device-code=true",
        "--device-as-default-execution-space",
        "--std=c++20",
        "--disable-warnings",
    )
}


def find(name: str, _target: str) -> tuple[str, ...] | None:
    """The child with the library that is installed."""
    library = find_library("nvrtc") if name == "nvrtc" else None
    return (*COMMAND, library) if library is not None else None


NVRTC = Family("nvrtc", FLAGS, (), find)
