"""Calls on Windows: AAPCS64's stages as Microsoft excerpts them, and an imaginary stack for variadic functions."""

from __future__ import annotations

from msgspec import structs

from abiprobe.oracles.abis.aarch64.calls import GENERAL, assign_result, initial
from abiprobe.oracles.abis.aarch64.calls import pass_argument as pass_as_to_arm
from abiprobe.oracles.abis.aarch64.data import QUAD
from abiprobe.oracles.abis.aarch64.general import DOUBLE_WORD, is_composite, pass_composite
from abiprobe.oracles.abis.aarch64.homogeneous import Homogeneous, homogeneous
from abiprobe.oracles.abis.aarch64.windows.open import (
    check_members,
    check_offset,
    least_alignment,
    occupied,
    placing_alignment,
)
from abiprobe.oracles.abis.aarch64.windows.variadic import variadic_calls
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.emptiness import is_empty
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import BitInt, Prototype, Type
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Assignment, Hidden, Passed, Passing

cite, implements = citing(__package__)
ONE = cite("homogeneous.one")
EMPTY = cite("record.empty")
WIDE_BIT_INT = cite("result.wide-bit-int")


def calls(types: TypeTable, prototype: Prototype) -> Assignment:
    """The places of a whole call; results of variadic functions are those of others."""
    result, hidden = result_of(types, prototype.result)
    values = tuple(Travelling.of(types, one.name, one.type) for one in prototype.arguments)
    if prototype.variadic:
        params, stack = variadic_calls(types, values)
        return Assignment(params, result, hidden, stack)
    cursor = initial()
    params = tuple(pass_argument(types, cursor, value) for value in values)
    return Assignment(params, result, hidden, cursor.used)


def pass_argument(types: TypeTable, cursor: Cursor, value: Travelling) -> Passed:
    """An argument of a function that is not variadic."""
    if not is_composite(value.type):
        return pass_as_to_arm(types, cursor, value)
    group = homogeneous(types, value.type, value.align)
    if types.reading is not None and is_empty(value.type):
        return value.passed(Passing.IGNORED, EMPTY)
    if types.reading is not None and group is None and value.size <= QUAD:
        return pass_by_clang(types, cursor, value)
    if group is not None:
        check_members(types, value, group)
        if group.count > cursor.left("float"):
            check_offset(types, value, cursor.used)
    elif value.size <= QUAD:
        check_registers(types, cursor, value)
    return with_what_is_sure(types, value, group, pass_as_to_arm(types, cursor, value))


def pass_by_clang(types: TypeTable, cursor: Cursor, value: Travelling) -> Passed:
    """A composite of at most 16 bytes, as clang aligns it; of one without bytes nothing travels."""
    whole = structs.replace(
        value, size=occupied(types, value), mask=value.mask.ljust(occupied(types, value), b"\0")
    )
    passed = pass_composite(cursor, whole, placing_alignment(types, value))
    return passed if types.carries(value.declared) else value.passed(Passing.IGNORED, EMPTY)


def check_registers(types: TypeTable, cursor: Cursor, value: Travelling) -> None:
    """Raises `SilentError` if it is not settled in which registers, or where on the stack, a composite is."""
    left, count = cursor.left("integer"), round_up(value.size, DOUBLE_WORD) // DOUBLE_WORD
    if count > left:
        check_offset(types, value, cursor.used)
    else:
        # The registers before it are as many bytes as a stack would have.
        check_offset(types, value, (len(GENERAL) - left) * DOUBLE_WORD)


@implements("homogeneous.one")
def with_what_is_sure(
    types: TypeTable, value: Travelling, group: Homogeneous | None, passed: Passed
) -> Passed:
    """The places of a composite, with the alignment of its memory of which the text is sure."""
    if passed.passing is Passing.INDIRECT:
        least = min(passed.memory_align, least_alignment(types, value))
        return structs.replace(passed, memory_align=least) if types.extent(value.type).loose else passed
    if group is None or group.count > 1 or not group.is_plain:
        return passed
    # [windows_arm64:homogeneous.one]
    pieces = tuple(structs.replace(piece, clause=ONE) for piece in passed.pieces)
    return structs.replace(passed, clause=ONE, pieces=pieces)


@implements("result.wide-bit-int")
def result_of(types: TypeTable, result: Type | None) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """A result in the registers in which an only argument would be, or in memory whose address is in x8."""
    if result is None:
        return None, ()
    value = Travelling.of(types, "", result)
    if types.reading is None and isinstance(value.type, BitInt) and is_composite(value.type):
        raise SilentError(WIDE_BIT_INT, f"a result of {value.type.width} bits")
    group = homogeneous(types, value.type, value.align) if is_composite(value.type) else None
    if group is not None:
        check_members(types, value, group)
    passed, hidden = assign_result(types, result)
    assert passed is not None
    return with_what_is_sure(types, value, group, passed), hidden
