"""32-bit Arm, without a model: both variants of AAPCS32."""

from __future__ import annotations

from abiprobe.oracles.lang import Kind
from abiprobe.oracles.unmodelled import kept, supposed_data, unmodelled

GENERAL = " ".join(f"r{number}" for number in range(4, 12))
REAL = " ".join(f"s{number}" for number in range(16, 32))
DATA = supposed_data(pointer=4, char_signed=False, long_double=8, without=(Kind.FLOAT128,), biggest=8)

TARGETS = tuple(
    unmodelled(f"arm-{abi}", f"Arm, 32-bit, {title}", f"arm-{abi}", DATA, kept(GENERAL, REAL, stack_align=8))
    for abi, title in (("aapcs", "AAPCS32, base variant"), ("aapcs-vfp", "AAPCS32, VFP variant"))
)
