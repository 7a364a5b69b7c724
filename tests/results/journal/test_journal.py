"""The journal: what was written is read back, and what is not whole says so."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from laboratory import said

from abiprobe.oracles.language.lang import Kind, Member, Record, Scalar
from abiprobe.oracles.language.question import ProbeKind, Sort, probe
from abiprobe.results.coverage.counts import rows
from abiprobe.results.coverage.open_clauses import open_clauses
from abiprobe.results.journal.journal import (
    NAME,
    SCHEMA,
    BatchDone,
    BatchKey,
    Footer,
    Header,
    IncompleteError,
    JournalError,
    Kept,
    Observed,
    Plan,
    SubjectInfo,
    Writer,
    read,
    read_complete,
    verdict_digest,
)
from abiprobe.results.journal.stored_lines import StoredLines
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

PLAN = Plan(1, 500, ("riscv64-lp64d",), ("gcc-12", "zig"), ("O0", "O2"))
HEADER = Header(SCHEMA, "0", "2026-01-01T00:00:00+00:00", PLAN, (SubjectInfo("t", "zig", "clang 22", "d1"),))
ASKED = probe(Record("S", (Member(Scalar(Kind.INT), "a"), Member(Scalar(Kind.LONG), "b", width=3))))
DIFFERENCE = said.difference("object", "b", "bits", "32:3", "64:3", "riscv:bits.packing", above=True)
DEVIATES = Verdict(
    ASKED.id, ProbeKind.LAYOUT, Judgement.DEVIATES, Outcome.OBSERVED, "c", "wörds \n", (DIFFERENCE,)
)
FIRST, SECOND = (
    BatchDone(
        BatchKey("riscv64-lp64d", subject, "O0", Sort.RECORDS, 0),
        1,
        (DEVIATES,),
        (Kept(ASKED.id, ASKED.question),),
        0.25,
        observed=(Observed(ASKED.id, {"size": 16}),),
    )
    for subject in ("gcc-12", "zig")
)
FOOTER = Footer(2, 2, verdict_digest((FIRST, SECOND)), "complete", 1.5)


def written(folder: Path, *lines: BatchDone | Footer) -> Path:
    """A journal of these lines; the file."""
    writer = Writer.create(folder, HEADER)
    for line in lines:
        writer.write(line)
    writer.close()
    return folder / NAME


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    path = written(tmp_path, SECOND, FIRST, FOOTER)
    run = read_complete(tmp_path)
    assert (run.header, run.batches, run.footer) == (HEADER, (FIRST, SECOND), FOOTER)
    assert read(path) == run


def test_reading_changes_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, FIRST)
    path.write_bytes(path.read_bytes() + b'{"type":"bat')
    before = path.read_bytes()
    read(tmp_path)
    assert path.read_bytes() == before


def test_a_line_is_on_the_disk_as_soon_as_it_is_written(tmp_path: Path) -> None:
    writer = Writer.create(tmp_path, HEADER)
    writer.write(FIRST)
    assert read(tmp_path).batches == (FIRST,)
    writer.close()


def test_a_second_run_does_not_overwrite_the_first(tmp_path: Path) -> None:
    written(tmp_path, FIRST, SECOND, FOOTER)
    with pytest.raises(FileExistsError):
        Writer.create(tmp_path, HEADER)
    assert read_complete(tmp_path).batches == (FIRST, SECOND)


def test_an_interrupted_run_is_refused_where_a_whole_one_is_wanted(tmp_path: Path) -> None:
    written(tmp_path, FIRST)
    with pytest.raises(IncompleteError, match=r"incomplete: 1 batches.*--resume"):
        read_complete(tmp_path)


@pytest.mark.parametrize("cut", [1, 2, 40, 200])
def test_a_half_written_last_line_is_dropped(tmp_path: Path, cut: int) -> None:
    path = written(tmp_path, FIRST, SECOND)
    path.write_bytes(path.read_bytes()[:-cut])
    # Without its line feed alone the last line is whole.
    assert read(tmp_path).batches == ((FIRST, SECOND) if cut == 1 else (FIRST,))


def test_every_prefix_of_a_journal_says_that_it_is_incomplete(tmp_path: Path) -> None:
    path = written(tmp_path, FIRST, SECOND, FOOTER)
    data = path.read_bytes()
    for length in range(0, len(data) - 1, 7):
        path.write_bytes(data[:length])
        with pytest.raises(JournalError):
            read_complete(tmp_path)


@pytest.mark.parametrize("lost", [1, 2])
def test_a_whole_line_that_is_lost_is_missed(tmp_path: Path, lost: int) -> None:
    path = written(tmp_path, FIRST, SECOND, FOOTER)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(line for number, line in enumerate(lines) if number != lost))
    with pytest.raises(JournalError):
        read_complete(tmp_path)


@pytest.mark.parametrize("garbage", [b"garbage\n", b"{}\n", b'{"type":"batch"}\n', b"\xff\xfe\n", b"[1]\n"])
def test_garbage_in_the_middle_is_refused_with_its_line(tmp_path: Path, garbage: bytes) -> None:
    path = written(tmp_path, FIRST, SECOND, FOOTER)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join((*lines[:2], garbage, *lines[2:])))
    with pytest.raises(JournalError, match=r"journal\.jsonl:3 "):
        read(tmp_path)


def test_another_schema_is_refused(tmp_path: Path) -> None:
    Writer.create(tmp_path, msgspec.structs.replace(HEADER, schema=7)).close()
    with pytest.raises(JournalError, match="schema 7"):
        read(tmp_path)


@pytest.mark.parametrize("drop", [1, 4])
def test_without_a_header_it_is_no_journal(tmp_path: Path, drop: int) -> None:
    path = written(tmp_path, FIRST, SECOND, FOOTER)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[drop:]))
    with pytest.raises(JournalError, match=r"does not begin as a journal|:1 is damaged"):
        read(tmp_path)


def test_where_there_is_no_run(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(JournalError, match="no run at"):
            read(place)


def test_going_on_drops_the_half_line_and_keeps_the_rest(tmp_path: Path) -> None:
    path = written(tmp_path, FIRST)
    path.write_bytes(path.read_bytes() + b'{"type":"batch","key"')
    writer = Writer.extend(tmp_path)
    writer.write(SECOND)
    writer.write(FOOTER)
    writer.close()
    assert read_complete(tmp_path).batches == (FIRST, SECOND)


def test_going_on_after_a_budget_replaces_the_footer(tmp_path: Path) -> None:
    written(tmp_path, FIRST, Footer(1, 1, "digest", "budget", 1.0))
    writer = Writer.extend(tmp_path)
    writer.write(SECOND)
    writer.close()
    assert read(tmp_path).footer is None
    assert read(tmp_path).batches == (FIRST, SECOND)


def test_the_digest_is_one_of_verdicts_and_not_of_their_order_or_cost() -> None:
    changed = BatchDone(FIRST.key, 1, FIRST.verdicts, own_seconds=9.0)
    assert verdict_digest([FIRST, SECOND]) == verdict_digest([SECOND, changed])
    assert verdict_digest([FIRST]) != verdict_digest([FIRST, SECOND])
    other = BatchDone(FIRST.key, 1, (Verdict(ASKED.id, ProbeKind.LAYOUT, Judgement.AGREES),))
    assert verdict_digest([FIRST]) != verdict_digest([other])


def test_a_long_journal_stays_in_its_file(tmp_path: Path) -> None:
    written(tmp_path, SECOND, FIRST, FOOTER)
    held = read_complete(tmp_path)
    stored = read_complete(tmp_path, 0)
    assert isinstance(stored.batches, StoredLines)
    assert tuple(stored.batches) == tuple(stored.batches) == held.batches
    assert (len(stored.batches), stored.batches[-1], tuple(stored.batches[:1])) == (2, SECOND, (FIRST,))
    assert (rows(stored.batches), open_clauses(stored.batches)) == (
        rows(held.batches),
        open_clauses(held.batches),
    )
