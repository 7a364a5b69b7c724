"""Execution of vector functions: the host's own registers or an emulator's, and the ISAs that they have."""

from __future__ import annotations

from pathlib import Path

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.scratch import cached_with_home
from abiprobe.harness.machines.executors.executor import Absent, Executor
from abiprobe.harness.machines.executors.native import native
from abiprobe.harness.machines.executors.qemu_user import qemu_user
from abiprobe.harness.machines.runtime.build import Trusted, find_trusted, runtime_objects
from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.machines.runtime.x86 import X86_64, X86_64_AVX, X86_64_AVX512
from abiprobe.oracles.abis.vfabi.dialect import Isa

AVX512 = frozenset({"avx512f", "avx512bw", "avx512dq", "avx512vl"})
NARROW = (Isa.SSE,)
MIDDLE = (Isa.SSE, Isa.AVX, Isa.AVX2)


class VectorBench(msgspec.Struct, frozen=True):
    """A machine with its executor, the ISAs that it runs, and the parts of its image."""

    machine: Machine
    executor: Executor
    isas: tuple[Isa, ...]
    trusted: Trusted
    runtime: tuple[Path, ...]


@cached_with_home
def vector_bench(*, emulated: bool = False) -> VectorBench:
    """The widest bench to be had; `emulated` asks for qemu even so. Raises `Problem` when there is none."""
    machine, executor, isas = _chosen(emulated=emulated)
    trusted = find_trusted(machine)
    return VectorBench(machine, executor, isas, trusted, runtime_objects(machine, trusted))


def _chosen(*, emulated: bool) -> tuple[Machine, Executor, tuple[Isa, ...]]:
    host, emulator = native("x86_64"), qemu_user("x86_64")
    flags = processor_flags()
    if not isinstance(host, Absent) and not emulated:
        if flags >= AVX512:
            return X86_64_AVX512, host, tuple(Isa)
        if "avx2" in flags:
            return X86_64_AVX, host, MIDDLE
        if isinstance(emulator, Absent):
            return X86_64, host, NARROW
    if isinstance(emulator, Absent):
        raise Problem("nothing here runs x86-64 vector functions", f"{emulator.reason}")
    # qemu has AVX2 since 7.2, and no AVX-512.
    return X86_64_AVX, emulator, MIDDLE


def processor_flags() -> frozenset[str]:
    """Return the features of the processor, in the kernel's words; empty if the kernel does not list them."""
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        return frozenset()
    line = next((line for line in text.splitlines() if line.startswith("flags")), "")
    return frozenset(line.partition(":")[2].split())
