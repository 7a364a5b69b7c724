"""Two runs whose batches stay in their files are compared as two that are held, and only what differs is kept of them."""

from __future__ import annotations

from pathlib import Path

from abiprobe.results.history.compare import News, differing, outline, sides
from abiprobe.results.history.diff import diff
from abiprobe.results.journal.journal import (
    BatchDone,
    Footer,
    Header,
    Plan,
    SubjectInfo,
    Writer,
    read,
    verdict_digest,
)
from abiprobe.results.journal.stored_lines import StoredLines
from tests.faults.runs import TARGET, batch

PLAN = Plan(1, 1, (TARGET,), ("clang-16", "gcc-12"), ("O0",))


def written(folder: Path, *batches: BatchDone) -> Path:
    """A run of these batches."""
    folder.mkdir()
    infos = tuple(SubjectInfo(TARGET, name, f"{name} 1.0", "digest") for name in PLAN.subjects)
    writer = Writer.create(folder, Header(1, "1.0", "2026-01-01T00:00:00+00:00", PLAN, infos))
    for one in (*batches, Footer(len(batches), 4, verdict_digest(batches), "complete", 1.0)):
        writer.write(one)
    writer.close()
    return folder


def test_a_run_that_stays_in_its_file_is_compared_as_one_that_is_held(tmp_path: Path) -> None:
    clause = "x86_64:pass.integer"
    old = written(tmp_path / "old", batch("clang-16", clause), batch("gcc-12", ""))
    new = written(tmp_path / "new", batch("clang-16", ""), batch("gcc-12", ""))
    for first, second, news in ((old, new, [News.GONE]), (new, old, [News.NEW]), (old, old, [])):
        stored = read(first, 0), read(second, 0)
        assert all(isinstance(one.batches, StoredLines) for one in stored)
        found = diff(*stored, names={}, targets={})
        assert found == diff(read(first), read(second), names={}, targets={})
        assert [cause.news for cause in found.causes] == news
        assert found.probes == 2
        assert all(cause.example is not None for cause in found.causes)


def test_only_what_differs_is_kept() -> None:
    old, new = (batch("clang-16", "x86_64:pass.integer"), batch("gcc-12", "")), (batch("clang-16", ""),)
    before, after = (outline(one, {}).answers for one in (old, new))
    (side,) = after
    probes = frozenset(differing(before[side], after[side]))
    assert probes == set(before[side])
    kept, questions = sides(old, {side: probes}, {})
    assert set(kept) == {side}
    assert set(questions) == probes
    assert sides(old, {side: frozenset()}, {}) == ({side: {}}, {})
