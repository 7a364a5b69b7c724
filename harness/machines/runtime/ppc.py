"""32-bit PowerPC as the runtime sees it: the general and the floating-point registers, without vectors.

The floating-point registers hold a `float` as the `double` of the same value.
"""

from __future__ import annotations

from types import MappingProxyType

from abiprobe.harness.machines.runtime.description import Machine, Slot, numbered, slots

_WORD, _REAL = 4, 8
_REALS = 32 * _WORD
_LINK = _REALS + 32 * _REAL
# Behind the registers is the address to return to, and what keeps the next block aligned.
_STATE_BYTES = _LINK + 4 * _WORD

PPC = Machine(
    name="ppc",
    pointer=_WORD,
    return_address=0,
    linkage=8,
    elf_machine=20,
    sp="r1",
    state_bytes=_STATE_BYTES,
    registers=MappingProxyType(
        {
            **slots(numbered("r", 0, 31), 0, _WORD, _WORD),
            **slots(numbered("f", 0, 31), _REALS, _REAL, _REAL),
            "lr": Slot(_LINK, _WORD),
        }
    ),
    initial=bytes(_STATE_BYTES),
    steady=frozenset({"r1", "r2", "r13", "lr"}),
    order="big",
    doubles=frozenset(numbered("f", 0, 31).split()),
    assembly="ppc.S",
    hosts=frozenset(),
    triple="powerpc-linux-musl",
    flags=(),
    gcc=("powerpc-linux-gnu-gcc", "powerpc-linux-gnu-gcc-12"),
    ld=("powerpc-linux-gnu-ld",),
    emulation="elf32ppclinux",
)
MACHINES = (PPC,)
