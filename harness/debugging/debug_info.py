"""Debug information of the functions of a linked program, as pyelftools reads it: parameters with their locations, and results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from elftools.dwarf.compileunit import CompileUnit
from elftools.dwarf.die import DIE
from elftools.dwarf.dwarf_expr import DWARFExprParser
from elftools.dwarf.dwarfinfo import DWARFInfo
from elftools.dwarf.locationlists import (
    BaseAddressEntry,
    LocationEntry,
    LocationExpr,
    LocationParser,
)
from elftools.elf.elffile import ELFFile

from abiprobe.harness.machines.readers.dwarf import children_of
from abiprobe.harness.machines.readers.unread import UnreadError
from abiprobe.oracles.unwinding.locations import LocationOperation

NORMAL = 1
"""`DW_CC_normal`."""
CALL_SITES = {"DW_TAG_call_site", "DW_TAG_GNU_call_site"}
CALL_PARAMETERS = {"DW_TAG_call_site_parameter", "DW_TAG_GNU_call_site_parameter"}
RETURNS, VALUES = (
    ("DW_AT_call_return_pc", "DW_AT_low_pc"),
    ("DW_AT_call_value", "DW_AT_GNU_call_site_value"),
)
BLOCKS = {"DW_TAG_lexical_block", "DW_TAG_inlined_subroutine"}
"""The entries of calls, by DWARF 5 and by GNU's extension before it, and those in which calls may be."""


class Described(msgspec.Struct, frozen=True):
    """A location description, and the addresses from `start` up to `end` for which it holds: all where it is the only one."""

    operations: tuple[LocationOperation, ...]
    start: int = 0
    end: int = 1 << 64


class Parameter(msgspec.Struct, frozen=True):
    """A formal parameter; `listed` says that it has a location list."""

    name: str
    locations: tuple[Described, ...]
    listed: bool

    def at(self, address: int) -> Described | None:
        """Return the description that holds at an address, if there is one."""
        return next((one for one in self.locations if one.start <= address < one.end), None)


class CallSite(msgspec.Struct, frozen=True):
    """A call that returns to an address, and the expressions of the values that it passes, by the DWARF numbers of registers."""

    returns: int
    values: Mapping[int, tuple[LocationOperation, ...]]


class Subprogram(msgspec.Struct, frozen=True):
    """A function: where it lies, where breakpoints at its entry go, its frame base, and what its declaration is said to be."""

    start: int
    end: int
    breakpoint: int
    frame_base: tuple[LocationOperation, ...]
    parameters: tuple[Parameter, ...]
    has_result: bool
    is_prototyped: bool
    is_variadic: bool
    convention: int = NORMAL
    is_noreturn: bool = False
    calls: tuple[CallSite, ...] = ()


def subprograms(path: Path) -> dict[str, Subprogram]:
    """The functions of a program by their names. Raises `UnreadError`."""
    found: dict[str, Subprogram] = {}
    with path.open("rb") as file:
        try:
            dwarf = ELFFile(file).get_dwarf_info()
            for unit in dwarf.iter_CUs():
                reader = Reader(dwarf, unit)
                for die in children_of(unit.get_top_DIE()):
                    if die.tag == "DW_TAG_subprogram" and "DW_AT_low_pc" in die.attributes:
                        found[text_of(die)] = reader.subprogram(die)
        except UnreadError:
            raise
        # pyelftools has many ways of saying that a file is damaged.
        except Exception as error:
            raise UnreadError(f"its debug information is not read: {error!r}") from error
    return found


