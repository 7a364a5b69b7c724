"""Launches of kernels in processes of their own: each that traps or hangs ends its process, and the next goes on behind it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

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
    """A launch of the kernel `k` of an image: its parameter block, the memory whose address is in it at `pointer_at`, and bytes of shared memory."""

    image: bytes
    block: bytes
    pointer_at: int
    given: bytes
    shared: int = 0


class Launched(msgspec.Struct, frozen=True):
    """The end of a launch: the memory afterwards and the offsets of the kernel's parameters that the driver tells, or why there are none."""

    outcome: Outcome
    seen: bytes = b""
    offsets: tuple[int, ...] = ()
    words: str = ""


class Gpu(msgspec.Struct, frozen=True):
    """The first GPU: the child that launches on it, and the seconds that one launch may take."""

    command: tuple[str, ...]
    seconds: float = SECONDS

    @classmethod
    def found(cls) -> Gpu | None:
        """The GPU of this machine, `None` where there is no driver for one."""
        library = driver.find()
        return None if library is None else cls((sys.executable, "-P", str(CHILD), library))

    def device(self) -> tuple[str, str]:
        """The name and architecture of the GPU; raises `UnusableError` if it cannot be used."""
        lines = list(lines_of(self.served(())))
        return expect_device(lines)

    def launched(self, launches: Sequence[Launch]) -> list[Launched]:
        """The end of each launch; those after which no process gets a context any more were not run."""
        ends: list[Launched] = []
        while len(ends) < len(launches):
            done = self.served(launches[len(ends) :])
            lines = list(lines_of(done))
            try:
                expect_device(lines)
            except UnusableError as error:
                lost = Launched(Outcome.NOT_RUN, words=str(error))
                return ends + [lost] * (len(launches) - len(ends))
            ends += ended(done, lines) or [Launched(Outcome.NOT_RUN, words=how(done))]
        return ends

    def served(self, launches: Sequence[Launch]) -> child.Exit:
        """The exit of one process, which carries out launches as far as it comes."""
        with temporary() as folder:
            listed = Path(folder, "launches.json")
            listed.write_text(
                json.dumps([written(one, folder, at) for at, one in enumerate(launches)]), "utf-8"
            )
            command = (*self.command, str(listed), str(self.seconds))
            return child.run(command, timeout=START + self.seconds * len(launches))


class UnusableError(Exception):
    """There is no GPU to launch on; says why."""


def written(one: Launch, folder: str, number: int) -> dict[str, Any]:
    """A launch as JSON has it, with its image in a file."""
    image = Path(folder, f"{number}.cubin")
    image.write_bytes(one.image)
    block, given = one.block.hex(), one.given.hex()
    return {
        "image": str(image),
        "block": block,
        "pointer_at": one.pointer_at,
        "given": given,
        "shared": one.shared,
    }


def lines_of(done: child.Exit) -> Iterator[Mapping[str, Any]]:
    """The lines that a process has written; the last may be cut."""
    for line in done.stdout.splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            return


def expect_device(lines: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    """Return the device that a process has opened; raises `UnusableError` if it has none."""
    first = lines[0] if lines else {"unusable": "its process says nothing"}
    if "device" not in first:
        raise UnusableError(str(first.get("unusable")))
    return first["device"], first["arch"]


def ended(done: child.Exit, lines: Sequence[Mapping[str, Any]]) -> list[Launched]:
    """The ends of the launches that a process has begun, in their order."""
    ends = [end(line) for line in lines[1:] if "begun" not in line]
    if lines and "begun" in lines[-1]:
        late = done.timed_out or done.signal == "SIGALRM"
        ends.append(Launched(Outcome.TIMED_OUT if late else Outcome.NOT_RUN, words=how(done)))
    return ends


def end(line: Mapping[str, Any]) -> Launched:
    """The end of a launch by the line that tells of it; only code that was started can trap."""
    if "failed" in line:
        return Launched(Outcome.DIED if line["function"] == RUNS else Outcome.NOT_RUN, words=line["words"])
    return Launched(Outcome.OBSERVED, bytes.fromhex(line["seen"]), tuple(line["offsets"]))


def how(done: child.Exit) -> str:
    """The end of a process in words."""
    return f"its process ends by {done.signal or f'status {done.returncode}'}"
