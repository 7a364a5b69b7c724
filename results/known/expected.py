"""Differences that are expected: no text decides, and each compiler follows its own dialect."""

from __future__ import annotations

from dataclasses import dataclass

from abiprobe.oracles.quirks.quirk import Status
from abiprobe.oracles.text.clause import address, find_clause


@dataclass(frozen=True)
class ExpectedDifference:
    """The difference between compilers on what one clause leaves open, each of which follows its own dialect.

    Without a `clause` it stands for those of all clauses.
    """

    clause: str = ""

    @property
    def name(self) -> str:
        """The name by which it is counted."""
        return f"compilers read {self.clause or 'what is left open'} in their own ways"

    @property
    def status(self) -> Status:
        """Its status: the text can be read otherwise."""
        return Status.AMBIGUOUS

    @property
    def reason(self) -> str:
        """The reason why it is known."""
        return "no document decides, and each of them does what its own dialect says, in every place"

    @property
    def link(self) -> str:
        """The address of the clause that leaves it open."""
        try:
            return address(find_clause(self.clause).id)
        except KeyError:
            return "unreported"

    @property
    def summary(self) -> str:
        """It in a line, as an entry has it."""
        return f"known ({self.status.value}): {self.name}: {self.reason}, {self.link}"


OPEN_DIFFERENCES = ExpectedDifference()
"""All of them."""
