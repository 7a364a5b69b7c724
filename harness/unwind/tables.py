"""The rows of a program's call frame information, as pyelftools reads them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from elftools.common.exceptions import DWARFError, ELFError
from elftools.dwarf.callframe import FDE, CallFrameInstruction, RegisterRule
from elftools.dwarf.constants import DW_CFA
from elftools.dwarf.dwarf_expr import DWARFExprParser
from elftools.elf.elffile import ELFFile

from abiprobe.oracles.unwinding.rules import (
    CfaRule,
    Expression,
    InRegister,
    Offset,
    Operation,
    RegisterOffset,
    Row,
    Rule,
    SameValue,
    Undefined,
    ValueExpression,
    ValueOffset,
)

SIGN = "sign"
"""The key under which a decoded line has whether the return address is signed: as another register, 1 or 0."""
KEYS = {"pc", "cfa", SIGN}
"""The keys of a decoded line that are no registers."""


class UnreadableError(Exception):
    """Call frame information that cannot be read; the message says why."""


class Entry(msgspec.Struct, frozen=True):
    """The rows of one frame description entry, for addresses from `start` up to `end`."""

    start: int
    end: int
    locations: tuple[int, ...]
    rows: tuple[Row, ...]

    def row(self, address: int) -> Row | None:
        """The row that holds for the instruction at an address, if there is one."""
        at = bisect_right(self.locations, address) - 1
        return self.rows[at] if at >= 0 and address < self.end else None


class Table:
    """The entries of a program, by address."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = sorted(entries, key=lambda entry: entry.start)
        self.starts = [entry.start for entry in self.entries]

    def row(self, address: int) -> Row | None:
        """The row that holds for the instruction at an address, if there is one."""
        at = bisect_right(self.starts, address) - 1
        return self.entries[at].row(address) if at >= 0 else None


def read_table(path: Path) -> Table:
    """The table of a linked program, of `.eh_frame` if it has that, else of `.debug_frame`. Raises `UnreadableError`."""
    with path.open("rb") as file:
        try:
            dwarf = ELFFile(file).get_dwarf_info(relocate_dwarf_sections=False)
            entries = (
                dwarf.EH_CFI_entries()
                if dwarf.has_EH_CFI()
                else dwarf.CFI_entries()
                if dwarf.has_CFI()
                else []
            )
            return Table([decoded(entry) for entry in entries if isinstance(entry, FDE)])
        except (DWARFError, ELFError, AssertionError, IndexError, KeyError, ValueError) as error:
            raise UnreadableError(f"its call frame information is not read: {error}") from error


def decoded(entry: FDE) -> Entry:
    """The rows of an entry."""
    cie = entry.cie
    assert cie is not None, "pyelftools finds it, or fails"
    for one in (cie, entry):
        one.instructions = list(decodable(one.instructions, cie["data_alignment_factor"]))
    parser = DWARFExprParser(entry.structs)
    lines = entry.get_decoded().table
    column = cie["return_address_register"]
    start = entry["initial_location"]
    return Entry(
        start,
        start + entry["address_range"],
        tuple(line["pc"] for line in lines),
        tuple(row(line, column, parser) for line in lines),
    )


def decodable(instructions: Sequence[CallFrameInstruction], factor: int) -> Iterator[CallFrameInstruction]:
    """Instructions as pyelftools decodes them rightly: it fails at one that changes no rule, scales one as code, and ignores one."""
    states, signed = list[bool](), False
    for one in instructions:
        if one.opcode == DW_CFA.remember_state:
            states.append(signed)
        elif one.opcode == DW_CFA.restore_state:
            signed = states.pop()
        if one.opcode == DW_CFA.AARCH64_negate_ra_state:
            signed = not signed
            yield CallFrameInstruction(DW_CFA.register, [SIGN, int(signed)])
        elif one.opcode == DW_CFA.def_cfa_sf:
            yield CallFrameInstruction(DW_CFA.def_cfa, [one.args[0], one.args[1] * factor])
        elif one.opcode != DW_CFA.GNU_args_size:
            yield one


def row(line: dict[Any, Any], column: int, parser: DWARFExprParser) -> Row:
    """A decoded line as a row."""
    registers = {number: rule(found, parser) for number, found in line.items() if number not in KEYS}
    return Row(cfa(line["cfa"], parser), registers, column, SIGN in line and line[SIGN].arg == 1)


def cfa(found: Any, parser: DWARFExprParser) -> CfaRule:
    """The rule of the CFA."""
    if found.expr is not None:
        return ValueExpression(operations(found.expr, parser))
    if found.reg is None:
        raise UnreadableError("a row has no rule for the CFA")
    return RegisterOffset(found.reg, found.offset)


def rule(found: RegisterRule, parser: DWARFExprParser) -> Rule:
    """The rule of a register."""
    argument: Any = found.arg
    match found.type:
        case RegisterRule.SAME_VALUE:
            return SameValue()
        case RegisterRule.UNDEFINED:
            return Undefined()
        case RegisterRule.OFFSET:
            return Offset(argument)
        case RegisterRule.VAL_OFFSET:
            return ValueOffset(argument)
        case RegisterRule.REGISTER:
            return InRegister(argument)
        case RegisterRule.EXPRESSION:
            return Expression(operations(argument, parser))
        case RegisterRule.VAL_EXPRESSION:
            return ValueExpression(operations(argument, parser))
        case other:
            raise UnreadableError(f"a register has the rule {other}")


def operations(expression: Any, parser: DWARFExprParser) -> tuple[Operation, ...]:
    """The operations of an expression."""
    return tuple((one.op_name, tuple(one.args)) for one in parser.parse_expr(expression))
