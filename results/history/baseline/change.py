"""A change since a baseline: what it is, what it does to programs that were built before, and on which targets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import TypeAlias

import msgspec

from abiprobe.results.verdicts.quantity import quantity


class Effect(Enum):
    """The effect of a change, worst first."""

    ABI = "ABI break"
    """what was built before looks elsewhere than what is built now: places, sizes, symbols, conventions"""
    MEANING = "change of meaning"
    """both look at the same place, and take what is there for something else: types, values of constants"""
    UNKNOWN = "not compared"
    """nothing is known: a declaration that cannot be read, or about which the text is silent"""
    API = "API change"
    """sources may have to change; what was built before goes on as it was"""
    NEW = "addition"
    """what was built before knows nothing of it"""

    @property
    def breaks(self) -> bool:
        """Return whether programs built before may fail."""
        return self in (Effect.ABI, Effect.MEANING)

    def counted(self, number: int) -> str:
        """A number of changes with this effect: `2 ABI breaks`."""
        match self:
            case Effect.MEANING:
                return f"{quantity(number, 'change')} of meaning"
            case Effect.UNKNOWN:
                return f"{number} {self.value}"
            case _:
                return quantity(number, self.value)


EffectText: TypeAlias = "tuple[Effect, str]"
"""One thing that has changed of a declaration."""


class InterfaceChange(msgspec.Struct, frozen=True):
    """The changes of one declaration with one effect: the `causes`, and the places that they move."""

    effect: Effect
    declaration: str
    causes: tuple[str, ...]
    consequences: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()

    @property
    def breaks(self) -> bool:
        """Return whether programs built before may fail."""
        return self.effect.breaks

    @property
    def line(self) -> str:
        """The change in a line."""
        what = "; ".join((*self.causes, *self.consequences))
        return f"{self.effect.value}: {self.declaration}: {what}"


def gathered(
    declaration: str, told: Iterable[EffectText], consequences: Iterable[str] = ()
) -> Iterator[InterfaceChange]:
    """Yield the changes of a declaration, one for each effect; places that change break the ABI."""
    causes: dict[Effect, list[str]] = {}
    for effect, text in told:
        causes.setdefault(effect, []).append(text)
    moved = tuple(consequences)
    if moved:
        causes.setdefault(Effect.ABI, [])
    for effect in Effect:
        if effect in causes:
            yield InterfaceChange(
                effect, declaration, tuple(causes[effect]), moved if effect is Effect.ABI else ()
            )


def grouped(found: Iterable[tuple[str, InterfaceChange]]) -> tuple[InterfaceChange, ...]:
    """The changes of several targets, each once with all its targets, the worst first."""
    targets: dict[InterfaceChange, list[str]] = {}
    for target, change in found:
        targets.setdefault(change, []).append(target)
    order = list(Effect)
    changes = (msgspec.structs.replace(one, targets=tuple(on)) for one, on in targets.items())
    return tuple(sorted(changes, key=lambda one: (order.index(one.effect), one.targets)))


def summary(found: Iterable[InterfaceChange]) -> str:
    """Return the number of changes by effect, in words."""
    effects = [one.effect for one in found]
    if set(effects) == {Effect.UNKNOWN}:
        return f"no change in what was compared; {Effect.UNKNOWN.counted(len(effects))}"
    return ", ".join(each.counted(effects.count(each)) for each in Effect if each in effects) or "no change"
