"""The limits of our readers, which are no fault of the compiler that wrote a file."""

from __future__ import annotations


class UnreadError(ValueError):
    """A file is of a format, for a machine, or has debug information that is not known here."""
