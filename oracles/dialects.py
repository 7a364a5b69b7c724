"""The models of a text: as it is written, or as a compiler family reads it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from abiprobe.oracles.engine.data_model import DataModel
from abiprobe.oracles.engine.policies import HABITS
from abiprobe.oracles.engine.policies import TEXT as WRITTEN
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import LayoutClauses
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import PRESERVING, Prototype
from abiprobe.oracles.model import AbiModel, Model
from abiprobe.oracles.text.options import LayoutOptions
from abiprobe.oracles.text.place import Assignment

Calls: TypeAlias = Callable[[TypeTable, Prototype], Assignment]
"""The rules of a text for a call: where its arguments and its result travel."""


def factory(
    data: DataModel,
    text: LayoutClauses,
    calls: Calls,
    reading: Reading | None,
    habits: Mapping[str, object] = MappingProxyType({}),
) -> Callable[[LayoutOptions], AbiModel]:
    """Return what makes the model under options; without a reading, silence stays silence.

    `habits` are the policies that a family has here beside those that it has everywhere.
    """
    policies = HABITS.get(reading, WRITTEN).changed(habits)

    def model(options: LayoutOptions) -> AbiModel:
        return Model(TypeTable(data, text, reading, options, habits=policies), calls, silent=PRESERVING)

    return model
