"""Cache of finished batches: the same questions for the same tools, judged by the same code, are answered from disk.

The key is a digest of everything that decides the answer. Two kinds of answers are not cached: those with what may
not recur, a time-out or a tool that was killed, and those of a compiler whose files are not all known, such as a wrapper
script, which may start another compiler the next time.
"""

from __future__ import annotations

import hashlib
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import msgspec

from abiprobe.harness.base.cache import abandoned, entry, kept, recall, remember
from abiprobe.harness.observers.batch import Job
from abiprobe.harness.observers.division import run_in_parts
from abiprobe.harness.observers.observer import PredictionKey
from abiprobe.harness.observers.registry import serving
from abiprobe.harness.observers.tool_digests import ToolDigest
from abiprobe.harness.subjects.find import build, identity
from abiprobe.harness.subjects.subject import Identity
from abiprobe.results.journal.journal import BatchDone
from abiprobe.results.verdicts.record import Outcome

PACKAGE = Path(__file__).parents[2]
ROOMS = ("harness", "oracles", "generators", "results")
ROOM_BYTES = 1 << 30
"""Size limit of the cache in bytes; the entries unused for longest are evicted."""

_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(list[BatchDone])
_WORDS = msgspec.json.Decoder(tuple[str, ...])


def cached_answer(job: Job) -> list[BatchDone]:
    """Run a job, or return its cached batches. Raises what `run_in_parts` raises."""
    clock = time.process_time()
    tools = tuple(tool_digests(job))
    if not all(tool.sure for tool in tools):
        return run_in_parts(job)
    path = folder() / key_with(job, tools)
    known = answered(path, job)
    if known is None:
        answers = run_in_parts(job)
        if not any(map(is_passing, answers)):
            remember(path, zlib.compress(_ENCODER.encode(answers), 1))
        return answers
    touch(path)
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


def is_passing(done: BatchDone) -> bool:
    """Return whether an answer depends on something that may not recur: an error of our own, a tool that timed out or was killed.

    What was not run because too many programs of its batch died is not run the next time either.
    """
    outcomes = {verdict.outcome for verdict in done.verdicts}
    lost = Outcome.NOT_RUN in outcomes and Outcome.DIED not in outcomes
    return lost or not outcomes.isdisjoint({Outcome.TIMED_OUT, Outcome.FAILED})


def answered(path: Path, job: Job) -> list[BatchDone] | None:
    """The batches kept at `path`, if they answer the job for each of its subjects; else `None`."""
    data = recall(path)
    if data is None:
        return None
    try:
        known = _DECODER.decode(zlib.decompress(data))
    except (zlib.error, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return (
        known
        if [(done.key.subject, done.key.level) for done in known] == [one.spelling for one in job.subjects]
        else None
    )


def touch(path: Path) -> None:
    """Note that an entry was used."""
    with suppress(OSError):
        path.touch()


def cached_words(
    program: Identity, parts: Iterable[str], work: Callable[[], tuple[str, ...]]
) -> tuple[str, ...]:
    """Return the result of `work`, cached under the digest of `program` and `parts`."""
    if not program.sure:
        return work()
    everything = "\0".join((source_digest(), program.digest, *parts))
    path = folder() / hashlib.sha256(everything.encode()).hexdigest()
    touch(path)
    return kept(path, _WORDS, work)


def folder() -> Path:
    """The folder of the cache."""
    return entry("answers")


def key(job: Job) -> str:
    """The cache key of a job: a digest of its questions, the tools, the runtime and abiprobe's own sources."""
    return key_with(job, tool_digests(job))


def key_with(job: Job, tools: Iterable[ToolDigest]) -> str:
    """The cache key of a job whose tools have been digested already."""
    spelled = {"target": job.target.spelling, "subjects": [one.spelling for one in job.subjects]}
    found = hashlib.sha256(_ENCODER.encode(msgspec.structs.asdict(job) | spelled))
    for item in (source_digest(), *(tool.digest for tool in tools)):
        found.update(f"\0{item}".encode())
    return found.hexdigest()


def tool_digests(job: Job) -> Iterator[ToolDigest]:
    """Yield a digest for each tool that compiles, links or runs a job."""
    for subject, level in job.subjects:
        built = build(subject, job.target, level)
        assert built is not None, "the session offers subjects that are installed for the target"
        known = identity(built.command)
        yield ToolDigest(repr(built))
        yield ToolDigest(known.digest, known.sure)
        observer = serving(job.target, subject, type(job.questions[0]))
        if observer is not None:
            yield from observer(PredictionKey(job.target, witnesses=job.witnesses)).tools(subject, level)


@cache
def source_digest() -> str:
    """A digest of the contents of abiprobe's own files."""
    found = hashlib.sha256()
    for room in ROOMS:
        for path in sorted(PACKAGE.joinpath(room).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                found.update(str(path.relative_to(PACKAGE)).encode())
                found.update(path.read_bytes())
    return found.hexdigest()


def evict_oldest(limit: int = ROOM_BYTES) -> None:
    """Remove the entries unused for longest until the rest takes at most `limit` bytes."""
    here = folder()
    for path in (*abandoned(here), *surplus(here, limit)):
        with suppress(OSError):
            path.unlink()


def surplus(here: Path, limit: int) -> Iterator[Path]:
    """Yield the files that have been unused for longest, as far as the rest takes at most `limit` bytes."""
    found = []
    with suppress(OSError):
        for path in here.glob("*"):
            # Another run may be making room, too.
            with suppress(OSError):
                stat = path.lstat()
                found.append((stat.st_mtime_ns, stat.st_size, path))
    size = 0
    for _, bytes_, path in sorted(found, reverse=True):
        size += bytes_
        if size > limit:
            yield path
