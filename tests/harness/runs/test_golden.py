"""Golden vectors as part of a run: a model that contradicts one is told, and the run fails."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from abiprobe.harness.runs import golden
from abiprobe.harness.runs.golden import Contradiction, contradicted, found_wrong, relatives
from abiprobe.harness.triage.causes import causes_of
from abiprobe.harness.triage.known_causes import compare_with_known
from abiprobe.oracles.golden import rows
from abiprobe.oracles.registry import TARGETS, find_target
from abiprobe.results.journal.journal import SCHEMA, Header, Plan, Run
from abiprobe.results.known.deviations import Known
from abiprobe.results.known.matches import match_known

DPU = "upmem-dpu"
WRONG = Contradiction(DPU, "void f(int);", "r0", "r1")


def empty(*targets: str) -> Run:
    """A run that asked nobody."""
    return Run(Header(SCHEMA, "", "", Plan(1, 1, targets, (), ("O0",)), ()), (), None)


def test_no_model_contradicts_its_golden_vectors() -> None:
    assert contradicted(tuple(map(find_target, (DPU, "colossus-ipu", "x86_64-ms")))) == ()


def test_another_model_does() -> None:
    here = replace(TARGETS[DPU], dialects=TARGETS["colossus-ipu"].dialects)
    first = next(iter(found_wrong(here)))
    assert str(first).startswith(f"the model of {DPU} contradicts the text: ")


def test_a_model_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    golden.contradictions(TARGETS[DPU])
    golden.contradictions.cache_clear()
    monkeypatch.setattr(golden, "found_wrong", lambda *_: pytest.fail("it is kept"))
    assert golden.contradictions(TARGETS[DPU]) == ()


def test_a_run_with_a_wrong_model_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(golden, "contradictions", lambda target: (WRONG,) if target.name == DPU else ())
    causes = causes_of(tmp_path, empty(DPU), Known())
    assert (causes.status, causes.contradictions) == (1, (WRONG,))
    memory = compare_with_known((), match_known((), (), {}), Known(), empty(DPU))
    assert memory.status == 1
    assert "the model of upmem-dpu contradicts the text: void f(int); is r0, not r1" in memory.lines()
    assert causes_of(tmp_path, empty("x86_64-ms"), Known()).status != 1


@pytest.mark.parametrize(
    ("target", "among", "not_among"),
    [
        ("riscv32-ilp32f", "riscv64-lp64d", "x86_64-sysv"),
        ("x86_64-ms@gcc-reading", "x86_64-sysv@gcc-reading", "x86_64-sysv@clang-reading"),
        ("x86_64-sysv", "x86_64-ms", "i386-sysv"),
    ],
)
def test_targets_of_a_family_are_asked_together(target: str, among: str, not_among: str) -> None:
    found = set(map(str, relatives(find_target(target))))
    assert among in found
    assert not_among not in found


def test_every_row_is_of_a_target() -> None:
    assert {row.target.partition("@")[0] for row in rows()} <= set(TARGETS)
