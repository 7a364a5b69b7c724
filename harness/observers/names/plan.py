"""The model's answer about the name of an entity."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from abiprobe.oracles.abis.itanium import CxxModel
from abiprobe.oracles.abis.itanium.names import MangledName
from abiprobe.oracles.language.entities import AnyEntity
from abiprobe.oracles.text.place import Unspecified, Unsupported


class NamePlan(msgspec.Struct, frozen=True):
    """An entity with the name that the model predicts; where the text is silent, `readings` has that of each family."""

    probe: str
    asked: AnyEntity
    name: MangledName | Unspecified
    readings: Mapping[str, str] = {}


def plan_name(
    probe: str, asked: AnyEntity, model: CxxModel, readings: Mapping[str, CxxModel]
) -> NamePlan | Unsupported:
    """Prepare an entity to be asked; `Unsupported` where the text has no such type."""
    found = model.name(asked)
    if isinstance(found, Unsupported):
        return found
    if isinstance(found, MangledName):
        return NamePlan(probe, asked, found)
    by_family = {name: one.name(asked) for name, one in readings.items()}
    told = {name: one.text for name, one in by_family.items() if isinstance(one, MangledName)}
    return NamePlan(probe, asked, found, told)
