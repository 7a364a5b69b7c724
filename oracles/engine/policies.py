"""Policies of the engine: the points at which compilers are known to depart from a text.

Every rule follows the text by the defaults here. A quirk (`oracles.quirks`) sets fields for the compilers that have it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Policies:
    """What a compiler does otherwise than the text; the defaults are the text."""

    opaque_atomics: bool = False
    """What is atomic is not looked into: it is no composite of its members, and has no fundamental type to be classified by."""

    unextended_atomics: bool = False
    """No integer that is atomic is extended in a register or on the stack, as if nothing were said of what is above it."""

    records: str = ""
    """The compiler, `tcc` or `pcc`, whose own rules lay out records, instead of those of the text."""
    packs_no_enum: bool = False
    """`packed` on an enumeration is ignored."""

    def changed(self, fields: Mapping[str, object]) -> Policies:
        """Return these policies with other values in some fields; a set is united with what is there.

        Raises `TypeError` for a field that there is none of.
        """
        united = {
            name: value | getattr(self, name) if isinstance(value, frozenset) else value
            for name, value in fields.items()
        }
        return replace(self, **united)  # type: ignore[arg-type]


TEXT = Policies()
"""The text, as it is written."""
