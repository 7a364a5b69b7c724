"""Compiler families' departures from the Writer's Guide, and their choices where it has no rule."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from abiprobe.oracles.abis.ptx.parameter import Parameter, array, scalar


class BitUnits(Enum):
    """A clang's way to make storage for neighbouring bit-fields in the LLVM type of a record."""

    RUNS = "runs"
    """one integer for each run of bit-fields without a gap between them (clang 18 and before)"""
    ACCESS = "access units"
    """integers that are cheap to access (clang 19 and later)"""


@dataclass(frozen=True)
class Family:
    """The departures of one family; the defaults are the text as written.

    `extensions` says that it passes the types on which the guide is silent. `least_align` (bytes) is the smallest alignment
    that it declares for an aggregate parameter of a device function. `ir_params` says that the alignment of the LLVM type raises that
    of an aggregate parameter, `ir_results` that it is that of an aggregate result. `halves` says that it passes 16-bit floats, `long_double` the size in
    bytes of that type. `empty` says that it declares a value of size zero, as an array without a size; `mismatched_storage` that it stores
    some records elsewhere than it says, `typedefs` whether the alignment of a typedef is declared (`None`: it is not known).
    `variadic` is the parameter behind the named ones of a variadic function.
    """

    extensions: bool = False
    least_align: int = 1
    ir_params: bool = False
    ir_results: bool = False
    units: BitUnits = BitUnits.RUNS
    halves: bool = False
    long_double: int = 0
    bit_int: bool = False
    empty: bool = False
    mismatched_storage: bool = False
    typedefs: bool | None = None
    variadic: Parameter | None = None


AS_WRITTEN = Family()
NVCC = Family(extensions=True, long_double=16, mismatched_storage=True, typedefs=True, variadic=array(8, 0))
CLANG_14 = Family(
    extensions=True, least_align=4, ir_results=True, long_double=8, bit_int=True, empty=True, typedefs=False
)
CLANG_16 = Family(
    extensions=True,
    least_align=4,
    ir_params=True,
    ir_results=True,
    long_double=8,
    bit_int=True,
    empty=True,
    typedefs=False,
)
CLANG = Family(
    extensions=True,
    ir_params=True,
    ir_results=True,
    units=BitUnits.ACCESS,
    halves=True,
    long_double=8,
    bit_int=True,
    empty=True,
    typedefs=False,
    variadic=scalar(8),
)
"""clang 19 and later"""
