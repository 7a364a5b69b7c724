"""No room, no rights, a folder that is gone: one line, and what was done stays."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from abiprobe.harness.base import faults, scratch
from abiprobe.harness.base.problem import Problem
from abiprobe.results.journal.journal import Footer, Header, Plan, WriteError, Writer, read

HEADER = Header(1, "1.0", "2026-01-01T00:00:00+00:00", Plan(1, 1, ("x86_64-sysv",), (), ("O0",)), ())
FOOTER = Footer(0, 0, "digest", "complete", 1.0)


def full(*_arguments: object) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_leaves_the_lines_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = Writer.create(tmp_path, HEADER)
    before = (tmp_path / "journal.jsonl").read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(WriteError, match=r"cannot write .*No space left on device"):
            writer.write(FOOTER)
    assert (tmp_path / "journal.jsonl").read_bytes() == before
    writer.close()
    again = Writer.extend(tmp_path)
    again.write(FOOTER)
    again.close()
    assert read(tmp_path).footer == FOOTER


def test_no_room_for_the_first_line_leaves_no_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WriteError):
        Writer.create(tmp_path, HEADER)
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("spoil", [shutil.rmtree, lambda folder: folder.rename(folder.with_name("moved"))])
def test_a_run_folder_that_is_gone_is_noticed(tmp_path: Path, spoil: object) -> None:
    assert callable(spoil)
    folder = tmp_path / "run"
    folder.mkdir()
    writer = Writer.create(folder, HEADER)
    spoil(folder)
    with pytest.raises(WriteError, match="was removed while it was written"):
        writer.write(FOOTER)
    writer.close()


def test_a_journal_has_one_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("abiprobe.results.journal.journal.PATIENCE", 0.0)
    writer = Writer.create(tmp_path, HEADER)
    with pytest.raises(WriteError, match="is being written by another run"):
        Writer.extend(tmp_path)
    writer.close()
    Writer.extend(tmp_path).close()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EMFILE, errno.ENOMEM, errno.EFBIG])
def test_a_fault_of_the_machine_is_a_line_with_a_hint(number: int) -> None:
    told = faults.machine_fault(OSError(number, os.strerror(number), "/some/file"))
    assert told is not None
    assert told.message == f"/some/file: {os.strerror(number)}"
    assert told.hint
    assert faults.machine_fault(MemoryError()) is not None
    assert faults.machine_fault(KeyError("x")) is None


def test_a_tool_that_fails_where_there_is_no_room_is_not_to_blame(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults.expect_room(tmp_path)
    about = os.statvfs(tmp_path)
    without = os.statvfs_result((about.f_bsize, about.f_frsize, about.f_blocks, 0, 0, *tuple(about)[5:]))
    monkeypatch.setattr(os, "statvfs", lambda _folder: without)
    with pytest.raises(Problem, match="No space left on device"):
        faults.expect_room(tmp_path)


KILLED = """
import os, signal
from abiprobe.harness.base.scratch import scratch
with scratch():
    open(os.path.join(os.environ["TMPDIR"], "file"), "w").close()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_the_next_run_sweeps_what_a_killed_one_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run((sys.executable, "-c", KILLED), env={**os.environ, "TMPDIR": str(tmp_path)}, check=False)
    (left,) = tmp_path.iterdir()
    assert [path.name for path in left.rglob("file")] == ["file"]
    living = tmp_path / "abiprobe-run-living"
    living.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    held = os.open(living, os.O_RDONLY)
    scratch.fcntl.flock(held, scratch.fcntl.LOCK_EX)
    scratch.sweep()
    assert [*tmp_path.iterdir()] == [living]
    os.close(held)
    scratch.sweep()
    assert [*tmp_path.iterdir()] == []
