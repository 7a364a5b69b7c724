"""The registers that a function of AArch64 preserves (AAPCS64 6.1, 6.4.5.2)."""

from __future__ import annotations

from dataclasses import replace

from abiprobe.oracles.model import CallerFrame, Preserved, PreservedBy, RegisterConvention, SymbolMark
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
PRESERVED = cite("registers.preserved")
PRESERVED_VECTOR = cite("registers.preserved-vector")
PRESERVED_SCALABLE = cite("registers.preserved-scalable")
VARIANT = SymbolMark("STO_AARCH64_VARIANT_PCS", 0x80, "variant_pcs", cite("registers.mark"))
BOTTOM_HALF = 8
"""Bytes of v8 to v15 that a function preserves."""


def registers(*of_platform: Preserved) -> RegisterConvention:
    """The convention of the standard, and what a platform adds to it."""
    return RegisterConvention(
        (
            *of_platform,
            *(Preserved(f"x{number}", PRESERVED) for number in range(19, 30)),
            *(Preserved(f"v{number}", PRESERVED_VECTOR, BOTTOM_HALF) for number in range(8, 16)),
        ),
        PRESERVED,
        16,
        cite("stack.alignment"),
        caller_frame=CallerFrame(cite("stack.frame")),
    )


@implements("registers.preserved-scalable", "registers.mark")
def sve_registers() -> RegisterConvention:
    """The same with SVE: functions with values in scalable registers preserve more of these."""
    plain = registers()
    general = tuple(one for one in plain.preserved if one.clause == PRESERVED)
    # [aapcs64:registers.preserved-scalable]
    kept = tuple(Preserved(name, PRESERVED_SCALABLE) for name in (*named("z", 8, 24), *named("p", 4, 16)))
    carriers = frozenset((*named("z", 0, 8), *named("p", 0, 4)))
    # [aapcs64:registers.mark]
    return replace(plain, other=PreservedBy(carriers, (*general, *kept), VARIANT))


def named(prefix: str, first: int, end: int) -> tuple[str, ...]:
    """Registers in a row by their names."""
    return tuple(f"{prefix}{number}" for number in range(first, end))
