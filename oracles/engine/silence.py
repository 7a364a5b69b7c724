"""The two ways in which a model has no answer; `abiprobe.oracles.model` turns them into values."""

from __future__ import annotations


class SilentError(Exception):
    """The text does not decide this: `clause` (full id) is where it falls silent, `why` says how."""

    def __init__(self, clause: str, why: str) -> None:
        # A worker that raises it hands it over by its arguments.
        super().__init__(clause, why)
        self.clause = clause
        self.why = why

    def __str__(self) -> str:
        """Clause and reason in a line."""
        return f"{self.clause}: {self.why}"


class AbsentError(Exception):
    """The ABI has no such type."""
