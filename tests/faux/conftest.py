"""Faux compilers and the batches that are put to them."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeAlias

import pytest

from abiprobe.harness.batch import Job, kinds, run_job
from abiprobe.harness.compile import Limits
from abiprobe.harness.toolchains import zig
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.question import ProbeKind, Question, probe
from abiprobe.results.journal import BatchDone
from abiprobe.results.record import Verdict

HERE = Path(__file__).parent
PATIENT = Limits()

Verdicts: TypeAlias = "dict[tuple[str, ProbeKind], Verdict]"
"""Verdicts by the name of what was asked (a tag or a function) and the kind of probe."""


def real_clang() -> list[str]:
    """The command of an honest clang."""
    program = zig.program()
    if program is not None:
        return [program, "clang"]
    path = next(filter(None, map(shutil.which, ("clang", "clang-22", "clang-19"))), None)
    if path is None:
        pytest.skip("neither zig nor clang is installed")
    return [path]


class Workshop:
    """Makes faux compilers, and puts questions to them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def subject(self, lie: str) -> str:
        """The subject that is a clang which tells `lie`."""
        path = self.folder / lie
        text = (HERE / "compiler.py").read_text("utf-8")
        path.write_text(f"#!{sys.executable} -IS\n{text}\nmain({real_clang()!r}, {lie})\n", "utf-8")
        path.chmod(0o755)
        return f"clang:{path}"

    def batch(
        self, lie: str, target: str, questions: Iterable[Question], *, limits: Limits = PATIENT, level: str = "O0"
    ) -> BatchDone:
        """What comes of one batch; checks that every probe is accounted for, once for every kind."""
        asked = tuple(questions)
        sort = "prototypes" if isinstance(asked[0], Prototype) else "records"
        job = Job(target, 0, sort, asked, ((self.subject(lie), level),), limits)
        (done,) = run_job(job)
        answered = [(verdict.probe, verdict.kind) for verdict in done.verdicts]
        assert len(set(answered)) == len(answered)
        assert set(answered) == {(probe(question).id, kind) for question in asked for kind in kinds(question)}
        assert done.probes == len(asked)
        return done

    def verdicts(
        self, lie: str, target: str, questions: Iterable[Question], *, limits: Limits = PATIENT, level: str = "O0"
    ) -> Verdicts:
        """The verdicts of one batch, by name."""
        asked = tuple(questions)
        names = {probe(one).id: one.name if isinstance(one, Prototype) else one.tag for one in asked}
        done = self.batch(lie, target, asked, limits=limits, level=level)
        return {(names[verdict.probe], verdict.kind): verdict for verdict in done.verdicts}


@pytest.fixture(autouse=True)
def _one_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache for this run of the tests; the workers of xdist share it."""
    monkeypatch.setenv("ABIPROBE_CACHE", str(tmp_path_factory.getbasetemp().parent / "abiprobe-cache"))


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    """A workshop of the test's own."""
    return Workshop(tmp_path)


@pytest.fixture
def costs_only(workshop: Workshop) -> Callable[..., Verdicts]:
    """Asks a liar and an honest compiler, and returns the verdicts in which they differ."""

    def compare(lie: str, target: str, questions: Iterable[Question], **options: object) -> Verdicts:
        asked = tuple(questions)
        honest = workshop.verdicts("tells_the_truth", target, asked, **options)  # type: ignore[arg-type]
        lying = workshop.verdicts(lie, target, asked, **options)  # type: ignore[arg-type]
        assert lying.keys() == honest.keys()
        return {key: verdict for key, verdict in lying.items() if verdict != honest[key]}

    return compare
