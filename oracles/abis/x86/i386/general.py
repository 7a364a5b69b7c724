"""General registers that an argument uses up, as compilers read `regparm` and `fastcall` for types that the manual leaves out.

The GCC manual speaks of integers alone. gcc goes by machine modes, clang by the classes of its i386 calling convention.
"""

from __future__ import annotations

from dataclasses import dataclass

from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    Array,
    BitInt,
    Complex,
    Enum,
    Kind,
    Member,
    Pointer,
    Record,
    Scalar,
    Type,
    Vector,
    unnamed,
)

WORD = 4


@dataclass(frozen=True)
class Use:
    """General registers that an argument uses up, and whether it is `there` if they are enough.

    Of some only the number left is less, and those that are `last` go; a `real` is in a vector register instead.
    """

    words: int
    there: bool = False
    last: bool = False
    real: bool = False


NONE = Use(0)
REALS = frozenset({Scalar(Kind.FLOAT), Scalar(Kind.DOUBLE)})
SINGLE = {(Kind.FLOAT, WORD), (Kind.DOUBLE, 2 * WORD)}
"""Vectors of one real, with their sizes."""


def gcc_use(types: TypeTable, value: Travelling, *, fastcall: bool) -> Use:
    """Return gcc's use of general registers: none for the mode of a real, complex or vector; fastcall takes integers only."""
    only = only_member(types, value.declared, unions=False)
    # A complex integer has a mode of its own, though it is laid out as a record of its parts.
    match only if isinstance(only, Complex) else types.plain(only):
        case Scalar(kind) if kind.is_floating:
            return NONE
        case Complex():
            return NONE
        # There is no mode for a vector of one float or double: it is an integer of its size.
        case Vector(kind=kind, size=size) if (kind, size) not in SINGLE:
            return NONE
        case _:
            return Use(words(value), not fastcall)


def clang_use(types: TypeTable, value: Travelling, *, fastcall: bool) -> Use:
    """A real or complex number, alone in a struct or not but not atomic, leaves the registers alone; fastcall has integers in them only."""
    match value.type:
        case Scalar(kind) if fastcall and kind.is_integer and types.policies.two_words_use_registers:
            return Use(words(value), last=True)
        case Scalar() | Enum() | Pointer() if fastcall:
            return NONE
        case BitInt() if fastcall and value.size > WORD:
            return Use(words(value), last=True) if types.policies.bit_ints_use_registers else NONE
        case Scalar() | Complex() if leaves_registers(types, unnamed(value.declared)):
            return NONE
        case Scalar(kind) if kind.is_floating:
            return Use(words(value), there=value.size <= 2 * WORD, last=True, real=True)
        case Record() as record if is_flexible(record) or leaves_registers(
            types, only_member(types, value.declared, unions=types.policies.other_reals_use_registers)
        ):
            return NONE
        case Record() | Complex() if fastcall:
            # What is not taken apart is copied to the stack, and nothing stands in for it among the registers.
            return Use(words(value), last=not is_taken_apart(types, value.declared))
        case _:
            return Use(words(value), there=True)


def leaves_registers(types: TypeTable, c_type: Type) -> bool:
    """Return whether clang takes a type for a real: before 24 only `float` and `double`, but in a union, too."""
    if types.policies.other_reals_use_registers:
        return c_type in REALS
    return isinstance(c_type, Complex) or (isinstance(c_type, Scalar) and c_type.kind.is_floating)


def words(value: Travelling) -> int:
    """The words of a value."""
    return -(-value.size // WORD)


def is_flexible(record: Record) -> bool:
    """Return whether a record ends in a flexible array."""
    return any(isinstance(member.type, Array) and member.type.length is None for member in record.members)


def is_taken_apart(types: TypeTable, c_type: Type) -> bool:
    """Return whether clang passes the member of a one-word record in place of the record: a plain scalar that fills it."""
    match unnamed(c_type):
        case Record(members=(Member(width=None, type=inner),)):
            return isinstance(unnamed(inner), (Scalar, Enum, Pointer)) and types.extent(inner).size == WORD
        case _:
            return False


def only_member(types: TypeTable, c_type: Type, *, unions: bool) -> Type:
    """The one thing in a record that has bytes, if it fills it, and the one element of an array; else the type itself."""
    match unnamed(c_type):
        case Record(members=members, union=union) as record if unions or not union:
            filled = [member for member in members if member.width != 0 and types.extent(member.type).size]
            if len(filled) != 1 or filled[0].width is not None:
                return record
            inner = filled[0].type
            return (
                only_member(types, inner, unions=unions)
                if types.extent(inner).size == types.extent(record).size
                else record
            )
        case Array(element=element, length=1):
            return only_member(types, element, unions=unions)
        case other:
            return other
