"""Properties of a program, in notes of `.note.gnu.property` (Linux Extensions to gABI, Program Property)."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from abiprobe.harness.machines.elf_facts.attributes import Attributes, schema
from abiprobe.oracles.linking.aarch64 import FEATURE_PAUTH, PAUTH_SECTION, SIGNING

PROPERTY_TYPE_0 = 5
OWNER = b"GNU\0"


def read_properties(data: bytes, order: str, elf_class: int) -> Iterator[tuple[int, int]]:
    """Types and values of properties, as numbers; one without a value is 1. Raises `ValueError` or `struct.error` for damage."""
    at, unit = 0, elf_class // 8
    while at < len(data):
        owner, size, kind = struct.unpack_from(f"{order}III", data, at)
        begin = at + 12 + up(owner, 4)
        if begin + size > len(data):
            raise ValueError("a note ends too early")
        if kind == PROPERTY_TYPE_0 and data[at + 12 : at + 12 + owner] == OWNER:
            yield from _properties(data[begin : begin + size], order, unit)
        at = up(begin + size, unit)


def _properties(data: bytes, order: str, unit: int) -> Iterator[tuple[int, int]]:
    at = 0
    while at < len(data):
        kind, size = struct.unpack_from(f"{order}II", data, at)
        if at + 8 + size > len(data):
            raise ValueError("a property ends too early")
        value = data[at + 8 : at + 8 + size]
        yield kind, int.from_bytes(value, "little" if order == "<" else "big") if size else 1
        at = up(at + 8 + size, unit)


def up(value: int, unit: int) -> int:
    """The next multiple of a unit."""
    return -(-value // unit) * unit


def with_signing(
    attributes: Attributes, properties: dict[int, int], order: str
) -> tuple[Attributes, dict[int, int]]:
    """Both with the signing schema of a property as that of an attribute; two zeros in a property are version 1 of none."""
    rest = {kind: value for kind, value in properties.items() if kind != FEATURE_PAUTH}
    if FEATURE_PAUTH not in properties:
        return attributes, rest
    words = divmod(properties[FEATURE_PAUTH], 1 << 64)
    platform, version = words if order == ">" else words[::-1]
    told = schema(platform, version if platform else 1)
    values = {**attributes.values, (PAUTH_SECTION, SIGNING): told}
    return Attributes(values, attributes.vendors | {PAUTH_SECTION}, attributes.scoped), rest
