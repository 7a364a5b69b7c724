"""Child processes: compilers, linkers and emulators, bounded in time, memory and output.

A tool under test may hang, eat memory, print without end, or leave processes behind. Each child therefore leads
a session of its own, which is killed as a whole when the child ends or is ended. A process of ours alone (`adopt`) also
becomes the parent of what leaves that session, and ends it with the child. Needs Linux 5.3 or later (pidfd). Safe to use
from several threads and processes.
"""

from __future__ import annotations

import ctypes
import faulthandler
import multiprocessing
import os
import re
import resource
import select
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from abiprobe.harness.base import confinement
from abiprobe.harness.base.faults import expect_no_device
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.stopwatch import stage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

OUTPUT_LIMIT = 64 << 20
SURROUNDINGS = {"LC_ALL": "C", "LLVM_DISABLE_SYMBOLIZATION": "1", "LLVM_DISABLE_CRASH_REPORT": "1"}
"""The environment of a child: plain English, and no stack trace that takes a crashed clang seconds."""
GLANCE = 0.05
"""Seconds between two looks at how much a child has written."""
SET_PARENT_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36
"""Of prctl(2)."""
ROUNDS = 200
"""How often strays are sought, which may start others while they are ended."""

FOREIGN = frozenset({"SIGKILL", "SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"})
"""Signals that come from somebody else, such as a kernel without memory."""
KILLED = re.compile(
    rb"(?:Killed|Terminated|Hangup) signal terminated program|unable to execute command: (?:Killed|Terminated|Hangup)"
)
"""How gcc and clang say that one of theirs was ended so."""
PATIENCE = 20.0
"""Seconds for the first confined program."""
ATTEMPTS = 3
"""How often a child is started that somebody else ends."""

UNCAUGHT = 70
"""The status with which a forked child ends that raises an exception: EX_SOFTWARE of sysexits.h."""

_STARTING = threading.Lock()
"""Held while a child is started, so that nobody takes it for a stray before it is known."""
_KNOWN: set[int] = set()
"""The children that somebody waits for."""
_ADOPTING: list[int] = []
"""The process that has said `adopt`."""
_CONFINED: list[confinement.Confinement] = []
"""How children of this process are confined, if they are; processes that are forked from it do likewise."""


