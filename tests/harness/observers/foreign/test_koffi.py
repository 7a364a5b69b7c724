"""koffi as a subject: what its program says of itself, and that a liar is caught."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.subjects.families import libraries
from abiprobe.harness.subjects.find import build, identity, parse_subject
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement

from .asking import TARGET, calls, need

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def _present() -> None:
    need("koffi")


def test_its_version_is_its_identity() -> None:
    built = build(parse_subject("koffi"), find_target(TARGET), "O0")
    assert built is not None
    found = identity(built.command)
    assert found.version.startswith("koffi ")
    assert "Node v" in found.version
    assert found.sure


def test_a_liar_is_caught(tmp_path: Path) -> None:
    """It takes an int for a short."""
    child = Path(libraries.KOFFI.common[0])
    text = child.read_text("utf-8")
    old = 'int: "int"'
    assert old in text
    (tmp_path / "liar.js").write_text(
        text.replace(old, 'int: "short"').replace("if (size !== slot.own)", "if (false)"), "utf-8"
    )
    liar = tmp_path / "node"
    liar.write_text(f'#!/bin/sh\nshift\nexec node {tmp_path}/liar.js "$@"\n')
    liar.chmod(0o755)
    source = "void f(int a, double b);"
    assert {verdict.verdict for verdict in calls(source, "koffi").values()} == {Judgement.AGREES}
    found = calls(source, f"koffi:{liar}")
    assert {name for name, verdict in found.items() if verdict.verdict is Judgement.DEVIATES} == {
        "caller",
        "callee",
    }
