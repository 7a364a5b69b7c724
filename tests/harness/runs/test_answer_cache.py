"""What was answered before is not asked again, unless something has changed that has a say in it."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.observers.batch import Job
from abiprobe.harness.runs import answer_cache
from abiprobe.harness.subjects import programs
from abiprobe.oracles.language.lang import Kind, Member, Record, Scalar
from abiprobe.oracles.language.question import Sort
from abiprobe.results.journal.journal import BatchDone, verdict_digest
from abiprobe.results.verdicts.record import Outcome

TARGET = "x86_64-sysv"
RECORD = Record("S", (Member(Scalar(Kind.CHAR), "a"), Member(Scalar(Kind.INT), "b")))


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ABIPROBE_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def _as_if_binary(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faux compilers are scripts; here they stand for binaries, whose contents decide what they do."""
    monkeypatch.setattr(programs, "is_elf", lambda path: Path(path).is_file())
    monkeypatch.setattr(programs, "libraries", lambda _program, _mark: ())


def compiler(folder: Path, does: str = 'echo "no" >&2; exit 1') -> Path:
    """A compiler that takes small samples, counts how often it is asked about records, and then does something."""
    path = folder / "cc"
    path.write_text(f"""#!/bin/sh
case "$*" in *-###*) echo COLLECT_GCC=$0 >&2; exit;; *--version*) echo cc 1.0; exit;; esac
while [ "$1" != -c ]; do shift; done
case $(cat "$2") in *abi_layout*) ;; *) cp "$2" "$4"; exit 0;; esac
echo >> {folder}/calls
{does}
""")
    path.chmod(0o755)
    return path


def job(path: Path, **more: object) -> Job:
    return msgspec.structs.replace(
        spelled_job(TARGET, 0, Sort.RECORDS, (RECORD,), ((f"gcc:{path}", "O0"),)), **more
    )


def calls(folder: Path) -> int:
    return len((folder / "calls").read_text())


def same(first: list[BatchDone], second: list[BatchDone]) -> bool:
    return verdict_digest(first) == verdict_digest(second) and [done.key for done in first] == [
        done.key for done in second
    ]


@pytest.mark.usefixtures("_as_if_binary")
def test_the_same_questions_are_not_asked_twice(tmp_path: Path) -> None:
    asked = job(compiler(tmp_path))
    first = answer_cache.cached_answer(asked)
    before = calls(tmp_path)
    second = answer_cache.cached_answer(asked)
    assert calls(tmp_path) == before
    assert same(first, second)
    assert [done.verdicts for done in first] == [done.verdicts for done in second]
    assert first[0].verdicts[0].outcome is Outcome.REFUSED
    assert sum(done.compile_seconds for done in second) == 0


def test_a_script_is_always_asked(tmp_path: Path) -> None:
    asked = job(compiler(tmp_path))
    first = answer_cache.cached_answer(asked)
    before = calls(tmp_path)
    assert same(first, answer_cache.cached_answer(asked))
    assert calls(tmp_path) > before


@pytest.mark.usefixtures("_as_if_binary")
def test_a_compiler_that_is_written_anew_with_the_same_contents_is_the_same(tmp_path: Path) -> None:
    asked = job(compiler(tmp_path))
    answer_cache.cached_answer(asked)
    before = calls(tmp_path)
    (tmp_path / "cc").unlink()
    compiler(tmp_path)
    answer_cache.cached_answer(asked)
    assert calls(tmp_path) == before


@pytest.mark.usefixtures("_as_if_binary")
@pytest.mark.parametrize("how", ["relative path", "link", "path"])
def test_a_rebuilt_compiler_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    path = compiler(tmp_path)
    monkeypatch.chdir(tmp_path.parent)
    if how == "relative path":
        path = path.relative_to(tmp_path.parent)
    elif how == "link":
        path = tmp_path / "gcc"
        path.symlink_to("cc")
    asked = job(path)
    answer_cache.cached_answer(asked)
    before = calls(tmp_path)
    compiler(tmp_path, 'echo "NO" >&2; exit 1')
    again = answer_cache.cached_answer(asked)
    assert calls(tmp_path) > before
    assert again[0].verdicts[0].detail == "NO"


@pytest.mark.usefixtures("_as_if_binary")
def test_a_link_that_leads_elsewhere_is_asked_again(tmp_path: Path) -> None:
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        compiler(tmp_path / name, f'echo "{name}" >&2; exit 1')
    link = tmp_path / "cc"
    for name in ("old", "new"):
        link.unlink(missing_ok=True)
        link.symlink_to(Path(name, "cc"))
        assert answer_cache.cached_answer(job(link))[0].verdicts[0].detail == name


@pytest.mark.usefixtures("_as_if_binary")
def test_an_updated_compiler_is_asked_again(tmp_path: Path) -> None:
    asked = job(compiler(tmp_path))
    answer_cache.cached_answer(asked)
    before = calls(tmp_path)
    compiler(tmp_path, 'echo "not that either" >&2; exit 1')
    second = answer_cache.cached_answer(asked)
    assert calls(tmp_path) > before
    assert "not that either" in second[0].verdicts[0].detail


@pytest.mark.parametrize(
    "change",
    [{"questions": (RECORD, RECORD)}, {"number": 1}, {"keep": True}],
    ids=["questions", "number", "keep"],
)
def test_other_questions_are_asked(tmp_path: Path, change: dict[str, object]) -> None:
    path = compiler(tmp_path)
    assert answer_cache.key(job(path)) != answer_cache.key(job(path, **change))


def test_an_answer_that_took_too_long_is_not_remembered(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(job(compiler(tmp_path)).limits, base_seconds=0.3)
    asked = job(compiler(tmp_path, "sleep 20"), limits=limits)
    first = answer_cache.cached_answer(asked)
    assert first[0].verdicts[0].outcome is Outcome.TIMED_OUT
    before = calls(tmp_path)
    answer_cache.cached_answer(asked)
    assert calls(tmp_path) > before


@pytest.mark.usefixtures("_as_if_binary")
@pytest.mark.parametrize("damage", [b"", b"x", b"\x78\x9c\x03\x00\x00\x00\x00\x01"])
def test_a_damaged_answer_is_asked_for_again(tmp_path: Path, damage: bytes) -> None:
    asked = job(compiler(tmp_path))
    first = answer_cache.cached_answer(asked)
    (answer_cache.folder() / answer_cache.key(asked)).write_bytes(damage)
    assert same(first, answer_cache.cached_answer(asked))
    assert same(first, answer_cache.cached_answer(asked))


def test_the_oldest_make_room(tmp_path: Path) -> None:
    folder = answer_cache.folder()
    folder.mkdir(parents=True)
    for age, name in enumerate(("new", "middle", "old")):
        (folder / name).write_bytes(b"x" * 100)
        os.utime(folder / name, (1000 - age, 1000 - age))
    answer_cache.evict_oldest(250)
    assert {path.name for path in folder.iterdir()} == {"new", "middle"}
    answer_cache.evict_oldest(0)
    assert not list(folder.iterdir())
