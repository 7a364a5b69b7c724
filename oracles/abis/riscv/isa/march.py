"""The meaning of an ISA string: the base, every extension it brings, and the width of its floating-point registers."""

from __future__ import annotations

from functools import cached_property
from typing import TypeAlias

import msgspec

from abiprobe.oracles.abis.riscv.isa.extensions import (
    BASES,
    CONFLICTS,
    DRAFTS,
    EXTENSIONS,
    Version,
    canonical_order,
    closure,
    with_shorthands,
)
from abiprobe.oracles.abis.riscv.isa.written import Named, Refused, Written, take_apart
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Unspecified

cite, implements = citing(__package__)
UNKNOWN = cite("naming.unknown")
UNRATIFIED = cite("naming.unratified")
VENDOR = cite("naming.vendor")
GENERAL_VERSION = cite("naming.general-version")
OTHER_VERSION = cite("naming.version-other")
WIDTH = cite("extension.width")
HYPERVISOR = cite("extension.hypervisor")

GENERAL = frozenset({"m", "a", "f", "d", "zicsr", "zifencei"})
FLEN = {"q": 128, "d": 64, "f": 32}


class Isa(msgspec.Struct, frozen=True, dict=True):
    """An instruction set: `xlen` in bits, base `i` or `e`, and all extensions, expanded, in canonical order.

    Vendor extensions stand among them by name; `versions` has those that were written.
    """

    xlen: int
    base: str
    extensions: tuple[str, ...]
    versions: tuple[tuple[str, Version], ...] = ()

    @property
    def flen(self) -> int:
        """The width of a floating-point register in bits: 0, 32, 64 or 128."""
        return next((width for name, width in FLEN.items() if name in self.extensions), 0)

    @property
    def vendor(self) -> tuple[str, ...]:
        """The vendor extensions, which the text knows nothing about."""
        return tuple(name for name in self.extensions if name.startswith("x"))

    @cached_property
    @implements("naming.canonical", "object.arch")
    def canonical(self) -> str:
        """The string of `Tag_RISCV_arch`; a vendor extension has the version written, or 1.0."""
        # [riscv_isa:naming.canonical]
        written = dict(self.versions)
        parts = [_part(self.base, written.get(self.base, BASES[self.base]))]
        for name in self.extensions:
            ratified = EXTENSIONS[name].version if name in EXTENSIONS else (1, 0)
            parts.append(_part(name, written.get(name, ratified)))
        # [riscv_isa:object.arch]
        return f"rv{self.xlen}" + "_".join(parts)


March: TypeAlias = Isa | Refused | Unspecified


def _part(name: str, version: Version) -> str:
    return f"{name}{version[0]}p{version[1]}"


@implements("naming.general", "extension.width", "extension.hypervisor")
def parse_march(text: str) -> March:
    """The instruction set that `-march=text` asks for, why it is refused, or where the text leaves it open."""
    written = take_apart(text)
    if isinstance(written, Refused):
        return written
    nameless = unknown(written.extensions)
    if nameless is not None:
        return nameless
    named = frozenset(each.name for each in written.extensions)
    # [riscv_isa:naming.general]
    base = "i" if written.base == "g" else written.base
    # [riscv_isa:extension.width] [riscv_isa:extension.hypervisor]
    brought = closure(written.xlen, named | (GENERAL if written.base == "g" else frozenset()))
    fault = impossible(written.xlen, base, brought) or left_open(written)
    if fault is not None:
        return fault
    ordered = tuple(sorted(with_shorthands(written.xlen, brought), key=canonical_order))
    versions = [(each.name, each.version) for each in written.extensions if each.version]
    return Isa(written.xlen, base, ordered, tuple(versions))


@implements("naming.unknown")
def unknown(extensions: tuple[Named, ...]) -> Refused | None:
    """Return the refusal of the first name that is no standard extension, or `None`."""
    for each in extensions:
        if each.name not in EXTENSIONS and each.name not in DRAFTS and not each.name.startswith("x"):
            return Refused(UNKNOWN, f"no ratified extension is named {each.name}")
    return None


@implements("extension.float-in-integer", "extension.table-jump", "extension.load-pair")
def impossible(xlen: int, base: str, brought: frozenset[str]) -> Refused | Unspecified | None:
    """Return the reason why these extensions cannot be together on this base, or `None`."""
    for name in sorted(brought & EXTENSIONS.keys()):
        width = EXTENSIONS[name].width
        if width not in {None, xlen}:
            return Refused(WIDTH, f"{name} exists for XLEN {width} only")
    if base == "e" and "h" in brought:
        return Refused(HYPERVISOR, "h needs 32 integer registers")
    for conflict in CONFLICTS:
        if {conflict.first, conflict.second} <= brought:
            why = f"{conflict.first} and {conflict.second} exclude each other"
            return Unspecified(conflict.clause, why) if conflict.open else Refused(conflict.clause, why)
    return None


@implements("naming.version-other", "naming.vendor", "naming.unratified", "naming.general-version")
def left_open(written: Written) -> Unspecified | None:
    """Return the silence of a text that leaves it to the tool whether it takes the string, or `None`."""
    if written.base == "g" and written.version is not None:
        return Unspecified(GENERAL_VERSION, "g carries a version")
    if written.base in BASES and written.version not in {None, BASES[written.base]}:
        return Unspecified(OTHER_VERSION, f"{written.base} has another version than the ratified one")
    for each in written.extensions:
        if each.name in DRAFTS:
            return Unspecified(UNRATIFIED, f"{each.name} is a draft")
        # [riscv_isa:naming.vendor]
        known = EXTENSIONS.get(each.name)
        if known is not None and each.version not in {None, known.version}:
            return Unspecified(OTHER_VERSION, f"{each.name} has another version than the ratified one")
    return None


@implements("naming.vendor")
def asks_vendor(march: Isa) -> Unspecified | None:
    """Return the silence about vendor extensions, which only a tool knows."""
    if not march.vendor:
        return None
    return Unspecified(VENDOR, f"{', '.join(march.vendor)}: a tool may know it or not")
