"""Processes of a run are killed at random moments: the run, a worker, a compiler, qemu."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from .table import SEED, Line, begun, digest, done

RUN = (
    *("run", "riscv64-lp64d", "--cc", "clang-22,gcc-12", "--cases", "8", "--seed", "3", "--opt", "O0,O2"),
    *("--no-tours", "--no-triage", "--jobs", "2", "--fresh"),
)
SETTLE = 1.0
"""Seconds after which nothing of a killed run may be left."""
LOOK = 0.005
"""Seconds between two looks for a victim."""


def children(number: int) -> Iterator[int]:
    """The children of a process and theirs."""
    with suppress(OSError):
        for task in Path(f"/proc/{number}/task").iterdir():
            for found in map(int, task.joinpath("children").read_text("ascii").split()):
                yield found
                yield from children(found)


def called(number: int) -> str:
    """The program of a process."""
    with suppress(OSError):
        words = Path(f"/proc/{number}/cmdline").read_bytes().split(b"\0")
        return Path(words[0].decode(errors="replace")).name
    return ""


def left(folder: Path) -> list[int]:
    """The processes that were started with this folder, or one in it, for temporary files."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if f"TMPDIR={folder}".encode() in path.read_bytes():
                found.append(int(path.parent.name))
    return found


def is_worker(name: str) -> bool:
    """Return whether a child is a worker: it has the name of this process, from which all are forked."""
    return name == called(os.getpid())


VICTIMS: dict[str, tuple[int, Callable[[str], bool] | None]] = {
    "SIGKILL of the run": (signal.SIGKILL, None),
    "SIGTERM of the run": (signal.SIGTERM, None),
    "SIGKILL of a worker": (signal.SIGKILL, is_worker),
    "SIGKILL of a compiler": (
        signal.SIGKILL,
        lambda name: name.startswith(("cc1", "clang", "gcc", "riscv64-linux-gnu-gcc")),
    ),
    "SIGKILL of qemu": (signal.SIGKILL, lambda name: name.startswith("qemu-")),
}
"""The signal, and which children may get it; `None` for the run itself."""


class Disturbed:
    """One run that is disturbed from a moment on, until somebody has been hit or it has ended."""

    def __init__(self, fault: str, folder: Path, out: Path, moment: float, draw: random.Random) -> None:
        self.said = folder / f"{out.name}.txt"
        own, sort = VICTIMS[fault]
        number, began = begun((*RUN, "--out", str(out)), folder, self.said), time.monotonic()
        self.hit = self.ended = False
        while not self.hit and not self.ended:
            time.sleep(LOOK)
            self.ended = os.waitpid(number, os.WNOHANG)[0] == number
            if self.ended or time.monotonic() - began < moment:
                continue
            found = [number] if sort is None else [one for one in set(children(number)) if sort(called(one))]
            for victim in draw.sample(sorted(found), min(1, len(found))):
                with suppress(ProcessLookupError):
                    os.kill(victim, own)
                    self.hit = True
        if not self.ended:
            os.waitpid(number, 0)
        time.sleep(SETTLE)
        self.alive = left(folder)


def survived(fault: str, run: Disturbed, folder: Path, out: Path, right: str) -> bool:
    """Return whether a disturbed run, resumed if need be, says what the undisturbed one says, and left nothing behind."""
    if VICTIMS[fault][1] is None:
        # A run that was killed before it had a journal has done nothing that could be lost.
        again = (
            ("run", "--resume", str(out), "--no-triage")
            if (out / "journal.jsonl").exists()
            else (*RUN, "--out", str(out))
        )
        done(again, folder, run.said)
    clean = not run.alive and not [*folder.glob("abiprobe-*")]
    return clean and "Traceback" not in run.said.read_text("utf-8", "replace") and digest(out) == right


def kills(times: int, folder: Path) -> Iterator[Line]:
    """A line for each kind of process that is killed; a moment at which there is no such process any more is drawn again."""
    temporary = folder / "tmp"
    temporary.mkdir()
    done((*RUN, "--out", str(folder / "warm")), temporary, folder / "warm.txt")
    began = time.monotonic()
    done((*RUN, "--out", str(folder / "right")), temporary, folder / "right.txt")
    seconds, right = time.monotonic() - began, digest(folder / "right")
    assert right, (folder / "right.txt").read_text("utf-8")
    for fault in VICTIMS:
        draw, line = random.Random(SEED), Line(fault)
        number = 0
        while line.injected < times and number < 3 * times:
            number += 1
            out = folder / f"{fault.replace(' ', '-')}-{number}"
            run = Disturbed(fault, temporary, out, draw.uniform(0.02, 0.95) * seconds, draw)
            if run.hit:
                line.count(survived=survived(fault, run, temporary, out, right))
        yield line
