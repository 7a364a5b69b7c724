"""Golden vectors: facts about ABIs that were measured or worked out by hand, none computed by a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from abiprobe.harness.problem import Problem
from abiprobe.oracles.model import AbiModel, Target

FOLDER = Path(__file__).parents[3] / "tests" / "oracles"
"""Where the tables are; they come with the checkout, since tests read them."""


@dataclass(frozen=True)
class Fact:
    """What a model of `target` must say: `holds` asks it."""

    name: str
    target: str
    holds: Callable[[Target, AbiModel], bool]


def table(*names: str) -> Path:
    """The file of a table; raises `Problem` outside a checkout."""
    path = FOLDER.joinpath(*names)
    if not path.is_file():
        raise Problem(f"there is no {path}", "golden vectors come with the checkout of abiprobe")
    return path
