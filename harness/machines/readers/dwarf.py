"""Types of variables from the DWARF of a relocatable object (versions 2 to 5): what debuggers believe of layouts.

Sizes are in bytes and offsets in bits. Bits are counted as DWARF 4 does, from the beginning of a record: from the least
significant bit of its first byte on little-endian machines, from the most significant one on big-endian machines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from math import prod
from pathlib import Path

import msgspec
from elftools.common.exceptions import DWARFError
from elftools.dwarf.die import DIE
from elftools.dwarf.dwarfinfo import DebugSectionDescriptor, DwarfConfig, DWARFInfo
from elftools.elf.elffile import ELFFile

from abiprobe.harness.machines.readers import coff, macho
from abiprobe.harness.machines.readers.debug_types import (
    DebugArray,
    DebugMember,
    DebugRecord,
    DebugScalar,
    DebugType,
)
from abiprobe.harness.machines.readers.relocate import relocated
from abiprobe.harness.machines.readers.unread import UnreadError

SECTIONS = (
    "debug_info",
    "debug_abbrev",
    "debug_str",
    "debug_line_str",
    "debug_str_offsets",
    "debug_addr",
    "debug_types",
)
UNUSED = (
    "debug_aranges",
    "debug_frame",
    "debug_loc",
    "debug_ranges",
    "debug_line",
    "debug_pubtypes",
    "debug_pubnames",
    "debug_loclists",
    "debug_rnglists",
    "debug_sup",
)
TRANSPARENT = {f"DW_TAG_{name}_type" for name in ("const", "volatile", "atomic", "restrict")} | {
    "DW_TAG_typedef"
}
RECORDS = {"DW_TAG_structure_type", "DW_TAG_union_type", "DW_TAG_class_type"}
UNBOUNDED = {-1, 0xFFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF}
"""Upper bounds of an array without elements."""

PLUS_CONSTANT = 0x23
"""`DW_OP_plus_uconst`; an unsigned LEB128 follows."""


class DebugSections(msgspec.Struct, frozen=True):
    """The debug sections of an object file by their names in ELF, without the dot, and what is needed to read them."""

    contents: Mapping[str, bytes]
    little_endian: bool = True
    machine: str = ""
    address_size: int = 8


def variable_types(path: Path, prefix: str) -> dict[str, DebugType]:
    """The types of the variables of an object file whose names start with `prefix`.

    None without DWARF. Raises `UnreadError` when the file is no object file, or its DWARF cannot be read.
    """

    def variables(unit: DIE, reader: _Unit) -> Iterator[tuple[str, DebugType]]:
        for die in children_of(unit):
            if die.tag == "DW_TAG_variable" and _name(die).startswith(prefix):
                yield _name(die), reader.type_of(die)

    return _types(path, variables)


def class_types(path: Path, namespace: str) -> dict[str, DebugType]:
    """The classes that a namespace of an object file defines, by name.

    None without DWARF. Raises `UnreadError` when the file is no object file, or its DWARF cannot be read.
    """

    def classes(unit: DIE, reader: _Unit) -> Iterator[tuple[str, DebugType]]:
        for space in children_of(unit):
            if space.tag == "DW_TAG_namespace" and _name(space) == namespace:
                for die in children_of(space):
                    if die.tag in RECORDS and "DW_AT_declaration" not in die.attributes:
                        yield _name(die), reader.described(die)

    return _types(path, classes)


def _types(
    path: Path, wanted: Callable[[DIE, _Unit], Iterator[tuple[str, DebugType]]]
) -> dict[str, DebugType]:
    """The types of what is `wanted` of each unit of an object file, by name."""
    found: dict[str, DebugType] = {}
    try:
        sections = debug_sections(path.read_bytes())
        if "debug_info" not in sections.contents:
            return found
        for unit in _debug_info(sections).iter_CUs():
            reader = _Unit(unit["address_size"], little_endian=sections.little_endian)
            found.update(wanted(unit.get_top_DIE(), reader))
    except (UnreadError, MemoryError):
        raise
    # pyelftools has many ways of saying that a file is damaged.
    except Exception as error:
        raise UnreadError(f"{path.name} has no readable DWARF: {error}") from error
    return found


def debug_sections(data: bytes) -> DebugSections:
    """The debug sections of an ELF, COFF or Mach-O object. Raises `ValueError` and `ELFError` for anything else."""
    if data[:4] in macho.MAGICS:
        # The assembler has resolved what refers to another section, and cut off long names.
        found = macho.sections(data)
        names = {name: f"__{name}"[: macho.NAME_BYTES] for name in SECTIONS}
        return DebugSections({name: found[cut] for name, cut in names.items() if cut in found})
    if coff.is_coff(data):
        # The numbers in place are offsets into the sections that they refer to.
        found = coff.sections(data)
        return DebugSections({name: found[f".{name}"] for name in SECTIONS if f".{name}" in found})
    elf = ELFFile(BytesIO(data))
    own = {name: section for name in SECTIONS if (section := elf.get_section_by_name(f".{name}"))}
    return DebugSections(
        {name: relocated(elf, section) for name, section in own.items()},
        elf.little_endian,
        elf.get_machine_arch(),
        elf.elfclass // 8,
    )


def _debug_info(found: DebugSections) -> DWARFInfo:
    sections: dict[str, DebugSectionDescriptor | None] = {
        f"{name}_sec": None for name in (*UNUSED, *SECTIONS)
    }
    for name, data in found.contents.items():
        sections[f"{name}_sec"] = DebugSectionDescriptor(BytesIO(data), f".{name}", 0, len(data), 0)
    return DWARFInfo(
        DwarfConfig(found.little_endian, found.machine, found.address_size),
        eh_frame_sec=None,
        gnu_debugaltlink_sec=None,
        **sections,
    )


class _Unit:
    """Reads the types of one unit, each once."""

    def __init__(self, address_size: int, *, little_endian: bool) -> None:
        self._address_size = address_size
        self._little_endian = little_endian
        self._known: dict[int, DebugType] = {}

    def type_of(self, die: DIE) -> DebugType:
        """The type that a variable, member, array or type name refers to."""
        target = die.get_DIE_from_attribute("DW_AT_type") if "DW_AT_type" in die.attributes else None
        if target is None:
            return DebugScalar(0)
        known = self._known.get(target.offset)
        if known is None:
            known = self._known[target.offset] = self.described(target)
        return known

    def described(self, die: DIE) -> DebugType:
        """The type that an entry describes."""
        if die.tag in TRANSPARENT:
            return self.type_of(die)
        if die.tag in RECORDS:
            members = tuple(
                self._member(child)
                for child in children_of(die)
                if child.tag == "DW_TAG_member" and "DW_AT_external" not in child.attributes
            )
            size, align = _number(die, "DW_AT_byte_size", 0), _optional(die, "DW_AT_alignment")
            return DebugRecord(size, align, members, tuple(self._bases(die)))
        if die.tag == "DW_TAG_array_type" and "DW_AT_GNU_vector" not in die.attributes:
            return DebugArray(self.type_of(die), tuple(_counts(die)))
        if die.tag == "DW_TAG_array_type":
            return DebugScalar(_number(die, "DW_AT_byte_size", self.type_of(die).size * prod(_counts(die))))
        default = self._address_size if die.tag == "DW_TAG_pointer_type" else 0
        return DebugScalar(_number(die, "DW_AT_byte_size", default))

    def _bases(self, die: DIE) -> Iterator[DebugMember]:
        for child in children_of(die):
            # What is no constant leads through the virtual table.
            if child.tag == "DW_TAG_inheritance" and isinstance(
                child.attributes["DW_AT_data_member_location"].value, int
            ):
                name = _name(child.get_DIE_from_attribute("DW_AT_type"))
                yield DebugMember(name, _location(child) * 8, None, self.type_of(child))

    def _member(self, die: DIE) -> DebugMember:
        of_type = self.type_of(die)
        width = _optional(die, "DW_AT_bit_size")
        start = _location(die) * 8
        if "DW_AT_data_bit_offset" in die.attributes:
            start = _number(die, "DW_AT_data_bit_offset", 0)
        elif "DW_AT_bit_offset" in die.attributes and width is not None:
            # DWARF 2 and 3 count from the most significant bit of the storage unit.
            start += self._from_first_bit(_signed(_number(die, "DW_AT_bit_offset", 0)), die, width)
        return DebugMember(_name(die), start, width, of_type)

    def _from_first_bit(self, offset: int, die: DIE, width: int) -> int:
        """An offset from the most significant bit of a storage unit, as one from its first bit."""
        if not self._little_endian:
            return offset
        unit = _number(die, "DW_AT_byte_size", self.type_of(die).size) * 8
        return unit - offset - width


def _location(die: DIE) -> int:
    """The byte offset of a member: a constant, or before DWARF 3 an expression that adds one."""
    attribute = die.attributes.get("DW_AT_data_member_location")
    if attribute is None or isinstance(attribute.value, int):
        return _number(die, "DW_AT_data_member_location", 0)
    operation, *operand = attribute.value
    if operation != PLUS_CONSTANT:
        raise DWARFError("a member is at no constant place")
    return sum((byte & 0x7F) << 7 * index for index, byte in enumerate(operand))


def _counts(die: DIE) -> Iterator[int]:
    for child in children_of(die):
        if child.tag == "DW_TAG_subrange_type":
            last = _number(child, "DW_AT_upper_bound", -1)
            yield _number(child, "DW_AT_count", 0 if last in UNBOUNDED else last + 1)


def children_of(die: DIE) -> Iterator[DIE]:
    """The children of an entry. Raises `UnreadError` where one refers to a sibling that stands before it."""
    last = -1
    for child in die.iter_children():
        if child.offset <= last:
            raise UnreadError("an entry of its DWARF is its own sibling")
        last = child.offset
        yield child


def _name(die: DIE) -> str:
    attribute = die.attributes.get("DW_AT_name")
    return "" if attribute is None else attribute.value.decode("utf-8", "replace")


def _optional(die: DIE, name: str) -> int | None:
    attribute = die.attributes.get(name)
    if attribute is None:
        return None
    if not isinstance(attribute.value, int):
        raise DWARFError(f"{name} is no constant")
    return attribute.value


def _number(die: DIE, name: str, default: int) -> int:
    value = _optional(die, name)
    return default if value is None else value


def _signed(value: int) -> int:
    """A bit offset may be negative, and its form does not tell."""
    return value - (1 << 64) if value >= 1 << 63 else value
