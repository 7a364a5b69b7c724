"""`check --binding`: what is printed of faults, and the exit statuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.bindings.binding import Left
from abiprobe.harness.bindings.checking import OnTarget
from abiprobe.harness.bindings.facts import Wrong
from abiprobe.harness.cli.commands.bindings import check_binding, lines, status
from abiprobe.harness.input import STRICT

AGREES = OnTarget("x86_64-sysv", facts=3, calls=1)
WRONG = OnTarget("s390x", facts=2, wrong=(Wrong("S.x", 7, "1 byte", "4 bytes", "lzsabi:type.record"),))
LEFT = OnTarget("i386-sysv", facts=1, left=(Left(4, "f", "rustc: no"),))


@pytest.mark.parametrize(
    ("found", "ended"),
    [
        ((AGREES,), 0),
        ((AGREES, OnTarget("s390x", facts=1, lacks=("g",))), 0),
        ((AGREES, WRONG), 1),
        ((LEFT, WRONG), 1),
        ((AGREES, LEFT), 3),
        ((AGREES, OnTarget("s390x", why="rustc is not here")), 3),
        ((OnTarget("s390x"),), 3),
    ],
)
def test_statuses(found: tuple[OnTarget, ...], ended: int) -> None:
    assert status(found) == ended


def test_a_fault_is_told_once_for_all_targets_with_its_clauses() -> None:
    other = OnTarget(
        "x86_64-sysv", facts=3, wrong=(Wrong("S.x", 7, "1 byte", "4 bytes", "x86_64:type.record"),)
    )
    said = list(lines("lib.rs", (WRONG, other, LEFT)))
    assert said[0] == (
        "lib.rs:7: S.x: 1 byte, by the header 4 bytes (lzsabi:type.record, x86_64:type.record) [s390x, x86_64-sysv]"
    )
    assert said[1] == "not compared: lib.rs:4: f: rustc: no [i386-sysv]"


@pytest.mark.parametrize(
    ("name", "subjects", "words"), [("lib.go", None, "no language"), ("lib.rs", "gcc", "one rustc")]
)
def test_bindings_that_cannot_be_read(tmp_path: Path, name: str, subjects: str | None, words: str) -> None:
    path = tmp_path / name
    path.write_text("")
    with pytest.raises(Problem, match=words):
        check_binding(["s.h"], str(path), "x86_64-sysv", subjects, "O0", "text", STRICT)
