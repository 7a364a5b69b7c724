"""Golden vectors: facts about ABIs that were measured or worked out by hand, none computed by a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from abiprobe.oracles.model import AbiModel, Target
from abiprobe.oracles.text.options import DEFAULT, LayoutOptions


@dataclass(frozen=True)
class Fact:
    """What a model of `target` under `options` must say: `holds` asks it, of bytes, or of what it `cites` for them."""

    name: str
    target: str
    holds: Callable[[Target, AbiModel], bool]
    options: LayoutOptions = DEFAULT
    cites: bool = False
