"""The journal of a run: JSON lines, a header first, one line per finished batch, a footer last.

A journal without footer is an interrupted run: what it holds is true, what it lacks is unknown. Each line is
written and flushed at once; a half-written last line is recognised and dropped. Each line has a checksum
(`results.journal.checksums`). Reading a journal never changes it.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import stat
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from enum import Enum
from functools import partial
from pathlib import Path
from typing import IO, Any, TypeAlias

import msgspec

from abiprobe.oracles.language.iso_c import Edition
from abiprobe.oracles.language.question import ProbeKind, Question, Sort
from abiprobe.oracles.quirks.versions import newest_of
from abiprobe.results.journal.checksums import ChecksumError, checked, last, sealed
from abiprobe.results.journal.fields import Level
from abiprobe.results.journal.old_journals import OLD, RegistersOf, converted, unknown
from abiprobe.results.journal.packing import PackingError, decompressed
from abiprobe.results.journal.shell_words import shell_word
from abiprobe.results.journal.stored_lines import HELD, StoredLines
from abiprobe.results.verdicts.record import Verdict

SCHEMA = 2
"""Of the journals that are written; those of schema 1 are read as well (`results.journal.old_journals`)."""
NAME = "journal.jsonl"
LONGEST = 1 << 28
"""Bytes of the longest line."""
Advance = Callable[[int], None]
"""Takes the number of bytes that were read since it was called last."""


class SubjectInfo(msgspec.Struct, frozen=True):
    """A subject as it was for one target: its spelling, version line and the digest of its program.

    `language` is the one that it was asked in, empty for C.
    """

    target: str
    subject: str
    version: str
    digest: str
    language: str = ""


class Pairs(Enum):
    """The subjects that call each other's functions."""

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
    questions that are asked before any is drawn, empty when there are none; with `examples` these are the examples of known
    deviations only. `batch` is the number of questions in a drawn batch; 0 is the default one. Where `only` has clauses
    or traits, questions that have none of them are not asked. With `complete` the complete suites of calls for so many extra
    states are asked, too, and every record of up to `complete_records` members. What an edition of C, the `language`, cannot say is not drawn.
    """

    seed: int
    cases: int
    targets: tuple[str, ...]
    subjects: tuple[str, ...]
    levels: tuple[Level, ...]
    shard: tuple[int, int] = (1, 1)
    witnesses: tuple[ProbeKind, ...] = (ProbeKind.LAYOUT,)
    sampled: tuple[ProbeKind, ...] = ()
    pairs: Pairs = Pairs.NONE
    tours: bool = False
    corpus: str = ""
    examples: bool = False
    batch: int = 0
    only: tuple[str, ...] = ()
    complete: int | None = None
    complete_records: int = 0
    language: str = Edition.GNU.value


class Suite(msgspec.Struct, frozen=True, omit_defaults=True):
    """A complete test suite of a run: that of a mode of a target's calls, for a number of extra states.

    Its signatures are those of the batches from `first` on. A `rare` one has the signatures that need a rare type, which make
    the other complete for all classes; a `drawn` one draws the types that stand for the classes. That of `types` has every one
    of the classes by itself; where the target is the dialect of a compiler, it names the `quirks` for which the mode's suites are
    complete as well, on one side of a call or on both. One of `records` has every record of up to so many members, their
    `layouts` or as arguments and results.
    """

    target: str
    mode: str
    extra: int
    states: int
    classes: int
    signatures: int
    first: int
    batches: int
    rare: bool = False
    drawn: bool = False
    types: bool = False
    records: int = 0
    layouts: bool = False
    quirks: tuple[str, ...] = ()

    @property
    def sort(self) -> Sort:
        """The sort of its questions."""
        return Sort.COMPLETE_RECORDS if self.layouts else Sort.COMPLETE


class Tool(msgspec.Struct, frozen=True):
    """The executor of a target's programs: `native`, `qemu-user`, `unicorn` or `cuda`, with its version line."""

    target: str
    name: str
    version: str


