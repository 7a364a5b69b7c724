"""The bounds of one question, and the names and tags it has used so far."""

from __future__ import annotations

import msgspec

from abiprobe.generators.draw import Draw
from abiprobe.oracles.language.features import FOLLOWING, ISAS, SAMPLES
from abiprobe.oracles.language.lang import Record

NEVER = frozenset({"__fp16", "sysv_abi", "complex __int128"}) | ISAS
"""Features that are not drawn: most compilers take a `__fp16` for a member, and none for a parameter, `sysv_abi` asks
for the usual convention of one target on another, gcc alone has a complex `__int128`,
and functions with a `target` attribute come in batches of their own (`abiprobe.generators.wide_vectors`)."""

FEATURES = frozenset(SAMPLES) - NEVER - FOLLOWING
"""The features of C dialects that a generator can be told to leave out."""

EXTENSIONS = FEATURES - {"_Atomic", "_Complex", "alignas", "flexible array", "long double"}
"""The features that ISO C11 lacks: leave them out, and a question is ISO C but for the types of its bit-fields."""

COMMON = frozenset({"__int128", "_Complex", "empty record", "long double", "zero-length array"})
"""The features that every question may use where they are not left out; a question's dialect adds rarer ones."""

_LETTERS = "abcdeghijklmnopqrstuvwxyz"  # no f: the function of a prototype is called that


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """The largest question wanted.

    `members` is per record, `params` per prototype; a record without nested records has a `depth` of 1. `exclude`
    names the `FEATURES` to leave out.
    """

    members: int = 12
    params: int = 20
    depth: int = 4
    exclude: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        """Raise `ValueError` for a bound that no record meets and for an unknown feature."""
        if self.members < 1 or self.depth < 1 or self.params < 0:
            raise ValueError("members and depth are at least 1, params at least 0")
        if unknown := self.exclude - FEATURES:
            raise ValueError(f"unknown features: {', '.join(sorted(unknown))}")


class FinishedRecord(msgspec.Struct, frozen=True):
    """A finished record with its nesting depth and upper bounds of its size and alignment in bytes."""

    record: Record
    depth: int
    size: int
    align: int


class Scope:
    """The making of one question: its decisions, its bounds, and the names it has given away.

    `dialect` are the rarer features that the question may use, `features` those and the common ones; `pack` is the
    value in bytes of `#pragma pack` in force for the record in hand.
    """

    def __init__(self, draw: Draw, bounds: Bounds, dialect: frozenset[str] = frozenset()) -> None:
        self.draw = draw
        self.bounds = bounds
        self.dialect = dialect - bounds.exclude
        self.features = (COMMON | dialect) - bounds.exclude
        self.pack: int | None = None
        self.seen: list[FinishedRecord] = []
        self._names = 0
        self._records = 0
        self._enums = 0
        self._typedefs = 0

    def allows(self, feature: str) -> bool:
        """Return whether `feature` may occur."""
        return feature in self.features

    def name(self) -> str:
        """A fresh name for a member or parameter: `a`, `b`, ... `z`, `a1`, ..."""
        turn, letter = divmod(self._names, len(_LETTERS))
        self._names += 1
        return f"{_LETTERS[letter]}{turn or ''}"

    def record_tag(self) -> str:
        """A fresh tag for a record: `S0`, `S1`, ..."""
        self._records += 1
        return f"S{self._records - 1}"

    def typedef_name(self) -> str:
        """A fresh typedef name: `T0`, `T1`, ..."""
        self._typedefs += 1
        return f"T{self._typedefs - 1}"

    def enum_tag(self) -> str:
        """A fresh tag for an enumeration: `E0`, `E1`, ..."""
        self._enums += 1
        return f"E{self._enums - 1}"
