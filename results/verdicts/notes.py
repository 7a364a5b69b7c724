"""The note of a difference, beside the expected and the seen value: where a value is instead, or what was done with it.

A closed union of data. `results.verdicts.wording` has the words for it.
"""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

import msgspec

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.text.place import Located
from abiprobe.results.verdicts.values import Value, Words


class Found(msgspec.Struct, frozen=True, omit_defaults=True, tag="found"):
    """The places that hold the value instead, one of which is where it is passed; none of them where none holds it."""

    at: tuple[Located, ...] = ()


class Shifted(msgspec.Struct, frozen=True, omit_defaults=True, tag="shifted"):
    """Something else moved the value, whose own `clause` is not broken; where it was then found, if it could be recognised."""

    clause: str
    found: Found | None = None


class OnlyAbove(msgspec.Struct, frozen=True, tag="only above"):
    """The value is right, and bits above it are not."""


class ReliesOnAbove(msgspec.Struct, frozen=True, tag="relies on above"):
    """The program relies on bits above the value that may be anything."""


class Use(Enum):
    """The use of a value that is wrong only then."""

    CONVERTED = "converted"
    """to `double`"""
    WIDENED = "widened"
    BY_ITSELF = "by itself"
    """used as a part of the value"""


class Used(msgspec.Struct, frozen=True, tag="used"):
    """The value is right as it is, and wrong once it is used."""

    how: Use


class Said(msgspec.Struct, frozen=True):
    """The number that one witness of a layout tells."""

    witness: ProbeKind
    value: Value


class Disagreement(msgspec.Struct, frozen=True, tag="disagreement"):
    """The witnesses of a layout do not all say the same."""

    said: tuple[Said, ...]


class DeclaredAs(msgspec.Struct, frozen=True, tag="declared as"):
    """A parameter or result is declared otherwise, from which its place follows."""

    what: str
    seen: Value


Note: TypeAlias = Found | Shifted | OnlyAbove | ReliesOnAbove | Used | Disagreement | DeclaredAs | Words
"""The note of a difference."""


def found_in(note: Note | None) -> Found | None:
    """Return where a value was found that nothing else moved; `None` where it was not looked for."""
    return note if isinstance(note, Found) else None
