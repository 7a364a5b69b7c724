"""s390x as the runtime sees it: the general registers and the vector registers.

The left halves of the first sixteen vector registers are the floating-point registers, and known by their names.
"""

from __future__ import annotations

from types import MappingProxyType

from abiprobe.harness.machines.runtime.description import Machine, filed, numbered, slots
from abiprobe.oracles.text.place import RegisterFile

_WORD, _VECTOR = 8, 16
_VECTORS = 16 * _WORD
_STATE_BYTES = _VECTORS + 32 * _VECTOR

_RIGHT = " ".join(f"v{n}_right" for n in range(16))

S390X = Machine(
    name="s390x",
    pointer=8,
    return_address=0,
    shadow=8,
    linkage=160,
    elf_machine=22,
    sp="r15",
    state_bytes=_STATE_BYTES,
    registers=MappingProxyType(
        {
            **slots(numbered("r", 0, 15), 0, _WORD, _WORD),
            **slots(numbered("f", 0, 15), _VECTORS, _WORD, _VECTOR),
            **slots(_RIGHT, _VECTORS + _WORD, _WORD, _VECTOR),
            **slots(numbered("v", 16, 31), _VECTORS + 16 * _VECTOR, _VECTOR, _VECTOR),
        }
    ),
    files=filed(
        (RegisterFile.GENERAL, numbered("r", 0, 15)),
        (RegisterFile.FLOATING, numbered("f", 0, 15)),
        (RegisterFile.VECTOR, f"{_RIGHT} {numbered('v', 16, 31)}"),
    ),
    initial=bytes(_STATE_BYTES),
    steady=frozenset({"r15"}),
    order="big",
    assembly="s390x.S",
    hosts=frozenset({"s390x"}),
    triple="s390x-linux-musl",
    flags=("-march=z13",),
    oldest_clang=13,
    oldest_lld=18,
    gcc=("s390x-linux-gnu-gcc",),
    ld=("s390x-linux-gnu-ld",),
    emulation="elf64_s390",
)
MACHINES = (S390X,)
