"""An ISA string as written: split into a base and extensions with their versions, nothing implied yet."""

from __future__ import annotations

import re

import msgspec

from abiprobe.oracles.abis.riscv.isa.extensions import DRAFTS, LETTERS, PREFIXES, Version
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
BASE = cite("naming.base")
UNDERSCORE = cite("naming.underscore")
VERSION = cite("naming.version")
UNKNOWN = cite("naming.unknown")
ONCE = cite("naming.once")

_HEAD = re.compile(r"rv(32|64)([ieg])(\d+(?:p\d+)?)?")
_LETTER = re.compile(r"([a-rt-wy])(?:(\d+)(?:p(\d+))?)?")
# The shortest name that leaves a version: the p between numbers always separates them.
_NAME = re.compile(r"([zsx][a-z0-9]*?[a-z])(?:(\d+)(?:p(\d+))?)?")


class Refused(msgspec.Struct, frozen=True):
    """The text forbids it: `clause` says where, `why` names what."""

    clause: str
    why: str


class Named(msgspec.Struct, frozen=True):
    """An extension as it was written; `version` is `None` where none was given."""

    name: str
    version: Version | None


class Written(msgspec.Struct, frozen=True):
    """An ISA string taken apart: XLEN in bits, the first letter (`i`, `e` or `g`), and the extensions in order."""

    xlen: int
    base: str
    version: Version | None
    extensions: tuple[Named, ...]


@implements("naming.case", "naming.order")
def take_apart(text: str) -> Written | Refused:
    """The parts of an ISA string, in either case, or why it is none."""
    if not text.isascii():
        return Refused(UNKNOWN, "a name is made of letters, digits and underscores")
    # [riscv_isa:naming.case]
    head = _HEAD.match(text.lower())
    if head is None:
        return Refused(BASE, "it does not begin with rv32 or rv64 and one of i, e and g")
    rest = text.lower()[head.end() :]
    found: list[Named] = []
    # [riscv_isa:naming.order]
    for part in rest.removeprefix("_").split("_") if rest else ():
        names = split_part(part)
        if isinstance(names, Refused):
            return names
        found += names
    named = [each.name for each in found]
    twice = next((name for name in named if named.count(name) > 1 or name in {"i", "e"}), None)
    if twice is not None:
        return Refused(ONCE, f"{twice} is named twice, or a base stands behind the base")
    base_version = _version(*(head[3] or "").partition("p")[::2])
    return Written(int(head[1]), head[2], base_version, tuple(found))


@implements("naming.underscore", "naming.version", "naming.unknown")
def split_part(part: str) -> list[Named] | Refused:
    """The extensions between two underscores: single letters, then at most one longer name."""
    if not part:
        return Refused(UNDERSCORE, "an underscore separates nothing")
    found = []
    at = 0
    while at < len(part) and (letter := _LETTER.match(part, at)):
        if letter[1] not in (*LETTERS, *DRAFTS, "i", "e"):
            return Refused(UNKNOWN, f"no ratified extension is named {letter[1]}")
        found.append(Named(letter[1], _version(letter[2], letter[3])))
        at = letter.end()
    if at == len(part):
        return found
    name = _NAME.fullmatch(part, at)
    if name is None:
        return Refused(VERSION, f"{part[at:]} is neither a name nor a name with a version")
    if not name[1].startswith(PREFIXES):
        return Refused(UNKNOWN, f"no extension has a name like {name[1]}")
    return [*found, Named(name[1], _version(name[2], name[3]))]


def _version(major: str | None, minor: str | None) -> Version | None:
    return (int(major), int(minor or 0)) if major else None
