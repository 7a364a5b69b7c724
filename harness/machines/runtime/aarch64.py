"""AArch64 as the runtime sees it: the general-purpose registers, and the SIMD and floating-point registers whole.

With SVE, those are the beginnings of the scalable vector registers. Under ILP32 addresses have 4 bytes, and registers those of LP64.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from abiprobe.harness.machines.runtime.description import Machine, Slot, filed, numbered, slots
from abiprobe.oracles.language.sve import SVE_BITS
from abiprobe.oracles.text.place import RegisterFile

_GENERAL_BYTES, _SIMD_BYTES = 8, 16
_SP = 31 * _GENERAL_BYTES
_SIMD = _SP + _GENERAL_BYTES
_STATE_BYTES = _SIMD + 32 * _SIMD_BYTES
_VECTOR_BYTES, _PREDICATE_BYTES = SVE_BITS // 8, SVE_BITS // 64
"""Of scalable registers. A vector register is longer than a SIMD register, so that a function which preserves only that shows."""
_PREDICATES = _SIMD + 32 * _VECTOR_BYTES
_SVE_STATE_BYTES = _PREDICATES + 16 * _PREDICATE_BYTES

AARCH64 = Machine(
    name="aarch64",
    pointer=8,
    return_address=0,
    elf_machine=183,
    sp="sp",
    state_bytes=_STATE_BYTES,
    registers=MappingProxyType(
        {
            **slots(numbered("x", 0, 30), 0, _GENERAL_BYTES, _GENERAL_BYTES),
            "sp": Slot(_SP, _GENERAL_BYTES),
            **slots(numbered("v", 0, 31), _SIMD, _SIMD_BYTES, _SIMD_BYTES),
        }
    ),
    files=filed(
        (RegisterFile.GENERAL, f"{numbered('x', 0, 30)} sp"), (RegisterFile.VECTOR, numbered("v", 0, 31))
    ),
    initial=bytes(_STATE_BYTES),
    steady=frozenset({"sp"}),
    assembly="aarch64.S",
    signals=True,
    hosts=frozenset({"aarch64"}),
    triple="aarch64-linux-musl",
    flags=("-mno-outline-atomics",),
    gcc=("aarch64-linux-gnu-gcc",),
    ld=("aarch64-linux-gnu-ld",),
    emulation="aarch64linux",
)
AARCH64_BE = replace(
    AARCH64,
    name="aarch64_be",
    order="big",
    hosts=frozenset({"aarch64_be"}),
    triple="aarch64_be-linux-musl",
    gcc=("aarch64_be-linux-gnu-gcc",),
    ld=("aarch64_be-linux-gnu-ld", "aarch64-linux-gnu-ld"),
    emulation="aarch64linuxb",
)
AARCH64_SVE = replace(
    AARCH64,
    name="aarch64_sve",
    state_bytes=_SVE_STATE_BYTES,
    registers=MappingProxyType(
        {
            # A part of a register stands behind the whole.
            **slots(numbered("z", 0, 31), _SIMD, _VECTOR_BYTES, _VECTOR_BYTES),
            **slots(numbered("p", 0, 15), _PREDICATES, _PREDICATE_BYTES, _PREDICATE_BYTES),
            **AARCH64.registers,
            **slots(numbered("v", 0, 31), _SIMD, _SIMD_BYTES, _VECTOR_BYTES),
        }
    ),
    files=MappingProxyType(
        {
            **AARCH64.files,
            **filed(
                (RegisterFile.VECTOR, numbered("z", 0, 31)), (RegisterFile.PREDICATE, numbered("p", 0, 15))
            ),
        }
    ),
    initial=bytes(_SVE_STATE_BYTES),
    # A processor may have registers of another length.
    hosts=frozenset(),
    flags=(*AARCH64.flags, "-march=armv8-a+sve"),
)
AARCH64_ILP32 = replace(
    AARCH64,
    name="aarch64_ilp32",
    pointer=4,
    wide_word=_GENERAL_BYTES,
    signals=False,
    # No kernel of Linux that people have runs its programs.
    hosts=frozenset(),
    # clang has the types of LP64 for its triple, and lld no emulation.
    triple="",
    flags=(*AARCH64.flags, "-mabi=ilp32"),
    lld=False,
    gcc=("aarch64-linux-gnu-gcc", *(f"aarch64-linux-gnu-gcc-{version}" for version in range(16, 11, -1))),
    emulation="aarch64linux32",
)
MACHINES = (AARCH64, AARCH64_BE, AARCH64_SVE, AARCH64_ILP32)
