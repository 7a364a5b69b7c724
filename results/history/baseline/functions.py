"""Compare a function with what a baseline has kept of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from abiprobe.results.history.baseline.change import Effect, EffectText, InterfaceChange, gathered
from abiprobe.results.history.baseline.facts import UNPLACED, FunctionFacts, SymbolFacts
from abiprobe.results.history.baseline.interface import Linkage
from abiprobe.results.history.baseline.types import effect_of_type


class PassedValue(NamedTuple):
    """A parameter or a result: what it is called, where it is, and its type."""

    what: str
    place: str
    type: str


def value(what: str, text: str) -> PassedValue:
    """A parameter or result as it is kept."""
    place, _, c_type = text.partition(": ")
    return PassedValue(what, place, c_type)


def function_changes(
    target: str, name: str, before: FunctionFacts, after: FunctionFacts
) -> Iterator[InterfaceChange]:
    """Yield what has changed of a function; one that no other file can name breaks nothing."""
    told = [
        *symbols(before, after),
        *attributes(before, after),
        *results(target, before, after),
        *parameters(target, before, after),
    ]
    moved = [*elsewhere(target, before, after)]
    hidden = [*hiddens(before, after)]
    consequences: list[str] = []
    if any(effect is Effect.ABI for effect, _ in told):
        consequences = [*moves(moved), *hidden]
    else:
        told += ((Effect.ABI, f"{old.what} ({old.type}): {old.place} -> {new.place}") for old, new in moved)
        told += ((Effect.ABI, text) for text in hidden)
    if before.unanswered != after.unanswered and not any(effect.breaks for effect, _ in told):
        told.append((Effect.UNKNOWN, f"places: {after.unanswered or before.unanswered}"))
    if before.linkage is after.linkage is Linkage.INTERNAL:
        told = [(Effect.API if effect.breaks else effect, text) for effect, text in told]
        yield from gathered(name, told)
    else:
        yield from gathered(name, told, consequences)


def symbols(before: SymbolFacts, after: SymbolFacts) -> Iterator[EffectText]:
    """Yield whether a symbol is still there for those who link with it."""
    if before.linkage != after.linkage:
        lost = before.linkage is Linkage.EXTERNAL
        words = f"linkage: {before.linkage.value} -> {after.linkage.value}"
        yield (Effect.ABI, f"{words}, and its symbol may be gone") if lost else (Effect.API, words)
    if before.symbol != after.symbol:
        names = (before.symbol or "the name itself", after.symbol or "the name itself")
        yield Effect.ABI, f"symbol: {names[0]} -> {names[1]}"


def attributes(before: FunctionFacts, after: FunctionFacts) -> Iterator[EffectText]:
    """Yield the attributes of the calling convention that come and go, and `...`."""
    yield from ((Effect.ABI, f"{each} is gone") for each in before.attributes if each not in after.attributes)
    yield from ((Effect.ABI, f"{each} is new") for each in after.attributes if each not in before.attributes)
    if before.variadic != after.variadic:
        yield Effect.ABI, f"... is {'new' if after.variadic else 'gone'}"


def results(target: str, before: FunctionFacts, after: FunctionFacts) -> Iterator[EffectText]:
    """Yield whether the result is another."""
    old, new = value("result", before.result), value("result", after.result)
    if old.type == new.type:
        return
    if old.type == "void":
        yield Effect.ABI, f"result {new.type} is new"
    elif new.type == "void":
        yield Effect.ABI, f"result is gone (was {old.type})"
    else:
        yield from retyped(target, old, new)


def parameters(target: str, before: FunctionFacts, after: FunctionFacts) -> Iterator[EffectText]:
    """Yield the parameters that are new, gone or of another type."""
    if before.parameters is None or after.parameters is None:
        if before.parameters != after.parameters:
            yield Effect.API, f"its parameters are {'not ' if after.parameters is None else ''}declared now"
        return
    for number, (old, new) in enumerate(zip_longest(before.parameters, after.parameters), 1):
        what = f"parameter {number}"
        if old is None:
            yield Effect.ABI, f"{what} ({value(what, new).type}) is new"
        elif new is None:
            yield Effect.ABI, f"{what} is gone (was {value(what, old).type})"
        else:
            yield from retyped(target, value(what, old), value(what, new))


def retyped(target: str, old: PassedValue, new: PassedValue) -> Iterator[EffectText]:
    """Yield a value of another type, with its places if those are others too."""
    effect = effect_of_type(target, old.type, new.type)
    if effect is Effect.MEANING and are_other_places(old, new):
        yield Effect.ABI, f"{old.what}: {old.type} ({old.place}) -> {new.type} ({new.place})"
    elif effect is not None:
        yield effect, f"{old.what}: {old.type} -> {new.type}"


def elsewhere(
    target: str, before: FunctionFacts, after: FunctionFacts
) -> Iterator[tuple[PassedValue, PassedValue]]:
    """Yield the values that are of the same type as before, and elsewhere."""
    pairs = [("result", before.result, after.result)]
    both = zip(before.parameters or (), after.parameters or (), strict=False)
    pairs += ((f"parameter {number}", old, new) for number, (old, new) in enumerate(both, 1))
    for what, one, other in pairs:
        old, new = value(what, one), value(what, other)
        same = effect_of_type(target, old.type, new.type) is not Effect.MEANING
        if same and are_other_places(old, new):
            yield old, new


def are_other_places(old: PassedValue, new: PassedValue) -> bool:
    """Return whether the places are known to differ."""
    return old.place != new.place and UNPLACED not in (old.place, new.place)


def moves(moved: list[tuple[PassedValue, PassedValue]]) -> Iterator[str]:
    """Yield what lies elsewhere because of something else."""
    if len(moved) == 1:
        old, new = moved[0]
        yield f"moves {old.what}: {old.place} -> {new.place}"
    elif moved:
        yield f"moves {', '.join(old.what for old, _ in moved)}"


def hiddens(before: FunctionFacts, after: FunctionFacts) -> Iterator[str]:
    """Yield the arguments that C does not show and that come, go or move."""
    if before.unanswered or after.unanswered:
        return
    for role in dict.fromkeys((*before.hidden, *after.hidden)):
        old, new = before.hidden.get(role), after.hidden.get(role)
        if old is None:
            yield f"{role} is new: {new}"
        elif new is None:
            yield f"{role} is gone (was {old})"
        elif old != new:
            yield f"{role}: {old} -> {new}"
