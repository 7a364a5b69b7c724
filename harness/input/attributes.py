"""The attributes of a declaration, read from clang's own print of it, where every macro is already expanded."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from abiprobe.harness.input.brackets import closing
from abiprobe.harness.input.libclang import cindex

if TYPE_CHECKING:
    from abiprobe.harness.input.unit import Unit

TERSE_OUTPUT = 17
"""The printing property that leaves out the bodies of records, whose members have attributes of their own."""

INEXPRESSIBLE = frozenset(
    {
        *("scalar_storage_order", "transparent_union", "randomize_layout"),
        *("target_clones", "pass_object_size", "pass_dynamic_object_size"),
        *("address_space", "layout_version", "empty_bases", "vecreturn", "interrupt"),
    },
)
"""Attributes that move bytes and that `abiprobe.oracles.language.lang` has no word for."""


class Attributes(msgspec.Struct, frozen=True):
    """The attributes of one declaration that matter to an ABI.

    `aligned` and `alignas` hold each specifier as C spells it; what it is worth in bytes is asked of clang.
    """

    packed: bool = False
    aligned: tuple[str, ...] = ()
    alignas: tuple[str, ...] = ()
    ms_struct: bool = False
    inexpressible: str = ""
    targets: tuple[str, ...] = ()
    """The texts of `target` attributes."""
    overlapping: bool = False
    """`[[no_unique_address]]`"""
    trivial_abi: bool = False
    """clang's attribute of C++"""


class Printer:
    """clang's print of declarations, without the bodies of records."""

    def __init__(self, unit: Unit) -> None:
        self._library = cindex().conf.lib
        self._policy = self._library.clang_getCursorPrintingPolicy(unit.tree.cursor)
        self._library.clang_PrintingPolicy_setProperty(self._policy, TERSE_OUTPUT, 1)

    def __call__(self, cursor: Any) -> str:
        """`cursor`'s declaration on one line."""
        text: str = self._library.clang_getCursorPrettyPrinted(cursor, self._policy)
        return text

    def attributes(self, cursor: Any) -> Attributes:
        """The attributes of `cursor`."""
        if not self._library.clang_Cursor_hasAttrs(cursor):
            return Attributes()
        return attributes(self(cursor))

    def __del__(self) -> None:
        self._library.clang_PrintingPolicy_dispose(self._policy)


_OPENING = re.compile(r"__attribute__\(\(|\[\[|\b(?:_Alignas|alignas)\(")
_STRING = re.compile(r'"([^"]*)"')
_NAME = re.compile(r"(?:(?:gnu|clang|__gnu__)::)?_*([a-z]\w*?)_*(?=\W|$)")


def attributes(printed: str) -> Attributes:
    """The attributes in `printed`, a declaration as clang prints it."""
    aligned, alignas, names, targets = [], [], set(), []
    position = 0
    while opening := _OPENING.search(printed, position):
        depth = opening[0].count("(") + opening[0].count("[")
        position = closing(printed, opening.end(), depth, ("([", ")]")) or len(printed)
        specifier = printed[opening.start() : position]
        name = _NAME.match(specifier, len(opening[0]))
        if "lignas" in opening[0]:
            alignas.append(specifier)
        elif name and name[1] == "aligned":
            aligned.append(specifier)
        elif name:
            names.add(name[1])
            if name[1] == "target":
                targets += _STRING.findall(specifier)
    unsaid = sorted(names & INEXPRESSIBLE)
    inexpressible = unsaid[0] if unsaid else ""
    return Attributes(
        "packed" in names,
        tuple(aligned),
        tuple(alignas),
        "ms_struct" in names,
        inexpressible,
        tuple(targets),
        "no_unique_address" in names,
        "trivial_abi" in names,
    )
