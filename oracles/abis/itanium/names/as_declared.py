"""Types of a function template as the compilers of D read them: in the source, beside the type that each is in the instance.

A name that is no template parameter is written as the type of the instance at that place, which is not moved on from an array
to its element, nor from a function to its result (`visit(TypeIdentifier)` in dmd's cppmangle.d).
"""

from __future__ import annotations

from msgspec.structs import replace

from abiprobe.oracles.abis.itanium.names.written_out import written_out
from abiprobe.oracles.language.entities import (
    STD,
    Argument,
    ArrayOf,
    Builtin,
    FunctionType,
    Named,
    PointerTo,
    Qualified,
    ReferenceTo,
    Type,
    every,
)

NAMES = frozenset(Builtin(one) for one in ("long", "unsigned long", "long long", "unsigned long long"))
"""Types that have a name in the library of D, and no keyword."""


def as_declared(of: Type, arguments: tuple[Argument, ...]) -> Type:
    """A type in the declaration of a function template, as it is written for these arguments."""
    return read(of, written_out(of, arguments), arguments)


def read(of: Type, place: Type, arguments: tuple[Argument, ...]) -> Type:
    """A type of the source, and what is taken for its type in the instance."""
    match of:
        case Named() if is_anew(of):
            return replace(
                of, arguments=tuple(written_argument(one, arguments) for one in of.arguments or ())
            )
        case Named() | Builtin() if isinstance(of, Named) or of in NAMES:
            return place
        case PointerTo(to):
            return PointerTo(read(to, inside(place), arguments))
        case ReferenceTo(to):
            return replace(of, to=read(to, place.to if isinstance(place, ReferenceTo) else place, arguments))
        case Qualified(base):
            return replace(
                of, base=read(base, place.base if isinstance(place, Qualified) else place, arguments)
            )
        case ArrayOf(element):
            return replace(of, element=read(element, place, arguments))
        case FunctionType(result, params):
            places = place.params if isinstance(place, FunctionType) else params
            pairs = zip(params, places, strict=False)
            listed = tuple(read(one, at, arguments) for one, at in pairs)
            return replace(of, result=read(result, place, arguments), params=listed)
        case _:
            return of


def written_argument(of: Argument, arguments: tuple[Argument, ...]) -> Argument:
    """An argument of a specialization, which has its own place."""
    if isinstance(of, (Named, PointerTo, ArrayOf, FunctionType, Qualified)):
        return as_declared(of, arguments)
    return of


def inside(place: Type) -> Type:
    """The type that a pointer, an array or a function leads to."""
    match place:
        case PointerTo(to):
            return to
        case ArrayOf(element):
            return element
        case FunctionType(result):
            return result
        case Qualified(base):
            return inside(base)
        case _:
            return place


def is_anew(of: object) -> bool:
    """Return whether a type of the source is written anew each time: an array, or a specialization whose name is not qualified."""
    if isinstance(of, ArrayOf):
        return True
    return isinstance(of, Named) and of.arguments is not None and (of.scope is None or of.scope == STD)


def has_anew(of: Type) -> bool:
    """Return whether any part of a type is written anew each time."""
    return any(map(is_anew, every(of)))
