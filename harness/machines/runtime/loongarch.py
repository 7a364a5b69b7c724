"""LoongArch as the runtime sees it: LA64 without its vector extensions, for each ABI that a linker tells apart.

LP64S keeps the floating-point registers of LP64D, so that what a compiler leaves there is seen too. LP64F has registers of 32
bits, since clang has a double in a floating-point register wherever one is wide enough. The programs of LA32 run on LA64.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from abiprobe.harness.machines.runtime.description import Machine, Slot, filed, numbered, slots
from abiprobe.oracles.text.place import RegisterFile

_BYTES, _SINGLE_BYTES = 8, 4
_NARROW_BYTES = 4
_GENERAL = f"ra tp sp {numbered('a', 0, 7)} {numbered('t', 0, 8)} r21 s9 {numbered('s', 0, 8)}"
_FLOATING = f"{numbered('fa', 0, 7)} {numbered('ft', 0, 15)} {numbered('fs', 0, 7)}"
_STATE_BYTES = 64 * _BYTES
_NARROW_STATE_BYTES = 32 * (_NARROW_BYTES + _BYTES)


def _registers(grlen: int, frlen: int) -> Mapping[str, Slot]:
    """The slots of all registers, general ones of `grlen` bytes and floating-point ones of `frlen`; that of r0 is unused."""
    general = slots(_GENERAL, grlen, grlen, grlen)
    return MappingProxyType(general | slots(_FLOATING, 32 * grlen, frlen, _BYTES))


LOONGARCH64 = Machine(
    name="loongarch64",
    abi="lp64d",
    pointer=8,
    return_address=0,
    elf_machine=258,
    sp="sp",
    state_bytes=_STATE_BYTES,
    registers=_registers(_BYTES, _BYTES),
    files=filed(
        (RegisterFile.GENERAL, f"ra tp sp {numbered('a', 0, 7)} {numbered('t', 0, 8)} r21"),
        (RegisterFile.SAVED, numbered("s", 0, 9)),
        (RegisterFile.FLOATING, _FLOATING),
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
LOONGARCH64_SINGLE = replace(
    LOONGARCH64,
    abi="lp64f",
    triple="loongarch64-linux-gnuf32",
    flags=("-mabi=lp64f", "-mfpu=32", *LOONGARCH64.flags),
    registers=_registers(_BYTES, _SINGLE_BYTES),
)
LOONGARCH64_SOFT = replace(
    LOONGARCH64, abi="lp64s", triple="loongarch64-linux-gnusf", flags=("-mabi=lp64s", *LOONGARCH64.flags)
)
LOONGARCH32 = replace(
    LOONGARCH64,
    name="loongarch32",
    abi="ilp32d",
    pointer=_NARROW_BYTES,
    state_bytes=_NARROW_STATE_BYTES,
    initial=bytes(_NARROW_STATE_BYTES),
    registers=_registers(_NARROW_BYTES, _BYTES),
    hosts=frozenset(),
    triple="loongarch32-linux-musl",
    flags=("-mabi=ilp32d", "-mfpu=64", "-mno-relax"),
    oldest_clang=22,
    oldest_lld=17,
    gcc=(),
    ld=(),
    emulation="elf32loongarch",
)
LOONGARCH32_SOFT = replace(
    LOONGARCH32,
    abi="ilp32s",
    triple="loongarch32-linux-muslsf",
    flags=("-mabi=ilp32s", "-mfpu=64", "-mno-relax"),
)
MACHINES = (LOONGARCH64, LOONGARCH64_SINGLE, LOONGARCH64_SOFT, LOONGARCH32, LOONGARCH32_SOFT)
