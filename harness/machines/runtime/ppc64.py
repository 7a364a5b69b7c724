"""64-bit PowerPC as the runtime sees it: the general, the floating-point and the vector registers.

The floating-point registers hold a `float` as the `double` of the same value. Of a register of the vector-scalar unit that
a floating-point register is the left half of, the right half is left out.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from abiprobe.harness.machines.runtime.description import Machine, Slot, filed, numbered, slots
from abiprobe.oracles.text.place import RegisterFile

_WORD, _VECTOR = 8, 16
_REALS = 32 * _WORD
_VECTORS = _REALS + 32 * _WORD
_LINK = _VECTORS + 32 * _VECTOR
# Behind the registers is the address to return to, and what keeps the next block aligned.
_STATE_BYTES = _LINK + 2 * _WORD

PPC64LE = Machine(
    name="ppc64le",
    pointer=8,
    return_address=0,
    elf_machine=21,
    sp="r1",
    state_bytes=_STATE_BYTES,
    registers=MappingProxyType(
        {
            **slots(numbered("r", 0, 31), 0, _WORD, _WORD),
            **slots(numbered("f", 0, 31), _REALS, _WORD, _WORD),
            **slots(numbered("v", 0, 31), _VECTORS, _VECTOR, _VECTOR),
            "lr": Slot(_LINK, _WORD),
        }
    ),
    files=filed(
        (RegisterFile.GENERAL, f"{numbered('r', 0, 31)} lr"),
        (RegisterFile.FLOATING, numbered("f", 0, 31)),
        (RegisterFile.VECTOR, numbered("v", 0, 31)),
    ),
    initial=bytes(_STATE_BYTES),
    steady=frozenset({"r1", "r2", "r12", "r13", "lr"}),
    doubles=frozenset(numbered("f", 0, 31).split()),
    # A function saves CR and LR behind the back chain of its caller.
    shadow=_WORD,
    assembly="ppc64.S",
    hosts=frozenset({"ppc64le"}),
    triple="powerpc64le-linux-musl",
    flags=("-mcpu=power8",),
    linkage=96,
    gcc=("powerpc64le-linux-gnu-gcc", "powerpc64le-linux-gnu-gcc-12"),
    ld=("powerpc64le-linux-gnu-ld",),
    emulation="elf64lppc",
)
PPC64 = replace(
    PPC64LE,
    name="ppc64",
    steady=PPC64LE.steady - {"r12"},
    order="big",
    linkage=112,
    hosts=frozenset({"ppc64"}),
    triple="powerpc64-linux-gnu",
    lld=False,
    gcc=("powerpc64-linux-gnu-gcc", "powerpc64-linux-gnu-gcc-12"),
    ld=("powerpc64-linux-gnu-ld",),
    emulation="elf64ppc",
)
"""By ELFv1, whose function descriptors lld does not know."""
MACHINES = (PPC64LE, PPC64)
