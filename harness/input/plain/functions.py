"""Functions as pycparser has them, as prototypes."""

from __future__ import annotations

from pycparser import c_ast

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input.plain.attributes import Attributes
from abiprobe.harness.input.plain.types import Function, Reading
from abiprobe.oracles.language.lang import Array, Param, Pointer, Prototype, Record, Type, spelling


def prototype(reading: Reading, name: str, function: Function, attributes: Attributes) -> Prototype:
    """Return a function; raises `Problem` for attributes of it, and for a parameter that cannot be read."""
    # `vector_size` is in the type of the result already.
    if attributes.packed or attributes.aligned or attributes.ms_struct is not None:
        raise Problem("packing or an alignment of a function")
    if isinstance(function.result, Array):
        raise Problem("a function returns no array")
    declared = list(function.node.args.params) if function.node.args is not None else []
    variadic = bool(declared) and isinstance(declared[-1], c_ast.EllipsisParam)
    declared = declared[:-1] if variadic else declared
    if (
        len(declared) == 1
        and isinstance(declared[0], c_ast.Typename)
        and reading.type_of(declared[0])[0] is None
    ):
        declared = []
    names = [getattr(one, "name", None) or "" for one in declared]
    return Prototype(
        name,
        function.result,
        tuple(
            Param(given or _unnamed(place, names), parameter(reading, one))
            for place, (given, one) in enumerate(zip(names, declared, strict=True))
        ),
        variadic=variadic,
        convention=attributes.convention,
        regparm=attributes.regparm,
    )


def _unnamed(place: int, names: list[str]) -> str:
    """`p` and the place of a parameter without a name."""
    name = f"p{place}"
    while name in names:
        name += "_"
    return name


def parameter(reading: Reading, declared: c_ast.Node) -> Type:
    """The type of a parameter after an array or a function has become a pointer."""
    if not isinstance(declared, c_ast.Decl | c_ast.Typename):
        raise Problem("a function without a prototype is not read here")
    c_type, attributes = reading.type_of(declared)
    unread = attributes.aligned or attributes.packed or attributes.of_calls or declared.align
    if unread or attributes.ms_struct is not None:
        raise Problem("an alignment, packing or calling convention of a parameter")
    match c_type:
        case None:
            raise Problem("a parameter of type void")
        case Array(element):
            return Pointer("void" if isinstance(element, Record) and not element.tag else spelling(element))
        case Function(result):
            return Pointer(spelling(result), function=True)
        case _:
            return c_type
