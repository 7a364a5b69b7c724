"""The order of work that the tests of tables, debug information and debuggers have in common: sort out what is known, reduce the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Generic, TypeAlias, TypeVar

import msgspec

from abiprobe.harness.base.progress import steps
from abiprobe.results.known.entries import in_force
from abiprobe.results.known.ways import Entry

W = TypeVar("W")
K = TypeVar("K")
M = TypeVar("M")
C = TypeVar("C")
G = TypeVar("G")
Met: TypeAlias = tuple[tuple[Entry, Counter[tuple[str, str]]], ...]
"""Entries with the functions that they explain, by target and subject."""


@dataclass(frozen=True)
class Search(Generic[W, K, M, C]):
    """The parts in which one test differs from another, by a way of compiling, a kind of what is wrong, and a function that shows it.

    `place` gives the target and the subject of a way, `version` the version line by which entries know the subject, `traits` those of a
    function. `shows` tells whether the example of an entry shows it, `None` where it cannot be looked at; `causes` reduces what
    is new, for so many seconds each.
    """

    place: Callable[[W], tuple[str, str]]
    version: Callable[[W], tuple[str, str]]
    traits: Callable[[M], frozenset[str]]
    shows: Callable[[Entry, W], bool | None]
    causes: Callable[[Sequence[tuple[K, M]], float], Sequence[C]]

    def concerns(self, entry: Entry, way: W) -> bool:
        """Return whether an entry is about the subject and target of a way."""
        target, _ = self.place(way)
        return entry.is_of(target, *self.version(way))


class Sorted(msgspec.Struct, Generic[K, M]):
    """New kinds with their functions, and for each entry that explains others the functions by target and subject."""

    new: list[tuple[K, M]] = msgspec.field(default_factory=list)
    met: dict[str, Counter[tuple[str, str]]] = msgspec.field(default_factory=dict)


class Result(msgspec.Struct, Generic[C], frozen=True):
    """Causes that are new, the known bugs that were met, and those that no longer occur."""

    causes: tuple[C, ...]
    known: Met
    gone: tuple[str, ...]


def result(
    found: Iterable[tuple[W, Sequence[tuple[K, M]]]],
    known: Sequence[Entry],
    seconds: float,
    search: Search[W, K, M, C],
) -> Result[C]:
    """Sort out what is wrong in each way, reduce what is new, and look at the examples of what was not met."""
    seen = list(found)
    entries = in_force(known, datetime.now(UTC).date())
    sorted_out = sort_out(seen, entries, search)
    with steps("reducing"):
        causes = tuple(search.causes(sorted_out.new, seconds))
    over = gone((one for one in entries if one.name not in sorted_out.met), (way for way, _ in seen), search)
    met = tuple((one, sorted_out.met[one.name]) for one in entries if one.name in sorted_out.met)
    return Result(causes, met, over)


def sort_out(
    found: Iterable[tuple[W, Iterable[tuple[K, M]]]], entries: Sequence[Entry], search: Search[W, K, M, C]
) -> Sorted[K, M]:
    """Tell what is known from what is new: of a function each kind needs an entry of its own."""
    result = Sorted[K, M]()
    for way, some in found:
        here = [entry for entry in entries if search.concerns(entry, way)]
        for kind, member in some:
            has = search.traits(member)
            entry = next((one for one in here if one.explains(str(kind), has)), None)
            if entry is None:
                result.new.append((kind, member))
            else:
                result.met.setdefault(entry.name, Counter())[search.place(way)] += 1
    return result


def grouped(found: Iterable[tuple[G, M]]) -> list[tuple[G, list[M]]]:
    """Members by what they have in common, the largest group first."""
    groups: dict[G, list[M]] = {}
    for common, member in found:
        groups.setdefault(common, []).append(member)
    return sorted(groups.items(), key=lambda item: -len(item[1]))


def gone(entries: Iterable[Entry], asked: Iterable[W], search: Search[W, K, M, C]) -> tuple[str, ...]:
    """The entries whose examples show nothing, for a subject and target that were asked."""
    ways = list({search.place(way): way for way in asked}.values())
    return tuple(
        entry.name
        for entry in entries
        if any(search.concerns(entry, way) and search.shows(entry, way) is False for way in ways)
    )
