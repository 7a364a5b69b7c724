"""Compare a record with what a baseline has kept of it: members first, since size and alignment follow from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from abiprobe.results.history.baseline.change import Effect, EffectText, InterfaceChange, gathered
from abiprobe.results.history.baseline.facts import RecordFacts
from abiprobe.results.history.baseline.types import effect_of_type
from abiprobe.results.verdicts.quantity import quantity

NAMED = 3
"""Members that a line names."""


class Member(NamedTuple):
    """A member: its first bit and the one behind its last, if they are known, and its type."""

    start: int | None
    end: int | None
    type: str

    @property
    def where(self) -> str:
        """Its place, for people."""
        return "" if self.start is None else f" at {offset(self.start)}"


def member(text: str) -> Member:
    """A member as it is kept."""
    place, _, c_type = text.partition(": ")
    found = re.fullmatch(r"bits (\d+) to (\d+)", place)
    return Member(int(found[1]), int(found[2]), c_type) if found else Member(None, None, c_type)


def offset(bits: int) -> str:
    """A place in a record."""
    return f"bit {bits}" if bits % 8 else f"byte {bits // 8}"


def amount(bits: int) -> str:
    """A number of bits, in bytes where it is one of bytes."""
    return quantity(bits, "bit") if bits % 8 else quantity(bits // 8, "byte")


def record_changes(
    target: str, name: str, before: RecordFacts, after: RecordFacts
) -> Iterator[InterfaceChange]:
    """Yield what has changed of a record."""
    if before.opaque or after.opaque:
        yield from gathered(name, opacity(before, after))
        return
    old = {path: member(text) for path, text in before.members.items()}
    new = {path: member(text) for path, text in after.members.items()}
    renamed = renames(old, new)
    kept = {path: path for path in old if path in new} | renamed
    moved = {
        path: there.start - here.start
        for path, other in kept.items()
        if (here := old[path]).start is not None
        and (there := new[other]).start is not None
        and here.start != there.start
    }
    told = [
        *(told_of for path in kept if path in new for told_of in retyped(target, path, old[path], new[path])),
        *((Effect.API, f"member {path} is called {other} now") for path, other in renamed.items()),
        *(
            (Effect.ABI, f"member {path} is gone (was {old[path].type}{old[path].where})")
            for path in old
            if path not in kept
        ),
    ]
    found = set(kept.values())
    told += (added(path, one, before, moved) for path, one in new.items() if path not in found)
    consequences = list(measured(before, after))
    told += attributes(before, after) if consequences or moved else ()
    if moved and not any(effect is Effect.ABI for effect, _ in told):
        told.append(
            (
                Effect.ABI,
                "members are in another order" if reordered(old, new, kept) else "members lie elsewhere",
            )
        )
    broken = bool(consequences or moved) or any(effect.breaks for effect, _ in told)
    told += () if broken else travels(before, after)
    told += unknown(before, after, told)
    yield from gathered(name, told, [*moves(moved), *consequences])


def opacity(before: RecordFacts, after: RecordFacts) -> Iterator[EffectText]:
    """Yield what it means that a record has no members any more, or has some."""
    if after.opaque and not before.opaque:
        yield Effect.ABI, "it is opaque now, and its layout is no longer known"
    if before.opaque and not after.opaque:
        yield Effect.NEW, "it was opaque, and is complete now"


def renames(old: Mapping[str, Member], new: Mapping[str, Member]) -> dict[str, str]:
    """Members that have another name and nothing else: same place, same type, and no other that could be meant."""
    gone = [path for path in old if path not in new and old[path].start is not None]
    come = [path for path in new if path not in old]
    found = {path: [other for other in come if new[other] == old[path]] for path in gone}
    taken = [other for others in found.values() for other in others]
    return {path: others[0] for path, others in found.items() if len(others) == 1 == taken.count(others[0])}


def retyped(target: str, path: str, old: Member, new: Member) -> Iterator[EffectText]:
    """Yield whether a member has another type, or its type another size."""
    effect = effect_of_type(target, old.type, new.type)
    widths = [None if one.start is None or one.end is None else one.end - one.start for one in (old, new)]
    if effect is not None:
        resized = None not in widths and widths[0] != widths[1]
        yield Effect.ABI if resized else effect, f"member {path}: {old.type} -> {new.type}"
    elif widths[0] is not None and widths[1] is not None and widths[0] != widths[1]:
        yield Effect.ABI, f"member {path} ({old.type}): {amount(widths[0])} -> {amount(widths[1])}"


def added(path: str, one: Member, before: RecordFacts, moved: Mapping[str, int]) -> EffectText:
    """Return the effect of a new member: none on programs that do not know it, unless others make room for it."""
    text = f"member {path} ({one.type}) added{one.where}"
    if one.end is None or before.size is None:
        return Effect.UNKNOWN, text
    # Programs that were built before allocate nothing for the elements of a flexible array.
    outside = one.end > 8 * before.size or one.start == one.end
    if moved or outside:
        return Effect.ABI, text
    return Effect.NEW, f"{text}, which programs built before leave unset"


def measured(before: RecordFacts, after: RecordFacts) -> Iterator[str]:
    """Yield size and alignment, if they are others."""
    for what, old, new in (
        ("size", before.size, after.size),
        ("alignment", before.alignment, after.alignment),
    ):
        if old is not None and new is not None and old != new:
            yield f"{what} {old} -> {quantity(new, 'byte')}"


def attributes(before: RecordFacts, after: RecordFacts) -> Iterator[EffectText]:
    """Yield the attributes that come and go."""
    yield from ((Effect.ABI, f"{each} is gone") for each in before.attributes if each not in after.attributes)
    yield from ((Effect.ABI, f"{each} is new") for each in after.attributes if each not in before.attributes)


def reordered(old: Mapping[str, Member], new: Mapping[str, Member], kept: Mapping[str, str]) -> bool:
    """Return whether members are in another order."""
    orders = (
        sorted(kept, key=lambda path: (old[path].start or 0, path)),
        sorted(kept, key=lambda path: (new[kept[path]].start or 0, path)),
    )
    return orders[0] != orders[1]


def moves(moved: Mapping[str, int]) -> Iterator[str]:
    """Yield which members lie elsewhere, and by how much."""
    if not moved:
        return
    first = [path for path, _ in zip(moved, range(NAMED), strict=False)]
    distances = set(moved.values())
    if len(distances) == 1:
        distance = amount(distances.pop())
        yield (
            f"moves member {first[0]} by {distance}"
            if len(moved) == 1
            else f"moves {len(moved)} members by {distance}"
        )
    else:
        named = ", ".join(f"{path} by {amount(moved[path])}" for path in first)
        yield f"moves {len(moved)} members ({named}{', ...' if len(moved) > NAMED else ''})"


def travels(before: RecordFacts, after: RecordFacts) -> Iterator[EffectText]:
    """Yield whether a record is passed or returned elsewhere, by functions that are called through pointers, too."""
    if before.by_value.keys() != after.by_value.keys():
        yield Effect.UNKNOWN, "it is not known where it travels by value"
        return
    for how, old in before.by_value.items():
        if old != after.by_value[how]:
            yield Effect.ABI, f"{how} by value: {old} -> {after.by_value[how]}"


def unknown(before: RecordFacts, after: RecordFacts, told: list[EffectText]) -> Iterator[EffectText]:
    """Yield why layouts are not compared, where one is not known and nothing else is told that breaks."""
    why = after.unanswered or before.unanswered
    if not why or any(effect.breaks for effect, _ in told):
        return
    same = before.unanswered == after.unanswered and before.declared == after.declared
    if not (same and before.declared and before.attributes == after.attributes):
        yield Effect.UNKNOWN, f"layout: {why}"
