"""What is known of a deviation changes no verdict, and a second observation must repeat the first."""

from __future__ import annotations

from itertools import islice

import pytest
from laboratory.jobs import spelled_job

from abiprobe.generators.pool import POOL_SORTS, stream
from abiprobe.harness.observers import second_opinion
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import Sort
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import BatchDone, verdict_digest
from abiprobe.results.verdicts.record import Judgement
from tests.skipping import needs_executor

TARGET, CASES = "x86_64-sysv", 40


def asked(subject: str, kind: str) -> BatchDone:
    questions = tuple(islice(stream(seed=3, kind=kind), CASES))
    sort = Sort.PROTOTYPES if isinstance(questions[0], Prototype) else Sort.RECORDS
    (done,) = run_job(spelled_job(TARGET, 0, sort, questions, ((subject, "O0"),), Limits()))
    return done


@pytest.mark.parametrize("kind", POOL_SORTS)
@pytest.mark.parametrize("subject", ["clang-22", "gcc-12", "zig"])
def test_verdicts_are_the_same_without_any_quirk(
    subject: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not installed(parse_subject(subject), (find_target(TARGET),)):
        pytest.skip(f"{subject} is not installed for {TARGET}")
    needs_executor(TARGET)
    known = asked(subject, kind)
    monkeypatch.setattr(second_opinion, "in_force", lambda *_: ())
    plain = asked(subject, kind)
    assert not any(verdict.quirks for verdict in plain.verdicts)
    assert [verdict.by_text for verdict in known.verdicts] == list(plain.verdicts)
    assert verdict_digest([known]) == verdict_digest([plain])
    assert all(verdict.verdict is not Judgement.AGREES for verdict in known.verdicts if verdict.quirks)
