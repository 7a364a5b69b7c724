"""64-bit SPARC as the runtime sees it: globals, outs, the locals and ins of who calls, and floating-point registers.

The upper half of the floating-point registers has double-word names only. The stack pointer is told without its bias.
"""

from __future__ import annotations

from types import MappingProxyType

from abiprobe.harness.machines.runtime.description import Machine, Slot, filed, numbered, slots
from abiprobe.oracles.text.place import RegisterFile

_WORD, _SINGLE = 8, 4
_OUTS, _LOCALS, _REALS = 8 * _WORD, 16 * _WORD, 32 * _WORD
_STATE_BYTES = _REALS + 64 * _SINGLE
_DOUBLES = " ".join(f"d{number}" for number in range(32, 64, 2))

SPARC64 = Machine(
    name="sparc64",
    pointer=_WORD,
    return_address=0,
    linkage=176,
    elf_machine=43,
    sp="sp",
    state_bytes=_STATE_BYTES,
    registers=MappingProxyType(
        {
            **slots(numbered("g", 1, 5), _WORD, _WORD, _WORD),
            **slots(numbered("o", 0, 5), _OUTS, _WORD, _WORD),
            "sp": Slot(_OUTS + 6 * _WORD, _WORD),
            "o7": Slot(_OUTS + 7 * _WORD, _WORD),
            **slots(f"{numbered('l', 0, 7)} {numbered('i', 0, 7)}", _LOCALS, _WORD, _WORD),
            **slots(numbered("f", 0, 31), _REALS, _SINGLE, _SINGLE),
            **slots(_DOUBLES, _REALS + 32 * _SINGLE, _WORD, _WORD),
        }
    ),
    files=filed(
        (
            RegisterFile.GENERAL,
            f"{numbered('g', 1, 5)} {numbered('o', 0, 5)} sp o7 {numbered('l', 0, 7)} {numbered('i', 0, 7)}",
        ),
        (RegisterFile.FLOATING, f"{numbered('f', 0, 31)} {_DOUBLES}"),
    ),
    initial=bytes(_STATE_BYTES),
    steady=frozenset({"sp", "o7", "i6", "i7"}),
    # The words of the parameter array that %o registers correspond to, behind the save area of a register window.
    shadow=16 * _WORD,
    order="big",
    assembly="sparc64.S",
    hosts=frozenset({"sparc64"}),
    triple="sparc64-linux-gnu",
    # lld does not know all relocations that gcc writes.
    lld=False,
    flags=(),
    gcc=("sparc64-linux-gnu-gcc", "sparc64-linux-gnu-gcc-12"),
    ld=("sparc64-linux-gnu-ld",),
    emulation="elf64_sparc",
    signals=True,
)
MACHINES = (SPARC64,)
