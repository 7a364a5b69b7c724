"""Xtensa without register windows as the runtime sees it: sixteen address registers, little-endian."""

from __future__ import annotations

from types import MappingProxyType

from abiprobe.harness.machines.runtime.description import Machine, filed, numbered, slots
from abiprobe.oracles.text.place import RegisterFile

_WORD = 4
_REGISTERS = f"a0 sp {numbered('a', 2, 15)}"
_STATE_BYTES = 16 * _WORD

XTENSA = Machine(
    name="xtensa",
    pointer=_WORD,
    return_address=0,
    elf_machine=94,
    sp="sp",
    state_bytes=_STATE_BYTES,
    registers=MappingProxyType(slots(_REGISTERS, 0, _WORD, _WORD)),
    files=filed((RegisterFile.GENERAL, _REGISTERS)),
    initial=bytes(_STATE_BYTES),
    steady=frozenset({"sp"}),
    assembly="xtensa.S",
    hosts=frozenset(),
    triple="",
    flags=(),
    lld=False,
    gcc=("xtensa-lx106-elf-gcc",),
    ld=("xtensa-lx106-elf-ld",),
    emulation="elf32xtensa",
)
MACHINES = (XTENSA,)
