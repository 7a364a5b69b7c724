"""NVIDIA's tools: on PATH, in the CUDA toolkit folder, or in a wheel of the optional extra `ptx`."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem

INSTALL = "pip install nvidia-cuda-nvcc-cu11, or put the CUDA toolkit's bin folder on PATH"
TOOLKITS = ("CUDA_HOME", "CUDA_PATH")
DEFAULT_TOOLKIT = Path("/usr/local/cuda")
ONLY = "ABIPROBE_CUDA"
"""The variable that names the one toolkit folder to look in; `none` is to do without NVIDIA's tools."""
SECONDS = 30.0
FIRST_LARGE = (12, 1)
"""The first release of ptxas that knows PTX 8.1."""
COSTS = {
    "ptxas": "no PTX is assembled: registers, kernel offsets and the rules of PTX stay unchecked for nvptx64-cuda",
    "nvlink": "callers and callees of two compilers are not linked for nvptx64-cuda",
    "nvcc": "one compiler less for nvptx64-cuda, NVIDIA's own",
    "nvrtc": "one compiler less for nvptx64-cuda, NVIDIA's own as a library",
    "nvdisasm": "the decoder of machine code is not checked against NVIDIA's",
}
"""The cost of the lack of each tool."""


class Tool(msgspec.Struct, frozen=True):
    """A tool: its name, program and release (`13.0.88`)."""

    name: str
    path: str
    release: str

    @property
    def takes_large_kernels(self) -> bool:
        """Return whether a ptxas knows PTX 8.1, from which on kernels may have more than 4,352 bytes of parameters."""
        return tuple(int(part) for part in re.findall(r"\d+", self.release)[:2]) >= FIRST_LARGE


@cache
def find_tool(name: str) -> Tool | None:
    """The tool called `name`, or at the path that this is; `None` when it is not installed."""
    path = name if os.sep in name else next(candidates(name), None)
    if path is None or shutil.which(path) is None:
        return None
    path = os.path.abspath(path)  # noqa: PTH100 - whoever runs it may be in another folder
    try:
        done = child.run((path, "--version"), timeout=SECONDS)
    except OSError:
        return None
    found = re.search(rb"\bV(\d+\.\d+\.\d+)", done.stdout)
    return Tool(Path(path).name, path, found[1].decode() if found else "unknown release") if done.ok else None


def need_tool(name: str) -> Tool:
    """The tool called `name`; raises `Problem` with what to install when there is none."""
    found = find_tool(name)
    if found is None:
        raise Problem(f"{name} is not installed", INSTALL)
    return found


def candidates(name: str) -> Iterator[str]:
    """Yield the paths where a tool may be, the best place first."""
    only = os.environ.get(ONLY)
    if only:
        program = Path(only, "bin", name)
        if program.is_file():
            yield str(program)
        return
    on_path = shutil.which(name)
    if on_path:
        yield on_path
    # The wheels have no compiler behind their nvcc.
    packages = () if name == "nvcc" else tuple(wheels())
    folders = [Path(os.environ[variable]) for variable in TOOLKITS if os.environ.get(variable)]
    for folder in (*folders, DEFAULT_TOOLKIT, *packages):
        program = folder / "bin" / name
        if program.is_file() and os.access(program, os.X_OK):
            yield str(program)


@cache
def find_library(name: str) -> str | None:
    """The path of NVIDIA's library called `name`, newest release first; `None` when it is not installed."""
    only = os.environ.get(ONLY)
    toolkits = [Path(os.environ[variable]) for variable in TOOLKITS if os.environ.get(variable)]
    folders = [Path(only)] if only else [*toolkits, DEFAULT_TOOLKIT, *wheels()]
    for folder in folders:
        for place in (folder / "lib64", folder / "lib"):
            found = sorted(place.glob(f"lib{name}.so*"), reverse=True)
            plain = [path for path in found if re.fullmatch(rf"lib{name}\.so[.\d]*", path.name)]
            if plain:
                return str(plain[0].absolute())
    return None


def wheels() -> Iterator[Path]:
    """The folders of NVIDIA's wheels that carry tools; they share the package `nvidia`."""
    spec = importlib.util.find_spec("nvidia")
    for root in (spec.submodule_search_locations or ()) if spec is not None else ():
        yield from sorted((folder for folder in Path(root).iterdir() if folder.is_dir()), reverse=True)


INSTALLS = {
    "nvdisasm": "pip install nvidia-cuda-nvdisasm",
    "nvcc": "the CUDA toolkit, from NVIDIA",
    "nvrtc": "pip install nvidia-cuda-nvrtc",
}
"""How to get the tools that no extra has."""
SKIPPED = f"skipped: ptxas is not installed, so no registers of nvptx64-cuda are read; {INSTALL}"
"""The line that a command prints once where it goes on without ptxas."""


def absent() -> dict[str, str]:
    """The tools that are not installed, and what each lack costs."""
    return {name: costs for name, costs in COSTS.items() if not is_installed(name)}


def is_installed(name: str) -> bool:
    """Return whether a tool, or NVRTC, which is a library, is there."""
    return (find_library(name) if name == "nvrtc" else find_tool(name)) is not None
