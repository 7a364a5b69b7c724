"""The quirks that ship with abiprobe, those in force for a compiler, and the dialect that they make of a text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from abiprobe.oracles.model import Target
from abiprobe.oracles.quirks import (
    alignments,
    arm,
    atomics,
    bit_int,
    classes,
    cxx_calls,
    debug_info,
    extern_cxx,
    flattened,
    hexagon,
    integers,
    languages,
    layouts,
    m68k,
    microsoft,
    mips,
    names,
    no_bytes,
    power_and_sparc,
    ptx,
    reals,
    scalable,
    sparc_v8,
    tables,
    variadic,
    vectors,
    win32,
    x86_classes,
    xtensa,
    zero_width,
)
from abiprobe.oracles.quirks.quirk import Quirk, Side, under_all
from abiprobe.oracles.quirks.versions import family
from abiprobe.oracles.unmodelled.opened import OPEN

MODULES = (
    cxx_calls,
    alignments,
    arm,
    atomics,
    bit_int,
    classes,
    debug_info,
    extern_cxx,
    flattened,
    hexagon,
    integers,
    languages,
    layouts,
    m68k,
    microsoft,
    mips,
    names,
    no_bytes,
    power_and_sparc,
    ptx,
    reals,
    scalable,
    sparc_v8,
    tables,
    variadic,
    vectors,
    win32,
    x86_classes,
    xtensa,
    zero_width,
)
EVERY = tuple(quirk for module in MODULES for quirk in module.QUIRKS)
QUIRKS: Mapping[str, Quirk] = MappingProxyType({quirk.name: quirk for quirk in EVERY})
"""Every quirk by name."""


@dataclass(frozen=True)
class Choice:
    """A user's choice: quirks that are `added`, and the names of shipped ones that are `off`."""

    added: tuple[Quirk, ...] = ()
    off: tuple[str, ...] = ()

    @property
    def quirks(self) -> tuple[Quirk, ...]:
        """All quirks: the shipped ones that are not switched off or replaced, and those that are added."""
        replaced = {*self.off, *(quirk.name for quirk in self.added)}
        return (*(quirk for quirk in EVERY if quirk.name not in replaced), *self.added)


SHIPPED = Choice()


@cache
def quirks_of(target: str, subject: str, version: str, choice: Choice = SHIPPED) -> tuple[Quirk, ...]:
    """Return the quirks that a subject with this version line has on a target, by its name without a dialect."""
    return tuple(quirk for quirk in choice.quirks if quirk.has(target, subject, version))


def in_force(
    target: Target, subject: str, version: str, level: str, side: Side, choice: Choice = SHIPPED
) -> tuple[Quirk, ...]:
    """Return the quirks that a subject shows at a level, on one side of a call; none where there is no text to depart from."""
    if target.dialect == OPEN:
        return ()
    return tuple(
        quirk for quirk in quirks_of(target.name, subject, version, choice) if quirk.shows(level, side)
    )


def dialect_of(target: Target, subject: str, quirks: Iterable[Quirk]) -> Target:
    """Return the text, with the reading of a subject's family where it is silent, and quirks.

    A target that is itself a dialect stays that one.
    """
    own = family(subject)
    base = target if target.dialect or own not in target.dialects else target.in_dialect(own)
    return base.under(under_all(quirks))
