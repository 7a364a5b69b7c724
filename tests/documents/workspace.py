"""The folder in which the commands of a block run: the files of the documents, and three small runs."""

from __future__ import annotations

import fcntl
import os
import shutil
from pathlib import Path

import pytest

from abiprobe.harness.machines.languages.language import find_language
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.registry import find_target
from tests.harness.cli.commands.calling import abiprobe

from .snippets import every_block

TARGET = "riscv64-lp64d"
COMMON = ("--raw", "--no-tours", "--seed", "5")
RUN = ("run", TARGET, "--cc", "gcc-12,clang-22", "--opt", "O2", "--cases", "25", *COMMON)
"""The questions of this run have the example of the README among them."""
LATEST = Path(".abiprobe", "runs", "20260101-000000")
RUNS = {
    "OLD": ("run", TARGET, "--cc", "clang-19", "--opt", "O0", "--cases", "8", *COMMON),
    "first": ("run", TARGET, "--cc", "zig", "--opt", "O2", "--cases", "25", "--seed", "5", "--no-known"),
    "NEW": ("run", TARGET, "--cc", "clang-22", "--opt", "O0", "--cases", "8", *COMMON),
}


def need(*subjects: str) -> None:
    """Skip where one of these compilers is not installed."""
    for name in subjects:
        subject = parse_subject(name)
        # Libraries are of one target only.
        targets = (TARGET,) if TARGET in subject.family.flags else tuple(subject.family.flags)
        if not installed(subject, tuple(map(find_target, targets))):
            pytest.skip(f"{name} is not installed")


def need_program(folder: Path) -> None:
    """Skip where the compiler of a language, by its folder, is not installed."""
    programs = find_language(str(folder)).about.programs
    if not any(map(shutil.which, programs)):
        pytest.skip(f"{programs[0]} is not installed")


def files() -> dict[str, str]:
    """The files that the documents show, by name."""
    return {name: block.content for block in every_block() for name in block.marked("file")}


def inputs(words: tuple[str, ...]) -> set[str]:
    """The words of a command, but for the folder that it makes."""
    return {word for before, word in zip(("", *words), words, strict=False) if before != "--out"}


def workspace(folder: Path, words: set[str]) -> None:
    """Put into a folder what commands with these words need; skips where a compiler of theirs is missing."""
    for name, content in files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, "utf-8")
    wanted = [name for name in ("RUN", *RUNS) if name in words]
    if any(word.startswith("c0") for word in words):
        wanted.append("RUN")
    for name in dict.fromkeys(wanted):
        place = folder / (LATEST if name == "RUN" else name)
        shutil.copytree(made(name), place)
        if name == "RUN":
            (folder / name).symlink_to(LATEST)


def made(name: str) -> Path:
    """The folder of a run, which is made once for all processes of a test session."""
    need(*(("gcc-12", "clang-22") if name == "RUN" else (RUNS[name][3],)))
    place = Path(os.environ["ABIPROBE_TESTS_SCRATCH"], "documents")
    place.mkdir(exist_ok=True)
    with (place / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / name).exists():
            arguments = RUN if name == "RUN" else RUNS[name]
            for command in ((*arguments, "--out", f"new-{name}"), ("triage", "--no-known", f"new-{name}")):
                done = abiprobe(*command, cwd=place)
                assert done.returncode in {0, 1}, done.stderr
            (place / f"new-{name}").rename(place / name)
    return place / name
