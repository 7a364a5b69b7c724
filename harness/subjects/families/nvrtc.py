"""NVRTC: NVIDIA's compiler as a library, CUDA C++ to PTX; a child calls it, so that its crashes are not ours."""

from __future__ import annotations

import sys
from pathlib import Path

from abiprobe.harness.machines.targets import options_of
from abiprobe.harness.subjects import programs
from abiprobe.harness.subjects.cuda_tools import find_library
from abiprobe.harness.subjects.subject import Family

CHILD = Path(__file__).with_name("nvrtc_child.py")
COMMAND = (sys.executable, "-P", str(CHILD))


def find(name: str, _target: str) -> tuple[str, ...] | None:
    """The child with the library that is installed."""
    library = find_library("nvrtc") if name == "nvrtc" else None
    return (*COMMAND, library) if library is not None else None


def pieces_of(library: str) -> programs.Pieces:
    """The files of the library, with its built-in headers, which lie beside it."""
    beside = sorted(map(str, Path(library).parent.glob("libnvrtc-builtins*.so*")))
    return programs.of_tools(library, *beside)


NVRTC = Family("nvrtc", options_of("nvrtc"), (), find)
