"""A compiler whose debug information lies."""

from __future__ import annotations

from pathlib import Path

import pytest
from faux import editing
from faux.putting import real_clang

from tests.harness.debugging import faux_locations


@pytest.fixture
def liar(tmp_path: Path) -> Path:
    """A clang that tells the lie of `faux_locations` that the environment names, or the truth."""
    return editing.liar(tmp_path / "liar", faux_locations, real_clang())
