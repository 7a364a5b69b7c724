"""Whoever follows the guide for targets to the letter has one: msp430, which abiprobe does not have."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.targets import platform_named
from abiprobe.oracles.registry import TARGETS

from .checkout import abiprobe, copied, follow, python, write
from .matching import agrees
from .snippets import Command, blocks, commands
from .workspace import files, need

GUIDE = "docs/how-to/target.md"
SHEET = "oracles/abis/msp430/clauses.toml"
FOUND = [
    one
    for block in blocks(GUIDE)
    if block.language == "console"
    for one in commands(block)
    if isinstance(one, Command)
]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout with the target of the guide."""
    assert "msp430" not in TARGETS
    folder = copied(tmp_path_factory.mktemp("checkout"))
    follow(GUIDE, folder)
    return folder


@pytest.mark.parametrize("command", FOUND, ids=lambda command: command.text)
def test_a_command_prints_what_the_guide_shows(command: Command, checkout: Path, tmp_path: Path) -> None:
    if "--cc" in command.words:
        need(command.words[command.words.index("--cc") + 1])
    write(tmp_path / "pair.h", files()["pair.h"])
    done = abiprobe(checkout, tmp_path, *command.words[1:])
    assert done.returncode == 0, done.stderr
    assert command.output is not None
    assert agrees(command.output, done.stdout, command.varies), done.stdout


def test_rows_and_sheet_hold(checkout: Path) -> None:
    tests = ("tests/oracles/golden/test_texts.py", "tests/oracles/test_clauses.py")
    done = python(checkout, checkout, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, "-k", "msp430")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert " passed, " in done.stdout


def test_a_mistake_in_the_sheet_is_one_line(checkout: Path, tmp_path: Path) -> None:
    right = (checkout / SHEET).read_text("utf-8")
    try:
        write(checkout / SHEET, right.replace("[clause.", "[clauses."))
        done = abiprobe(checkout, tmp_path, "list", "targets")
    finally:
        write(checkout / SHEET, right)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"abiprobe: {SHEET}: has an unknown key [clauses]; did you mean [clause]?\n"


def test_a_target_without_a_platform_is_told_what_it_lacks() -> None:
    with pytest.raises(
        Problem, match=r"^msp430 has no platform: add one to a module of harness/machines/targets"
    ):
        platform_named("msp430")
