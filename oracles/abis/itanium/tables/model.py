"""The tables of a class, whatever its layout."""

from __future__ import annotations

from abiprobe.oracles.abis.itanium.definitions import is_dynamic
from abiprobe.oracles.abis.itanium.graph import virtual_bases
from abiprobe.oracles.abis.itanium.laid import Table
from abiprobe.oracles.abis.itanium.tables.information import information
from abiprobe.oracles.abis.itanium.tables.pointers import pointers
from abiprobe.oracles.abis.itanium.tables.symbols import Symbols
from abiprobe.oracles.abis.itanium.tables.view import of_class
from abiprobe.oracles.abis.itanium.tables.virtual_tables import tables
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.text.tables import ClassTables


def tables_of(asked: Class, laid: Table, scope: str = "") -> ClassTables:
    """Return the tables of a dynamic class in a namespace (global where `scope` is empty).

    Raises `SilentError` and `AbsentError` as its layout does.
    """
    assert is_dynamic(asked), "other classes have no tables"
    view, symbols = of_class(asked, laid), Symbols(scope)
    listed = tuple(pointers(view, symbols)) if virtual_bases(asked) else ()
    group = tuple(one for _, one in tables(view, symbols))
    return ClassTables(group, listed, tuple(information(view, symbols)))
