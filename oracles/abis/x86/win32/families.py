"""Calls as compilers make them on 32-bit Windows where the text is silent: as on System V but for some points.

gcc and clang for MinGW go by System V's rules with Microsoft's results; clang for Microsoft's ABI passes by reference what
is aligned to more than a word, and vectors that are not among the first three.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import structs

from abiprobe.oracles.abis.x86.i386 import calls as sysv
from abiprobe.oracles.abis.x86.i386.calls import CallState
from abiprobe.oracles.abis.x86.i386.results import in_general, in_registers, x87
from abiprobe.oracles.abis.x86.win32.data import WORD
from abiprobe.oracles.engine.clang_windows_records import required
from abiprobe.oracles.engine.emptiness import has_flexible_array, is_empty
from abiprobe.oracles.engine.machine_modes import Mode, mode_of
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    BitInt,
    Complex,
    Kind,
    Pointer,
    Record,
    Scalar,
    Type,
    Typedef,
    Vector,
)
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Passed, Passing

cite, _ = citing(__package__)
OTHER = cite("pass.other")
SIZES = (1, 2, 4, 8)
"""Bytes of the records that registers return."""
MOST = 64
"""Bytes of the largest vector that clang passes in registers for Microsoft's ABI."""


@lru_cache(maxsize=64)
def _in_words(types: TypeTable) -> TypeTable:
    """The types under a policy of all clangs on Windows: a record on the stack is aligned to a word, whatever is in it."""
    return types.under(types.policies.changed({"records_in_words": True}))


def pass_by_family(call: CallState, value: Travelling, *, mingw: bool) -> Passed:
    """An argument as the family passes it."""
    clang = call.types.reading is Reading.CLANG
    if clang:
        call.types = _in_words(call.types)
    if clang and not mingw and is_referenced(call, value):
        address = sysv.pass_argument(call, Travelling.of(call.types, value.name, Pointer()))
        return ours(value.passed(Passing.INDIRECT, OTHER, *address.pieces))
    return ours(sysv.pass_argument(call, value))


def ours(passed: Passed) -> Passed:
    """The places with the clause of this sheet that is silent, in place of those of System V."""
    pieces = (
        structs.replace(one, clause=OTHER, extension_clause=OTHER if one.extension_clause else "")
        for one in passed.pieces
    )
    return structs.replace(passed, clause=OTHER, pieces=tuple(pieces))


def is_referenced(call: CallState, value: Travelling) -> bool:
    """Return whether clang passes a value by reference for Microsoft's ABI; a variable argument is one only if it is a vector."""
    match value.type:
        case Vector(size=size):
            return size > MOST or call.vectors >= sysv.VECTOR_ARGUMENTS
        case Record() | Complex() if not value.is_unnamed and not has_flexible_array(value.type):
            return required(call.types.extent, value.declared, vectors=True) > WORD
        case _:
            return False


def result_by_family(types: TypeTable, value: Travelling, *, mingw: bool) -> Passed | None:
    """A result in registers as the family returns it; none for one in memory."""
    clang = types.reading is Reading.CLANG
    match value.type:
        case Record():
            found = record_by_clang(types, value, mingw=mingw) if clang else record_by_gcc(types, value)
        case Complex(kind) if kind.is_integer or kind is Kind.FLOAT:
            found = in_general(value, OTHER) if value.size in SIZES else None
        case Complex(kind) if kind not in {Kind.FLOAT16, Kind.BF16}:
            found = None
        case Scalar(Kind.FLOAT128 | Kind.DECIMAL128):
            found = None
        case BitInt() if value.size > 2 * WORD:
            found = None
        case _:
            found = in_registers(types, value.declared, value)
    return None if found is None else ours(found)


def record_by_clang(types: TypeTable, value: Travelling, *, mingw: bool) -> Passed | None:
    """A record that is a result, to clang: in registers if each of its parts could be, too."""
    if has_flexible_array(value.type):
        return None
    if is_empty(value.type):
        return value.passed(Passing.IGNORED, OTHER)
    if not is_returned_in_registers(types, value.type):
        return None
    only = only_real(types, value.type) if mingw else None
    return value.passed(Passing.DIRECT, OTHER, x87(value.size)) if only else in_general(value, OTHER)


def is_returned_in_registers(types: TypeTable, c_type: Type) -> bool:
    """Return whether clang returns a type in general registers: it and all of its parts have the size of an integer."""
    size = types.extent(c_type).size
    if size not in SIZES:
        return False
    match c_type:
        case Typedef(base=base) | Atomic(base=base):
            return is_returned_in_registers(types, base)
        case Vector():
            return size < 2 * WORD
        case Array(element=element):
            return is_returned_in_registers(types, element)
        case Record(members=members):
            inner = (one.type for one in members if one.width is None and not is_empty(one.type))
            return all(is_returned_in_registers(types, one) for one in inner)
        case _:
            return True


def only_real(types: TypeTable, c_type: Type) -> bool:
    """Return whether clang takes a type for a struct of one real, which fills it."""
    match c_type:
        case Typedef(base=base):
            return only_real(types, base)
        case Array(element=element, length=1):
            return only_real(types, element)
        case Record(members=members, union=False):
            filled = [one for one in members if one.width != 0 and not is_empty(one.type)]
            if len(filled) != 1 or filled[0].width is not None:
                return False
            inner = filled[0].type
            return types.extent(inner).size == types.extent(c_type).size and only_real(types, inner)
        case Scalar(kind):
            return kind in {Kind.FLOAT, Kind.DOUBLE}
        case _:
            return False


def record_by_gcc(types: TypeTable, value: Travelling) -> Passed | None:
    """A record that is a result, to gcc: in the registers of the scalar that has its machine mode."""
    if not value.size:
        return value.passed(Passing.IGNORED, OTHER)
    if mode_of(types, value.type) is Mode.BLOCK or value.size > 2 * WORD:
        return None
    return in_general(value, OTHER)
