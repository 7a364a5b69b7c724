"""What a model says of a function beside the places of its call, as values that reports print without knowing the ABI."""

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


class Row(msgspec.Struct, frozen=True):
    """Where some lanes of an argument lie; `name` and `type` are empty but in the first row of an argument."""

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
    rows: tuple[Row, ...] | Unspecified


class Supplement(msgspec.Struct, frozen=True):
    """What there is to show: for programs as JSON values by key, for people under `headings`, which tell what was asked.

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
        """What reports show of `function` beside the places of its call."""
        ...
