"""Answers of earlier runs: the same questions to the same tools, judged by the same code, are not asked again.

An answer is found by a digest of everything that has a say in it. A tool that had to be ended for its time may do better
the next time, so that is not remembered.
"""

from __future__ import annotations

import hashlib
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import msgspec

from abiprobe.harness.batch import Job
from abiprobe.harness.bench import bench
from abiprobe.harness.caching import cache_dir, remember, stat_digest
from abiprobe.harness.dispatch import has_own_ways, run_job
from abiprobe.harness.toolchains import pieces
from abiprobe.harness.toolchains.find import build, parse_subject
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal import BatchDone
from abiprobe.results.record import Outcome

PACKAGE = Path(__file__).parents[1]
ROOMS = ("harness", "oracles", "generators", "results")
ROOM_BYTES = 1 << 30
"""Bytes that remembered answers may take; the oldest make room."""

_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(list[BatchDone])


def answer(job: Job) -> list[BatchDone]:
    """What the subjects of a job answer, from memory if they did before. Raises what `run_job` raises."""
    if has_own_ways(job):
        return run_job(job)
    clock = time.process_time()
    path = folder() / key(job)
    try:
        known = _DECODER.decode(zlib.decompress(path.read_bytes()))
    except (OSError, zlib.error, msgspec.DecodeError):
        answers = run_job(job)
        if not any(verdict.outcome is Outcome.TIMED_OUT for done in answers for verdict in done.verdicts):
            remember(path, zlib.compress(_ENCODER.encode(answers), 1))
        return answers
    path.touch()
    seconds = time.process_time() - clock
    return [
        msgspec.structs.replace(
            done,
            compile_seconds=0.0,
            link_seconds=0.0,
            run_seconds=0.0,
            own_seconds=seconds / len(known),
            stages=(("remember", seconds / len(known)),),
        )
        for done in known
    ]


def recalled(parts: Iterable[str], work: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
    """The words that `work` comes to, from memory if it came to them before; `parts` have all that has a say in them."""
    path = folder() / hashlib.sha256("\0".join((ourselves(), *parts)).encode()).hexdigest()
    try:
        words = msgspec.json.decode(path.read_bytes(), type=tuple[str, ...])
    except (OSError, msgspec.DecodeError):
        words = work()
        remember(path, _ENCODER.encode(words))
        return words
    path.touch()
    return words


def folder() -> Path:
    """Where answers are kept."""
    return cache_dir() / "answers"


def key(job: Job) -> str:
    """A digest of all that decides what a job's subjects answer: the questions, the tools, the runtime, this program."""
    found = hashlib.sha256(_ENCODER.encode(job))
    for item in (ourselves(), *tools(job)):
        found.update(f"\0{item}".encode())
    return found.hexdigest()


def tools(job: Job) -> Iterator[str]:
    """What compiles, links and runs for a job, each by a digest of its files."""
    for name, level in job.subjects:
        built = build(parse_subject(name), job.target, level)
        assert built is not None, "the session offers subjects that are installed for the target"
        yield repr(built)
        yield pieces.digest(built.command)
    if find_target(job.target)[0].machine:
        here = bench(job.target)
        yield repr(here.executor)
        yield pieces.digest((getattr(here.executor, "program", ""), *here.trusted.ld))
        yield stat_digest(*map(str, here.runtime))
        yield processor()


@cache
def processor() -> str:
    """The abilities of this machine's processor, which runs images natively and is asked for its vectors."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return ""
    return next((line for line in lines if line.startswith("flags")), "")


@cache
def ourselves() -> str:
    """A digest of this program, by the contents of its files."""
    found = hashlib.sha256()
    for room in ROOMS:
        for path in sorted(PACKAGE.joinpath(room).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                found.update(str(path.relative_to(PACKAGE)).encode())
                found.update(path.read_bytes())
    return found.hexdigest()


def make_room(limit: int = ROOM_BYTES) -> None:
    """Forget what was not used for longest, until the rest takes at most `limit` bytes."""
    kept = []
    for path in folder().glob("*"):
        stat = path.stat()
        kept.append((stat.st_mtime_ns, stat.st_size, path))
    size = 0
    for _, bytes_, path in sorted(kept, reverse=True):
        size += bytes_
        if size > limit:
            path.unlink(missing_ok=True)