class Unusable(msgspec.Struct, frozen=True, omit_defaults=True):
    """A subject that was named and cannot be asked, and why; `target` is empty where it can be asked for none.

    `subject` is empty where it is about a target for which no subject builds.
    """

    subject: str
    why: str
    target: str = ""


class Named(msgspec.Struct, frozen=True, omit_defaults=True):
    """The targets and subjects that a user named, other than those that are tested by default; some may be `unusable`."""

    targets: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    unusable: tuple[Unusable, ...] = ()


class Header(msgspec.Struct, frozen=True, tag="header"):
    """The first line: schema, version of abiprobe, the plan, the compilers, when it began (UTC, ISO 8601).

    `rejudged` is when another model judged what was observed then, or empty. Of what was `named` something has to be compared.
    `complete` are the complete suites.
    """

    schema: int
    version: str
    started: str
    plan: Plan
    subjects: tuple[SubjectInfo, ...]
    rejudged: str = ""
    tools: tuple[Tool, ...] = ()
    named: Named = Named()
    complete: tuple[Suite, ...] = ()


class BatchKey(msgspec.Struct, frozen=True, order=True):
    """A batch of questions of one sort put to one subject at one level for one target."""

    target: str
    subject: str
    level: Level
    sort: Sort
    number: int


class Kept(msgspec.Struct, frozen=True):
    """A question stored with its batch because some verdict on it was not an agreement."""

    probe: str
    question: Question


class Observed(msgspec.Struct, frozen=True, omit_defaults=True):
    """The observation of one subject on one probe, as text for reports: registers, stack, values, offsets."""

    probe: str
    layout: dict[str, Any] | None = None
    debug_info: dict[str, Any] | None = None
    values: dict[str, Any] | None = None
    caller: dict[str, Any] | None = None
    callee: dict[str, Any] | None = None


