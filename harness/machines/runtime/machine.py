"""Every machine by name."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from abiprobe.harness.machines.runtime import (
    aarch64,
    arm,
    hexagon,
    loongarch,
    m68k,
    mips,
    mips64,
    ppc,
    ppc64,
    riscv,
    s390x,
    sparc,
    sparc64,
    wasm,
    x86,
    xtensa,
)
from abiprobe.harness.machines.runtime.arm import ARM
from abiprobe.harness.machines.runtime.description import STACK, Machine, Slot
from abiprobe.harness.machines.runtime.loongarch import LOONGARCH32, LOONGARCH64
from abiprobe.harness.machines.runtime.riscv import RISCV32, RISCV64, RISCV64V
from abiprobe.harness.machines.runtime.x86 import I386, X86_64, x87_depth, x87_result

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "I386",
    "MACHINES",
    "RISCV32",
    "RISCV64",
    "STACK",
    "X86_64",
    "Machine",
    "Slot",
    "machine",
    "x87_depth",
    "x87_result",
]

MACHINES: Mapping[str, Machine] = MappingProxyType(
    {
        each.full_name: each
        for family in (
            aarch64,
            arm,
            hexagon,
            loongarch,
            m68k,
            mips,
            mips64,
            ppc,
            ppc64,
            riscv,
            s390x,
            sparc,
            sparc64,
            wasm,
            x86,
            xtensa,
        )
        for each in family.MACHINES
    }
)
"""Every machine by its full name."""

_USUAL: Mapping[str, Machine] = MappingProxyType(
    {each.name: each for each in (ARM, LOONGARCH32, LOONGARCH64, RISCV32, RISCV64, RISCV64V)}
)


def machine(name: str) -> Machine:
    """The machine called `name`: an instruction set, with an ABI or of its usual one.

    `riscv64-lp64f`; `riscv64` is `riscv64-lp64d`, `riscv32` is `riscv32-ilp32d`, `riscv64v` (with V) is `riscv64v-lp64d`, `arm` is `arm-aapcs-vfp`, `loongarch64` is `loongarch64-lp64d`, `loongarch32` is `loongarch32-ilp32d`; `i386` and `x86_64` have no ABI
    in their names. Raises `KeyError` for any other name.
    """
    return _USUAL.get(name) or MACHINES[name]
