"""A compiler that changes while a run lasts ends it: what it answered before is kept, and nothing is mixed."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.observers.batch import Job
from abiprobe.harness.runs.compiler_guard import run_guarded, with_digests
from abiprobe.harness.runs.session import Settings, header, run
from abiprobe.harness.subjects.find import build, identity, parse_subject
from abiprobe.oracles.language.question import Sort
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import BatchDone, Plan, SubjectInfo, Writer, read

LAYOUTS_ONLY = "dpu-upmem-dpurte-clang"
"""A family whose target runs no programs, so that no emulator is needed."""


def compiler(path: Path, version: str) -> Path:
    """A compiler that refuses all records; the third unit about them makes it another version."""
    text = f"""#!/bin/sh
case "$*" in *-###*) exit 1;; *--version*) echo faux {version}; exit;; esac
while [ "$1" != -c ]; do shift; done
case "$(cat "$2")" in *abi_layout*) ;; *) cp "$2" "$4"; exit;; esac
echo >> {path}.calls
[ $(wc -l < {path}.calls) -eq 3 ] && {{
  cp {path}.next {path}.new; chmod +x {path}.new; mv {path}.new {path}; }}
echo no >&2; exit 1
"""
    path.write_text(text)
    path.with_name(f"{path.name}.next").write_text(text.replace("1.0", "2.0"))
    path.chmod(0o755)
    return path


def job(path: Path) -> Job:
    subject = f"gcc:{path}"
    built = build(parse_subject(subject), find_target("x86_64-sysv"), "O0")
    assert built is not None
    info = SubjectInfo("x86_64-sysv", subject, "faux 1.0", identity(built.command).digest)
    return with_digests(spelled_job("x86_64-sysv", 0, Sort.RECORDS, (), ((subject, "O0"),)), [info])


def nothing(_job: Job) -> list[BatchDone]:
    return []


def test_the_same_compiler_answers(tmp_path: Path) -> None:
    assert run_guarded(nothing, job(compiler(tmp_path / "cc", "1.0"))) == []


def test_a_compiler_that_changed_before_a_batch_is_not_asked(tmp_path: Path) -> None:
    asked = job(compiler(tmp_path / "cc", "1.0"))
    compiler(tmp_path / "cc", "2.0")
    with pytest.raises(Problem, match=r"cc for x86_64-sysv changed during the run: it is now faux 2\.0"):
        run_guarded(lambda _job: pytest.fail("asked"), asked)


def test_a_compiler_that_changes_during_a_batch_is_noticed(tmp_path: Path) -> None:
    asked = job(compiler(tmp_path / "cc", "1.0"))

    def change(_job: Job) -> list[BatchDone]:
        compiler(tmp_path / "cc", "2.0")
        return []

    with pytest.raises(Problem, match="it is now faux"):
        run_guarded(change, asked)


def test_the_compiler_behind_a_wrapper_is_watched_too(tmp_path: Path) -> None:
    inner = compiler(tmp_path / "inner", "1.0")
    wrapper = tmp_path / "cc"
    wrapper.write_text(f'#!/bin/sh\nexec {inner} "$@"\n')
    wrapper.chmod(0o755)
    asked = job(wrapper)
    compiler(inner, "2.0")
    with pytest.raises(Problem, match="it is now faux"):
        run_guarded(nothing, asked)


def test_a_compiler_that_is_gone_is_told(tmp_path: Path) -> None:
    path = compiler(tmp_path / "cc", "1.0")
    asked = job(path)
    path.unlink()
    with pytest.raises(Problem, match="it is gone"):
        run_guarded(nothing, asked)


def test_the_problem_crosses_from_a_worker() -> None:
    problem = pickle.loads(pickle.dumps(Problem("what", "do")))
    assert (problem.message, problem.hint) == ("what", "do")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_ends_when_its_compiler_changes_and_keeps_what_it_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    monkeypatch.setenv("ABIPROBE_CACHE", str(tmp_path / "cache"))
    path = compiler(tmp_path / "cc", "1.0")
    plan = Plan(1, 1000, ("upmem-dpu",), (f"{LAYOUTS_ONLY}:{path}",), ("O0",))
    folder = tmp_path / "run"
    folder.mkdir()
    head = header(plan)
    with pytest.raises(Problem, match="changed during the run"):
        run(head, Settings(jobs), Writer.create(folder, head), (), lambda _batch: None)
    found = read(folder)
    assert found.footer is None
    assert [info.version for info in found.header.subjects] == ["faux 1.0"]
    assert len(found.batches) < 4
