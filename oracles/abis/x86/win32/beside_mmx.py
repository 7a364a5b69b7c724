"""Calls in which gcc loses reals, since it copies them by way of x87 while an MMX register, which is one of the same, holds a value."""

from __future__ import annotations

from msgspec import structs

from abiprobe.oracles.engine.machine_modes import held_real
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Prototype, Scalar, Type, Vector
from abiprobe.oracles.text.place import Assignment, Passed, Register


def without_lost(types: TypeTable, prototype: Prototype, call: Assignment) -> Assignment:
    """A call without the places of its reals, if a value of it is in an MMX register: whether they arrive depends on the code.

    Where x87 registers are exchanged, or so many reals are on their way, the vector does not arrive either.
    """
    reals, vectors = types.policies.loses_reals_beside_mmx, types.policies.loses_mmx_beside_reals
    if not (reals or vectors) or not any(map(is_in_mmx, filter(None, (*call.params, call.result)))):
        return call
    real = [is_copied_by_x87(types, one.type) for one in prototype.arguments]
    params = (
        one.with_pieces(()) if (is_real and reals) or (vectors and any(real) and is_in_mmx(one)) else one
        for one, is_real in zip(call.params, real, strict=True)
    )
    result = call.result
    if reals and result and prototype.result and is_copied_by_x87(types, prototype.result):
        result = result.with_pieces(())
    return structs.replace(call, params=tuple(params), result=result)


def is_in_mmx(passed: Passed) -> bool:
    """Return whether a value is in an MMX register."""
    return any(isinstance(one.place, Register) and one.place.name.startswith("mm") for one in passed.pieces)


def is_copied_by_x87(types: TypeTable, c_type: Type) -> bool:
    """Return whether gcc copies a type as a real, or as two: also a record or a vector that holds just that."""
    value = Travelling.of(types, "", c_type).type
    if isinstance(value, Vector):
        return value.kind.is_floating and types.extent(Scalar(value.kind)).size == value.size
    return held_real(types, value) is not None
