"""A compiler whose unwind tables lie."""

from __future__ import annotations

from pathlib import Path

import pytest
from faux import editing
from faux.putting import real_clang

from tests.harness.unwind import faux_assembly


@pytest.fixture
def liar(tmp_path: Path) -> Path:
    """A clang that tells the lie of `faux_assembly` that the environment names, or the truth."""
    return editing.liar(tmp_path / "liar", faux_assembly, real_clang())
