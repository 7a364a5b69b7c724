"""32-bit PowerPC as the runtime sees it: the general, the floating-point and the vector registers, and the condition register.

The floating-point registers hold a `float` as the `double` of the same value. Bit 6 of the condition register, in which a
call tells something, is a register of its own beside it: the least significant bit of a byte.
"""

from __future__ import annotations

from types import MappingProxyType

from abiprobe.harness.machines.runtime.description import Machine, Slot, filed, numbered, slots
from abiprobe.oracles.text.place import RegisterFile

_WORD, _REAL, _VECTOR = 4, 8, 16
_REALS = 32 * _WORD
_VECTORS = _REALS + 32 * _REAL
_LINK = _VECTORS + 32 * _VECTOR
_CONDITION = _LINK + _WORD
_CONDITION_BIT = _CONDITION + _WORD
# Behind them is what keeps the next block aligned.
_STATE_BYTES = _LINK + 4 * _WORD

PPC = Machine(
    name="ppc",
    pointer=_WORD,
    return_address=0,
    linkage=8,
    # A function saves LR behind the back chain of its caller.
    shadow=_WORD,
    elf_machine=20,
    sp="r1",
    state_bytes=_STATE_BYTES,
    registers=MappingProxyType(
        {
            **slots(numbered("r", 0, 31), 0, _WORD, _WORD),
            **slots(numbered("f", 0, 31), _REALS, _REAL, _REAL),
            **slots(numbered("v", 0, 31), _VECTORS, _VECTOR, _VECTOR),
            "lr": Slot(_LINK, _WORD),
            "cr": Slot(_CONDITION, _WORD),
            "cr.6": Slot(_CONDITION_BIT, 1),
        }
    ),
    files=filed(
        (RegisterFile.GENERAL, f"{numbered('r', 0, 31)} lr"),
        (RegisterFile.FLOATING, numbered("f", 0, 31)),
        (RegisterFile.VECTOR, numbered("v", 0, 31)),
        (RegisterFile.CONTROL, "cr cr.6"),
    ),
    initial=bytes(_STATE_BYTES),
    steady=frozenset({"r1", "r2", "lr"}),
    order="big",
    signals=True,
    doubles=frozenset(numbered("f", 0, 31).split()),
    assembly="ppc.S",
    hosts=frozenset(),
    triple="powerpc-linux-musl",
    flags=("-maltivec",),
    gcc=("powerpc-linux-gnu-gcc", "powerpc-linux-gnu-gcc-12"),
    ld=("powerpc-linux-gnu-ld",),
    emulation="elf32ppclinux",
)
MACHINES = (PPC,)
