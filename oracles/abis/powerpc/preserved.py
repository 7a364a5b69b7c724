"""The registers that functions of PowerPC leave as they found them: the same by both 64-bit ELF ABIs, and nearly so on 32 bits."""

from __future__ import annotations

from abiprobe.oracles.model import Preserved


def preserved(general: str, floating: str, vector: str, first: int = 14) -> tuple[Preserved, ...]:
    """The general registers from number `first` to r31, f14 to f31 and v20 to v31, each by the clause that says so of its kind."""
    return (
        *(Preserved(f"r{number}", general) for number in range(first, 32)),
        *(Preserved(f"f{number}", floating) for number in range(14, 32)),
        *(Preserved(f"v{number}", vector) for number in range(20, 32)),
    )
