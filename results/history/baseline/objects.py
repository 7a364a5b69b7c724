"""Compare objects and enumerations with what a baseline has kept of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from abiprobe.results.history.baseline.change import Effect, EffectText, InterfaceChange, gathered
from abiprobe.results.history.baseline.facts import EnumFacts, VariableFacts
from abiprobe.results.history.baseline.functions import symbols
from abiprobe.results.history.baseline.interface import Linkage
from abiprobe.results.history.baseline.types import effect_of_type
from abiprobe.results.verdicts.quantity import quantity

NAMED = 3
"""Enumerators that a line names."""


def variable_changes(
    target: str, name: str, before: VariableFacts, after: VariableFacts
) -> Iterator[InterfaceChange]:
    """Yield what has changed of an object."""
    told = [*symbols(before, after), *retyped(target, before, after), *written_to(before, after)]
    if before.thread != after.thread:
        told.append((Effect.ABI, f"it is {'thread-local now' if after.thread else 'no longer thread-local'}"))
    consequences = [*measured(before, after)]
    if before.linkage is after.linkage is Linkage.INTERNAL:
        told = [(Effect.API if effect.breaks else effect, text) for effect, text in told]
        consequences = []
    yield from gathered(name, told, consequences)


def retyped(target: str, before: VariableFacts, after: VariableFacts) -> Iterator[EffectText]:
    """Yield whether the type is another; of an array whose length was not said, that it is now is not."""
    effect = effect_of_type(target, before.type, after.type)
    lengths = [re.sub(r"\[\d*\]", "[]", one.type, count=1) for one in (before, after)]
    if effect is None or (effect is Effect.API and before.constant != after.constant):
        return
    if lengths[0] == lengths[1] and None in (before.size, after.size):
        yield Effect.API, f"{before.type} -> {after.type}"
    elif before.size != after.size and None not in (before.size, after.size):
        yield Effect.ABI, f"{before.type} -> {after.type}"
    else:
        yield effect, f"{before.type} -> {after.type}"


def written_to(before: VariableFacts, after: VariableFacts) -> Iterator[EffectText]:
    """Yield whether the object may be written to: programs that did fail where it is in memory that is only read."""
    if after.constant and not before.constant:
        yield Effect.MEANING, "it is const now, and programs that write to it fail"
    elif before.constant and not after.constant:
        yield Effect.API, "it is no longer const"


def measured(before: VariableFacts, after: VariableFacts) -> Iterator[str]:
    """Yield another size, and a smaller alignment; of a larger one programs know nothing."""
    if None not in (before.size, after.size) and before.size != after.size:
        yield f"size {before.size} -> {quantity(after.size or 0, 'byte')}"
    if before.alignment and after.alignment and after.alignment < before.alignment:
        yield f"alignment {before.alignment} -> {quantity(after.alignment, 'byte')}"


def enum_changes(target: str, name: str, before: EnumFacts, after: EnumFacts) -> Iterator[InterfaceChange]:
    """Yield what has changed of an enumeration: programs have the values of its constants built in."""
    told = [*constants(before.enumerators, after.enumerators)]
    underlying = effect_of_type(target, before.underlying or "int", after.underlying or "int")
    if underlying is not None and before.underlying and after.underlying:
        told.append((underlying, f"underlying type: {before.underlying} -> {after.underlying}"))
    if (
        before.size == after.size
        and None not in (before.signed, after.signed)
        and before.signed != after.signed
    ):
        told.append((Effect.MEANING, f"it is {'signed' if after.signed else 'unsigned'} now"))
    sizes = []
    if None not in (before.size, after.size) and before.size != after.size:
        sizes.append(f"size {before.size} -> {quantity(after.size or 0, 'byte')}")
    yield from gathered(name, told, sizes)


def constants(before: Mapping[str, int], after: Mapping[str, int]) -> Iterator[EffectText]:
    """Yield the enumerators that are new, gone, renamed or of another value."""
    come = {name: number for name, number in after.items() if name not in before}
    for name, number in before.items():
        if name in after:
            continue
        other = next((each for each, one in come.items() if one == number), None)
        if other is None:
            yield Effect.MEANING, f"enumerator {name} is gone (was {number})"
        else:
            del come[other]
            yield Effect.API, f"enumerator {name} is called {other} now"
    yield from ((Effect.NEW, f"enumerator {name} = {number} is new") for name, number in come.items())
    others = {
        name: (before[name], after[name]) for name in before if after.get(name, before[name]) != before[name]
    }
    if len(others) > NAMED and len({new - old for old, new in others.values()}) == 1:
        old, new = next(iter(others.values()))
        yield (
            Effect.MEANING,
            f"{len(others)} enumerators are others by {new - old:+} (first: {next(iter(others))})",
        )
    else:
        yield from (
            (Effect.MEANING, f"enumerator {name}: {old} -> {new}") for name, (old, new) in others.items()
        )
