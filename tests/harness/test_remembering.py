"""What was answered before is not asked again, unless something has changed that has a say in it."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from abiprobe.harness import remembering
from abiprobe.harness.batch import Job
from abiprobe.harness.toolchains import pieces
from abiprobe.oracles.lang import Kind, Member, Record, Scalar
from abiprobe.results.journal import BatchDone, verdict_digest
from abiprobe.results.record import Outcome

TARGET = "x86_64-sysv"
RECORD = Record("S", (Member(Scalar(Kind.CHAR), "a"), Member(Scalar(Kind.INT), "b")))


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ABIPROBE_CACHE", str(tmp_path / "cache"))


def compiler(folder: Path, does: str = 'echo "no" >&2; exit 1') -> Path:
    """A compiler that takes small samples, counts how often it is asked about records, and then does something."""
    path = folder / "cc"
    path.write_text(f"""#!/bin/sh
case "$1" in -print*|--version) exit 1;; esac
while [ "$1" != -c ]; do shift; done
grep -q abi_layout "$2" || {{ cp "$2" "$4"; exit 0; }}
echo >> {folder}/calls
{does}
""")
    path.chmod(0o755)
    return path


def job(path: Path, **more: object) -> Job:
    return msgspec.structs.replace(Job(TARGET, 0, "records", (RECORD,), ((f"gcc:{path}", "O0"),)), **more)


def calls(folder: Path) -> int:
    return len((folder / "calls").read_text())


def same(first: list[BatchDone], second: list[BatchDone]) -> bool:
    return verdict_digest(first) == verdict_digest(second) and [done.key for done in first] == [
        done.key for done in second
    ]


def test_the_same_questions_are_not_asked_twice(tmp_path: Path) -> None:
    asked = job(compiler(tmp_path))
    first = remembering.answer(asked)
    before = calls(tmp_path)
    second = remembering.answer(asked)
    assert calls(tmp_path) == before
    assert same(first, second)
    assert [done.verdicts for done in first] == [done.verdicts for done in second]
    assert first[0].verdicts[0].outcome is Outcome.REFUSED
    assert sum(done.compile_seconds for done in second) == 0


def test_an_updated_compiler_is_asked_again(tmp_path: Path) -> None:
    asked = job(compiler(tmp_path))
    remembering.answer(asked)
    before = calls(tmp_path)
    pieces.digest.cache_clear()
    compiler(tmp_path, 'echo "not that either" >&2; exit 1')
    second = remembering.answer(asked)
    assert calls(tmp_path) > before
    assert "not that either" in second[0].verdicts[0].detail


@pytest.mark.parametrize(
    "change",
    [{"questions": (RECORD, RECORD)}, {"number": 1}, {"keep": True}],
    ids=["questions", "number", "keep"],
)
def test_other_questions_are_asked(tmp_path: Path, change: dict[str, object]) -> None:
    path = compiler(tmp_path)
    assert remembering.key(job(path)) != remembering.key(job(path, **change))


def test_an_answer_that_took_too_long_is_not_remembered(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(job(compiler(tmp_path)).limits, base_seconds=0.3)
    asked = job(compiler(tmp_path, "sleep 20"), limits=limits)
    first = remembering.answer(asked)
    assert first[0].verdicts[0].outcome is Outcome.TIMED_OUT
    before = calls(tmp_path)
    remembering.answer(asked)
    assert calls(tmp_path) > before


@pytest.mark.parametrize("damage", [b"", b"x", b"\x78\x9c\x03\x00\x00\x00\x00\x01"])
def test_a_damaged_answer_is_asked_for_again(tmp_path: Path, damage: bytes) -> None:
    asked = job(compiler(tmp_path))
    first = remembering.answer(asked)
    (remembering.folder() / remembering.key(asked)).write_bytes(damage)
    assert same(first, remembering.answer(asked))
    assert same(first, remembering.answer(asked))


def test_the_oldest_make_room(tmp_path: Path) -> None:
    folder = remembering.folder()
    folder.mkdir(parents=True)
    for age, name in enumerate(("new", "middle", "old")):
        (folder / name).write_bytes(b"x" * 100)
        os.utime(folder / name, (1000 - age, 1000 - age))
    remembering.make_room(250)
    assert {path.name for path in folder.iterdir()} == {"new", "middle"}
    remembering.make_room(0)
    assert not list(folder.iterdir())


def test_what_gcc_starts_belongs_to_it(tmp_path: Path) -> None:
    inner = tmp_path / "cc1"
    inner.write_text("#!/bin/sh\n")
    inner.chmod(0o755)
    outer = tmp_path / "gcc"
    outer.write_text(f"#!/bin/sh\n[ $1 = -print-prog-name=cc1 ] && echo {inner} || echo $1\n")
    outer.chmod(0o755)
    assert pieces.started(str(outer)) == (str(inner),)
    first = pieces.digest((str(outer), "-O0"))
    pieces.digest.cache_clear()
    inner.write_text("#!/bin/sh\n# another\n")
    assert pieces.digest((str(outer), "-O0")) != first
