"""The names of what tables lead to: functions, thunks and type information of classes of one scope."""

from __future__ import annotations

import msgspec

from abiprobe.oracles.language.classes import Class

SHEET = "abiprobe.oracles.abis.itanium"
"""The package with the clauses."""


def named(identifier: str) -> str:
    """An identifier as names have it."""
    return f"{len(identifier)}{identifier}"


def number(value: int) -> str:
    """A number as names have it."""
    return f"n{-value}" if value < 0 else str(value)


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

    def thunk(self, asked: Class, function: str, fixed: int, virtual: int) -> str:
        """The name of a function (`D1` and `D0` are destructors), or of the thunk that adjusts `this` for it."""
        own = function if function in {"D0", "D1"} else named(function)
        scope = named(self.scope) if self.scope else ""
        encoding = f"N{scope}{named(asked.tag)}{own}Ev"
        if virtual:
            return f"_ZTv{number(fixed)}_{number(virtual)}_{encoding}"
        return f"_ZTh{number(fixed)}_{encoding}" if fixed else f"_Z{encoding}"
