"""The registers that functions of 64-bit PowerPC leave as they found them, the same by both of its ELF ABIs."""

from __future__ import annotations

from abiprobe.oracles.model import Preserved


def preserved(general: str, floating: str, vector: str) -> tuple[Preserved, ...]:
    """r14 to r31, f14 to f31 and v20 to v31, each by the clause that says so of its kind."""
    return (
        *(Preserved(f"r{number}", general) for number in range(14, 32)),
        *(Preserved(f"f{number}", floating) for number in range(14, 32)),
        *(Preserved(f"v{number}", vector) for number in range(20, 32)),
    )
