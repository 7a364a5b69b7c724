"""A PTX module as values: declarations, functions, statements."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from abiprobe.oracles.abis.ptx.parameter import Parameter


class Formal(msgspec.Struct, frozen=True):
    """A formal parameter or result: its name and declaration."""

    name: str
    param: Parameter


class Variable(msgspec.Struct, frozen=True):
    """A declared variable: `space` without its dot (`reg`, `param`, `global`), and the bytes it starts with.

    `count` is that of `%r<10>`, which declares `%r0` to `%r9`; 0 where one name is declared.
    """

    space: str
    name: str
    param: Parameter
    count: int = 0
    initial: bytes | None = None


class Instruction(msgspec.Struct, frozen=True):
    """An instruction: predicate (`@%p`, or nothing), opcode with its suffixes, operands as written."""

    predicate: str
    opcode: str
    operands: tuple[str, ...]

    @property
    def name(self) -> str:
        """The opcode without suffixes that only qualify it: `st.param`, `call`."""
        words = self.opcode.split(".")
        return ".".join(words[:2]) if words[0] in {"st", "ld"} and "param" in words[1:2] else words[0]


class Label(msgspec.Struct, frozen=True):
    """A label."""

    name: str


class Prototype(msgspec.Struct, frozen=True):
    """A `.callprototype` under its label."""

    name: str
    results: tuple[Formal, ...]
    params: tuple[Formal, ...]


class Block(msgspec.Struct, frozen=True):
    """Statements in braces: a scope of its own."""

    statements: tuple[Statement, ...]


Statement: TypeAlias = "Variable | Instruction | Label | Prototype | Block"


class Function(msgspec.Struct, frozen=True):
    """A `.func` or, where `entry` is set, a kernel; without a body it is a declaration."""

    name: str
    entry: bool
    linkage: str
    results: tuple[Formal, ...]
    params: tuple[Formal, ...]
    body: tuple[Statement, ...] | None


class Module(msgspec.Struct, frozen=True):
    """A translation unit of PTX: version, the number in its target (`sm_75`: 75), variables and functions in order."""

    version: tuple[int, int]
    target: int
    variables: tuple[Variable, ...]
    functions: tuple[Function, ...]


class PtxSyntaxError(Exception):
    """The text is no PTX that this grammar knows; says where."""
