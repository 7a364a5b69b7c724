"""AArch64 as the runtime sees it: the general-purpose registers, and the SIMD and floating-point registers whole."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from abiprobe.harness.machines.runtime.description import Machine, Slot, numbered, slots

_GENERAL_BYTES, _SIMD_BYTES = 8, 16
_SP = 31 * _GENERAL_BYTES
_SIMD = _SP + _GENERAL_BYTES
_STATE_BYTES = _SIMD + 32 * _SIMD_BYTES

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
MACHINES = (AARCH64, AARCH64_BE)
