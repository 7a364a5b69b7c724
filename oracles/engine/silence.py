"""The two ways in which a model has no answer; `abiprobe.oracles.model` turns them into values."""

from __future__ import annotations


class SilentError(Exception):
    """The text does not decide this: `clause` (full id) is where it falls silent, `why` says how."""

    def __init__(self, clause: str, why: str) -> None:
        super().__init__(f"{clause}: {why}")
        self.clause = clause
        self.why = why


class AbsentError(Exception):
    """The ABI has no such type."""
