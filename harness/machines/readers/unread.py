"""What our readers do not know, which is no fault of the compiler that wrote it."""

from __future__ import annotations


class UnreadError(ValueError):
    """A file is of a format, for a machine, or has debug information that is not known here."""
