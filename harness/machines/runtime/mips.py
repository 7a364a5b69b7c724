"""32-bit MIPS as the runtime sees it: the general and the floating-point registers, by their names in the o32 convention."""

from __future__ import annotations

from types import MappingProxyType

from abiprobe.harness.machines.runtime.description import Machine, numbered, slots

_WORD = 4
_GENERAL = f"at {numbered('v', 0, 1)} {numbered('a', 0, 3)} {numbered('t', 0, 7)} {numbered('s', 0, 7)} t8 t9 k0 k1 gp sp s8 ra"
_STATE_BYTES = 64 * _WORD

MIPSEL = Machine(
    name="mipsel",
    pointer=_WORD,
    return_address=0,
    # The first four words of arguments have their places on the stack, though they are in registers.
    linkage=16,
    elf_machine=8,
    sp="sp",
    state_bytes=_STATE_BYTES,
    # The slot of $0 is unused. Two registers hold a double.
    registers=MappingProxyType(
        {
            **slots(_GENERAL, _WORD, _WORD, _WORD),
            **slots(numbered("f", 0, 31), 32 * _WORD, _WORD, _WORD),
        }
    ),
    initial=bytes(_STATE_BYTES),
    steady=frozenset({"sp", "t9", "k0", "k1", "gp", "ra"}),
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
MACHINES = (MIPSEL,)
