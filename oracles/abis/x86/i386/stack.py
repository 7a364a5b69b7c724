"""The place of a parameter on the stack (Intel386 psABI 2.2.3, Passing Parameters)."""

from __future__ import annotations

from abiprobe.oracles.abis.x86.i386.data import ALIGNED_BY_OPTION, SIZES
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.emptiness import has_flexible_array, is_empty
from abiprobe.oracles.engine.policies import Argument
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    Complex,
    Convention,
    Kind,
    Member,
    Position,
    Record,
    Scalar,
    Type,
    Typedef,
    Vector,
    components,
    spelling,
    strip,
)
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Extension, Passed, Passing, Piece

cite, implements = citing(__package__)
STACK = cite("pass.stack")
ALIGNMENT = cite("pass.alignment")
ASKED_ALIGNMENT = cite("pass.asked-alignment")
BOOL = cite("pass.bool")
FIRST_STACK_ARGUMENT = 4
"""Byte offset from esp at callee entry: the return address lies below the arguments."""
WORD = 4
SSE_ALIGNMENT = 16
"""From how many bytes on gcc heeds the alignment of a type."""


@implements("pass.stack", "pass.bool")
def on_stack(
    types: TypeTable,
    cursor: Cursor,
    value: Travelling,
    clause: str = "",
    *,
    convention: Convention | None = None,
) -> Passed:
    """A parameter on the stack, which cites `clause` where there is a reason for it to be there."""
    if not value.size or is_unplaced(types, value):
        pass_over(types, cursor, value)
        return value.passed(Passing.IGNORED, STACK)
    align = WORD if is_in_words(types, value, convention) else stack_alignment(types, cursor, value.declared)
    why = clause or (ALIGNMENT if cursor.used % align else STACK)
    size = round_up(value.size, WORD)
    # [i386:pass.bool]
    extension = Extension.ANY if size > value.size else None
    piece = Piece(0, value.size, cursor.push(size, align), why, extension, size, above_clause(value.type))
    return value.passed(Passing.DIRECT, why, piece)


def is_in_words(types: TypeTable, value: Travelling, convention: Convention | None) -> bool:
    """Return whether a compiler aligns a value to a word, whatever the text has of it."""
    if value.type == Scalar(Kind.FLOAT128):
        if convention in types.policies.float128_in_words_with:
            return True
        return Argument.of(named=not value.is_unnamed) in types.policies.float128_in_words
    return types.policies.records_in_words and isinstance(value.type, (Record, Complex))


def is_unplaced(types: TypeTable, value: Travelling) -> bool:
    """Return whether a compiler gives a record no place because it has no named member."""
    named = Argument.of(named=not value.is_unnamed)
    return named in types.policies.unplaced_empties and is_empty(value.type)


def pass_over(types: TypeTable, cursor: Cursor, value: Travelling) -> None:
    """Pass over what a compiler takes for a record of no bytes with a flexible array; by the text nothing."""
    named = Argument.of(named=not value.is_unnamed)
    if named in types.policies.words_for_flexible_nothing and has_flexible_array(value.type):
        cursor.push(WORD, WORD)


def above_clause(c_type: Type) -> str:
    """The clause that says what stands above a value of this type."""
    return BOOL if c_type == Scalar(Kind.BOOL) else STACK


@implements("pass.asked-alignment")
def stack_alignment(types: TypeTable, cursor: Cursor, c_type: Type) -> int:
    """The alignment of a parameter in bytes, where it matters for the next place of the stack.

    Of what is asked for, compilers heed the table alone, but gcc also a typedef of 16 bytes or more within a record; so do
    the dialects.
    """
    least = table_alignment(types, c_type)
    if types.reading is Reading.GCC and least < SSE_ALIGNMENT:
        least = WORD
    if types.reading is Reading.GCC and has_aligned_type(types, types.plain(c_type)):
        return max(least, types.extent(types.plain(c_type)).align)
    asked = max(types.extent(one).align for one in (c_type, types.plain(c_type)))
    most = max(least, asked) if is_asked(types, c_type) else least
    if types.reading is None and round_up(cursor.used, least) != round_up(cursor.used, most):
        raise SilentError(ASKED_ALIGNMENT, f"{spelling(c_type)} is aligned to {most} bytes on request")
    return least


@implements("pass.alignment", "pass.m64-alignment")
def table_alignment(types: TypeTable, c_type: Type) -> int:
    """The alignment of a type by table 2.1 in bytes, at least that of a fourbyte."""
    match types.plain(c_type):
        # [i386:pass.m64-alignment]
        case Scalar(Kind.DECIMAL64):
            return WORD
        # [i386:pass.alignment]
        case Scalar(kind) | Complex(kind):
            return max(WORD, SIZES[kind][1]) if kind in SIZES else WORD
        # [i386:pass.m64-alignment]
        case Vector(size=size):
            return WORD if size <= 8 else size
        case Array(element=element):
            return table_alignment(types, element)
        case Record(members=members) as record:
            inner = [table_alignment(types, member.type) for member in members if member.width is None]
            return max(WORD, min(max(inner, default=WORD), types.extent(record).align))
        case _:
            return WORD


def has_aligned_type(types: TypeTable, c_type: Type) -> bool:
    """Return whether a member's type is a typedef of a scalar, not `long double`, aligned to 16 bytes or more."""
    match c_type:
        case Record(members=members) if types.extent(c_type).align >= SSE_ALIGNMENT:
            ordinary = [member for member in members if member.width is None]
            return any(is_aligned_pointer(one) for one in ordinary) or any(
                is_aligned_scalar(one.type) or has_aligned_type(types, one.type) for one in ordinary
            )
        case Array(element=element):
            return is_aligned_scalar(element) or has_aligned_type(types, element)
        case Typedef(base=base) | Atomic(base=base):
            return has_aligned_type(types, base)
        case Vector(size=size):
            return size >= SSE_ALIGNMENT
        case _:
            return False


def is_aligned_pointer(member: Member) -> bool:
    """Return whether a member's type is a pointer with an attribute of its own that aligns it to 16 bytes or more."""
    return member.position is Position.POINTER and (member.align or 0) >= SSE_ALIGNMENT


def is_aligned_scalar(c_type: Type) -> bool:
    """Return whether a type is a typedef, aligned to 16 bytes or more, of a scalar that no x87 register holds whole."""
    match c_type:
        case Typedef(base=base, align=int() as align) if align >= SSE_ALIGNMENT:
            extended = base in {Scalar(Kind.LDOUBLE), Complex(Kind.LDOUBLE)}
            return not extended and not isinstance(strip(base), (Record, Array))
        case _:
            return False


def is_asked(types: TypeTable, c_type: Type) -> bool:
    """Return whether a type has an alignment that the table does not give it."""
    match c_type:
        case Typedef(align=int()) | Atomic():
            return True
        case Record(members=members, align=align) if align is not None or any(
            member.align is not None or member.alignas is not None for member in members
        ):
            return True
        case Scalar(kind) | Complex(kind) if kind in ALIGNED_BY_OPTION or kind is Kind.LDOUBLE:
            return types.data.kind(kind).align > SIZES[types.data.same.get(kind, kind)][1]
        case _:
            return any(is_asked(types, inner) for inner in components(c_type))