class QuestionBatch(msgspec.Struct, frozen=True, tag="asked"):
    """The compressed questions of a batch, written before its first answers; `target` is empty for all targets."""

    sort: Sort
    number: int
    questions: bytes
    target: str = ""

    @classmethod
    def of(cls, sort: Sort, number: int, questions: Sequence[Question], target: str = "") -> QuestionBatch:
        """Compress questions into a journal line."""
        return cls(sort, number, zlib.compress(_ENCODER.encode(questions)), target)

    def read(self) -> tuple[Question, ...]:
        """Decompress the questions; raises `JournalError` when they cannot be read."""
        try:
            return _QUESTIONS.decode(decompressed(self.questions))
        except (PackingError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
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

    @property
    def cpu_seconds(self) -> float:
        """CPU seconds of compiler, linker, executor and abiprobe together."""
        return self.compile_seconds + self.link_seconds + self.run_seconds + self.own_seconds


class Footer(msgspec.Struct, frozen=True, tag="footer"):
    """The last line: how many batches and verdicts there are, their digest, and why the run ended.

    `ended` is `complete`, or `budget` or `failures` when `--budget` or `--max-failures` cut it short: complete as far as it was meant to go.
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


class WriteError(JournalError):
    """A journal cannot be written, or no more."""


class Run(msgspec.Struct, frozen=True):
    """A journal, read: `footer` is `None` for an interrupted run."""

    header: Header
    batches: Sequence[BatchDone]
    footer: Footer | None
    asked: tuple[QuestionBatch, ...] = ()

    @property
    def versions(self) -> dict[tuple[str, str], str]:
        """The version line of each subject, for each target."""
        return {(info.target, info.subject): info.version for info in self.header.subjects}

    @property
    def versions_by_subject(self) -> dict[str, str]:
        """The version line of each subject."""
        return {info.subject: info.version for info in self.header.subjects}

    @property
    def newest(self) -> frozenset[str]:
        """The subjects that are the newest of their compiler family."""
        return newest_of(self.versions_by_subject)

    @property
    def digest(self) -> str:
        """The digest of its verdicts, by which is known what was found out about them."""
        return verdict_digest(self.batches) if self.footer is None else self.footer.digest


_ENCODER = msgspec.json.Encoder()
Line: TypeAlias = Header | QuestionBatch | BatchDone | Footer
_LINE: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)
_BATCH: msgspec.json.Decoder[BatchDone] = msgspec.json.Decoder(BatchDone)
_QUESTIONS: msgspec.json.Decoder[tuple[Question, ...]] = msgspec.json.Decoder(tuple[Question, ...])


PATIENCE = 15.0
"""Seconds to wait for the workers of a killed run to end, which hold its journal."""


class Writer:
    """Appends to a journal that nobody else writes meanwhile, one flushed line at a time.

    `size` is the length of the file in bytes, `checksum` that of its last line.
    """

    def __init__(self, path: Path, file: IO[bytes], size: int = 0, checksum: int = 0) -> None:
        self._path, self._file, self._size, self._checksum = path, file, size, checksum

    @classmethod
    def create(cls, folder: Path, header: Header) -> Writer:
        """Begin the journal of a new run in `folder`; raises `FileExistsError` when it has one, and `WriteError`."""
        path = folder / NAME
        try:
            file = path.open("xb", buffering=0)
        except FileExistsError:
            raise
        except OSError as error:
            raise WriteError(f"cannot write {path} ({error.strerror})") from error
        try:
            writer = cls(path, _locked(path, file))
            writer.write(header)
        except WriteError:
            file.close()
            path.unlink(missing_ok=True)
            raise
        return writer

    @classmethod
    def extend(cls, folder: Path) -> Writer:
        """Go on with an interrupted journal, without its half-written last line; raises `WriteError`."""
        path, size, checksum = folder / NAME, 0, 0
        try:
            file = _locked(path, path.open("r+b", buffering=0))
            with path.open("rb") as lines:
                for line in lines:
                    if line.endswith(b"\n"):
                        size, checksum = size + len(line), last(line)
            file.truncate(size)
            file.seek(size)
        except OSError as error:
            raise WriteError(f"cannot write {path} ({error.strerror})") from error
        return cls(path, file, size, checksum)

    def write(self, line: Line) -> None:
        """Append one line; when this returns it is on the disk. Raises `WriteError`, and then leaves the lines before it."""
        data, checksum = sealed(_ENCODER.encode(line), self._checksum)
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
            there = os.path.samestat(self._path.stat(), os.fstat(self._file.fileno()))
        except FileNotFoundError:
            there = False
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(self._size)
            raise WriteError(f"cannot write {self._path} ({error.strerror})") from error
        if not there:
            raise WriteError(f"{self._path} was removed while it was written")
        self._size, self._checksum = self._size + len(data), checksum

    def close(self) -> None:
        """Close the file; what was written stays."""
        self._file.close()


def _locked(path: Path, file: IO[bytes]) -> IO[bytes]:
    """A journal that no other run writes; raises `WriteError` if one does."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() < end:
                time.sleep(0.1)
                continue
            file.close()
            raise WriteError(f"{path} is being written by another run") from None
        except OSError:
            # Some file systems have no locks.
            return file
        return file


def ignore(_bytes: int) -> None:
    """Show no progress."""


def read(folder: Path, most: int = HELD, advance: Advance = ignore, registers: RegistersOf = unknown) -> Run:
    """Read the journal in `folder` (or the journal file itself); raises `JournalError` when there is none.

    The batches of one that has more than `most` bytes stay in the file. `advance` is given the number of bytes of each line.
    `registers` are asked about the places in one of schema 1.
    """
    path = folder / NAME if folder.is_dir() else folder
    header: Header | None = None
    footer: Footer | None = None
    asked: dict[tuple[str, str, int], QuestionBatch] = {}
    places: dict[BatchKey, tuple[int, int]] = {}
    held: dict[BatchKey, BatchDone] = {}
    try:
        small = path.stat().st_size <= most
        for start, end, item in _parsed(path, registers):
            advance(end - start)
            footer = None
            match item:
                case _ if header is None:
                    header = _header(path, item)
                case BatchDone():
                    if item.key.target not in header.plan.targets:
                        raise JournalError(
                            f"{path} has a batch of {item.key.target!r}, which its plan does not name"
                        )
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
        else StoredLines(
            path, [places[key] for key in keys], partial(_again, schema=header.schema, registers=registers)
        )
    )
    return Run(header, batches, footer, tuple(asked.values()))


