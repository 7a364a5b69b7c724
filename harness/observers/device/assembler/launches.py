"""Launches of kernels in processes of their own: each that traps or hangs ends its process, and the next goes on behind it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.observers.device.assembler import driver
from abiprobe.results.verdicts.record import Outcome

CHILD = Path(__file__).with_name("gpu_child.py")
SECONDS = 10.0
"""How long one launch may take."""
START = 60.0
"""How long a process may take to get a context."""
RUNS = "cuCtxSynchronize"
"""The function whose failure is that of the code launched, a trap."""


class Launch(msgspec.Struct, frozen=True):
    """A launch of a kernel of an image, with the memory that it reads and writes; see `Driver.launch`."""

    image: bytes
    given: bytes
    kernel: str = "k"
    block: bytes = b""
    values: tuple[bytes, ...] | None = None
    pointer_at: int | None = None
    threads: int = 1
    shared: int = 0


class Device(NamedTuple):
    """A GPU: its name, its architecture (`sm_90`), and the newest CUDA that its driver knows."""

    name: str
    arch: str
    release: str

    def __str__(self) -> str:
        return f"{self.name}, {self.arch}, driver {self.release}"


class Launched(msgspec.Struct, frozen=True):
    """The end of a launch: the memory afterwards and the offsets of the kernel's parameters that the driver tells, or why there are none."""

    outcome: Outcome
    seen: bytes = b""
    offsets: tuple[int, ...] = ()
    words: str = ""


class Gpu(msgspec.Struct, frozen=True):
    """A GPU of the kind of the first, another for another process: the child that launches on it, and the seconds that one launch may take."""

    command: tuple[str, ...]
    seconds: float = SECONDS

    @classmethod
    def found(cls) -> Gpu | None:
        """The GPU of this machine, `None` where there is no driver for one."""
        library = driver.find()
        return None if library is None else cls((sys.executable, "-P", str(CHILD), library))

    def device(self) -> Device:
        """The GPU itself; raises `UnusableError` if it cannot be used."""
        with temporary() as folder:
            return expect_device(list(lines_of(self.served((), Path(folder)))))

    def launched(self, launches: Sequence[Launch]) -> list[Launched]:
        """The end of each launch; those after which no process gets a context any more were not run."""
        ends: list[Launched] = []
        while len(ends) < len(launches):
            with temporary() as name:
                folder = Path(name)
                done = self.served(launches[len(ends) :], folder)
                lines = list(lines_of(done))
                try:
                    expect_device(lines)
                except UnusableError as error:
                    lost = Launched(Outcome.NOT_RUN, words=str(error))
                    return ends + [lost] * (len(launches) - len(ends))
                ends += ended(done, lines, folder) or [Launched(Outcome.NOT_RUN, words=how(done))]
        return ends

    def served(self, launches: Sequence[Launch], folder: Path) -> child.Exit:
        """The exit of one process, which carries out launches as far as it comes, with its files in a folder."""
        listed = folder / "launches.json"
        listed.write_text(json.dumps(list(written(launches, folder))), "utf-8")
        command = (*self.command, str(listed), str(self.seconds))
        return child.run(command, timeout=START + self.seconds * len(launches))


class UnusableError(Exception):
    """There is no GPU to launch on; says why."""


def written(launches: Sequence[Launch], folder: Path) -> Iterator[dict[str, Any]]:
    """Launches as JSON has them, with images and memories in files; launches that share bytes share the file."""
    files: dict[bytes, Path] = {}
    for number, one in enumerate(launches):
        for data in (one.image, one.given):
            if data not in files:
                files[data] = folder / f"{len(files)}.in"
                files[data].write_bytes(data)
        yield {
            "image": str(files[one.image]),
            "kernel": one.kernel,
            "given": str(files[one.given]),
            "seen": str(after(folder, number)),
            "block": one.block.hex(),
            "values": None if one.values is None else [value.hex() for value in one.values],
            "pointer_at": one.pointer_at,
            "threads": one.threads,
            "shared": one.shared,
        }


def after(folder: Path, number: int) -> Path:
    """The file with what the memory of a launch has afterwards."""
    return folder / f"{number}.out"


def lines_of(done: child.Exit) -> Iterator[Mapping[str, Any]]:
    """The lines that a process has written; the last may be cut."""
    for line in done.stdout.splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            return


def expect_device(lines: Sequence[Mapping[str, Any]]) -> Device:
    """Return the device that a process has opened; raises `UnusableError` if it has none."""
    first = lines[0] if lines else {"unusable": "its process says nothing"}
    if "device" not in first:
        raise UnusableError(str(first.get("unusable")))
    return Device(first["device"], first["arch"], first["release"])


def ended(done: child.Exit, lines: Sequence[Mapping[str, Any]], folder: Path) -> list[Launched]:
    """The ends of the launches that a process has begun, in their order."""
    ends = [end(line, folder) for line in lines[1:] if "begun" not in line]
    if lines and "begun" in lines[-1]:
        late = done.timed_out or done.signal == "SIGALRM"
        ends.append(Launched(Outcome.TIMED_OUT if late else Outcome.NOT_RUN, words=how(done)))
    return ends


def end(line: Mapping[str, Any], folder: Path) -> Launched:
    """The end of a launch by the line that tells of it; only code that was started can trap."""
    if "failed" in line:
        return Launched(Outcome.DIED if line["function"] == RUNS else Outcome.NOT_RUN, words=line["words"])
    return Launched(Outcome.OBSERVED, after(folder, line["done"]).read_bytes(), tuple(line["offsets"]))


def how(done: child.Exit) -> str:
    """The end of a process in words."""
    return f"its process ends by {done.signal or f'status {done.returncode}'}"
