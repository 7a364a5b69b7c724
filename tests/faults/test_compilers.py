"""A compiler may do anything: it costs the probes with which it does so, and no other compiler and nothing of ours."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.base import child
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.language.lang import Kind, Member, Param, Prototype, Record, Scalar
from abiprobe.oracles.language.question import Sort, probe
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import BatchDone
from abiprobe.results.verdicts.record import Judgement, Outcome

from .compilers import LEFT, program

TARGET = "x86_64-sysv"
INT, LONG = Scalar(Kind.INT), Scalar(Kind.LONG)
UNION = Record("U", (Member(INT, "a"), Member(LONG, "b")), union=True)
PLAIN = (Prototype("f", INT, (Param("a", LONG),)), Prototype("g", None, (Param("a", INT), Param("b", INT))))
ODD = Prototype("h", None, (Param("u", UNION),))
QUESTIONS = (PLAIN[0], ODD, PLAIN[1])


@pytest.fixture(scope="module")
def real() -> str:
    for name in ("gcc-12", "gcc"):
        if installed(parse_subject(name), (find_target(TARGET),)):
            return name
    pytest.skip("gcc is not installed")


def asked(*subjects: str) -> dict[str, BatchDone]:
    job = spelled_job(TARGET, 0, Sort.PROTOTYPES, QUESTIONS, tuple((subject, "O0") for subject in subjects))
    return {done.key.subject: done for done in run_job(job)}


@pytest.mark.parametrize("left", LEFT)
def test_what_is_left_for_an_object_costs_its_probe_alone(real: str, tmp_path: Path, left: str) -> None:
    odd = program(tmp_path, real, LEFT[left])
    found = asked(f"gcc:{odd}", real)
    about = {
        question: [verdict for verdict in found[f"gcc:{odd}"].verdicts if verdict.probe == probe(question).id]
        for question in QUESTIONS
    }
    assert {verdict.verdict for question in PLAIN for verdict in about[question]} == {Judgement.AGREES}
    assert {verdict.verdict for verdict in about[ODD]} == {Judgement.UNOBSERVED}
    assert {verdict.outcome for verdict in about[ODD]} <= {Outcome.REFUSED, Outcome.NOT_RUN}
    assert {verdict.verdict for verdict in found[real].verdicts} == {Judgement.AGREES}


LEAVING = f"""
import os, sys
from abiprobe.harness.base import child
child.adopt()
daemon = "import os, time; os.fork() and os._exit(0); os.setsid(); os.fork() and os._exit(0); time.sleep(600)"
child.run(({sys.executable!r}, "-c", daemon, sys.argv[1]), timeout=20)
print(child.children())
"""


def running(mark: str) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if mark.encode() in words and int(path.parent.name) != os.getpid():
            found.append(int(path.parent.name))
    return found


def test_a_daemon_ends_with_the_compiler_that_left_it(tmp_path: Path) -> None:
    mark = str(tmp_path / "mark")
    done = subprocess.run((sys.executable, "-c", LEAVING, mark), capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
    assert running(mark) == []


KILLED_ONCE = 'if [ -e "{mark}" ]; then echo done; else touch "{mark}"; kill -KILL $$; fi'


def test_a_child_that_somebody_else_kills_is_started_again(tmp_path: Path) -> None:
    done = child.run(("/bin/sh", "-c", KILLED_ONCE.format(mark=tmp_path / "mark")), timeout=20)
    assert (done.ok, done.stdout) == (True, b"done\n")


def test_a_compiler_that_is_killed_each_time_is_not_to_blame(real: str, tmp_path: Path) -> None:
    odd = program(tmp_path, real, "kill -KILL $$")
    (done,) = asked(f"gcc:{odd}").values()
    outcomes = {verdict.outcome for verdict in done.verdicts if verdict.probe == probe(ODD).id}
    assert outcomes == {Outcome.NOT_RUN}


WAITING = """
import os, sys
from concurrent.futures import wait
from abiprobe.harness.base.workers import leaving, pool_of
from abiprobe.harness.base import child

def busy(mark):
    child.run(("sleep", "600.25"), timeout=600, env={"MARK": mark})

def work(mark):
    return leaving(busy, mark)

pool = pool_of(2)
futures = [pool.submit(work, sys.argv[1]) for _ in range(2)]
print("begun", flush=True)
wait(futures)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_workers_and_their_children_end_with_their_parent(tmp_path: Path, number: int) -> None:
    mark = f"MARK={tmp_path}"
    process = subprocess.Popen((sys.executable, "-c", WAITING, str(tmp_path)), stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"begun\n"
    expect(lambda: len(marked(mark)) == 2)
    process.send_signal(number)
    process.wait()
    process.stdout.close()
    expect(lambda: not marked(mark))


def marked(mark: str) -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in path.read_bytes().split(b"\0"):
                found.append(path.parent.name)
        except OSError:
            continue
    return found


def expect(holds: object) -> None:
    """Wait until something holds, which takes long on a busy machine."""
    assert callable(holds)
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)
