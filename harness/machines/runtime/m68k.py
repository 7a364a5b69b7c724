"""m68k as the runtime sees it: data, address and floating-point registers.

A floating-point register is 10 bytes: the sign with 15 bits of exponent, and 64 of significand.
"""

from __future__ import annotations

from types import MappingProxyType

from abiprobe.harness.machines.runtime.description import Machine, Slot, filed, numbered, slots
from abiprobe.oracles.text.place import RegisterFile

_WORD, _REAL, _STORED = 4, 10, 12
_DATA, _ADDRESSES = numbered("d", 0, 7), f"{numbered('a', 0, 6)} sp"
_REALS = 16 * _WORD
# Behind them nothing is needed to keep the next block aligned.
_STATE_BYTES = _REALS + 8 * _STORED

M68K = Machine(
    name="m68k",
    pointer=_WORD,
    return_address=_WORD,
    elf_machine=4,
    sp="sp",
    state_bytes=_STATE_BYTES,
    registers=MappingProxyType(
        {
            **slots(_DATA, 0, _WORD, _WORD),
            **slots(_ADDRESSES, 8 * _WORD, _WORD, _WORD),
            **{f"fp{n}": Slot(_REALS + n * _STORED + _STORED - _REAL, _REAL) for n in range(8)},
        }
    ),
    files=filed(
        (RegisterFile.GENERAL, f"{_DATA} {_ADDRESSES}"),
        (RegisterFile.FLOATING, numbered("fp", 0, 7)),
    ),
    initial=bytes(_STATE_BYTES),
    steady=frozenset({"sp"}),
    order="big",
    assembly="m68k.S",
    hosts=frozenset(),
    triple="",
    flags=(),
    lld=False,
    gcc=("m68k-linux-gnu-gcc", "m68k-linux-gnu-gcc-12"),
    ld=("m68k-linux-gnu-ld",),
    emulation="m68kelf",
)
MACHINES = (M68K,)
