"""The attributes of a declaration, each counted, so that none is passed over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from pycparser import c_ast

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input.plain.constants import number
from abiprobe.harness.input.plain.source import NAMESPACE
from abiprobe.oracles.language.lang import Convention


class Attributes(msgspec.Struct, frozen=True):
    """The attributes of one declaration: `aligned` and `vector_size` in bytes; `regparm` counts registers."""

    packed: bool = False
    aligned: tuple[int, ...] = ()
    ms_struct: bool | None = None
    vector_size: int | None = None
    convention: Convention | None = None
    regparm: int | None = None

    @property
    def of_calls(self) -> bool:
        """Return whether they ask for a calling convention."""
        return self.convention is not None or self.regparm is not None


def read(specifiers: Iterable[c_ast.AttributeSpecifier], seen: set[int]) -> Attributes:
    """Return what attributes say, and note them as `seen`; raises `Problem` for an argument that cannot be read."""
    packed, aligned, ms_struct, vector_size = False, [], None, None
    convention, regparm = None, None
    for one in (one for specifier in specifiers for one in specifier.attributes):
        seen.add(_number(one))
        match one.name:
            case "packed":
                packed = True
            case "aligned":
                aligned.append(_power(one))
            case "vector_size":
                vector_size = _power(one)
            case "regparm":
                regparm = number((one.arguments or "").strip())
            case "ms_struct" | "gcc_struct" as name:
                ms_struct = name == "ms_struct"
            case name:
                convention = Convention(name)
    return Attributes(packed, tuple(aligned), ms_struct, vector_size, convention, regparm)


def _power(attribute: c_ast.Attribute) -> int:
    """The argument of an attribute, a power of two."""
    if not attribute.arguments:
        raise Problem(f"attribute {attribute.name} is read with a number only")
    value = number(attribute.arguments.strip())
    if value < 1 or value & (value - 1):
        raise Problem(f"{attribute.name}({value}) is not a power of two")
    return value


def together(*all_of_them: Attributes) -> Attributes:
    """Return the attributes of several places in one declaration."""
    return Attributes(
        any(one.packed for one in all_of_them),
        tuple(value for one in all_of_them for value in one.aligned),
        next((one.ms_struct for one in all_of_them if one.ms_struct is not None), None),
        next((one.vector_size for one in all_of_them if one.vector_size is not None), None),
        next((one.convention for one in all_of_them if one.convention is not None), None),
        next((one.regparm for one in all_of_them if one.regparm is not None), None),
    )


def numbers(node: c_ast.Node) -> Iterator[int]:
    """Yield the number of every attribute in a declaration."""
    if isinstance(node, c_ast.Attribute):
        yield _number(node)
    for inner in node:
        yield from numbers(inner)


def _number(attribute: c_ast.Attribute) -> int:
    return int(attribute.namespace.removeprefix(NAMESPACE))
