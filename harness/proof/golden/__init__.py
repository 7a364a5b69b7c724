"""Golden vectors: facts about ABIs that were measured or worked out by hand, none computed by a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from abiprobe.harness.problem import Problem
from abiprobe.oracles.model import AbiModel, Target
from abiprobe.oracles.options import DEFAULT, LayoutOptions

FOLDER = Path("tests", "oracles")
"""Where the tables are in the checkout, with which they come, since tests read them."""


@dataclass(frozen=True)
class Fact:
    """What a model of `target` under `options` must say: `holds` asks it, of bytes, or of what it `cites` for them."""

    name: str
    target: str
    holds: Callable[[Target, AbiModel], bool]
    options: LayoutOptions = DEFAULT
    cites: bool = False


def table(*names: str) -> Path:
    """The file of a table, in the checkout that this package lies in or that is the current folder.

    Raises `Problem` where there is neither.
    """
    file = FOLDER.joinpath(*names)
    for checkout in (Path(__file__).parents[3], Path.cwd()):
        if (checkout / file).is_file():
            return checkout / file
    raise Problem(
        f"there is no {file} here", "golden vectors come with the checkout of abiprobe: run it there"
    )
