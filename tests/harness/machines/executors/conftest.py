"""Images of one hand-written unit, for each machine and each compiler at hand."""

from __future__ import annotations

import importlib.util
import platform
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from abiprobe.harness.base import child
from abiprobe.harness.machines.executors.executor import Executor
from abiprobe.harness.machines.executors.find import find
from abiprobe.harness.machines.runtime.build import link, runtime_objects
from abiprobe.harness.machines.runtime.machine import MACHINES, Machine, machine
from tests.skipping import trusted_or_skip

UNIT = Path(__file__).with_name("unit.c")


class Built(NamedTuple):
    """An image, and who runs it: all executors that of the first compiler, the best executor those of the others.

    So each executor meets each machine, and each machine the code of each compiler.
    """

    machine: Machine
    image: Path
    executors: tuple[Executor, ...]


def _zig() -> tuple[str, ...] | None:
    spec = importlib.util.find_spec("ziglang")
    return (str(Path(spec.submodule_search_locations[0], "zig")), "clang") if spec is not None else None


def _command(name: str) -> tuple[str, ...] | None:
    if name == "zig":
        return _zig()
    path = shutil.which(name)
    return (path,) if path is not None else None


USUAL = ("aarch64", "riscv32-ilp32d", "riscv64-lp64d", "i386", "x86_64")
IMAGES = tuple(name for name in MACHINES if name not in {"x86_64-windows", "wasm32"})
"""What is built for Linux calls memcpy in another way than the first one's runtime has it; the rest is that of x86_64. The other
one has no registers that functions of every type share (`test_wasm.py`)."""
SUBJECTS = [
    *((name, "zig") for name in IMAGES if MACHINES[name].triple),
    *((name, cc) for name in USUAL for cc in ("clang-22", "clang-14")),
    ("riscv64-lp64e", "clang-19"),
    *((f"riscv64-{abi}", "riscv64-linux-gnu-gcc") for abi in ("lp64", "lp64f", "lp64d")),
    *((f"riscv32-{abi}", "riscv64-unknown-elf-gcc") for abi in ("ilp32", "ilp32f", "ilp32d", "ilp32e")),
    *((name, "aarch64-linux-gnu-gcc") for name in ("aarch64", "aarch64_ilp32")),
    ("s390x", "s390x-linux-gnu-gcc"),
    ("arm-aapcs-vfp", "arm-linux-gnueabihf-gcc-12"),
    ("ppc64le", "powerpc64le-linux-gnu-gcc-12"),
    ("ppc64", "powerpc64-linux-gnu-gcc-12"),
    ("ppc", "powerpc-linux-gnu-gcc-12"),
    *((name, "mips64el-linux-gnuabi64-gcc-12") for name in ("mips64el", "mipsn32el", "mipsel")),
    *((name, "mips64-linux-gnuabi64-gcc-12") for name in ("mips64", "mips")),
    *((name, "sparc64-linux-gnu-gcc-12") for name in ("sparc64", "sparc")),
    ("m68k", "m68k-linux-gnu-gcc-12"),
    ("xtensa", "xtensa-lx106-elf-gcc"),
    *((name, "gcc-12") for name in ("i386", "x86_64")),
]


def compile_unit(source: Path, target: Machine, cc: str, output: Path, *options: str) -> None:
    command = _command(cc)
    if command is None:
        pytest.skip(f"{cc} is not installed")
    if cc == "gcc-12" and platform.machine() not in target.hosts:
        pytest.skip(f"{cc} is not for {target.name}")
    flags = target.flags if "gcc" in cc else (f"--target={target.triple}", *target.flags)
    build = ("-ffreestanding", "-fno-pic", "-fno-stack-protector", "-Werror", *options, "-c", str(source))
    done = child.run((*command, *flags, *build, "-o", str(output)), timeout=60)
    assert done.ok, done.stderr.decode()


def build(name: str, cc: str, folder: Path) -> Built:
    target = machine(name)
    compile_unit(UNIT, target, cc, folder / "unit.o", "-O1")
    trusted = trusted_or_skip(target)
    done = link([folder / "unit.o"], runtime_objects(target, trusted), folder / "image", trusted)
    assert done.ok, done.stderr.decode()
    executors = find(target.name)
    if not executors:
        pytest.skip(f"no executor for {name}")
    return Built(target, folder / "image", executors if cc == first(name) else executors[:1])


def first(name: str) -> str | None:
    """The first compiler for a machine that is installed."""
    return next((cc for each, cc in SUBJECTS if each == name and _command(cc) is not None), None)


@pytest.fixture(scope="session", params=SUBJECTS, ids="-".join)
def built(request, tmp_path_factory) -> Built:
    """The image of `unit.c` as one compiler builds it."""
    return build(*request.param, tmp_path_factory.mktemp("image"))


@pytest.fixture(
    scope="session", params=[each for each in SUBJECTS if each[0] in ("i386", "x86_64")], ids="-".join
)
def x86(request, tmp_path_factory) -> Built:
    """The image of `unit.c` for an x86, as one compiler builds it."""
    return build(*request.param, tmp_path_factory.mktemp("image"))


@pytest.fixture(
    scope="session",
    params=[each for each in SUBJECTS if each[0].startswith("riscv") and not each[0].endswith("e")],
    ids="-".join,
)
def riscv(request, tmp_path_factory) -> Built:
    """The image of `unit.c` for a RISC-V with floating point, as one compiler builds it."""
    return build(*request.param, tmp_path_factory.mktemp("image"))


@pytest.fixture(scope="session", params=[each for each in SUBJECTS if each[0] == "x86_64"], ids="-".join)
def x86_64(request, tmp_path_factory) -> Built:
    """The image of `unit.c` for x86-64, as one compiler builds it."""
    return build(*request.param, tmp_path_factory.mktemp("image"))


@pytest.fixture(scope="session", params=[each for each in SUBJECTS if each[0] == "i386"], ids="-".join)
def i386(request, tmp_path_factory) -> Built:
    """The image of `unit.c` for i386, as one compiler builds it."""
    return build(*request.param, tmp_path_factory.mktemp("image"))


@pytest.fixture(scope="session", params=IMAGES)
def built_once(request, tmp_path_factory) -> Built:
    """The image of `unit.c` as the first compiler builds it."""
    cc = first(request.param)
    if cc is None:
        pytest.skip(f"no compiler for {request.param}")
    return build(request.param, cc, tmp_path_factory.mktemp("image"))


@pytest.fixture(
    scope="session", params=[each for each in SUBJECTS if each[0] == "aarch64_ilp32"], ids="-".join
)
def aarch64_ilp32(request, tmp_path_factory) -> Built:
    """The image of `unit.c` for a machine whose registers are wider than addresses."""
    return build(*request.param, tmp_path_factory.mktemp("image"))
