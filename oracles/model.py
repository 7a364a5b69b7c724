"""The answer side of every target: `AbiModel`, and the registry of targets by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.lang import Prototype, Type
from abiprobe.oracles.place import Assignment, Layout, Unspecified, Unsupported


class AbiModel(Protocol):
    """A written ABI, executable: what it says about a type and about a prototype."""

    @property
    def types(self) -> TypeTable:
        """Sizes, layouts and significant bits of types."""
        ...

    def layout(self, c_type: Type) -> Layout | Unspecified | Unsupported:
        """Size, alignment and member offsets of a type."""
        ...

    def assign(self, prototype: Prototype) -> Assignment | Unspecified | Unsupported:
        """The place of every byte of every argument and of the result."""
        ...


@dataclass(frozen=True)
class Model:
    """An ABI composed of a type table and a function that assigns places to a call."""

    types: TypeTable
    calls: Callable[[TypeTable, Prototype], Assignment]

    def layout(self, c_type: Type) -> Layout | Unspecified | Unsupported:
        """See `AbiModel.layout`."""
        try:
            return self.types.layout(c_type)
        except SilentError as silence:
            return Unspecified(silence.clause, silence.why)
        except AbsentError as absence:
            return Unsupported(str(absence))

    def assign(self, prototype: Prototype) -> Assignment | Unspecified | Unsupported:
        """See `AbiModel.assign`."""
        try:
            return self.calls(self.types, prototype)
        except SilentError as silence:
            return Unspecified(silence.clause, silence.why)
        except AbsentError as absence:
            return Unsupported(str(absence))


@dataclass(frozen=True)
class Target:
    """A target by its name: what people call it, the machine it runs on, its dialects and their models.

    `machine` names the instruction set. The dialect `""` is the document as written; `sheet` is the name of the
    clause sheet, whose source carries title and edition. `preserved` are the callee-saved registers, without the
    stack pointer.
    """

    name: str
    title: str
    machine: str
    sheet: str
    preserved: tuple[str, ...]
    dialects: Mapping[str, Callable[[], AbiModel]]


class UnknownTargetError(LookupError):
    """No target or dialect has this name; `known` lists those there are."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(name)
        self.name = name
        self.known = known


@cache
def targets() -> Mapping[str, Target]:
    """Every target, by name."""
    from abiprobe.oracles import riscv, x86

    found = (*riscv.TARGETS, *x86.TARGETS)
    return {target.name: target for target in found}


def find_target(name: str) -> tuple[Target, str]:
    """The target and dialect that `name` (`riscv64-lp64d`, `x86_64-sysv@clang`) stands for.

    Raises `UnknownTargetError` when there is none.
    """
    base, _, dialect = name.partition("@")
    target = targets().get(base)
    if target is None:
        raise UnknownTargetError(name, tuple(targets()))
    if dialect not in target.dialects:
        raise UnknownTargetError(
            name, tuple(f"{base}@{other}" if other else base for other in target.dialects)
        )
    return target, dialect


@cache
def find_model(name: str) -> AbiModel:
    """The model behind a target name, dialect included; the same object each time."""
    target, dialect = find_target(name)
    return target.dialects[dialect]()
