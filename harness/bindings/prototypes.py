"""Parameters and results that a module declares, held against a header's prototypes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from abiprobe.harness.bindings.binding import Binding, Left
from abiprobe.harness.bindings.calls import Called
from abiprobe.harness.bindings.described import Described, DescribedFunction, Module
from abiprobe.harness.bindings.facts import Wrong
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Enum, Kind, Pointer, Prototype, Record, Scalar, Type, strip

INT = Scalar(Kind.INT)
UNKNOWN = "unknown"


def declarations(
    functions: Sequence[Prototype], module: Module, binding: Binding, types: TypeTable
) -> Called:
    """Compare parameters and results with those of a header, by kind, size and, where it shows, sign."""
    found = Called()
    for function in functions:
        own, bound = module.functions.get(function.name), binding.functions.get(function.name)
        if own is None or bound is None:
            found.lacks.append(function.name)
        elif own.parameters is None:
            found.left.append(Left(bound.line, function.name, "the binding gives it no argtypes"))
        elif wrong := list(differences(function, own, bound.line, types)):
            found.wrong += wrong
        elif why := next(doubts(function, own, types), ""):
            found.left.append(Left(bound.line, function.name, why))
        else:
            found.agreeing.add(function.name)
    return found


def differences(function: Prototype, own: DescribedFunction, line: int, types: TypeTable) -> Iterator[Wrong]:
    """Yield in what a function is declared otherwise."""
    own_parameters = own.parameters or ()
    if len(own_parameters) != len(function.params):
        yield Wrong(function.name, line, f"{len(own_parameters)} parameters", str(len(function.params)))
        return
    if own.variadic not in {None, function.variadic}:
        yield Wrong(
            function.name, line, *(("variadic", "not") if own.variadic else ("not variadic", "variadic"))
        )
    for what, ours, theirs, signs in values(function, own, types):
        if not (unclear(ours, theirs) or same(ours, theirs, signs=signs)):
            yield Wrong(function.name, line, f"{what} is {an(ours)}", an(theirs))
    if (function.result is None) != (own.result.kind == "none"):
        yield Wrong(
            function.name, line, *(("a result", "none") if function.result is None else ("no result", "one"))
        )


def doubts(function: Prototype, own: DescribedFunction, types: TypeTable) -> Iterator[str]:
    """Yield why it cannot be told whether values travel alike."""
    for what, ours, theirs, _ in values(function, own, types):
        if why := unclear(ours, theirs):
            yield f"{what} {why}"


def values(
    function: Prototype, own: DescribedFunction, types: TypeTable
) -> Iterator[tuple[str, Described, Described, bool]]:
    """Yield parameters and results as the binding and as the header has them, and whether their signs show."""
    for number, (ours, param) in enumerate(zip(own.parameters or (), function.params, strict=True), 1):
        theirs = passed(param.type, types)
        # An array as a parameter is its address in every language.
        address = msgspec.structs.replace(ours, kind="pointer", size=types.data.pointer.size)
        yield (
            f"parameter {number}",
            address if ours.kind == "array" else ours,
            theirs,
            theirs.size < types.extent(INT).size,
        )
    if function.result is not None and own.result.kind != "none":
        signs = not isinstance(strip(function.result), Enum)
        yield "the result", own.result, passed(function.result, types), signs


def unclear(ours: Described, theirs: Described) -> str:
    """Return why it cannot be told whether two types travel alike; empty where it can."""
    if UNKNOWN in {ours.kind, theirs.kind}:
        return "has a type of which it is not known how it travels"
    if ours.size == theirs.size and (ours.kind == "record") != (theirs.kind == "record"):
        return f"is {an(ours)}, by the header {an(theirs)}: whether they travel alike is not known"
    return ""


def an(one: Described) -> str:
    """A type with its article."""
    words = str(one)
    return f"an {words}" if words[0] in "aeiu" else f"a {words}"


def same(ours: Described, theirs: Described, *, signs: bool) -> bool:
    """Return whether two types travel alike: addresses travel as integers of their size."""
    kinds = {"integer" if one.kind == "pointer" else one.kind for one in (ours, theirs)}
    both = {ours.kind, theirs.kind} == {"integer"}
    return (
        len(kinds) == 1
        and ours.size == theirs.size
        and (not (signs and both) or ours.signed in {None, theirs.signed})
    )


def passed(c_type: Type, types: TypeTable) -> Described:
    """A type of a header as the child would describe it."""
    size = types.extent(c_type).size
    match strip(c_type):
        case Scalar(kind) if kind.is_integer:
            return Described("integer", size, signed=types.data.is_signed(kind))
        case Enum() as enum:
            return Described("integer", size, signed=types.data.is_signed(types.enum_kind(enum)))
        case Scalar():
            return Described("real", size)
        case Record():
            return Described("record", size)
        case Pointer():
            return Described("pointer", size)
        case _:
            return Described(UNKNOWN, size)
