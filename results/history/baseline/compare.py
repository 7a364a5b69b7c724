"""Comparison of an interface with its baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from abiprobe.results.history.baseline.change import Effect, InterfaceChange, gathered, grouped
from abiprobe.results.history.baseline.facts import Baseline, EnumFacts, Facts, RecordFacts, SymbolFacts
from abiprobe.results.history.baseline.functions import function_changes
from abiprobe.results.history.baseline.interface import Linkage
from abiprobe.results.history.baseline.objects import enum_changes, variable_changes
from abiprobe.results.history.baseline.records import record_changes
from abiprobe.results.history.baseline.types import effect_of_type

Kept = TypeVar("Kept")


def changes(before: Baseline, after: Baseline) -> tuple[InterfaceChange, ...]:
    """Return the changes on the targets that both sides have; a change on several targets is listed once."""
    found = [
        (target, change)
        for target in after.targets
        if target in before.targets
        for change in on_target(target, before.targets[target], after.targets[target])
    ]
    return grouped(found)


def on_target(target: str, before: Facts, after: Facts) -> Iterator[InterfaceChange]:
    """Yield what has changed on one target."""
    unread = before.unread | after.unread
    yield from (InterfaceChange(Effect.UNKNOWN, name, (why,)) for name, why in sorted(unread.items()))
    pairs: Iterator[InterfaceChange]
    for pairs in (
        of_kind(target, before.records, after.records, unread, record_changes),
        of_kind(target, before.functions, after.functions, unread, function_changes),
        of_kind(target, before.variables, after.variables, unread, variable_changes),
        of_kind(target, before.enums, after.enums, unread, enum_changes),
        of_kind(target, before.typedefs, after.typedefs, unread, typedef_changes),
    ):
        yield from pairs


def of_kind(
    target: str,
    before: Mapping[str, Kept],
    after: Mapping[str, Kept],
    unread: Mapping[str, str],
    changed: Callable[[str, str, Kept, Kept], Iterator[InterfaceChange]],
) -> Iterator[InterfaceChange]:
    """Yield what has changed of declarations of one kind, but for those of which one side is unread."""
    for name in sorted((before.keys() | after.keys()) - unread.keys()):
        if name not in after:
            yield from gone(name, before[name])
        elif name not in before:
            yield from come(name, after[name])
        elif before[name] != after[name]:
            yield from changed(target, name, before[name], after[name])
        else:
            yield from still_unknown(name, before[name])


def typedef_changes(target: str, name: str, before: str, after: str) -> Iterator[InterfaceChange]:
    """Yield what has changed of a typedef name, which others may declare objects with."""
    effect = effect_of_type(target, before, after)
    if effect is not None:
        yield from gathered(name, [(effect, f"{before} -> {after}")])


def gone(name: str, kept: object) -> Iterator[InterfaceChange]:
    """Yield what it does that a declaration is no longer there."""
    match kept:
        case RecordFacts(included=True) | EnumFacts(included=True):
            # Another file declares it, and this one does not need it any more.
            return
        case RecordFacts(opaque=True) | str():
            effect = Effect.API
        case EnumFacts():
            effect = Effect.MEANING
        case SymbolFacts(linkage=linkage):
            effect = Effect.ABI if linkage is Linkage.EXTERNAL else Effect.API
        case _:
            effect = Effect.ABI
    yield InterfaceChange(effect, name, ("it is gone",))


def come(name: str, kept: object) -> Iterator[InterfaceChange]:
    """Yield that a declaration is new, if it is the file's own."""
    if not (isinstance(kept, (RecordFacts, EnumFacts)) and kept.included):
        yield InterfaceChange(Effect.NEW, name, ("it is new",))


def still_unknown(name: str, kept: object) -> Iterator[InterfaceChange]:
    """Yield a record of which neither side could be read, and which may have changed all the same."""
    if isinstance(kept, RecordFacts) and kept.unanswered and not kept.declared:
        yield InterfaceChange(Effect.UNKNOWN, name, (f"layout: {kept.unanswered}",))
