"""A compiler whose debug information lies."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
from faux.putting import real_clang

HERE = Path(__file__).parent


@pytest.fixture
def liar(tmp_path: Path) -> Path:
    """A clang that tells the lie of `faux_locations` that the environment names, or the truth."""
    path = tmp_path / "liar"
    code = f"import sys; sys.path.insert(0, {str(HERE)!r}); import faux_locations; faux_locations.main({real_clang()!r})"
    path.write_text(f'#!/bin/sh\nexec {shlex.join((sys.executable, "-ISc", code))} "$@"\n', "utf-8")
    path.chmod(0o755)
    return path
