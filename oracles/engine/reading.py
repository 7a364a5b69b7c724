"""Readings: how a compiler family understands GNU C where the GCC manual does not decide.

The model as written takes a GNU extension only as far as the manual goes. Where the manual is silent and the
families lay a record out differently, the written model answers `Unspecified`; a dialect follows one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


class Reading(Enum):
    """A family whose practice a dialect follows."""

    __hash__ = object.__hash__  # as for `Kind`
    GCC = "gcc"
    """GCC 4.4 and later"""
    CLANG = "clang"
    """clang, in its GNU mode"""


READINGS: Mapping[str, Reading | None] = {"": None, "gcc": Reading.GCC, "clang": Reading.CLANG}
"""The dialects of a target that both families build for, by name: the model as written, and one for each family."""
