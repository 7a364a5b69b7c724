"""Additional answers of a model about a function, as values that reports print without knowing the ABI."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import msgspec

from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.text.place import Unspecified, Unsupported


class Remark(msgspec.Struct, frozen=True):
    """A sentence, `what` it is about, and the clause that says so."""

    what: str
    why: str
    clause: str


class LaneRow(msgspec.Struct, frozen=True):
    """The place of some lanes of an argument; `name` and `type` are empty except in the first row of an argument."""

    name: str
    type: str
    lanes: str
    place: str
    clause: str


class Section(msgspec.Struct, frozen=True):
    """A table: what it is of, by `clause`, further clauses that decide that, and rows, or why there are none."""

    title: str
    about: str
    clause: str
    further_clauses: tuple[str, ...]
    rows: tuple[LaneRow, ...] | Unspecified


class Supplement(msgspec.Struct, frozen=True):
    """The additional answers of a model: JSON values by key, and for people the lines under `headings`.

    Nothing is to be shown to people if there are no headings.
    """

    json: dict[str, Any]
    headings: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()
    sections: tuple[Section, ...] | Unspecified | Unsupported = ()


@runtime_checkable
class HasSupplement(Protocol):
    """A model that says more of a function than the places of its call."""

    def supplement(self, function: Prototype) -> Supplement:
        """Return the additional answers about `function` as reports print them."""
        ...
