"""Sections of build attributes, of Arm, RISC-V, GNU and AArch64.

pyelftools reads one subsection of the first two only: it counts the offset of each next one from the first.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

import msgspec

from abiprobe.oracles.linking.aarch64 import PAUTH_SECTION, SIGNING, UNSIGNED

VERSION = 0x41
FILE_SCOPE = 1
COMPATIBILITY, ALSO_COMPATIBLE = 32, 65
AEABI_STRINGS = frozenset({4, 5})
INDIVIDUAL = 32
"""Tags of the public Arm subsection up to this have parameters that no rule gives."""
LONGEST_NUMBER = 10
"""Bytes of the longest ULEB128 number that is read."""
Value = int | str


class Attributes(msgspec.Struct, frozen=True):
    """Attributes of a whole file by vendor and tag, all vendors met, and whether single sections or symbols have others."""

    values: dict[tuple[str, int], Value] = {}
    vendors: frozenset[str] = frozenset()
    scoped: bool = False


class Reader:
    """Reads numbers and strings one after the other; raises `ValueError` where the data end."""

    def __init__(self, data: bytes, order: str) -> None:
        self.data = data
        self.order = order
        self.at = 0

    @property
    def more(self) -> bool:
        """Return whether anything is left."""
        return self.at < len(self.data)

    def byte(self) -> int:
        """The next byte."""
        if not self.more:
            raise ValueError("attributes end too early")
        self.at += 1
        return self.data[self.at - 1]

    def word(self) -> int:
        """The next four bytes, a number."""
        if self.at + 4 > len(self.data):
            raise ValueError("attributes end too early")
        (value,) = struct.unpack_from(f"{self.order}I", self.data, self.at)
        self.at += 4
        return int(value)

    def number(self) -> int:
        """A ULEB128 number."""
        value = 0
        for shift in range(0, 7 * LONGEST_NUMBER, 7):
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
        raise ValueError("a number in attributes is too long")

    def text(self) -> str:
        """A string that ends with a zero byte."""
        end = self.data.find(b"\0", self.at)
        if end < 0:
            raise ValueError("a string in attributes has no end")
        text, self.at = self.data[self.at : end].decode("utf-8", "replace"), end + 1
        return text

    def part(self, size: int, begun: int) -> Reader:
        """A part of `size` bytes that began at `begun`, what is left of it."""
        end = begun + size
        if not self.at <= end <= len(self.data):
            raise ValueError("a part of attributes has an impossible size")
        part, self.at = Reader(self.data[self.at : end], self.order), end
        return part


def subsections(data: bytes, order: str) -> Iterator[tuple[str, Reader]]:
    """The vendors and contents of subsections; raises `ValueError` for damaged ones."""
    reader = Reader(data, order)
    if reader.byte() != VERSION:
        raise ValueError("attributes have an unknown version")
    while reader.more:
        begun = reader.at
        part = reader.part(reader.word(), begun)
        yield part.text(), part


def read_attributes(data: bytes, order: str) -> Attributes:
    """The attributes of Arm, RISC-V or GNU; `order` is `<` or `>`. Raises `ValueError` for damaged ones."""
    values: dict[tuple[str, int], Value] = {}
    vendors, scoped = set(), False
    for vendor, part in subsections(data, order):
        vendors.add(vendor)
        if vendor not in {"aeabi", "riscv", "gnu"}:
            continue
        while part.more:
            begun = part.at
            scope = part.number()
            group = part.part(part.word(), begun)
            if scope != FILE_SCOPE:
                scoped = True
                continue
            while group.more:
                tag = group.number()
                note(values, (vendor, tag), parameter(vendor, tag, group))
    return Attributes(values, frozenset(vendors), scoped)


def note(values: dict[tuple[str, int], Value], key: tuple[str, int], value: Value) -> None:
    """Add a value; raises `ValueError` for a second one that differs."""
    if values.setdefault(key, value) != value:
        raise ValueError(f"tag {key[1]} of {key[0]} has two values")


def parameter(vendor: str, tag: int, reader: Reader) -> Value:
    """The parameter of a tag: a number, a string, or of the tag for toolchains the number of both."""
    if tag == COMPATIBILITY:
        flag, _ = reader.number(), reader.text()
        return flag
    if vendor == "aeabi" and tag == ALSO_COMPATIBLE:
        return also_compatible(reader)
    return reader.text() if is_text(vendor, tag) else reader.number()


def is_text(vendor: str, tag: int) -> bool:
    """Return whether a tag has a string."""
    if vendor == "aeabi" and tag <= INDIVIDUAL:
        return tag in AEABI_STRINGS
    return tag % 2 == 1


def also_compatible(reader: Reader) -> str:
    """The tag and the value that a file also goes with; a number has a zero byte behind it."""
    tag = reader.number()
    if is_text("aeabi", tag):
        return f"{tag} {reader.text()}"
    value = reader.number()
    if reader.byte():
        raise ValueError("an attribute within an attribute has no end")
    return f"{tag} {value}"


def read_aarch64(data: bytes, order: str) -> Attributes:
    """The attributes of AArch64, whose subsections say whether they are optional.

    A required one that is not known is kept by name.
    """
    values: dict[tuple[str, int], Value] = {}
    vendors = set()
    for vendor, part in subsections(data, order):
        optional, text = part.byte(), part.byte()
        if optional and not vendor.startswith("aeabi_"):
            continue
        vendors.add(vendor)
        while part.more:
            tag = part.number()
            note(values, (vendor, tag), part.text() if text else part.number())
    return signing(Attributes(values, frozenset(vendors)))


def signing(found: Attributes) -> Attributes:
    """The same with platform and version of the signing schema as one text."""
    platform, version = (found.values.get((PAUTH_SECTION, tag), 0) for tag in (1, 2))
    values = {
        key: value
        for key, value in found.values.items()
        if key not in {(PAUTH_SECTION, 1), (PAUTH_SECTION, 2)}
    }
    if PAUTH_SECTION in found.vendors:
        values[PAUTH_SECTION, SIGNING] = schema(platform, version)
    return Attributes(values, found.vendors, found.scoped)


def schema(platform: Value, version: Value) -> str:
    """A signing schema in words; the pair of zeros stands for none."""
    return f"platform {platform}, version {version}" if (platform, version) != (0, 0) else UNSIGNED
