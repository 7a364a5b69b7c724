"""Compiler families' departures from the Writer's Guide, and their choices where it has no rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from abiprobe.oracles.abis.ptx.parameter import Parameter, array, scalar


@dataclass(frozen=True)
class Family:
    """The departures of one family; the defaults are the text as written.

    `extensions` says that it passes the types on which the guide is silent. `habits` are the policies of
    its departures that are known as quirks. `halves` says that it passes 16-bit floats, `long_double` the size in bytes of that type. `empty` says that it declares a value of size zero, as an array without a size; `mismatched_storage` that it stores
    some records elsewhere than it says, `typedefs` whether the alignment of a typedef is declared (`None`: it is not known).
    `variadic` is the parameter behind the named ones of a variadic function.
    """

    extensions: bool = False
    habits: Mapping[str, object] = field(default_factory=dict)
    halves: bool = False
    long_double: int = 0
    bit_int: bool = False
    empty: bool = False
    mismatched_storage: bool = False
    typedefs: bool | None = None
    variadic: Parameter | None = None


AS_WRITTEN = Family()
NVCC = Family(
    extensions=True,
    habits={"empty_classes": True, "idle_zero_width": True},
    long_double=16,
    mismatched_storage=True,
    typedefs=True,
    variadic=array(8, 0),
)
CLANG = Family(
    extensions=True,
    habits={"llvm_results": True, "llvm_params": True, "undeclared_nothing": True},
    halves=True,
    long_double=8,
    bit_int=True,
    empty=True,
    typedefs=False,
    variadic=scalar(8),
)
"""clang 23 and later; 19 to 22 declare a result of no bytes"""
CLANG_14 = replace(
    CLANG,
    habits={
        "llvm_results": True,
        "runs_of_bit_fields": True,
        "least_param_align": 4,
        "plain_pointers": True,
    },
    halves=False,
    variadic=None,
)
CLANG_16 = replace(CLANG_14, habits={**CLANG_14.habits, "llvm_params": True, "plain_pointers": False})
