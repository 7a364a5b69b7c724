"""The ratified standard extensions: versions, implications, conflicts and the canonical order."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from types import MappingProxyType

import msgspec

from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
LETTERS = "mafdqcbvph"
"""Single-letter extensions in canonical order."""
CATEGORIES = "imafdqlcbkjtvph"
"""The letters behind a `z`, in the order that sorts the Z extensions."""
PREFIXES = ("z", "su", "ss", "sv", "sh", "sm", "x")
DRAFTS = frozenset({"p"})
SHORTHANDS = ("a", "b", "zkn", "zks", "zk", "zvkn", "zvknc", "zvkng", "zvks", "zvksc", "zvksg")
"""Extensions that are nothing but the sum of their parts; an inner one stands before those made of it."""

Version = tuple[int, int]


class Extension(msgspec.Struct, frozen=True):
    """A ratified extension: its version and what it directly implies; `width` is the only XLEN that has it."""

    name: str
    version: Version
    implies: tuple[str, ...] = ()
    width: int | None = None


class Conflict(msgspec.Struct, frozen=True):
    """Two extensions that exclude each other; `open` when the text no longer says so."""

    first: str
    second: str
    clause: str
    open: bool = False


CONFLICTS = (
    Conflict("f", "zfinx", cite("extension.float-in-integer")),
    Conflict("zcmt", "zcd", cite("extension.table-jump")),
    Conflict("zclsd", "zcf", cite("extension.load-pair")),
    Conflict("zcmp", "zcd", cite("extension.push-pop"), open=True),
)


def version(text: str) -> Version:
    """The version that `2p1` or `2.1` or `2` writes."""
    major, _, minor = text.replace("p", ".").partition(".")
    return int(major), int(minor or 0)


@implements("naming.version-default")
def _read() -> tuple[Mapping[str, Version], Mapping[str, Extension]]:
    text = resources.files("abiprobe.oracles.abis.riscv.isa").joinpath("extensions.toml").read_text("utf-8")
    table = tomllib.loads(text)
    extensions = {}
    for name, row in table["extension"].items():
        newest, *implies = row.split()
        extensions[name] = Extension(name, version(newest), tuple(implies), table["width"].get(name))
    bases = {name: version(newest) for name, newest in table["base"].items()}
    return MappingProxyType(bases), MappingProxyType(extensions)


BASES, EXTENSIONS = _read()


@implements("extension.implies", "extension.compressed")
def closure(xlen: int, named: frozenset[str]) -> frozenset[str]:
    """`named` with all that it implies, transitively, for a base of `xlen` bits."""
    found: set[str] = set()
    waiting = set(named)
    while waiting:
        found |= waiting
        # [riscv_isa:extension.implies]
        implied = {each for name in waiting if name in EXTENSIONS for each in EXTENSIONS[name].implies}
        # [riscv_isa:extension.compressed]
        if "c" in found and "d" in found:
            implied.add("zcd")
        if xlen == 32 and "f" in found and found & {"c", "zce"}:
            implied.add("zcf")
        waiting = implied - found
    return frozenset(found)


@implements("naming.shorthand")
def with_shorthands(xlen: int, extensions: frozenset[str]) -> frozenset[str]:
    """`extensions` with each shorthand all of whose parts are there."""
    found = set(extensions)
    for name in SHORTHANDS:
        if found.issuperset(EXTENSIONS[name].implies):
            found.add(name)
    # C is the sum of parts that depend on what stands beside it.
    if "zca" in found and found.issuperset(closure(xlen, extensions | {"c"}) - {"c"}):
        found.add("c")
    return frozenset(found)


@implements("naming.canonical")
def canonical_order(name: str) -> tuple[int, int, str]:
    """The key that sorts extension names canonically."""
    if len(name) == 1:
        return 0, LETTERS.index(name), ""
    prefix = next(index for index, each in enumerate(PREFIXES) if name.startswith(each))
    category = CATEGORIES.find(name[1]) if name[0] == "z" else 0
    return 1 + prefix, category, name
