"""Runs that are killed or interrupted: what is done is kept, nothing is left behind, and the rest can be done."""

from __future__ import annotations

import os
import signal
import subprocess
import time
import uuid
from pathlib import Path

import pytest

from abiprobe.harness.cli.main import cli
from abiprobe.results.journal.journal import read, read_complete

from .calling import MAIN, TARGET, abiprobe, compiler

MARK = "ABIPROBE_TEST_MARK"
PLAN = ("--cases", "750", "--seed", "9", "--opt", "O0", "--no-tours", "--no-triage")
PATIENCE = 120.0
VERDICTS = {0, 1, 4}
"""How a run ends that has come to its end, whatever the compiler does."""


class Begun:
    """A run that was started, in a process group of its own."""

    def __init__(self, folder: Path, jobs: str) -> None:
        self.folder = folder / "run"
        self.scratch = folder / "scratch"
        self.scratch.mkdir()
        self.mark = uuid.uuid4().hex
        self.process = subprocess.Popen(
            (
                *MAIN,
                "run",
                TARGET,
                "--fresh",
                "--cc",
                compiler(),
                *PLAN,
                "--jobs",
                jobs,
                "--out",
                str(self.folder),
            ),
            cwd=folder,
            env={**os.environ, MARK: self.mark, "TMPDIR": str(self.scratch)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def wait_for_batches(self, count: int) -> None:
        """Wait until the journal has that many batches, and the run is still going on."""
        journal = self.folder / "journal.jsonl"
        deadline = time.monotonic() + PATIENCE
        while not journal.exists() or journal.read_bytes().count(b"\n") <= count:
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.01)

    def send(self, number: signal.Signals) -> tuple[int, str]:
        """Send a signal to the group, as a terminal does; exit status and standard error."""
        os.killpg(self.process.pid, number)
        _, told = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, told

    def survivors(self) -> list[str]:
        """The processes that come of this run and still live."""
        found = []
        for environ in Path("/proc").glob("[0-9]*/environ"):
            try:
                if f"{MARK}={self.mark}".encode() in environ.read_bytes():
                    found.append((environ.parent / "cmdline").read_text().replace("\0", " "))
            except OSError:
                continue
        return found


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The digest of a run that nobody interrupts."""
    folder = tmp_path_factory.mktemp("undisturbed")
    ended = abiprobe("run", TARGET, "--fresh", "--cc", compiler(), *PLAN, "--out", "run", cwd=folder)
    assert ended.returncode in VERDICTS, ended.stderr
    footer = read_complete(folder / "run").footer
    assert footer is not None
    return footer.digest


def finish(folder: Path, expected: str) -> None:
    """Finish a run and compare its digest with an undisturbed one's."""
    kept = read(folder).batches
    ended = abiprobe("run", "--resume", str(folder), cwd=folder.parent)
    assert ended.returncode in VERDICTS, ended.stderr
    found = read_complete(folder)
    assert found.footer is not None
    assert found.footer.digest == expected
    assert all(batch in found.batches for batch in kept)


def test_a_killed_run_is_incomplete_and_can_be_finished(tmp_path: Path, undisturbed: str) -> None:
    begun = Begun(tmp_path, "2")
    begun.wait_for_batches(2)
    assert begun.send(signal.SIGKILL)[0] == -signal.SIGKILL
    assert len(read(begun.folder).batches) >= 2
    assert read(begun.folder).footer is None
    refused = abiprobe("report", str(begun.folder), cwd=tmp_path)
    assert refused.returncode == 2
    assert refused.stderr.startswith("abiprobe: ")
    assert "incomplete" in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert not refused.stdout
    finish(begun.folder, undisturbed)


@pytest.mark.parametrize(
    ("jobs", "number"),
    [("1", signal.SIGINT), ("2", signal.SIGINT), ("2", signal.SIGTERM), ("2", signal.SIGHUP)],
)
def test_an_interrupted_run_keeps_what_is_done_and_leaves_nothing_behind(
    tmp_path: Path, undisturbed: str, jobs: str, number: signal.Signals
) -> None:
    begun = Begun(tmp_path, jobs)
    begun.wait_for_batches(1)
    status, told = begun.send(number)
    assert status == 130, told
    assert "Traceback" not in told
    kept = len(read(begun.folder).batches)
    assert kept >= 1
    assert f"interrupted; {kept} batches are kept" in told
    assert "--resume" in told
    assert begun.survivors() == []
    assert list(begun.scratch.iterdir()) == []
    finish(begun.folder, undisturbed)


def test_an_interruption_before_the_first_question_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("abiprobe.harness.cli.commands.run.prepare", interrupt)
    folder = tmp_path / "run"
    words = ["run", TARGET, "--cc", compiler(), "--cases", "10", "--out", str(folder)]
    assert cli.main(words, standalone_mode=False) == 130
    told = capfd.readouterr().err.replace("\n", " ")
    assert f"interrupted; 0 batches are kept. Finish with: abiprobe run --resume {folder}" in told
    assert read(folder).footer is None
