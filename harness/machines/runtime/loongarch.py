"""LoongArch as the runtime sees it: LA64 with double precision, without its vector extensions, for each ABI that a linker tells apart.

LP64S keeps the floating-point registers, so that what a compiler leaves there is seen too.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from abiprobe.harness.machines.runtime.description import Machine, numbered, slots

_BYTES = 8
_GENERAL = f"ra tp sp {numbered('a', 0, 7)} {numbered('t', 0, 8)} r21 s9 {numbered('s', 0, 8)}"
_FLOATING = f"{numbered('fa', 0, 7)} {numbered('ft', 0, 15)} {numbered('fs', 0, 7)}"
_STATE_BYTES = 64 * _BYTES

LOONGARCH64 = Machine(
    name="loongarch64",
    abi="lp64d",
    pointer=8,
    return_address=0,
    elf_machine=258,
    sp="sp",
    state_bytes=_STATE_BYTES,
    # The slot of r0 is unused.
    registers=MappingProxyType(
        {**slots(_GENERAL, _BYTES, _BYTES, _BYTES), **slots(_FLOATING, 32 * _BYTES, _BYTES, _BYTES)}
    ),
    initial=bytes(_STATE_BYTES),
    steady=frozenset({"sp", "tp", "r21"}),
    assembly="loongarch.S",
    hosts=frozenset({"loongarch64"}),
    triple="loongarch64-linux-musl",
    flags=("-mno-lsx", "-mno-relax"),
    oldest_clang=17,
    oldest_lld=17,
    gcc=("loongarch64-linux-gnu-gcc",),
    ld=("loongarch64-linux-gnu-ld",),
    emulation="elf64loongarch",
)
LOONGARCH64_SOFT = replace(
    LOONGARCH64, abi="lp64s", triple="loongarch64-linux-gnusf", flags=("-mabi=lp64s", *LOONGARCH64.flags)
)
MACHINES = (LOONGARCH64, LOONGARCH64_SOFT)
