"""A matrix of promises: one that held, one that is broken, and one on which nothing was compared."""

from __future__ import annotations

from abiprobe.results.coverage import promises
from abiprobe.results.coverage.promises import Promise, PromisedPart
from abiprobe.results.report.promise_matrix import Matrix, MatrixRow

TARGETS = ("x86_64-sysv@open", "riscv64-lp64d@open")


def part(target: str, name: str, held: int, broken: int = 0, uncompared: int = 0) -> PromisedPart:
    """A part with so many probes."""
    return PromisedPart(target, name, held, frozenset(map(str, range(broken))), uncompared, {})


def row(heading: str, other: str, *parts: PromisedPart, since: str = "") -> MatrixRow:
    """A promise of clang-22 and what became of it."""
    return MatrixRow(heading, promises.Tested(Promise("clang-22", other), parts), since=since)


MATRIX = Matrix(
    "clang",
    (
        row("Releases", "clang-19", *(part(target, "layouts", 40) for target in TARGETS)),
        row("Releases", "clang-14", part(TARGETS[0], "layouts", 38, 2), since="clang-15"),
        row("Standards", "clang-22 -DX='<b>'", part(TARGETS[1], "calls", 0, 0, 7)),
    ),
    60,
    (51,),
    ("O0",),
    {"clang-22": "clang version 22.1.8"},
    90.0,
)
