"""A compiler that takes longer than it did is told, a machine that does is not."""

from __future__ import annotations

import pytest

from abiprobe.results.history.compare import Outline, Side
from abiprobe.results.history.losses import slower

GCC, CLANG, TCC = ((("x86_64-sysv", name, "O0")) for name in ("gcc-12", "clang-22", "tcc"))


def paces(**seconds: float) -> Outline:
    """A run in which each compiler took so many seconds for 1,000 probes."""
    sides: dict[str, Side] = {"gcc": GCC, "clang": CLANG, "tcc": TCC}
    return Outline({}, {}, {}, {sides[name]: (spent, 1000) for name, spent in seconds.items()})


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({"gcc": 2.0, "clang": 3.0, "tcc": 1.0}, {"gcc": 2.0, "clang": 9.0, "tcc": 1.0}, [CLANG]),
        ({"gcc": 2.0, "clang": 3.0, "tcc": 1.0}, {"gcc": 6.0, "clang": 9.0, "tcc": 3.0}, []),
        ({"gcc": 2.0, "clang": 3.0, "tcc": 1.0}, {"gcc": 4.0, "clang": 18.0, "tcc": 2.0}, [CLANG]),
        ({"gcc": 2.0}, {"gcc": 3.5}, [GCC]),
        ({"gcc": 2.0}, {"gcc": 2.5}, []),
        ({"gcc": 0.1}, {"gcc": 3.5}, []),
    ],
)
def test_a_machine_that_is_busy_makes_no_compiler_slower(
    before: dict[str, float], after: dict[str, float], told: list[Side]
) -> None:
    pairs = [(side, side) for side in paces(**after).pace]
    assert [one.side for one in slower(paces(**before), paces(**after), pairs, lambda _: True)] == told


@pytest.mark.parametrize(
    ("after", "told"),
    [
        # Neither may be told of a compiler that is the same, nor less than what that takes longer.
        ({"gcc": 9.0, "clang": 3.0}, []),
        ({"gcc": 4.4, "clang": 6.0}, []),
        ({"gcc": 4.4, "clang": 15.0}, [CLANG]),
    ],
)
def test_what_an_unchanged_compiler_takes_longer_is_noise(after: dict[str, float], told: list[Side]) -> None:
    before = {"gcc": 2.0, "clang": 3.0}
    pairs = [(side, side) for side in paces(**after).pace]
    found = slower(paces(**before), paces(**after), pairs, lambda side: side == CLANG)
    assert [one.side for one in found] == told
