"""Vector functions: a prototype with its pragmas, whose linear pointers are counted in what they point to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input.libclang import cindex, element_type, kind_of
from abiprobe.harness.input.types import convert
from abiprobe.oracles.abis.vfabi.roles import is_reference
from abiprobe.oracles.language.lang import Param, Pointer, Prototype, strip

if TYPE_CHECKING:
    from abiprobe.harness.input.reading import Reading
    from abiprobe.oracles.language.lang import Type
    from abiprobe.oracles.language.simd import Simd


def with_pragmas(reading: Reading, cursor: Any, function: Prototype, simd: tuple[Simd, ...]) -> Prototype:
    """`function`, declared by `cursor`, as a vector function; itself where it has no pragma.

    Raises `Problem` for a C++ reference that no pragma gives a meaning for lanes.
    """
    if not simd:
        results = () if function.result is None else (function.result,)
        if any(map(is_reference, (*results, *(param.type for param in function.params)))):
            raise reading.problem(cursor, "C++ references are read of functions with declare simd only")
        return function
    linear = {name for one in simd for clause in one.linear for name in clause.params}
    params = tuple(
        Param(param.name, linear_type(reading, argument, param.type)) if param.name in linear else param
        for param, argument in zip(function.params, cursor.get_arguments(), strict=True)
    )
    symbol = cursor.mangled_name
    return msgspec.structs.replace(
        function, params=params, simd=simd, symbol="" if symbol == function.name else symbol
    )


def linear_type(reading: Reading, argument: Any, c_type: Type) -> Type:
    """The type of a linear parameter; a pointer with the type it points to, where that is complete."""
    inner = strip(c_type)
    if not isinstance(inner, Pointer) or inner.function or inner.reference:
        return c_type
    kinds = cindex().TypeKind
    canonical = argument.type.get_canonical()
    pointee = canonical.get_pointee() if kind_of(canonical) == kinds.POINTER else element_type(canonical)
    if kind_of(pointee) == kinds.VOID or pointee.get_size() < 0:
        return c_type
    try:
        return msgspec.structs.replace(inner, to=convert(reading, pointee, argument))
    except Problem:
        return c_type
