"""Child processes: compilers, linkers and emulators, bounded in time, memory and output.

A tool under test may hang, eat memory, print without end, or leave processes behind. Each child therefore leads
a session of its own, which is killed as a whole when the child ends or is ended. Needs Linux 5.3 or later
(pidfd). Safe to use from several threads and processes.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import subprocess
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from abiprobe.harness.base.stopwatch import stage

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

OUTPUT_LIMIT = 64 << 20
SURROUNDINGS = {"LC_ALL": "C", "LLVM_DISABLE_SYMBOLIZATION": "1", "LLVM_DISABLE_CRASH_REPORT": "1"}
"""What a child finds in its environment: plain English, and no stack trace that takes a crashed clang seconds."""
GLANCE = 0.05
"""Seconds between two looks at how much a child has written."""


class Exit(msgspec.Struct, frozen=True):
    """How a child ended.

    `signal` names the signal that ended it. `timed_out` and `truncated` say that we ended it: for its time, or
    for printing more than the limit. `cpu_seconds` is user and system time of the child and of the processes
    that it waited for.
    """

    returncode: int
    signal: str | None
    timed_out: bool
    truncated: bool
    stdout: bytes
    stderr: bytes
    cpu_seconds: float

    @property
    def ok(self) -> bool:
        """Whether the child ended by itself with status 0."""
        return self.returncode == 0 and not self.stopped

    @property
    def stopped(self) -> bool:
        """Whether we ended the child."""
        return self.timed_out or self.truncated


def run(
    argv: Sequence[str],
    *,
    stdin: bytes = b"",
    timeout: float,
    memory: int | None = None,
    output_limit: int = OUTPUT_LIMIT,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    scratch: Path | None = None,
) -> Exit:
    """Run `argv` and wait for it.

    `timeout` is in seconds; `memory` bounds the address space and `output_limit` each of the two output streams,
    both in bytes. Without `env` the child has our environment and `SURROUNDINGS`, and what it leaves in the temporary
    folder it leaves in `scratch`, if that is given: a compiler that crashes leaves what it crashed on. Raises `OSError`
    (`FileNotFoundError`, `PermissionError`) when the program cannot be started.
    """
    deadline = time.monotonic() + timeout
    with stage("tools"), _file(stdin) as given, _file() as out, _file() as err:
        process = subprocess.Popen(
            list(argv),
            stdin=given if stdin else subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            cwd=cwd,
            env=_surroundings(scratch) if env is None else dict(env),
            start_new_session=True,
        )
        timed_out = flooded = False
        try:
            _limit(process.pid, memory)
            timed_out, flooded = _watch(process.pid, deadline, (out, err), output_limit)
        finally:
            status, usage = _end(process)
        lengths = _size(out), _size(err)
        stdout = os.pread(out, min(lengths[0], output_limit), 0)
        stderr = os.pread(err, min(lengths[1], output_limit), 0)
    return Exit(
        returncode=process.returncode,
        signal=_signal_name(os.WTERMSIG(status)) if os.WIFSIGNALED(status) else None,
        timed_out=timed_out,
        truncated=flooded or max(lengths) > output_limit,
        stdout=stdout,
        stderr=stderr,
        cpu_seconds=usage.ru_utime + usage.ru_stime,
    )


def _surroundings(scratch: Path | None) -> dict[str, str]:
    temporary = {} if scratch is None else {"TMPDIR": str(scratch)}
    return {**os.environ, **SURROUNDINGS, **temporary}


@contextmanager
def _file(data: bytes = b"") -> Iterator[int]:
    """A file in memory for a child's input or output: nobody has to wake up while the child reads and writes."""
    file = os.memfd_create("abiprobe")
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(file, rest) :]
        os.lseek(file, 0, os.SEEK_SET)
        yield file
    finally:
        os.close(file)


def _watch(pid: int, deadline: float, outputs: tuple[int, int], limit: int) -> tuple[bool, bool]:
    """Wait for a child's end; whether `deadline` came first, or more bytes than `limit` in one of its outputs."""
    pidfd = os.pidfd_open(pid)
    try:
        ending = select.poll()
        ending.register(pidfd, select.POLLIN)
        while not ending.poll(1000 * max(0.0, min(GLANCE, deadline - time.monotonic()))):
            if max(map(_size, outputs)) > limit:
                return False, True
            if time.monotonic() >= deadline:
                return True, False
    finally:
        os.close(pidfd)
    return False, False


def _size(file: int) -> int:
    return os.fstat(file).st_size


def end_all() -> None:
    """End all remaining children of this process, including one being started when a signal arrived."""
    for children in Path("/proc/self/task").glob("*/children"):
        for number in map(int, children.read_text("ascii").split()):
            for end in (os.kill, os.killpg):
                with suppress(ProcessLookupError, PermissionError):
                    end(number, signal.SIGKILL)


def _limit(pid: int, memory: int | None) -> None:
    # Set from outside after the spawn: a preexec_fn would cost the fast vfork, and is not safe with threads.
    with suppress(ProcessLookupError):
        resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))
        if memory is not None:
            resource.prlimit(pid, resource.RLIMIT_AS, (memory, memory))


def _end(process: subprocess.Popen[bytes]) -> tuple[int, resource.struct_rusage]:
    # Before the child is reaped, while nobody else can have its number.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return status, usage


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
