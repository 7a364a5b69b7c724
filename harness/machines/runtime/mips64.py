"""64-bit MIPS as the runtime sees it: the general and the floating-point registers, by their names in the n64 and n32 conventions."""

from __future__ import annotations

from dataclasses import replace

from abiprobe.harness.machines.runtime.description import Machine, numbered
from abiprobe.harness.machines.runtime.mips import STEADY, files, registers

_WORD = 8
_GENERAL = f"at {numbered('v', 0, 1)} {numbered('a', 0, 7)} {numbered('t', 0, 3)} {numbered('s', 0, 7)} t8 t9 k0 k1 gp sp s8 ra"
_STATE_BYTES = 64 * _WORD

MIPS64EL = Machine(
    name="mips64el",
    pointer=_WORD,
    return_address=0,
    elf_machine=8,
    sp="sp",
    state_bytes=_STATE_BYTES,
    registers=registers(_GENERAL, _WORD),
    files=files(_GENERAL),
    initial=bytes(_STATE_BYTES),
    steady=STEADY,
    assembly="mips64.S",
    hosts=frozenset(),
    triple="mips64el-linux-gnuabi64",
    flags=("-march=mips64r2", "-mabi=64", "-mno-abicalls", "-G0"),
    gcc=("mips64el-linux-gnuabi64-gcc", "mips64el-linux-gnuabi64-gcc-12"),
    ld=("mips64el-linux-gnuabi64-ld",),
    emulation="elf64ltsmip",
)
MIPSN32EL = replace(
    MIPS64EL,
    name="mipsn32el",
    pointer=4,
    wide_word=_WORD,
    triple="mips64el-linux-gnuabin32",
    flags=("-march=mips64r2", "-mabi=n32", "-mno-abicalls", "-G0"),
    emulation="elf32ltsmipn32",
)
MIPS64 = replace(
    MIPS64EL,
    name="mips64",
    order="big",
    triple="mips64-linux-gnuabi64",
    gcc=("mips64-linux-gnuabi64-gcc", "mips64-linux-gnuabi64-gcc-12"),
    ld=("mips64-linux-gnuabi64-ld",),
    emulation="elf64btsmip",
)
MACHINES = (MIPS64EL, MIPSN32EL, MIPS64)
