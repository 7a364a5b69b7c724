"""x86: the System V AMD64 psABI."""

from __future__ import annotations

from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.model import AbiModel, Model, Target
from abiprobe.oracles.x86.calls import AS_CLANG, AS_WRITTEN, PRESERVED, calls
from abiprobe.oracles.x86.data import LP64, TEXT


def _sysv() -> AbiModel:
    return Model(TypeTable(LP64, TEXT), calls(AS_WRITTEN))


def _sysv_clang() -> AbiModel:
    return Model(TypeTable(LP64, TEXT), calls(AS_CLANG))


TARGETS = (
    Target(
        name="x86_64-sysv",
        title="x86-64 with the System V calling convention",
        machine="x86_64",
        sheet="x86_64",
        preserved=PRESERVED,
        dialects={"": _sysv, "clang": _sysv_clang},
    ),
)
