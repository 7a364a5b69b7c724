"""A Dask cluster comes to what one machine comes to, also when a worker is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from abiprobe.results.journal.journal import NAME, read_complete

from .calling import MAIN, TARGET, abiprobe, compiler, needed

WORKER = "from distributed.cli.dask_worker import main; main()"
SCHEDULER = "from distributed.cli.dask_scheduler import main; main()"
PLAN = (
    "run",
    TARGET,
    "--cc",
    "gcc-12",
    "--opt",
    "O0",
    "--cases",
    "500",
    "--seed",
    "3",
    "--pairs",
    "none",
)


def started(code: str, *arguments: str, cwd: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        (sys.executable, "-c", code, *arguments),
        cwd=cwd,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers, each a process of its own."""
    pytest.importorskip("distributed", reason="dask is not installed")
    told = tmp_path / "scheduler.json"
    common = ("--scheduler-file", str(told), "--no-dashboard")
    every = [started(SCHEDULER, *common, "--port", "0", cwd=tmp_path)]
    try:
        for _ in range(600):
            if told.exists():
                break
            time.sleep(0.1)
        every += [
            started(WORKER, *common, "--nthreads", "1", "--no-nanny", "--name", str(n), cwd=tmp_path)
            for n in range(2)
        ]
        yield address(told), every[1:]
    finally:
        for one in every:
            try:
                os.killpg(one.pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
            one.wait()


def address(told: Path) -> str:
    import json

    for _ in range(100):
        try:
            return str(json.loads(told.read_text("utf-8"))["address"])
        except ValueError:
            time.sleep(0.1)
    raise AssertionError("the scheduler says nothing")


def test_a_cluster_that_loses_a_worker_comes_to_the_same(
    cluster: tuple[str, list[subprocess.Popen[bytes]]], tmp_path: Path
) -> None:
    needed("gcc-12", TARGET)
    where, workers = cluster
    from distributed import Client

    with Client(where, timeout="60s") as client:
        client.wait_for_workers(2, timeout=60)
    lead = subprocess.Popen(
        (*MAIN, *PLAN, "--no-tours", "--fresh", "--dask", where, "--out", "far"),
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
    )
    journal = tmp_path / "far" / NAME
    for _ in range(600):
        if journal.exists() and journal.read_bytes().count(b"\n") >= 2:
            break
        time.sleep(0.1)
    os.killpg(workers[0].pid, signal.SIGKILL)
    assert lead.wait(timeout=240) in {0, 1}
    near = abiprobe(*PLAN, "--out", "near", cwd=tmp_path)
    assert near.returncode in {0, 1}, near.stderr
    far, here = (read_complete(tmp_path / name).footer for name in ("far", "near"))
    assert far is not None
    assert here is not None
    assert far.digest == here.digest


def test_a_cluster_proves_what_one_machine_proves(
    cluster: tuple[str, list[subprocess.Popen[bytes]]], tmp_path: Path
) -> None:
    where, _ = cluster
    plan = (
        "run",
        "x86_64-ms",
        "--complete",
        "1",
        "--cc",
        compiler("x86_64-ms"),
        "--opt",
        "O2",
        "--seed",
        "3",
    )
    said = {}
    for name, more in (("far", ("--fresh", "--dask", where)), ("near", ())):
        done = abiprobe(*plan, *more, "--out", name, cwd=tmp_path)
        assert done.returncode in {0, 1}, done.stderr
        said[name] = [
            line for line in done.stdout.splitlines() if " -O2: plain" in line or "conforms" in line
        ]
    far, near = (read_complete(tmp_path / name).footer for name in said)
    assert far is not None
    assert near is not None
    assert (far.digest, said["far"]) == (near.digest, said["near"])
    assert said["far"]


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("nonsense", "is no address"),
        ("tls://127.0.0.1:9", "is no address"),
        ("tcp://127.0.0.1:9", "no Dask scheduler"),
    ],
)
def test_nobody_at_an_address_is_told_in_one_line(where: str, words: str, tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="dask is not installed")
    plan = ("run", TARGET, "--cc", compiler(), "--cases", "1")
    done = abiprobe(*plan, "--dask", where, "--out", "x", cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr
