"""The exception for users' mistakes, printed as one line."""

from __future__ import annotations


class Problem(Exception):  # noqa: N818 - it is the user's problem, not an error of ours
    """A user's mistake: what is wrong, and in `hint` what to do about it. The command line exits with 2."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}: {self.hint}" if self.hint else self.message
