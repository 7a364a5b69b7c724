"""Reading a caller's declarations: C or C++ as text, or the path of a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from abiprobe.harness.api.arguments import named_target
from abiprobe.harness.input import ReadOptions
from abiprobe.harness.input.declared import Declared, by_target, declared_in, declared_in_file

Source = str | Path
"""Declarations: text, or the path of a file that has them."""


def declared(source: Source, targets: Sequence[str], how: ReadOptions) -> list[Declared]:
    """Return what a source declares for each target, each function where its convention is that of the target.

    Raises `Problem` for an unknown target, and where nothing can be asked about.
    """
    asked = [named_target(name) for name in targets]
    if isinstance(source, Path):
        return by_target([declared_in_file(str(source), target, how) for target in asked])
    return by_target([declared_in(source, target, how) for target in asked])
