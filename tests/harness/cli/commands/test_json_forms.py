"""Commands that keep or remove something say as JSON what they did."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from abiprobe.harness.nights.command_lines import cause_lines, diff_line, run_line
from abiprobe.harness.runs.run_files import write_run
from abiprobe.results.journal.journal import SCHEMA, Footer, Header, Pairs, Plan, Run, verdict_digest
from tests.harness.nights.test_since import cluster

from .calling import TARGET, abiprobe

PLAN = Plan(7, 150, (TARGET,), ("gcc-12", "clang-22 -O1"), ("O0", "O2"), sampled=(), pairs=Pairs.FIRST)


def answer(tmp_path: Path, *words: str, status: int = 0) -> dict[str, Any]:
    done = abiprobe(*words, "--format", "json", cwd=tmp_path)
    assert done.returncode == status, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_corpus(tmp_path: Path) -> None:
    (tmp_path / "s.h").write_text("struct S { int a; }; void f(struct S a);")
    folder = ("--folder", str(tmp_path / "kept"))
    added = answer(tmp_path, "corpus", "add", "s.h", "--target", TARGET, *folder)
    assert (added["added"], added["kept"]) == (2, 2)
    head = Header(SCHEMA, "1", "2026-01-01T00:00:00+00:00", PLAN, ())
    write_run(tmp_path / "r", Run(head, (), Footer(0, 0, verdict_digest(()), "complete", 1.0)))
    pruned = answer(tmp_path, "corpus", "prune", "r", "--dry-run", *folder)
    assert (pruned["removed"], pruned["dry_run"]) == (0, True)


def test_merge(tmp_path: Path) -> None:
    for number in (1, 2):
        plan = Plan(7, 10, (TARGET,), ("cc",), ("O0",), shard=(number, 2))
        head = Header(SCHEMA, "1", "2026-01-01T00:00:00+00:00", plan, ())
        write_run(tmp_path / f"s{number}", Run(head, (), Footer(0, 0, verdict_digest(()), "complete", 1.0)))
    whole = answer(tmp_path, "merge", "s1", "s2", "--out", "whole")
    assert whole["complete"] is True
    assert whole["verdicts"] == 0
    part = answer(tmp_path, "merge", "s1", "--out", "part", status=4)
    assert part["complete"] is False


def test_removing_a_release_that_is_not_there(tmp_path: Path) -> None:
    env = {"ABIPROBE_CACHE": str(tmp_path / "cache")}
    done = abiprobe("toolchains", "remove", "clang-12", "--format", "json", cwd=tmp_path, env=env)
    assert json.loads(done.stdout) == {"schema": 1, "freed_bytes": {"clang-12": 0}}


def test_a_run_can_be_asked_for_again() -> None:
    assert run_line(PLAN, None) == (
        f"abiprobe run {TARGET} --cc 'gcc-12,clang-22 -O1' --opt O0,O2 --cases 150 --seed 7 --no-tours --witness object"
    )
    endless = Plan(7, 1 << 40, (TARGET,), ("cc",), ("O0",), pairs=Pairs.NONE, tours=True, corpus="d")
    assert run_line(endless, Footer(1, 1, "d", "budget", 60.0)) == (
        f"abiprobe run {TARGET} --cc cc --opt O0 --budget 60s --seed 7 --tours --pairs none --witness object --corpus"
    )


def test_a_cause_leads_on_to_commands() -> None:
    repro, explain, bisect = cause_lines(cluster("c0000001"), "void f(char a);", Path("a run"))
    assert repro == "abiprobe repro c0000001 --run 'a run' --out repro-c0000001"
    assert explain == f"abiprobe explain 'void f(char a);' --target {TARGET}"
    assert bisect == "abiprobe bisect c0000001 --run 'a run'"
    assert diff_line("old", Path("new")) == "abiprobe diff old new"
