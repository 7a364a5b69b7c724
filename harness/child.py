"""Child processes: compilers, linkers and emulators, bounded in time, memory and output.

A tool under test may hang, eat memory, print without end, or leave processes behind. Each child therefore leads
a session of its own, which is killed as a whole when the child ends or is ended. Needs Linux 5.3 or later
(pidfd). Safe to use from several threads and processes.
"""

from __future__ import annotations

import os
import resource
import selectors
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

OUTPUT_LIMIT = 64 << 20
SURROUNDINGS = {"LC_ALL": "C", "LLVM_DISABLE_SYMBOLIZATION": "1", "LLVM_DISABLE_CRASH_REPORT": "1"}
"""What a child finds in its environment: plain English, and no stack trace that takes a crashed clang seconds."""
_CHUNK = 1 << 16


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
) -> Exit:
    """Run `argv` and wait for it.

    `timeout` is in seconds; `memory` bounds the address space and `output_limit` each of the two output streams,
    both in bytes. Without `env` the child has our environment and `SURROUNDINGS`. Raises `OSError`
    (`FileNotFoundError`, `PermissionError`) when the program cannot be started.
    """
    deadline = time.monotonic() + timeout
    process = subprocess.Popen(
        list(argv),
        stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        cwd=cwd,
        env=dict(env) if env is not None else {**os.environ, **SURROUNDINGS},
        start_new_session=True,
    )
    pump = None
    try:
        _limit(process.pid, memory)
        pump = _Pump(process, stdin, output_limit)
        timed_out = pump.until(deadline)
    finally:
        status, usage = _end(process)
        if pump is not None:
            pump.drain()
            pump.close()
    return Exit(
        returncode=process.returncode,
        signal=_signal_name(os.WTERMSIG(status)) if os.WIFSIGNALED(status) else None,
        timed_out=timed_out,
        truncated=pump.truncated,
        stdout=bytes(pump.stdout),
        stderr=bytes(pump.stderr),
        cpu_seconds=usage.ru_utime + usage.ru_stime,
    )


def end_all() -> None:
    """End the children that this process still has: nobody knows one that was being started when a signal came."""
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


class _Pump:
    """Feeds a child's input and collects its output until it ends, or is out of time or space."""

    def __init__(self, process: subprocess.Popen[bytes], stdin: bytes, limit: int) -> None:
        self.stdout, self.stderr = bytearray(), bytearray()
        self.truncated = False
        self._limit = limit
        self._rest = memoryview(stdin)
        self._input = process.stdin
        streams = ((process.stdout, self.stdout), (process.stderr, self.stderr))
        self._outputs: dict[IO[bytes], bytearray] = {stream: kept for stream, kept in streams if stream}
        self._selector = selectors.PollSelector()
        self._pidfd = os.pidfd_open(process.pid)
        self._selector.register(self._pidfd, selectors.EVENT_READ)
        for stream in self._outputs:
            os.set_blocking(stream.fileno(), False)
            self._selector.register(stream, selectors.EVENT_READ)
        if self._input is not None:
            os.set_blocking(self._input.fileno(), False)
            self._selector.register(self._input, selectors.EVENT_WRITE)

    def until(self, deadline: float) -> bool:
        """Pump until the child ends or has printed too much; true when `deadline` came first."""
        while not self.truncated:
            left = deadline - time.monotonic()
            if left <= 0:
                return True
            ended = False
            for key, _ in self._selector.select(left):
                if key.fileobj == self._pidfd:
                    ended = True
                elif key.fileobj is self._input:
                    self._feed(key.fileobj)
                else:
                    self._collect(key.fileobj)  # type: ignore[arg-type]  # only our own streams are registered
            if ended:
                return False
        return False

    def drain(self) -> None:
        """Collect what an ended child left in its pipes."""
        for stream in self._outputs:
            while not stream.closed and not self.truncated and self._collect(stream):
                pass

    def close(self) -> None:
        """Give back every descriptor."""
        self._selector.close()
        os.close(self._pidfd)
        for stream in self._outputs:
            stream.close()
        if self._input is not None:
            self._input.close()

    def _feed(self, stream: IO[bytes]) -> None:
        try:
            self._rest = self._rest[os.write(stream.fileno(), self._rest[:_CHUNK]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._rest = self._rest[:0]
        if not self._rest:
            self._selector.unregister(stream)
            stream.close()

    def _collect(self, stream: IO[bytes]) -> bool:
        """Read once; false when there is nothing more to read now."""
        try:
            data = os.read(stream.fileno(), _CHUNK)
        except BlockingIOError:
            return False
        if not data:
            self._selector.unregister(stream)
            stream.close()
            return False
        kept = self._outputs[stream]
        kept += data
        if len(kept) > self._limit:
            del kept[self._limit :]
            self.truncated = True
        return True
