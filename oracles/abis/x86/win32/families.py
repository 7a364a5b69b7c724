"""Calls as compilers make them on 32-bit Windows where the text is silent: as on System V but for some points.

gcc and clang for MinGW go by System V's rules with Microsoft's results; clang for Microsoft's ABI passes by reference what
is aligned to more than a word, and vectors that are not among the first three.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import structs

from abiprobe.oracles.abis.x86.i386 import calls as sysv
from abiprobe.oracles.abis.x86.i386.calls import CallState
from abiprobe.oracles.abis.x86.i386.convention import FASTCALL, is_word
from abiprobe.oracles.abis.x86.i386.general import REALS, only_member
from abiprobe.oracles.abis.x86.i386.results import SIXTEEN_BITS, in_general, in_memory, in_registers
from abiprobe.oracles.abis.x86.i386.stack import on_stack
from abiprobe.oracles.abis.x86.win32.data import WORD
from abiprobe.oracles.abis.x86.win32.recited import ours
from abiprobe.oracles.abis.x86.win32.thiscall import pass_with_this
from abiprobe.oracles.abis.x86.win32.vectors import by_reference, is_one_element, pass_vector
from abiprobe.oracles.engine.clang_windows_records import required
from abiprobe.oracles.engine.emptiness import has_flexible_array, is_empty
from abiprobe.oracles.engine.machine_modes import Mode, mode_of
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    Complex,
    Convention,
    Kind,
    Record,
    Scalar,
    Type,
    Typedef,
    Vector,
    is_atomic,
)
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.options import DEFAULT
from abiprobe.oracles.text.place import Passed, Passing

cite, _ = citing(__package__)
OTHER = cite("pass.other")
SIZES = (1, 2, 4, 8)
"""Bytes of the records that registers return."""
RESULT_REGISTERS = 4
"""Vector registers in which LLVM returns a value."""


@lru_cache(maxsize=64)
def _in_words(types: TypeTable) -> TypeTable:
    """The types under a policy of all clangs on Windows: a record on the stack is aligned to a word, whatever is in it."""
    return types.under(types.policies.changed({"records_in_words": True}))


def pass_by_family(call: CallState, value: Travelling, *, mingw: bool) -> Passed:
    """An argument as the family passes it."""
    if call.types.reading is Reading.CLANG:
        call.types = _in_words(call.types)
        return pass_by_clang(call, value, mingw=mingw)
    if call.convention is Convention.THISCALL:
        # To gcc it is fastcall with one register.
        call.convention = Convention.FASTCALL
    return by_rules(call, value)


def pass_by_clang(call: CallState, value: Travelling, *, mingw: bool) -> Passed:
    """An argument as clang passes it, for Microsoft's ABI or for MinGW's."""
    if not mingw and isinstance(value.type, Vector):
        return pass_vector(call, value, value.type)
    if not mingw and is_referenced(call, value):
        return by_reference(call, value)
    if call.convention is Convention.THISCALL and call.general and not isinstance(value.type, Vector):
        return pass_with_this(call, value)
    if not mingw and isinstance(value.type, (Record, Complex)):
        # Microsoft's ABI has no record in a register, and none less for it.
        return ours(on_stack(call.types, call.stack, value))
    return by_rules(call, value)


def by_rules(call: CallState, value: Travelling) -> Passed:
    """An argument by System V's rules, but for what the text says of `__fastcall`."""
    if is_passed_over(call, value):
        return ours(on_stack(call.types, call.stack, value, convention=call.convention))
    return ours(sysv.pass_argument(call, value))


def is_passed_over(call: CallState, value: Travelling) -> bool:
    """Return whether `__fastcall` has a value on the stack by the text, and no register less for it."""
    by_text = call.clause == FASTCALL and not call.types.policies.stacked_use_registers
    return by_text and isinstance(value.type, (Record, Scalar)) and not is_word(value)


def is_referenced(call: CallState, value: Travelling) -> bool:
    """Return whether clang passes a record by reference for Microsoft's ABI: if an attribute aligns it to more than a word."""
    match value.type:
        case Record() | Complex() if not value.is_unnamed and not has_flexible_array(value.type):
            # Of a record a typedef name's alignment does not count.
            asked = value.type if isinstance(value.type, Record) else value.declared
            return required(call.types.extent, asked, vectors=False) > WORD
        case _:
            return False


