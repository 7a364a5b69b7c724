"""A copy of the checkout with what a guide for developers adds to it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from abiprobe.harness.cli.commands.console import PIPED_WIDTH

from .snippets import ROOT, Block, blocks

ROOMS = ("generators", "harness", "oracles", "results")
MAIN = "from abiprobe.harness.cli.main import main; main()"
HEAD = "--- "


def copied(folder: Path) -> Path:
    """Copy the checkout into a folder: links to its files, in folders of its own."""
    for room in (*ROOMS, "tests"):
        # Links are followed when files are read, so that the bytecode of the checkout serves here, too.
        shutil.copytree(ROOT / room, folder / room, copy_function=os.symlink)
    for name in ("pyproject.toml", "README.md"):
        (folder / name).symlink_to(ROOT / name)
    package = folder / "path" / "abiprobe"
    package.mkdir(parents=True)
    (package / "__init__.py").symlink_to(ROOT / "harness" / "package" / "__init__.py")
    for room in ROOMS:
        (package / room).symlink_to(folder / room, target_is_directory=True)
    return folder


def follow(document: str, folder: Path) -> None:
    """Add to a copy of the checkout the files that a guide shows, and the lines of its blocks of `diff`."""
    for block in blocks(document):
        for name in block.marked("checkout"):
            write(folder / name, block.content)
        if block.language == "diff":
            insert(block, folder)


def write(path: Path, text: str) -> None:
    """Write a file in place of the link to that of the checkout."""
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_text(text, "utf-8")


def insert(block: Block, folder: Path) -> None:
    """Put each line that begins with `+` behind the line above it, which its file must have."""
    path, lines, at = folder, [""], 0
    for line in block.content.splitlines():
        if line.startswith(HEAD):
            path, at = folder / line.removeprefix(HEAD), 0
            lines = path.read_text("utf-8").splitlines()
        elif line.startswith("+"):
            lines.insert(at, line[1:])
            at += 1
            write(path, "\n".join(lines) + "\n")
        else:
            at = lines.index(line[1:], at) + 1


def python(folder: Path, cwd: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the package of a copy; what the whole suite may skip says nothing of the tests of a copy."""
    paths = (str(folder / "path"), os.environ.get("PYTHONPATH", ""))
    env = {**os.environ, "COLUMNS": str(PIPED_WIDTH), "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    env.pop("ABIPROBE_EXPECTED_SKIPS", None)
    return subprocess.run(
        (sys.executable, *words), cwd=cwd, env=env, capture_output=True, text=True, check=False
    )


def abiprobe(folder: Path, cwd: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command line of a copy."""
    return python(folder, cwd, "-c", MAIN, *words)