class Reader:
    """Reads the functions of one unit."""

    def __init__(self, dwarf: DWARFInfo, unit: CompileUnit) -> None:
        self.unit = unit
        self.version: int = unit["version"]
        self.expressions = DWARFExprParser(unit.structs)
        self.locations = LocationParser(dwarf.location_lists())
        top = unit.get_top_DIE().attributes.get("DW_AT_low_pc")
        self.base: int = 0 if top is None else top.value
        program = dwarf.line_program_for_CU(unit)
        states = (entry.state for entry in program.get_entries()) if program is not None else ()
        self.rows = [one for one in states if one is not None]

    def subprogram(self, die: DIE) -> Subprogram:
        """A function."""
        start, size = die.attributes["DW_AT_low_pc"].value, die.attributes["DW_AT_high_pc"]
        end = size.value if size.form == "DW_FORM_addr" else start + size.value
        inside = list(children_of(die))
        frame_base = die.attributes.get("DW_AT_frame_base")
        base = self.described(die, "DW_AT_frame_base") if frame_base is not None else ()
        return Subprogram(
            start=start,
            end=end,
            breakpoint=self.breakpoint(start, end),
            frame_base=base[0].operations if len(base) == 1 else (),
            parameters=tuple(self.parameter(one) for one in inside if one.tag == "DW_TAG_formal_parameter"),
            has_result="DW_AT_type" in die.attributes,
            is_prototyped="DW_AT_prototyped" in die.attributes,
            is_variadic=any(one.tag == "DW_TAG_unspecified_parameters" for one in inside),
            convention=die.attributes["DW_AT_calling_convention"].value
            if "DW_AT_calling_convention" in die.attributes
            else NORMAL,
            is_noreturn="DW_AT_noreturn" in die.attributes,
            calls=tuple(self.call_sites(die)),
        )

    def call_sites(self, die: DIE) -> Iterator[CallSite]:
        """The calls in an entry, and in the blocks inside it."""
        for one in children_of(die):
            returns = next((one.attributes[name] for name in RETURNS if name in one.attributes), None)
            if one.tag in CALL_SITES and returns is not None:
                parameters = (each for each in children_of(one) if each.tag in CALL_PARAMETERS)
                yield CallSite(returns.value, dict(filter(None, map(self.call_value, parameters))))
            elif one.tag in BLOCKS:
                yield from self.call_sites(one)

    def call_value(self, die: DIE) -> tuple[int, tuple[LocationOperation, ...]] | None:
        """The register of a parameter of a call and the expression of its value; `None` for one without."""
        value = next((self.described(die, name) for name in VALUES if name in die.attributes), ())
        match self.described(die, "DW_AT_location"), value:
            case (Described(((name, ()),)),), (Described(operations),) if name.startswith("DW_OP_reg"):
                return int(name[9:]), operations
            case _:
                return None

    def breakpoint(self, start: int, end: int) -> int:
        """The address of breakpoints at a function's entry: where its rows say so, or else at its second row."""
        rows = [row for row in self.rows if start <= row.address < end and not row.end_sequence]
        said = next((row.address for row in rows if row.prologue_end), None)
        if said is not None:
            return int(said)
        return int(rows[1].address if len(rows) > 1 else start)

    def parameter(self, die: DIE) -> Parameter:
        """A formal parameter."""
        locations = self.described(die, "DW_AT_location")
        listed = not (len(locations) == 1 and locations[0] == Described(locations[0].operations))
        return Parameter(text_of(die), locations, listed)

    def described(self, die: DIE, name: str) -> tuple[Described, ...]:
        """The location descriptions of an attribute, none where there is no such attribute."""
        attribute = die.attributes.get(name)
        if attribute is None:
            return ()
        found = self.locations.parse_from_attribute(attribute, self.version, die)
        if isinstance(found, LocationExpr):
            return (Described(self.operations(found.loc_expr)),)
        return tuple(self.listed(found))

    def listed(self, entries: list[Any]) -> Iterator[Described]:
        """The entries of a location list."""
        base = self.base
        for one in entries:
            if isinstance(one, BaseAddressEntry):
                base = one.base_address
            elif isinstance(one, LocationEntry):
                moved = 0 if one.is_absolute else base
                yield Described(
                    self.operations(one.loc_expr), one.begin_offset + moved, one.end_offset + moved
                )

    def operations(self, expression: Any) -> tuple[LocationOperation, ...]:
        """The operations of an expression."""
        return tuple(map(operation, self.expressions.parse_expr(expression)))


def operation(one: Any) -> LocationOperation:
    """An operation, with expressions and blocks among its operands."""
    if one.op_name.endswith("entry_value"):
        return one.op_name, (tuple(map(operation, one.args[0])),)
    return one.op_name, tuple(bytes(arg) if isinstance(arg, list) else arg for arg in one.args)


def text_of(die: DIE) -> str:
    """The name of an entry."""
    attribute = die.attributes.get("DW_AT_name")
    return "" if attribute is None else attribute.value.decode("utf-8", "replace")
