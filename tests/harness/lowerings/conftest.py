"""A faux clang on PATH, and ways to put prototypes to it."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture
def faux(tmp_path, monkeypatch) -> Path:
    """The path of a faux clang that is called as a program."""
    program = tmp_path / "faux-clang"
    source = (HERE / "faux_clang.py").read_text("utf-8")
    program.write_text(f"#!{sys.executable} -IS\n{source}", "utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program
