"""The journal of a run: JSON lines, a header first, one line per finished batch, a footer last.

A journal without footer is an interrupted run: what it holds is true, what it lacks is unknown. Each line is
written and flushed at once; a half-written last line is recognised and dropped. Reading a journal never changes
it.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import IO, Any, TypeAlias

import msgspec

from abiprobe.oracles.question import ProbeKind, Question
from abiprobe.results.record import Verdict
from abiprobe.results.stored_lines import HELD, StoredLines

SCHEMA = 1
NAME = "journal.jsonl"


class SubjectInfo(msgspec.Struct, frozen=True):
    """A subject as it was for one target: its spelling, version line and the digest of its program."""

    target: str
    subject: str
    version: str
    digest: str


class Pairs(Enum):
    """Which subjects call each other's functions."""

    FIRST = "first"
    """the first one calls each of the others, and they call it"""
    ALL = "all"
    """every subject calls every other"""
    NONE = "none"
    """no subject calls another"""


class Plan(msgspec.Struct, frozen=True):
    """The parameters that determine a run's verdicts; `--resume` requires them unchanged.

    `witnesses` are asked about every record, `sampled` about those of the first batch and of the corpus, too. With `tours`
    each target is first asked the signatures that cross every transition of its model. `corpus` is a digest of the
    questions that are asked before any is drawn, empty when there are none.
    """

    seed: int
    cases: int
    targets: tuple[str, ...]
    subjects: tuple[str, ...]
    levels: tuple[str, ...]
    shard: tuple[int, int] = (1, 1)
    witnesses: tuple[ProbeKind, ...] = (ProbeKind.LAYOUT,)
    sampled: tuple[ProbeKind, ...] = ()
    pairs: Pairs = Pairs.NONE
    tours: bool = False
    corpus: str = ""


class Tool(msgspec.Struct, frozen=True):
    """What ran the programs of a target: `native`, `qemu-user` or `unicorn`, with its version line."""

    target: str
    name: str
    version: str


class Header(msgspec.Struct, frozen=True, tag="header"):
    """The first line: schema, version of abiprobe, the plan, the compilers, when it began (UTC, ISO 8601).

    `rejudged` is when another model judged what was observed then, or empty.
    """

    schema: int
    version: str
    started: str
    plan: Plan
    subjects: tuple[SubjectInfo, ...]
    rejudged: str = ""
    tools: tuple[Tool, ...] = ()


class BatchKey(msgspec.Struct, frozen=True, order=True):
    """A batch of one sort (`records` or `prototypes`) put to one subject at one level for one target."""

    target: str
    subject: str
    level: str
    sort: str
    number: int


class Kept(msgspec.Struct, frozen=True):
    """A question stored with its batch because some verdict on it was not an agreement."""

    probe: str
    question: Question


