"""C++ references, and how a lane's copy of one is looked at.

A reference is looked at by its address. One that is linear by `uval` has one address for all lanes and a value of its own in
each, so it is looked at by that, and refers to memory.
"""

from __future__ import annotations

from abiprobe.oracles.abis.vfabi.roles import Role, is_reference
from abiprobe.oracles.abis.vfabi.variant import Variant
from abiprobe.oracles.language.lang import Param, Pointer, Prototype, Type, strip
from abiprobe.oracles.language.simd import Modifier


def by_value(function: Prototype) -> frozenset[str]:
    """The references that every pragma makes linear by `uval`: the one body of the function may look at their values."""
    named = [
        {name for clause in simd.linear if clause.modifier is Modifier.UVAL for name in clause.params}
        for simd in function.simd
    ]
    common = set.intersection(*named) if named else set()
    return frozenset(
        param.name for param in function.params if param.name in common and is_reference(param.type)
    )


def seen_type(function: Prototype, param: Param) -> Type:
    """The type of what a lane copies of a parameter."""
    inner = strip(param.type)
    if param.name in by_value(function) and isinstance(inner, Pointer) and inner.to is not None:
        return inner.to
    return param.type


def shows_lanes(function: Prototype, variant: Variant) -> bool:
    """Return whether the body of a function shows the inputs of a variant's lanes.

    It does not where one pragma makes a reference linear by `uval`, and another does not.
    """
    valued = by_value(function)
    return all(
        param.name in valued or not text.startswith(Role.UVAL.value)
        for param, text in zip(function.params, variant.name.params, strict=True)
    )
