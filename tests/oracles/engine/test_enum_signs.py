"""Of an enumeration that an `int` holds, the psABI tells the size: it stands beside `signed int`, and gcc has it unsigned."""

from __future__ import annotations

import pytest

from abiprobe.oracles.language.lang import Enum, Enumerator
from abiprobe.oracles.registry import find_model


@pytest.mark.parametrize(
    ("target", "values", "is_open"),
    [
        ("x86_64-sysv", (0, 1), True),
        ("i386-sysv", (0, 1), True),
        ("x86_64-sysv", (-1, 1), False),
        ("x86_64-sysv", (0, 1 << 31), False),
        ("aarch64-aapcs64", (0, 1), False),
    ],
)
def test_the_sign_of_an_enumeration(target: str, values: tuple[int, ...], is_open: bool) -> None:  # noqa: FBT001 - a column
    enum = Enum("E", tuple(Enumerator(f"E{at}", value) for at, value in enumerate(values)))
    assert find_model(target).types.is_sign_open(enum) is is_open
