"""The same question has the same answer whatever else its unit contains, on each executor, and in a run of any manner.

The compilers here give addresses where values should be, which depend on all that.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import pytest
from laboratory.jobs import spelled_job

from abiprobe.generators.pool import draw
from abiprobe.harness.machines.executors.find import CHOSEN, find
from abiprobe.harness.machines.workbench import described
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.subjects.compile import Limits
from abiprobe.oracles.language.question import Question, Sort
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import NAME, BatchDone, BatchKey, Pairs, read_complete, verdict_digest
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict
from tests.harness.cli.commands.calling import abiprobe
from tests.skipping import needs_executor

from .putting import LIE

RISCV, X86, ARM = "riscv64-lp64d", "x86_64-sysv", "aarch64-aapcs64"
ASKED = [
    ("shows_addresses", X86),
    ("shows_addresses", RISCV),
    ("shows_addresses", ARM),
    ("dies_near_its_code", X86),
]
QUESTIONS: tuple[Question, ...] = tuple(draw(seed=1, kind=Sort.PROTOTYPES, start=0, count=24))


def answered(target: str, faux: Path, questions: tuple[Question, ...]) -> dict[tuple[object, ...], Verdict]:
    """The verdicts on questions that are put together to a compiler and a copy of it, which call each other's functions."""
    other = Path(shutil.copy(faux, faux.with_name("copied")))
    subjects = tuple((f"clang:{path}", level) for path, level in ((faux, "O0"), (other, "O0"), (faux, "O2")))
    job = spelled_job(target, 0, Sort.PROTOTYPES, questions, subjects, Limits(), pairs=Pairs.FIRST)
    return {
        (done.key.subject, done.key.level, one.probe, one.kind, one.partner): one
        for done in run_job(job)
        for one in done.verdicts
    }


def in_parts(questions: tuple[Question, ...], size: int) -> Iterator[tuple[Question, ...]]:
    return (questions[at : at + size] for at in range(0, len(questions), size))


@pytest.fixture
def lying(monkeypatch: pytest.MonkeyPatch, lie: str) -> None:
    monkeypatch.setenv(LIE, lie)


@pytest.mark.parametrize(
    ("lie", "target"),
    [ASKED[0], ("is_wordy", X86), *(pytest.param(*one, marks=pytest.mark.long) for one in ASKED[1:])],
)
@pytest.mark.usefixtures("lying")
def test_an_answer_does_not_depend_on_what_else_is_asked(target: str, faux: Path) -> None:
    needs_executor(target)
    whole = answered(target, faux, QUESTIONS)
    assert any(one.verdict is not Judgement.AGREES for one in whole.values())
    apart = [answered(target, faux, part) for part in in_parts(QUESTIONS[::-1], 9)]
    assert dict(chain.from_iterable(part.items() for part in apart)) == whole


def run_of(faux: Path, target: str, out: Path, *words: str, executor: str = "") -> Sequence[BatchDone]:
    """The batches of a run of one plan about a target, in the manner of the words, on a certain executor or any."""
    plan = (target, "--cc", f"clang:{faux}", "--cases", "12", "--seed", "1", "--no-triage", "--no-tours")
    return finished(out, "run", *plan, *words, executor=executor)


EMPTY = "has no part of so small a run: it tested nothing\n"


def finished(out: Path, *words: str, executor: str = "") -> Sequence[BatchDone]:
    """The batches of the run that a command leaves in a folder."""
    done = abiprobe(*words, "--out", str(out), cwd=out.parent, env={CHOSEN: executor})
    assert done.returncode in {0, 1} or done.stderr.endswith(EMPTY), done.stderr
    return read_complete(out).batches


def verdicts(batches: Sequence[BatchDone]) -> dict[BatchKey, tuple[Verdict, ...]]:
    return {batch.key: batch.verdicts for batch in batches}


def observed(batches: Sequence[BatchDone]) -> dict[tuple[object, ...], Verdict]:
    """Each verdict by what it is about, but for what an executor cannot run: not all have wide vectors."""
    return {
        (batch.key, one.probe, one.kind, one.partner): one
        for batch in batches
        for one in batch.verdicts
        if one.outcome is not Outcome.UNSUPPORTED
    }


@pytest.mark.parametrize(
    ("lie", "target"), [ASKED[0], *(pytest.param(*one, marks=pytest.mark.long) for one in ASKED[1:])]
)
@pytest.mark.usefixtures("lying")
def test_a_plan_has_the_same_verdicts_on_each_executor(target: str, faux: Path, tmp_path: Path) -> None:
    needs_executor(target)
    first, *others = (executor.name for executor in find(described(find_target(target))[0].name))
    if not others:
        pytest.skip(f"there is one executor for {target}: {first}")
    whole = observed(run_of(faux, target, tmp_path / first, "--fresh", executor=first))
    for name in others:
        found = observed(run_of(faux, target, tmp_path / name, "--fresh", executor=name))
        assert found == {key: whole[key] for key in found}


@pytest.mark.parametrize("lie", ["shows_addresses", pytest.param("is_wordy", marks=pytest.mark.long)])
@pytest.mark.usefixtures("lying")
def test_a_plan_has_the_same_verdicts_in_every_manner(faux: Path, tmp_path: Path) -> None:
    needs_executor(X86)
    one = verdicts(run_of(faux, X86, tmp_path / "one", "--fresh", "--jobs", "1"))
    assert verdicts(run_of(faux, X86, tmp_path / "two", "--fresh", "--jobs", "2")) == one
    assert verdicts(run_of(faux, X86, tmp_path / "memory")) == one
    halves = [tmp_path / name for name in ("first", "second")]
    for number, half in enumerate(halves, 1):
        run_of(faux, X86, half, "--fresh", "--shard", f"{number}/2")
    assert verdicts(finished(tmp_path / "merged", "merge", *map(str, halves))) == one
    resumed = tmp_path / "resumed"
    resumed.mkdir()
    lines = (tmp_path / "two" / NAME).read_bytes().splitlines(keepends=True)
    (resumed / NAME).write_bytes(b"".join(lines[: len(lines) // 2]))
    done = abiprobe("run", "--resume", str(resumed), "--fresh", "--no-triage", cwd=tmp_path)
    assert done.returncode in {0, 1}, done.stderr
    assert verdicts(read_complete(resumed).batches) == one
    digests = {
        verdict_digest(read_complete(tmp_path / name).batches) for name in ("one", "two", "merged", "resumed")
    }
    assert len(digests) == 1
