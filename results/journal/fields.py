"""Checks of the fields of a journal or a triage that become a part of a command line."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

Level: TypeAlias = Annotated[str, Meta(pattern=r"\AO\w{1,4}\Z")]
"""An optimisation level, which becomes an option of a compiler."""
