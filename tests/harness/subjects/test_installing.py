"""Compilers are installed by one process at a time, and what fails for want of room is told as that."""

from __future__ import annotations

import errno
import os
import threading
from pathlib import Path

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.subjects import releases
from abiprobe.harness.subjects.installing import WAITING, alone, expect_room


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ABIPROBE_CACHE", str(tmp_path / "cache"))


SAID = [
    (
        b"ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
        "No space left",
    ),
    (b"dpkg-deb: error: failed to write (Disk quota exceeded)", "Disk quota exceeded"),
    (b"E: You don't have enough free space in /c/releases/apt/cache/archives/.", "No space left"),
    (b"E: Write error - write (28: No space left on device)", "No space left"),
]


@pytest.mark.parametrize(("said", "why"), SAID)
def test_a_full_disk_is_told_with_its_folder(said: bytes, why: str) -> None:
    with pytest.raises(Problem, match=f"^/c/releases: {why}.*: make room there"):
        expect_room(Path("/c/releases"), said)


@pytest.mark.parametrize("said", [b"", b"ERROR: No matching distribution found for ziglang"])
def test_another_failure_is_none(said: bytes) -> None:
    expect_room(Path("/c/releases"), said)


def test_an_error_without_a_file_names_the_folder() -> None:
    with (
        pytest.raises(OSError, match=r"No space left on device: '.*releases'"),
        alone(releases.folder(), print),
    ):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_the_second_waits_for_the_first_and_says_so() -> None:
    began, may_end = threading.Event(), threading.Event()
    order: list[str] = []

    def first() -> None:
        with alone(releases.folder(), order.append):
            began.set()
            assert may_end.wait(60)
            order.append("first")

    def told(line: str) -> None:
        order.append(line)
        may_end.set()

    other = threading.Thread(target=first)
    other.start()
    assert began.wait(60)
    with alone(releases.folder(), told):
        order.append("second")
    other.join()
    assert order == [WAITING, "first", "second"]


def test_what_a_killed_installation_left_is_removed() -> None:
    for name in (".clang-17-x/clang-17", "downloads/.pip-y", "gcc-16/bin"):
        (releases.folder() / name).mkdir(parents=True)
    with alone(releases.folder(), print):
        left = sorted(str(path.relative_to(releases.folder())) for path in releases.folder().rglob("*"))
    assert left == ["downloads", "gcc-16", "gcc-16/bin"]


def test_a_cache_that_others_can_write_is_refused_first(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(0o777)
    with pytest.raises(Problem, match="can be written by others"), alone(releases.folder(), print):
        pytest.fail("it was entered")
