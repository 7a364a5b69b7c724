"""The answers: variants, and where their lanes lie."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from abiprobe.oracles.abis.vfabi.name import Name
from abiprobe.oracles.text.place import Passed, Piece, Place, Unspecified


class RefusedError(Exception):
    """A dialect makes no variants of a pragma: `clause` says which rule, `why` uses gcc's words."""

    def __init__(self, clause: str, why: str) -> None:
        super().__init__(f"{clause}: {why}")
        self.clause = clause
        self.why = why


class Refusal(msgspec.Struct, frozen=True):
    """Pragma number `pragma` (from 0) of a function has no variants, by `clause`."""

    pragma: int
    clause: str
    why: str


class LaneGroup(msgspec.Struct, frozen=True):
    """The elements of lanes `[first, last)`, in a place of `width` bytes, the first in its lowest bytes."""

    first: int
    last: int
    place: Place
    width: int
    clause: str


class Spread(msgspec.Struct, frozen=True):
    """A value of each lane: a vector parameter, a mask or a result.

    An element has `element` bytes; 0 means one bit, lane by lane from the lowest bit of each part up. `indirect`
    says that the parts follow each other in memory to which a hidden pointer points; there are then no places.
    """

    name: str
    type: str
    element: int
    parts: tuple[LaneGroup, ...]
    clause: str
    indirect: bool = False


class Once(msgspec.Struct, frozen=True):
    """One scalar for all lanes, uniform or linear, passed as the psABI says."""

    passed: Passed

    @property
    def name(self) -> str:
        """The name of the parameter."""
        return self.passed.name


Argument: TypeAlias = Spread | Once


class VariantPlaces(msgspec.Struct, frozen=True):
    """The places of the arguments and the result of a variant; `stack_bytes` is the size of the stack argument area."""

    params: tuple[Argument, ...]
    mask: Spread | None
    result: Spread | None
    hidden: Piece | None
    stack_bytes: int


class Variant(msgspec.Struct, frozen=True):
    """One vector variant of a function.

    `length_clause`, `param_clauses` (one for each parameter) and `alignment_clause` decide the parts of its name; `steps` are what one
    lane adds to each linear parameter, in bytes for addresses, `strides` the positions of the parameters that hold it,
    to be multiplied with `units`.
    """

    name: Name
    length_clause: str
    param_clauses: tuple[str, ...]
    alignment_clause: str
    steps: tuple[int | None, ...]
    strides: tuple[int | None, ...]
    units: tuple[int, ...]
    places: VariantPlaces | Unspecified

    @property
    def symbol(self) -> str:
        """The name as a symbol table has it."""
        return str(self.name)


class Variants(msgspec.Struct, frozen=True):
    """All variants of a function, in the order of pragmas, ISAs and masks, and the pragmas that have none."""

    variants: tuple[Variant, ...]
    refusals: tuple[Refusal, ...]

    @property
    def symbols(self) -> frozenset[str]:
        """The names."""
        return frozenset(variant.symbol for variant in self.variants)
