"""Layouts that compilers print: `-fdump-lang-class` of g++, `-fdump-record-layouts` of clang.

Of a class they tell size, alignment and the offsets of bases in bytes, clang also those of members in bits.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

GNU = r"^Class {0}\n   size=(?P<size>\d+) align=(?P<align>\d+)\n.*\n{0} \(0x\w+\) 0.*\n(?P<below>(?:.+\n)*)"
GNU_BASE = re.compile(r"^ *(?:\w+::)*(\w+) \(0x\w+\) (\d+)", re.MULTILINE)
CLANG = (
    r"^ +0 \| (?:struct|class|union) {0}(?: \(empty\))?\n(?P<below>(?:.+\n)*?)"
    r" +\| \[sizeof=(?P<size>\d+),.* align=(?P<align>\d+)"
)
CLANG_BASE = re.compile(
    r"^ +(?P<at>\d+) \| +(?:struct|class) (?:\w+::)*(?P<tag>\w+) \(.*base\)", re.MULTILINE
)
CLANG_MEMBER = re.compile(r"^ +(\d+)(?::(\d+)-\d+)? \|   (?! ).*\W(\w+)$", re.MULTILINE)


class Dumped(msgspec.Struct, frozen=True):
    """The layout that a compiler prints of a class: bytes, and of members bits. A base that is there twice has no offset."""

    size: int
    align: int
    bases: Mapping[str, int]
    members: Mapping[str, int] = {}


def gnu_dump(text: str, name: str) -> Dumped | None:
    """The layout that g++ has written of the class with this qualified name, if it has."""
    found = re.search(GNU.format(re.escape(name)), text, re.MULTILINE)
    if found is None:
        return None
    return Dumped(int(found["size"]), int(found["align"]), of_one(GNU_BASE.findall(found["below"])))


def clang_dump(text: str, name: str) -> Dumped | None:
    """The layout that clang has printed of the class with this qualified name, if it has."""
    found = re.search(CLANG.format(re.escape(name)), text, re.MULTILINE)
    if found is None:
        return None
    bases = ((one["tag"], one["at"]) for one in CLANG_BASE.finditer(found["below"]))
    members = {name: int(at) * 8 + int(bit or 0) for at, bit, name in CLANG_MEMBER.findall(found["below"])}
    return Dumped(int(found["size"]), int(found["align"]), of_one(bases), members)


def of_one(bases: Iterable[tuple[str, str]]) -> dict[str, int]:
    """The offsets of the bases that are there once."""
    found = [(name, int(at)) for name, at in bases]
    count = Counter(name for name, _ in found)
    return {name: at for name, at in found if count[name] == 1}