def _again(line: bytes, schema: int, registers: RegistersOf) -> BatchDone:
    """A batch that was read before; raises `JournalError` if its line was changed since."""
    try:
        return _BATCH.decode(line if schema == SCHEMA else _in_todays_form(line, registers))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise JournalError(f"a journal was changed while it was read ({error})") from error


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
    if item.schema not in {OLD, SCHEMA}:
        raise JournalError(f"{path} has schema {item.schema}, this abiprobe reads {OLD} and {SCHEMA}")
    return item


def _in_todays_form(line: bytes, registers: RegistersOf) -> bytes:
    """A line of a journal of schema 1 as one of today; a line that was added to it since stays as it is."""
    item = msgspec.json.decode(line)
    return _ENCODER.encode(converted(item, registers)) if item["type"] == "batch" else line


def _parsed(path: Path, registers: RegistersOf = unknown) -> Iterator[tuple[int, int, Line]]:
    """Each line with the bytes of the file between which it stands."""
    start = checksum = 0
    schema = SCHEMA
    with path.open("rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise JournalError(f"{path} is no file")
        for number, line in enumerate(_lines(path, file), 1):
            try:
                if line.strip():
                    checksum = checked(line.rstrip(b"\n") + b"\n", checksum)
                    item = _LINE.decode(line if schema == SCHEMA else _in_todays_form(line, registers))
                    schema = item.schema if isinstance(item, Header) else schema
                    yield start, start + len(line), item
            except (ChecksumError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                # Only the line that was being written when the run was killed may be broken.
                if not line.endswith(b"\n"):
                    return
                damaged = isinstance(error, ChecksumError)
                what = f"is damaged: {error}" if damaged else f"is not a line of a journal ({error})"
                raise JournalError(f"{path}:{number} {what}") from error
            start += len(line)


def _lines(path: Path, file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a file; raises `JournalError` for one that no run writes."""
    while line := file.readline(LONGEST):
        if len(line) == LONGEST:
            raise JournalError(f"{path} has a line of more than {LONGEST >> 20} MiB")
        yield line


def read_complete(
    folder: Path, most: int = HELD, advance: Advance = ignore, registers: RegistersOf = unknown
) -> Run:
    """Read a finished run, as `read` does; raises `IncompleteError` for an interrupted one."""
    run = read(folder, most, advance, registers)
    if run.footer is None:
        raise IncompleteError(
            f"the run at {folder} is incomplete: {len(run.batches)} batches and no footer; "
            f"finish it with: abiprobe run --resume {shell_word(folder)}"
        )
    # The digest of a journal of schema 1 is that of verdicts in another form.
    digest = verdict_digest(run.batches) if run.header.schema == SCHEMA else run.footer.digest
    if (len(run.batches), digest) != (run.footer.batches, run.footer.digest):
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
        verdicts = [verdict.by_text for verdict in batch.verdicts]
        return cls(batch.key, hashlib.sha256(_ENCODER.encode(verdicts)).digest(), len(verdicts))


def verdict_digest(batches: Iterable[BatchDone]) -> str:
    """A digest of all verdicts that does not depend on the order in which batches ended."""
    return tally_digest(map(Tally.of, batches))


def tally_digest(tallies: Iterable[Tally]) -> str:
    """Compute the digest of a run's verdicts from the tallies of its batches."""
    digest = hashlib.sha256()
    for tally in sorted(tallies):
        digest.update(_ENCODER.encode((tally.key, tally.digest)))
    return digest.hexdigest()[:16]