class Exit(msgspec.Struct, frozen=True):
    """The exit of a child process.

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
    def killed(self) -> bool:
        """Return whether somebody else killed the child, or a process that it started: no fault of its own."""
        return not self.stopped and (self.signal in FOREIGN or KILLED.search(self.stderr) is not None)

    @property
    def ok(self) -> bool:
        """Return whether the child ended by itself with status 0."""
        return self.returncode == 0 and not self.stopped

    @property
    def stopped(self) -> bool:
        """Return whether we ended the child."""
        return self.timed_out or self.truncated


def run(
    argv: Sequence[str],
    *,
    stdin: bytes = b"",
    timeout: float,
    memory: int | None = None,
    file_size: int | None = None,
    output_limit: int = OUTPUT_LIMIT,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    scratch: Path | None = None,
    programs: Sequence[str] = (),
) -> Exit:
    """Run `argv` and wait for it.

    One that somebody else ends is started again. `timeout` is in seconds; `memory` bounds the address space, `file_size`
    each file that it writes, and `output_limit` each of the two output streams, all in bytes. Without `env` the child has
    our environment and `SURROUNDINGS`, and what it leaves in the temporary folder it leaves in `scratch`, if that is
    given: a compiler that crashes leaves what it crashed on. A confined child can
    write to `scratch` and `cwd` only, and finds the `programs` that it starts wherever they lie. Raises `OSError`
    (`FileNotFoundError`, `PermissionError`) when the program cannot be started, and `Problem` when it cannot be confined or
    is told to write to a device.
    """
    expect_no_device(argv)
    limits = {resource.RLIMIT_AS: memory, resource.RLIMIT_FSIZE: file_size}
    bounds = {what: most for what, most in limits.items() if most is not None}
    folders = tuple(folder for folder in (cwd, scratch) if folder is not None)
    environment = surroundings(scratch) if env is None else dict(env)
    for _ in range(ATTEMPTS):
        ended = _once(argv, stdin, timeout, bounds, output_limit, cwd, folders, environment, programs)
        if not ended.killed or ended.ok:
            break
    return ended


def can_fork() -> bool:
    """Return whether `fork` is safe and does the same as `run`: no other thread holds a lock, and no child is to be confined."""
    return threading.active_count() == 1 and not _CONFINED


def fork(
    work: Callable[[], object], *, stdin: bytes = b"", timeout: float, memory: int | None = None
) -> Exit:
    """Let a fork of this process do `work`, and wait for it as `run` does; `memory` is on top of what this process has.

    For a program of ours in Python, which takes longer to start than to run. Only where `can_fork`.
    """
    bounds = {} if memory is None else {resource.RLIMIT_AS: memory + address_space()}
    for _ in range(ATTEMPTS):
        with stage("tools"), _file(stdin) as given, _file() as out, _file() as err:
            start = partial(_fork, work, given, out, err)
            ended = _ended(start, time.monotonic() + timeout, bounds, (out, err), OUTPUT_LIMIT)
        if not ended.killed or ended.ok:
            break
    return ended


def _fork(work: Callable[[], object], given: int, out: int, err: int) -> int:
    """Begin a process that does `work`, with what it leads and holds as if it were a program, and return its number."""
    number = os.fork()
    if number:
        return number
    status = UNCAUGHT
    try:
        os.setsid()
        faulthandler.disable()
        for one in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(one, signal.SIG_DFL)
        for ours, file in enumerate((given, out, err)):
            os.dup2(file, ours)
        # Pipes of ours would be held open by what outlives us.
        for file in set(map(int, os.listdir("/proc/self/fd"))) - {0, 1, 2}:  # noqa: PTH208
            with suppress(OSError):
                os.close(file)
        work()
        status = 0
    except BaseException as error:  # noqa: BLE001 - whatever it is, it must not go on in a copy of this process
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
    finally:
        os._exit(status)


def address_space() -> int:
    """Return the bytes of address space of this process."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()


def confine(how: confinement.Confinement) -> None:
    """Confine all children from now on; raises `Problem` if this machine cannot."""
    last = Problem("no way to confine programs is known", confinement.HINT)
    for way in how.ways():
        _CONFINED[:] = [way]
        try:
            run(("true",), timeout=PATIENCE)
        except (Problem, OSError) as failure:
            _CONFINED.clear()
            last = failure if isinstance(failure, Problem) else Problem(str(failure), confinement.HINT)
        else:
            return
    raise last


def unconfine() -> None:
    """Confine children no more."""
    _CONFINED.clear()


def confines() -> bool:
    """Return whether children are confined."""
    return bool(_CONFINED)


def _once(
    argv: Sequence[str],
    stdin: bytes,
    timeout: float,
    limits: Mapping[int, int],
    output_limit: int,
    cwd: Path | None,
    folders: Sequence[Path],
    env: dict[str, str],
    programs: Sequence[str],
) -> Exit:
    """Run `argv` once."""
    deadline = time.monotonic() + timeout
    with stage("tools"), _file(stdin) as given, _file() as out, _file() as err, _file() as started:
        words = list(argv)
        for how in _CONFINED:
            words = how.command(argv, folders, limits, started, programs)
            env = confinement.environment(env, folders)

        def start() -> int:
            process = subprocess.Popen(
                words,
                stdin=given if stdin else subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                cwd=cwd,
                env=env,
                start_new_session=True,
                pass_fds=(started,) if _CONFINED else (),
            )
            # By its number we wait for it, and Popen is not to do so.
            process.returncode = 0
            return process.pid

        ended = _ended(start, deadline, limits, (out, err), output_limit)
        if not _CONFINED or ended.signal is not None:
            return ended
        confinement.expect_started(os.pread(started, _size(started), 0), ended.stderr)
        code, number = confinement.ended(ended.returncode)
        return msgspec.structs.replace(
            ended, returncode=code, signal=None if number is None else _signal_name(number)
        )


