"""What `abiprobe coverage` says of the classes of types in complete suites."""

from __future__ import annotations

import pytest

from abiprobe.generators.tours.menu import CHAR, DOUBLE, INT, struct
from abiprobe.harness.cli.commands.coverage import like
from abiprobe.oracles.language.lang import Array, Kind, Type, Vector
from abiprobe.oracles.registry import find_target

BYTES = [struct(Array(CHAR, size)) for size in (3, 17)]


@pytest.mark.parametrize(
    ("types", "words"),
    [
        ((None,), "no result"),
        ((INT,), "1 like int (1 scalar of 4 bytes)"),
        (
            (DOUBLE, INT, Vector(Kind.INT, 16), *BYTES),
            "5 like double (2 scalars of 4 to 8 bytes, 1 vector of 16 bytes, 2 records of 3 to 17 bytes)",
        ),
    ],
)
@pytest.mark.parametrize("target", ["x86_64-sysv", "x86_64-sysv@open"])
def test_a_class_is_told_by_shapes_and_sizes(target: str, types: tuple[Type | None, ...], words: str) -> None:
    assert like(find_target(target), types) == words
