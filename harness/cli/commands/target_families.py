"""Families of targets: those of one architecture, or of one system on it, which lists and tables show together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from abiprobe.oracles.registry import TARGETS

FAMILIES = tuple(dict.fromkeys(target.family for target in TARGETS.values()))
"""Every family, in the order of the first target of each."""


def family_of(target: str) -> str:
    """The family of a target; raises `KeyError` for an unknown one."""
    return TARGETS[target].family


def family_names(targets: Iterable[str]) -> str:
    """The families that some targets belong to."""
    found = {family_of(target) for target in targets}
    return ", ".join(family for family in FAMILIES if family in found)


def without_model(targets: Sequence[str]) -> str:
    """Return the targets of a family that have no model, in brackets; empty if all have one."""
    found = [name for name in targets if not TARGETS[name].modelled]
    if len(found) == len(targets):
        return " (no model)"
    return f" ({len(found)} without a model)" if found else ""
