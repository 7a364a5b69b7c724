"""A number with its noun: `1 probe`, `2 probes`."""

from __future__ import annotations


def quantity(number: float, what: str) -> str:
    """Return a number with its noun, in the plural unless it is one."""
    text = str(int(number)) if number == int(number) else f"{number:g}"
    return f"{text} {what}" if number == 1 else f"{text} {what}s"