class Observed(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one subject showed on one probe, as text for reports: registers, stack, values, offsets."""

    probe: str
    layout: dict[str, Any] | None = None
    debug_info: dict[str, Any] | None = None
    values: dict[str, Any] | None = None
    caller: dict[str, Any] | None = None
    callee: dict[str, Any] | None = None


class QuestionBatch(msgspec.Struct, frozen=True, tag="asked"):
    """The compressed questions of a batch, written before its first answers; `target` is empty for all targets."""

    sort: str
    number: int
    questions: bytes
    target: str = ""

    @classmethod
    def of(cls, sort: str, number: int, questions: Sequence[Question], target: str = "") -> QuestionBatch:
        """Compress questions into a journal line."""
        return cls(sort, number, zlib.compress(_ENCODER.encode(questions)), target)

    def read(self) -> tuple[Question, ...]:
        """Decompress the questions; raises `JournalError` when they cannot be read."""
        try:
            return _QUESTIONS.decode(zlib.decompress(self.questions))
        except (zlib.error, msgspec.DecodeError) as error:
            raise JournalError(
                f"the questions of {self.sort} {self.number} cannot be read ({error})"
            ) from error


Stages: TypeAlias = tuple[tuple[str, float], ...]
"""CPU seconds by stage of the work."""


class BatchDone(msgspec.Struct, frozen=True, tag="batch", omit_defaults=True):
    """A finished batch: every verdict on every probe, and the CPU seconds it took, by who used them.

    `compared` gives for each clause the number of probes of which it decided a byte that was compared, `clauses` how many of
    them agree and how many deviate from it: a probe that breaks one clause says nothing about the others that it needs.

    `raw` is what was observed, `predicted` digests of what the model said, both for judging anew; who wrote them reads them.

    `stages` splits `own_seconds`, our own share, as far as it is known; `run_seconds` are those of executors.
    """

    key: BatchKey
    probes: int
    verdicts: tuple[Verdict, ...]
    kept: tuple[Kept, ...] = ()
    compile_seconds: float = 0.0
    link_seconds: float = 0.0
    run_seconds: float = 0.0
    own_seconds: float = 0.0
    observed: tuple[Observed, ...] = ()
    raw: bytes = b""
    predicted: bytes = b""
    clauses: dict[str, tuple[int, int]] = {}
    stages: Stages = ()
    compared: tuple[tuple[str, int], ...] = ()


class Footer(msgspec.Struct, frozen=True, tag="footer"):
    """The last line: how many batches and verdicts there are, their digest, and why the run ended.

    `ended` is `complete`, or `budget` when `--budget` cut it short: complete as far as it was meant to go.
    `stages` are CPU seconds of the process that leads the run.
    """

    batches: int
    verdicts: int
    digest: str
    ended: str
    seconds: float
    stages: Stages = ()


class JournalError(Exception):
    """A journal is missing or malformed; the message is one line."""


class IncompleteError(JournalError):
    """A journal without footer: its run was interrupted and can be resumed."""


class Run(msgspec.Struct, frozen=True):
    """A journal, read: `footer` is `None` for an interrupted run."""

    header: Header
    batches: Sequence[BatchDone]
    footer: Footer | None
    asked: tuple[QuestionBatch, ...] = ()


_ENCODER = msgspec.json.Encoder()
Line: TypeAlias = Header | QuestionBatch | BatchDone | Footer
_LINE: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)
_BATCH: msgspec.json.Decoder[BatchDone] = msgspec.json.Decoder(BatchDone)
_QUESTIONS: msgspec.json.Decoder[tuple[Question, ...]] = msgspec.json.Decoder(tuple[Question, ...])


class Writer:
    """Appends to a journal, one flushed line at a time."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    @classmethod
    def create(cls, folder: Path, header: Header) -> Writer:
        """Begin the journal of a new run in `folder`; raises `FileExistsError` when it has one."""
        writer = cls((folder / NAME).open("xb"))
        writer.write(header)
        return writer

    @classmethod
    def extend(cls, folder: Path) -> Writer:
        """Go on with an interrupted journal, without its half-written last line."""
        path = folder / NAME
        file = path.open("r+b")
        whole = sum(len(line) for line in file if line.endswith(b"\n"))
        file.truncate(whole)
        file.seek(whole)
        return cls(file)

    def write(self, line: Line) -> None:
        """Append one line; when this returns it is on the disk."""
        self._file.write(_ENCODER.encode(line) + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file; what was written stays."""
        self._file.close()


def read(folder: Path) -> Run:
    """Read the journal in `folder` (or the journal file itself); raises `JournalError` when there is none.

    The batches of a long one stay in the file.
    """
    path = folder / NAME if folder.is_dir() else folder
    header: Header | None = None
    footer: Footer | None = None
    asked: dict[tuple[str, str, int], QuestionBatch] = {}
    places: dict[BatchKey, tuple[int, int]] = {}
    held: dict[BatchKey, BatchDone] = {}
    try:
        small = path.stat().st_size <= HELD
        for start, end, item in _parsed(path):
            footer = None
            match item:
                case _ if header is None:
                    header = _header(path, item)
                case BatchDone():
                    places[item.key] = start, end
                    if small:
                        held[item.key] = item
                case QuestionBatch():
                    asked[item.target, item.sort, item.number] = item
                case Footer():
                    footer = item
    except OSError as error:
        raise JournalError(f"no run at {folder} ({error.strerror})") from error
    if header is None:
        raise JournalError(f"{path} does not begin as a journal does")
    if footer is not None and footer.batches != len(places):
        raise JournalError(f"{path} has {len(places)} batches, its last line speaks of {footer.batches}")
    keys = sorted(places)
    batches: Sequence[BatchDone] = (
        tuple(held[key] for key in keys)
        if small
        else StoredLines(path, [places[key] for key in keys], _BATCH.decode)
    )
    return Run(header, batches, footer, tuple(asked.values()))


def read_header(folder: Path) -> Header:
    """The first line of the journal in `folder` alone; raises `JournalError` when there is none."""
    path = folder / NAME
    try:
        for _, _, item in _parsed(path):
            return _header(path, item)
    except OSError as error:
        raise JournalError(f"no run at {folder} ({error.strerror})") from error
    raise JournalError(f"{path} does not begin as a journal does")


def _header(path: Path, item: Line) -> Header:
    if not isinstance(item, Header):
        raise JournalError(f"{path} does not begin as a journal does")
    if item.schema != SCHEMA:
        raise JournalError(f"{path} has schema {item.schema}, this abiprobe reads {SCHEMA}")
    return item


def _parsed(path: Path) -> Iterator[tuple[int, int, Line]]:
    """Each line with the bytes of the file between which it stands."""
    start = 0
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                if line.strip():
                    yield start, start + len(line), _LINE.decode(line)
            except msgspec.DecodeError as error:
                # Only the line that was being written when the run was killed may be broken.
                if line.endswith(b"\n"):
                    raise JournalError(f"{path}:{number} is not a line of a journal ({error})") from error
            start += len(line)


def read_complete(folder: Path) -> Run:
    """Read a finished run; raises `IncompleteError` for an interrupted one."""
    run = read(folder)
    if run.footer is None:
        raise IncompleteError(
            f"the run at {folder} is incomplete: {len(run.batches)} batches and no footer; "
            f"finish it with: abiprobe run --resume {folder}"
        )
    if (len(run.batches), verdict_digest(run.batches)) != (run.footer.batches, run.footer.digest):
        raise JournalError(
            f"the run at {folder} is damaged: its batches are not those that its last line counts"
        )
    return run


class Tally(msgspec.Struct, frozen=True, order=True):
    """The key of a journalled batch with the digest and number of its verdicts."""

    key: BatchKey
    digest: bytes
    verdicts: int

    @classmethod
    def of(cls, batch: BatchDone) -> Tally:
        """The tally of a batch."""
        return cls(batch.key, hashlib.sha256(_ENCODER.encode(batch.verdicts)).digest(), len(batch.verdicts))


def verdict_digest(batches: Iterable[BatchDone]) -> str:
    """A digest of all verdicts that does not depend on the order in which batches ended."""
    return tally_digest(map(Tally.of, batches))


def tally_digest(tallies: Iterable[Tally]) -> str:
    """Compute the digest of a run's verdicts from the tallies of its batches."""
    digest = hashlib.sha256()
    for tally in sorted(tallies):
        digest.update(_ENCODER.encode((tally.key, tally.digest)))
    return digest.hexdigest()[:16]
