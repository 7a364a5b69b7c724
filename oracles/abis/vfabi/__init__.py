"""The x86 vector function ABI: the variants of functions with `#pragma omp declare simd`.

It stands on the ABI of scalar calls, which it is given and never imports.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from abiprobe.oracles.abis.vfabi.dialect import DIALECTS, GCC, Dialect
from abiprobe.oracles.abis.vfabi.model import VectorModel
from abiprobe.oracles.abis.vfabi.name import Name, NotAVectorNameError, parse_name
from abiprobe.oracles.model import AbiModel, Target
from abiprobe.oracles.text.options import LayoutOptions

__all__ = ["Name", "NotAVectorNameError", "VectorModel", "parse_name", "target"]


def target(scalar: Target) -> Target:
    """The target over `scalar`, the x86-64 psABI.

    Without a dialect its variants are those of gcc, which has the code; its types are those of the psABI's text.
    """

    def answers(dialect: Dialect, options: LayoutOptions) -> AbiModel:
        family = dialect.family if dialect.family in scalar.dialects else ""
        return VectorModel(scalar.dialects[family](options), dialect)

    dialects: dict[str, Callable[[LayoutOptions], AbiModel]] = {"": partial(answers, replace(GCC, family=""))}
    dialects |= {dialect.name: partial(answers, dialect) for dialect in DIALECTS}
    return Target(
        name="x86_64-vfabi",
        title="x86-64 vector functions of OpenMP's declare simd",
        family="x86-64",
        machine="",
        observers=("lanes",),
        sheet="vfabi",
        dialects=dialects,
        plain=GCC.name,
        vectors=True,
    )
