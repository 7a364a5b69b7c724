"""LuaJIT's FFI as a subject: what it lays out, calls and takes, what it cannot say, and that a liar is caught."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.subjects.families import libraries
from abiprobe.harness.subjects.find import build, identity, parse_subject
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement, Outcome

from .asking import TARGET, calls, layout, need


@pytest.fixture(autouse=True)
def _present() -> None:
    need("luajit")


def test_a_bit_field_of_a_wide_type_is_not_taken() -> None:
    verdict = layout("struct S { long long a : 33; };", "luajit")
    assert (verdict.outcome, verdict.detail) == (Outcome.UNSUPPORTED, "invalid value near ':'")


def test_its_version_is_its_identity() -> None:
    built = build(parse_subject("luajit"), find_target(TARGET), "O0")
    assert built is not None
    found = identity(built.command)
    assert found.version.startswith("LuaJIT 2.")
    assert found.sure


LIAR = """#!/bin/sh
shift
exec luajit {folder}/liar.lua "$@"
"""


def test_a_liar_is_caught(tmp_path: Path) -> None:
    """Its calls have the float for the double."""
    child = Path(libraries.LUAJIT.common[0])
    text = child.read_text("utf-8")
    old = "ffi.typeof(asked.pointer)"
    assert old in text
    new = "ffi.typeof((asked.pointer:gsub('double', 'float')))"
    (tmp_path / child.name).with_stem("liar").write_text(text.replace(old, new), "utf-8")
    liar = tmp_path / "luajit"
    liar.write_text(LIAR.format(folder=tmp_path))
    liar.chmod(0o755)
    source = "int f(int a, double b);"
    assert {verdict.verdict for verdict in calls(source, "luajit").values()} == {Judgement.AGREES}
    found = calls(source, f"luajit:{liar}")
    deviating = {name for name, verdict in found.items() if verdict.verdict is Judgement.DEVIATES}
    assert deviating == {"caller", "callee"}
