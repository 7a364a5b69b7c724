"""Which compilers a run may start that somebody else made: those that this user has named, and no others of the same name."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from abiprobe.harness.base.cache import entry, remember
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.harness.subjects.selection import named_subjects
from abiprobe.harness.subjects.trust import distrust

NEVER, BEFORE = "named by the run only", "was named here before"
SPELLINGS = (
    "gcc:./mycc",
    "gcc:./mycc -O1",
    "gcc-12 -B./tools",
    "gcc-12 -fplugin=plugin.so",
    "gcc-12 -wrapper ./mycc",
    "gcc-12 @plugin.so",
)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ABIPROBE_CACHE", str(tmp_path / "cache"))


def project(folder: Path, says: str = "") -> Path:
    """A folder with a program, a plug-in and a folder of tools."""
    (folder / "tools").mkdir(parents=True)
    for name in ("mycc", "plugin.so"):
        (folder / name).write_text(f"#!/bin/sh\n{says}\n", "utf-8")
        (folder / name).chmod(0o755)
    return folder


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_what_is_trusted_in_one_folder_is_not_in_another(
    spelling: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = project(tmp_path / "ours"), project(tmp_path / "theirs")
    monkeypatch.chdir(ours)
    assert NEVER in distrust(parse_subject(spelling))
    named_subjects(spelling)
    assert not distrust(parse_subject(spelling))
    monkeypatch.chdir(theirs)
    assert BEFORE in distrust(parse_subject(spelling))
    named_subjects(spelling)
    assert not distrust(parse_subject(spelling))
    monkeypatch.chdir(ours)
    assert not distrust(parse_subject(spelling))


def other_contents(program: Path) -> None:
    program.write_text("#!/bin/sh\nexec evil\n", "utf-8")


def link_to_another(program: Path) -> None:
    program.rename(program.with_name("was"))
    program.symlink_to("was")


@pytest.mark.parametrize("change", [other_contents, link_to_another])
def test_a_program_that_has_changed_is_named_again(
    change: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project(tmp_path / "ours"))
    named_subjects("gcc:./mycc")
    change(Path("mycc"))
    assert BEFORE in distrust(parse_subject("gcc:./mycc"))


def test_of_a_program_that_is_not_there_nothing_is_to_be_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project(tmp_path / "ours"))
    assert not distrust(parse_subject("gcc:./none"))
    named_subjects("gcc:./none")
    Path("none").write_text("#!/bin/sh\n", "utf-8")
    assert not distrust(parse_subject("gcc:./none"))
    Path("none").chmod(0o755)
    assert BEFORE in distrust(parse_subject("gcc:./none"))


def test_what_a_version_trusted_by_its_spelling_alone_is_named_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project(tmp_path / "ours"))
    spelling = b"gcc:./mycc"
    assert remember(entry("allowed", hashlib.sha256(spelling).hexdigest()[:32]), spelling)
    assert BEFORE in distrust(parse_subject(spelling.decode()))


def test_a_program_found_by_its_name_is_the_one_on_this_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = project(tmp_path / "ours"), project(tmp_path / "theirs")
    monkeypatch.setenv("PATH", f"{ours}{os.pathsep}{os.environ['PATH']}")
    named_subjects("gcc:mycc")
    assert not distrust(parse_subject("gcc:mycc"))
    monkeypatch.setenv("PATH", f"{theirs}{os.pathsep}{os.environ['PATH']}")
    assert BEFORE in distrust(parse_subject("gcc:mycc"))


@pytest.mark.parametrize("spelling", ["gcc-12", "clang-22 -O1 -march=x86-64-v3 -DX=1", "gcc:gcc-12"])
def test_what_abiprobe_finds_by_itself_is_never_asked_about(spelling: str) -> None:
    assert not distrust(parse_subject(spelling))
