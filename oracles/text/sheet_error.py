"""The exception for mistakes in a clause sheet, or in what cites it."""

from __future__ import annotations


class SheetError(Exception):
    """A mistake in a sheet: `where` names file and key, `what` is wrong there, and `hint` says what to do about it.

    It is raised while modules are imported, so that every command of the command line ends with it in a line.
    """

    def __init__(self, where: str, what: str, hint: str) -> None:
        super().__init__(where, what, hint)
        self.where = where
        self.what = what
        self.hint = hint

    def __str__(self) -> str:
        """The mistake in a line."""
        return f"{self.where}: {self.what}; {self.hint}"


class UnknownClauseError(SheetError, KeyError):
    """A clause is cited that its sheet does not have."""
