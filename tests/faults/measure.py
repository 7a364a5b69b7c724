"""The long form of the fault laboratory: `python -m tests.faults.measure [TIMES]` prints the table of docs/reliability.md.

A run is disturbed TIMES times (20) in each way, at moments drawn from a fixed seed, and must end with the digest of the
undisturbed run, if need be after `--resume`. Every file of a warm cache is broken in every way, one at a time. Takes hours.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from .damage import BYTES

MAIN = (sys.executable, "-c", "from abiprobe.harness.cli.main import main; main()")
RUN = (
    *("run", "riscv64-lp64d", "--cc", "clang-22,gcc-12", "--cases", "10", "--seed", "3", "--opt", "O0"),
    *("--no-tours", "--no-triage", "--jobs", "2"),
)
SEED = 7
SETTLE = 1.0
"""Seconds after which nothing of a killed run may be left."""


class Line(msgspec.Struct):
    """A line of the table."""

    fault: str
    injected: int = 0
    survived: int = 0

    def count(self, *, survived: bool) -> None:
        """Count one more."""
        self.injected += 1
        self.survived += survived

    def __str__(self) -> str:
        return f"| {self.fault} | {self.injected} | {self.survived} | {self.injected - self.survived} |"


def digest(folder: Path) -> str:
    """The digest of a run, empty for one that is not finished."""
    with suppress(OSError, ValueError, IndexError):
        return str(
            json.loads((folder / "journal.jsonl").read_text("utf-8").splitlines()[-1]).get("digest", "")
        )
    return ""


def children(number: int) -> Iterator[int]:
    """The children of a process and theirs."""
    with suppress(OSError):
        for task in Path(f"/proc/{number}/task").iterdir():
            for found in map(int, task.joinpath("children").read_text("ascii").split()):
                yield found
                yield from children(found)


def called(number: int) -> str:
    """The command line of a process."""
    with suppress(OSError):
        return Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return ""


def left(folder: Path) -> list[int]:
    """The processes that were started with this folder for temporary files."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if f"TMPDIR={folder}".encode() in path.read_bytes():
                found.append(int(path.parent.name))
    return found


def program(words: str) -> str:
    """The name of a program in a command line."""
    return words.partition(" ")[0].rpartition("/")[2]


VICTIMS: dict[str, Callable[[str], bool]] = {
    "SIGKILL of the run": lambda _: False,
    "SIGTERM of the run": lambda _: False,
    "SIGKILL of a worker": lambda words: "main import main" in words,
    "SIGKILL of a compiler": lambda words: program(words).startswith(
        ("cc1", "clang", "gcc", "riscv64-linux-gnu-gcc")
    ),
    "SIGKILL of qemu": lambda words: program(words).startswith("qemu-"),
}


def disturbed(fault: str, folder: Path, out: Path, moment: float, draw: random.Random) -> bool:
    """Whether a run that is disturbed after so many seconds says what an undisturbed one says, and leaves nothing."""
    env = {**os.environ, "TMPDIR": str(folder)}
    process = subprocess.Popen(
        (*MAIN, *RUN, "--fresh", "--out", str(out)),
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    began, done = time.monotonic(), False
    while process.poll() is None and not done:
        if time.monotonic() - began < moment:
            time.sleep(0.01)
            continue
        found = (
            [process.pid]
            if "run" in fault
            else [one for one in children(process.pid) if VICTIMS[fault](called(one))]
        )
        for victim in found[:1] if "run" in fault else draw.sample(found, min(1, len(found))):
            with suppress(ProcessLookupError):
                os.kill(victim, signal.SIGTERM if "SIGTERM" in fault else signal.SIGKILL)
                done = True
    said = process.communicate()[1]
    time.sleep(SETTLE)
    alive = left(folder)
    if "run" in fault:
        resumed = (*MAIN, "run", "--resume", str(out), "--no-triage")
        # A run that was killed before it had a journal has done nothing that could be lost.
        if (out / "journal.jsonl").exists():
            said += subprocess.run(resumed, env=env, capture_output=True, text=True, check=False).stderr
        else:
            subprocess.run((*MAIN, *RUN, "--out", str(out)), env=env, capture_output=True, check=False)
    return "Traceback" not in said and not alive and not [*folder.glob("abiprobe-*")]


def kills(times: int, folder: Path, right: str, seconds: float) -> Iterator[Line]:
    """A line for each kind of process that is killed."""
    for fault in VICTIMS:
        draw, line = random.Random(SEED), Line(fault)
        for number in range(times):
            out = folder / f"{fault.replace(' ', '-')}-{number}"
            moment = draw.uniform(0.1, 0.9) * seconds
            clean = disturbed(fault, folder, out, moment, draw)
            line.count(survived=clean and digest(out) == right)
        yield line


def broken_caches(folder: Path, right: str) -> Iterator[Line]:
    """A line for each way to break each file of a warm cache."""
    env = {**os.environ, "ABIPROBE_CACHE": str(folder / "cache")}

    def run(name: str) -> Path:
        out = folder / name
        subprocess.run((*MAIN, *RUN, "--out", str(out)), env=env, capture_output=True, check=False)
        return out

    run("warm")
    files = {path: path.read_bytes() for path in (folder / "cache").rglob("*") if path.is_file()}
    for way in BYTES:
        draw, line = random.Random(SEED), Line(f"a file of the cache: {way.__doc__ or ''}".rstrip("."))
        for number, (path, data) in enumerate(files.items()):
            path.write_bytes(way(draw, data))
            line.count(survived=digest(run(f"{way.__name__}-{number}")) == right)
            path.write_bytes(data)
        yield line


def main(times: str = "20") -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        began = time.monotonic()
        subprocess.run(
            (*MAIN, *RUN, "--fresh", "--out", str(folder / "right")), capture_output=True, check=True
        )
        seconds, right = time.monotonic() - began, digest(folder / "right")
        sys.stdout.write("| fault | injected | survived | lost |\n|---|---:|---:|---:|\n")
        for line in (*kills(int(times), folder, right, seconds), *broken_caches(folder, right)):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
