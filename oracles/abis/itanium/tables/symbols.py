"""The names of what tables lead to: functions, thunks and type information of classes of one scope."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from abiprobe.oracles.language.classes import Class

Adjustment: TypeAlias = tuple[int, int]
"""The bytes added to a pointer, and the offset in a virtual table at which more are found; 0 where there are none."""
SHEET = "abiprobe.oracles.abis.itanium"
"""The package with the clauses."""


def named(identifier: str) -> str:
    """An identifier as names have it."""
    return f"{len(identifier)}{identifier}"


def number(value: int) -> str:
    """A number as names have it."""
    return f"n{-value}" if value < 0 else str(value)


def offset(by: Adjustment) -> str:
    """An adjustment as names have it."""
    fixed, virtual = by
    return f"v{number(fixed)}_{number(virtual)}_" if virtual else f"h{number(fixed)}_"


class Symbols(msgspec.Struct, frozen=True):
    """The names in one namespace, or in the global one if `scope` is empty."""

    scope: str = ""

    def type_name(self, asked: Class) -> str:
        """The name of a class."""
        return f"N{named(self.scope)}{named(asked.tag)}E" if self.scope else named(asked.tag)

    def special(self, kind: str, asked: Class) -> str:
        """The name of a table of a class: `TV`, `TT`, `TI`, `TS`."""
        return f"_Z{kind}{self.type_name(asked)}"

    def information(self, asked: Class) -> str:
        """The name of the type information of a class."""
        return self.special("TI", asked)

    def thunk(self, asked: Class, function: str, this: Adjustment, result: Adjustment) -> str:
        """The name of a function (`D1` and `D0` are destructors), or of the thunk that adjusts `this` and the result for it."""
        own = function if function in {"D0", "D1"} else named(function)
        scope = named(self.scope) if self.scope else ""
        encoding = f"N{scope}{named(asked.tag)}{own}Ev"
        if any(result):
            return f"_ZTc{offset(this)}{offset(result)}{encoding}"
        return f"_ZT{offset(this)}{encoding}" if any(this) else f"_Z{encoding}"
