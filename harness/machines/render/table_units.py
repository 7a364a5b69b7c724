"""Translation units that make a compiler write the tables of classes, each in a namespace of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from abiprobe.harness.machines.render.cxx import definitions
from abiprobe.harness.machines.render.probe_markers import marker
from abiprobe.oracles.language.classes import Class, parts
from abiprobe.oracles.language.tables import Tables

PRELUDE = "inline void *operator new(__SIZE_TYPE__, void *place) noexcept { return place; }\n"
PREFIXES = ("_ZTV", "_ZTT", "_ZTI", "_ZTC")
"""How the names of tables begin: virtual tables, tables of those, type information, tables for construction."""


def unit(asked: Sequence[Tables]) -> str:
    """The unit about several classes; the constructor of each needs its tables."""
    lines = [PRELUDE]
    for index, one in enumerate(asked):
        lines += [marker(index), f"namespace {scope(index)} {{", text(one), "}"]
    return "\n".join([*lines, ""])


def text(asked: Tables) -> str:
    """The definition of a class and a function that makes an object of it."""
    made = definitions(asked.of, made=frozenset(parts(asked.of)))
    return f"{made}\nvoid *made(void *place) {{ return new (place) {asked.of.tag}; }}"


def scope(index: int) -> str:
    """The namespace of a class."""
    return f"t_{index}"


def name(index: int, kind: str, asked: Class) -> str:
    """The name of a table in its unit: `TV`, `TT`, `TI`."""
    own = scope(index)
    return f"_Z{kind}N{len(own)}{own}{len(asked.tag)}{asked.tag}E"


def unscoped(symbol: str, index: int) -> str:
    """A name as it would be without the namespace; of the forms of a destructor the complete one stands for that of a base."""
    own = f"N{len(scope(index))}{scope(index)}"
    symbol = re.sub(rf"^(_ZT[VTIS]){own}(.*)E$", r"\1\2", symbol)
    return re.sub("D2Ev$", "D1Ev", symbol.replace(own, "N", 1))
