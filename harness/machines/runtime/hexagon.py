"""Hexagon as the runtime sees it: general registers, and the predicates p3:0 as one (p); no vector registers.

Version 67 is the latest that qemu 7.2 knows by the flags of a file.
"""

from __future__ import annotations

from types import MappingProxyType

from abiprobe.harness.machines.runtime.description import Machine, filed, numbered, slots
from abiprobe.oracles.text.place import RegisterFile

_WORD = 4
_NAMES = f"{numbered('r', 0, 31)} p"
# A multiple of 16, as every block is one.
_STATE_BYTES = 36 * _WORD

HEXAGON = Machine(
    name="hexagon",
    pointer=_WORD,
    return_address=0,
    elf_machine=164,
    sp="r29",
    state_bytes=_STATE_BYTES,
    registers=MappingProxyType(slots(_NAMES, 0, _WORD, _WORD)),
    files=filed(
        (RegisterFile.GENERAL, numbered("r", 0, 31)),
        (RegisterFile.SAVED, numbered("r", 16, 27)),
        (RegisterFile.CONTROL, "p"),
    ),
    initial=bytes(_STATE_BYTES),
    steady=frozenset({"r29"}),
    assembly="hexagon.S",
    hosts=frozenset(),
    triple="hexagon-unknown-elf",
    flags=("-mv67", "-G0"),
    oldest_clang=13,
    oldest_lld=22,
    gcc=(),
    ld=(),
    emulation="hexagonelf",
)
MACHINES = (HEXAGON,)
