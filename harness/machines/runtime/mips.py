"""32-bit MIPS as the runtime sees it: the general and the floating-point registers, by their names in the o32 convention."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from abiprobe.harness.machines.runtime.description import Machine, Slot, filed, numbered, slots
from abiprobe.oracles.text.place import Files, RegisterFile

_WORD = 4
_GENERAL = f"at {numbered('v', 0, 1)} {numbered('a', 0, 3)} {numbered('t', 0, 7)} {numbered('s', 0, 7)} t8 t9 k0 k1 gp sp s8 ra"
_STATE_BYTES = 64 * _WORD
STEADY = frozenset({"sp", "t9", "k0", "k1", "gp", "ra"})


def registers(general: str, word: int) -> Mapping[str, Slot]:
    """The slots of $1 to $31 by their names and of $f0 to $f31, each a `word` (bytes) wide; that of $0 is unused."""
    return MappingProxyType(
        {**slots(general, word, word, word), **slots(numbered("f", 0, 31), 32 * word, word, word)}
    )


def files(general: str) -> Files:
    """The files of $1 to $31 by their names and of $f0 to $f31: a called function preserves $s0 to $s8."""
    return filed(
        (RegisterFile.GENERAL, general),
        (RegisterFile.SAVED, numbered("s", 0, 8)),
        (RegisterFile.FLOATING, numbered("f", 0, 31)),
    )


MIPSEL = Machine(
    name="mipsel",
    pointer=_WORD,
    return_address=0,
    # The first four words of arguments have their places on the stack, though they are in registers.
    linkage=16,
    elf_machine=8,
    sp="sp",
    state_bytes=_STATE_BYTES,
    # Two of $f0 to $f31 hold a double.
    registers=registers(_GENERAL, _WORD),
    files=files(_GENERAL),
    initial=bytes(_STATE_BYTES),
    steady=STEADY,
    assembly="mips.S",
    hosts=frozenset(),
    triple="mipsel-linux-gnu",
    flags=("-march=mips32r2", "-mabi=32", "-mno-abicalls", "-G0"),
    # The compiler for 64 bits builds for o32 as well.
    gcc=(
        "mipsel-linux-gnu-gcc",
        "mipsel-linux-gnu-gcc-12",
        "mips64el-linux-gnuabi64-gcc",
        "mips64el-linux-gnuabi64-gcc-12",
    ),
    ld=("mipsel-linux-gnu-ld", "mips64el-linux-gnuabi64-ld"),
    emulation="elf32ltsmip",
)
MIPS = replace(
    MIPSEL,
    name="mips",
    order="big",
    # The first word of a double in memory is in the odd one of its two registers.
    registers=MappingProxyType(
        {
            name: MIPSEL.registers[f"f{int(name[1:]) ^ 1}"] if re.fullmatch(r"f\d+", name) else slot
            for name, slot in MIPSEL.registers.items()
        }
    ),
    triple="mips-linux-gnu",
    gcc=(
        "mips-linux-gnu-gcc",
        "mips-linux-gnu-gcc-12",
        "mips64-linux-gnuabi64-gcc",
        "mips64-linux-gnuabi64-gcc-12",
    ),
    ld=("mips-linux-gnu-ld", "mips64-linux-gnuabi64-ld"),
    emulation="elf32btsmip",
)
MACHINES = (MIPSEL, MIPS)
