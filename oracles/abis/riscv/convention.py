"""The differences between RISC-V calling conventions: register widths and argument registers."""

from __future__ import annotations

from dataclasses import dataclass

INTEGER_ARGUMENTS = tuple(f"a{index}" for index in range(8))
FLOAT_ARGUMENTS = tuple(f"fa{index}" for index in range(8))
INTEGER_SAVED = tuple(f"s{index}" for index in range(12))
FLOAT_SAVED = tuple(f"fs{index}" for index in range(12))


@dataclass(frozen=True)
class Convention:
    """A named ABI: register widths (`xlen`, `abi_flen`, the ISA's `flen`) and stack alignment in bytes.

    `abi_flen` is 0 without hardware floating point. `saved` are the callee-saved integer registers, without sp.
    """

    name: str
    xlen: int
    abi_flen: int
    flen: int
    stack_align: int = 16
    integers: tuple[str, ...] = INTEGER_ARGUMENTS
    floats: tuple[str, ...] = FLOAT_ARGUMENTS
    saved: tuple[str, ...] = INTEGER_SAVED


LP64 = Convention("lp64", xlen=8, abi_flen=0, flen=8)
LP64F = Convention("lp64f", xlen=8, abi_flen=4, flen=8)
LP64D = Convention("lp64d", xlen=8, abi_flen=8, flen=8)
ILP32 = Convention("ilp32", xlen=4, abi_flen=0, flen=8)
ILP32F = Convention("ilp32f", xlen=4, abi_flen=4, flen=8)
ILP32D = Convention("ilp32d", xlen=4, abi_flen=8, flen=8)
ILP32E = Convention(
    "ilp32e",
    xlen=4,
    abi_flen=0,
    flen=0,
    stack_align=4,
    integers=INTEGER_ARGUMENTS[:6],
    saved=INTEGER_SAVED[:2],
)
LP64E = Convention(
    "lp64e",
    xlen=8,
    abi_flen=0,
    flen=0,
    stack_align=8,
    integers=INTEGER_ARGUMENTS[:6],
    saved=INTEGER_SAVED[:2],
)
LP64Q = Convention("lp64q", xlen=8, abi_flen=16, flen=16)