def result_by_family(types: TypeTable, value: Travelling, *, wider: bool) -> Passed | None:
    """A result in registers as the family returns it; none for one in memory.

    A `wider` function has an attribute for vector registers that its unit does not have.
    """
    clang = types.reading is Reading.CLANG
    match value.type:
        case Vector() as vector if clang:
            found = vector_by_clang(types, value, vector)
        case Record():
            found = record_by_clang(types, value) if clang else record_by_gcc(types, value, wider=wider)
        case Complex() if clang and is_atomic(value.declared):
            found = None
        case Complex(kind) if clang and (kind.is_integer or kind is Kind.FLOAT):
            found = in_general(value, OTHER) if value.size in SIZES else None
        case _:
            found = as_on_sysv(types, value)
    return None if found is None else ours(found)


def vector_by_clang(types: TypeTable, value: Travelling, vector: Vector) -> Passed | None:
    """A vector that is a result, to clang: one of a single element is that, others are in up to four vector registers."""
    if is_one_element(types, vector):
        return as_on_sysv(types, structs.replace(value, type=Scalar(vector.kind)))
    many = vector.size > RESULT_REGISTERS * types.options.vectors
    return None if many else in_registers(types, value.declared, value)


def as_on_sysv(types: TypeTable, value: Travelling) -> Passed | None:
    """A result that is no record, as on System V."""
    kept = in_memory(types, value.type, value)
    return None if kept else in_registers(types, value.type, value)


def record_by_clang(types: TypeTable, value: Travelling) -> Passed | None:
    """A record that is a result, to clang: nothing without a named member, in memory for one of no known size."""
    policies = types.policies
    if is_empty(value.type):
        return value.passed(Passing.IGNORED, OTHER)
    if policies.opaque_flexible_arrays and has_flexible_array(value.type):
        return None
    if policies.records_by_parts and not is_returned_in_registers(types, value.type):
        return None
    if policies.records_of_reals and (real := one_real(types, value.type)):
        return as_on_sysv(types, structs.replace(value, type=real))
    return in_general(value, OTHER) if value.size in SIZES else None


def is_returned_in_registers(types: TypeTable, c_type: Type) -> bool:
    """Return whether clang returns a type in general registers: it and all of its parts have the size of an integer."""
    size = types.extent(c_type).size
    if size not in SIZES:
        return False
    match c_type:
        case Typedef(base=base):
            return is_returned_in_registers(types, base)
        case Atomic():
            return False
        case Vector():
            return size < 2 * WORD
        case Array(element=element):
            return is_returned_in_registers(types, element)
        case Record(members=members):
            inner = (one.type for one in members if one.width is None and not is_empty(one.type))
            return all(is_returned_in_registers(types, one) for one in inner)
        case _:
            return True


def one_real(types: TypeTable, c_type: Type) -> Scalar | None:
    """The real that clang takes a type for: one, or a record of one that fills it and of nothing else that has a name."""
    match c_type:
        case Typedef(base=base) | Array(element=base, length=1):
            return one_real(types, base)
        case Record(members=members):
            left = [one for one in members if (one.name if one.width is not None else not is_empty(one.type))]
            filled = [one for one in left if one.width is None]
            if len(left) != 1 or not filled:
                return None
            inner = filled[0].type
            fills = types.extent(inner).size == types.extent(c_type).size
            return one_real(types, inner) if fills else None
        case Scalar(kind):
            return c_type if c_type in REALS or kind in SIXTEEN_BITS else None
        case _:
            return None


def record_by_gcc(types: TypeTable, value: Travelling, *, wider: bool) -> Passed | None:
    """A record that is a result, to gcc: by its size, or as what it holds the record as, which it knew before it read a `wider` function."""
    if not types.policies.records_as_held:
        return in_general(value, OTHER) if value.size in SIZES else None
    if mode_of(types, value.type) is Mode.BLOCK or has_flexible_array(value.type):
        return None
    inner = types.plain(only_member(types, value.type, unions=False))
    if wider and isinstance(inner, Vector) and inner.size > DEFAULT.vectors:
        return None
    if not isinstance(inner, Record):
        return as_on_sysv(types, structs.replace(value, type=inner))
    return in_general(value, OTHER) if value.size in SIZES else None