def _ended(
    start: Callable[[], int],
    deadline: float,
    limits: Mapping[int, int],
    outputs: tuple[int, int],
    output_limit: int,
) -> Exit:
    """Start a child, whose number `start` returns, and wait for its end, or end it."""
    with _STARTING:
        number = start()
        _KNOWN.add(number)
    timed_out = flooded = False
    try:
        _limit(number, limits)
        timed_out, flooded = _watch(number, deadline, outputs, output_limit)
    finally:
        status, usage = _end(number)
        end_strays()
    lengths = [_size(file) for file in outputs]
    stdout, stderr = (
        os.pread(file, min(length, output_limit), 0) for file, length in zip(outputs, lengths, strict=True)
    )
    return Exit(
        returncode=os.waitstatus_to_exitcode(status),
        signal=_signal_name(os.WTERMSIG(status)) if os.WIFSIGNALED(status) else None,
        timed_out=timed_out,
        truncated=flooded or max(lengths) > output_limit,
        stdout=stdout,
        stderr=stderr,
        cpu_seconds=usage.ru_utime + usage.ru_stime,
    )


def surroundings(scratch: Path | None) -> dict[str, str]:
    """The environment of a child that is given none: ours and `SURROUNDINGS`, with temporary files in `scratch`."""
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
    for number in children():
        _kill(number)
    for _ in range(ROUNDS if [os.getpid()] == _ADOPTING else 0):
        if not end_some(children()):
            return


def children() -> list[int]:
    """The numbers of the children of this process, and of the processes that it has adopted."""
    found: list[int] = []
    # Looked at after each child: without pathlib, which takes longer than the kernel.
    for task in os.listdir("/proc/self/task"):  # noqa: PTH208
        with suppress(OSError), open(f"/proc/self/task/{task}/children", "rb") as file:  # noqa: PTH123
            found += map(int, file.read().split())
    return found


def adopt() -> None:
    """Become the parent of whatever a descendant leaves behind. For processes whose children are all started here."""
    if sys.platform == "linux" and _prctl(SET_CHILD_SUBREAPER, 1):
        _ADOPTING[:] = [os.getpid()]


def die_with(parent: int) -> None:
    """Let the kernel send SIGTERM to this process when its parent, the process `parent`, ends in any way."""
    _prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)
    if os.getppid() != parent:
        os._exit(1)


def _prctl(option: int, value: int) -> bool:
    return bool(ctypes.CDLL(None).prctl(option, value, 0, 0, 0) == 0)


def end_strays() -> None:
    """End what children that have ended left behind in sessions of their own, in a process that has said `adopt`."""
    if [os.getpid()] != _ADOPTING:
        return
    for _ in range(ROUNDS):
        with _STARTING:
            strays = set(children()) - _KNOWN
        strays -= {process.pid or 0 for process in multiprocessing.active_children()} if strays else set()
        if not end_some(strays):
            return


def end_some(numbers: Iterable[int]) -> bool:
    """End and reap these children; whether there were any."""
    there = False
    for number in numbers:
        there = True
        _kill(number)
        with suppress(ChildProcessError):
            os.waitpid(number, 0)
    return there


def _kill(number: int) -> None:
    for end in (os.kill, os.killpg):
        with suppress(ProcessLookupError, PermissionError):
            end(number, signal.SIGKILL)


def end_marked(word: str) -> None:
    """End the processes that were started with an environment of which a variable begins with `word`."""
    mark = word.encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            surroundings = folder.joinpath("environ").read_bytes().split(b"\0")
            if int(folder.name) != os.getpid() and any(item.startswith(mark) for item in surroundings):
                _kill(int(folder.name))


def _limit(pid: int, limits: Mapping[int, int]) -> None:
    # Set from outside after the spawn: a preexec_fn would cost the fast vfork, and is not safe with threads.
    with suppress(ProcessLookupError):
        resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))
        for what, most in limits.items():
            bound = confinement.lowest(what, most)
            resource.prlimit(pid, what, (bound, bound))


def _end(number: int) -> tuple[int, resource.struct_rusage]:
    # Before the child is reaped, while nobody else can have its number.
    _kill(number)
    _, status, usage = os.wait4(number, 0)
    _KNOWN.discard(number)
    return status, usage


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
