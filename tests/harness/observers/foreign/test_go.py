"""Go's calls of C, by cgo, as a subject: what it lays out, calls and takes, what it cannot say, and that a liar is caught."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.subjects.families import libraries
from abiprobe.harness.subjects.find import build, identity, parse_subject
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement, Outcome

from .asking import TARGET, calls, layout, need

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def _present() -> None:
    need("go")


def test_it_makes_and_takes_calls() -> None:
    for source in (
        "_Bool f(short a, unsigned char b, _Bool c, void (*d)(void));",
        "struct S { int a; double b; }; struct S f(struct S a, long b, float c);",
        "union U { float a; int b; }; union U f(int, union U a);",
        "struct S { char a; __int128 b; }; struct S f(struct S a, unsigned __int128 b);",
        "enum E { A }; double _Complex f(enum E a, float _Complex b);",
    ):
        found = calls(source, "go")
        assert {verdict.verdict for verdict in found.values()} == {Judgement.AGREES}, found
        assert {"caller", "callee", "result"} <= found.keys()


def test_it_lays_records_out() -> None:
    source = "struct In { char a; int b; }; struct S { char type; struct In in[2]; void (*f)(void); };"
    assert layout(source, "go").verdict is Judgement.AGREES


def test_a_union_has_no_members_in_go() -> None:
    verdict = layout("union U { char a; int b; };", "go")
    assert verdict.outcome is Outcome.UNSUPPORTED
    assert "field" in verdict.detail


def test_what_go_has_no_type_for_is_an_array_of_bytes() -> None:
    """So a record is as large as that of C, and aligned to less."""
    verdict = layout("struct S { __int128 a; int b; };", "go")
    assert verdict.verdict is Judgement.DEVIATES
    assert verdict.detail == "object: _Alignof in bytes: expected 16, saw 4"


def test_what_it_cannot_say_is_unsupported() -> None:
    found = calls("int f(int a, ...);", "go")
    assert {verdict.detail for verdict in found.values()} == {"the library has no unnamed arguments"}


def test_its_version_is_its_identity() -> None:
    built = build(parse_subject("go"), find_target(TARGET), "O0")
    assert built is not None
    assert identity(built.command).version.startswith("cgo of go1.")


def test_a_liar_is_caught(tmp_path: Path) -> None:
    """It takes an int for a short."""
    text = Path(libraries.GO.common[-1]).read_text("utf-8")
    old = 'header += fmt.Sprintf("typedef __typeof__(%s) param_%d_%d;\\n", name, number, n)'
    assert old in text
    new = 'if name == "int" {\nname = "short"\n}\n' + old
    (tmp_path / "go_child.go").write_text(text.replace(old, new), "utf-8")
    liar = tmp_path / "go"
    liar.write_text(f'#!/bin/sh\nshift 2\nexec go run {tmp_path}/go_child.go "$@"\n')
    liar.chmod(0o755)
    found = calls("void f(int a, double b);", f"go:{liar}")
    deviating = {name for name, verdict in found.items() if verdict.verdict is Judgement.DEVIATES}
    assert deviating == {"caller", "callee"}
