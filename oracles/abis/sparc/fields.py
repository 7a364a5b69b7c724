"""Structures and unions by value: their reals in floating-point registers, everything else in the words (3P-12)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from abiprobe.oracles.abis.sparc.argument_kind import ArgumentKind
from abiprobe.oracles.abis.sparc.data import EXTENDED_WORD, VECTOR
from abiprobe.oracles.abis.sparc.held import Held, held_as
from abiprobe.oracles.abis.sparc.parameter_array import (
    OUTS,
    REALS,
    SINGLE,
    UNUSED,
    in_array,
    in_reals,
)
from abiprobe.oracles.engine.leaves import leaves
from abiprobe.oracles.engine.llvm_unions import storage
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import Field
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Array, Complex, Record, Scalar, Type, Vector, spelling
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Extension, Piece

cite, implements = citing(__package__)
FIELDS = cite("struct.fields")
FLOAT = cite("struct.single")
ARRAY = cite("struct.array")
MISALIGNED = cite("struct.misaligned")
UNION = cite("union.general")
UNION_FIELD = cite("struct.union")
NAMED = cite("pass.named-of-variadic")
UNNAMED = cite("pass.unnamed")
COMPLEX = cite("pass.complex")


class Real(msgspec.Struct, frozen=True):
    """A real in a structure: the bytes from `start` to `end`, and the single-precision register that it starts in."""

    start: int
    end: int
    register: int

    @property
    def registers(self) -> range:
        """The single-precision registers that it is in."""
        return range(self.register, self.register + (self.end - self.start) // SINGLE)

    @property
    def clause(self) -> str:
        """The clause that decides on the register."""
        return FLOAT if self.end - self.start == SINGLE else FIELDS


@implements("struct.left", "union.general", "pass.unnamed", "pass.named-of-variadic")
def place_record(
    types: TypeTable, value: Travelling, first: int, argument_kind: ArgumentKind, moved: str = ""
) -> tuple[Piece, ...]:
    """A record in the words from number `first` on, its reals in their registers where they are promoted.

    `moved` is the clause by which it is not in the words before, if one does.
    """
    # [scd:union.general]
    singles = argument_kind is ArgumentKind.UNNAMED and types.policies.promotes_unnamed_reals
    if singles:
        argument_kind = ArgumentKind.FIXED
    if isinstance(value.type, Record) and value.type.union and types.policies.unions_as_storage:
        return place_union(types, value, first, argument_kind, moved)
    if isinstance(value.type, Record) and value.type.union:
        # A compiler that has the real in a register of its own may well have moved it.
        return in_array(first, 0, value.size, UNION, "" if first < OUTS else moved)
    # [scd:struct.left]
    if first >= REALS or not holds_real(types, value.type):
        return in_array(first, 0, value.size, moved=moved)
    # [scd:pass.unnamed]
    if argument_kind is ArgumentKind.UNNAMED:
        return in_array(first, 0, value.size, UNNAMED, moved)
    # [scd:pass.named-of-variadic]
    if argument_kind is ArgumentKind.NAMED and types.reading is None:
        raise SilentError(NAMED, f"{value.name} has reals")
    # A compiler that takes the fields for arguments moves those out of registers again that C promotes to.
    reals = tuple(one for one in reals_of(types, value.type, first) if not singles or len(one.registers) == 1)
    if is_in_words(types, value, first, reals):
        return in_array(first, 0, value.size, moved=moved)
    others = frozenset(occupied(types, value))
    lost = frozenset(overwritten(reals)) if is_overwriting(types, value) else frozenset()
    kept = tuple(real for real in reals if real.start not in lost)
    return tuple(place_fields(value, first, kept, others - lost, moved))


def is_overwriting(types: TypeTable, value: Travelling) -> bool:
    """Return whether a compiler that loads reals one after the other loses those whose registers overlap."""
    return types.policies.overwrites_arguments if value.name else types.policies.overwrites_results


def overwritten(reals: tuple[Real, ...]) -> Iterator[int]:
    """The bytes of reals in registers that a later real is in as well."""
    for number, one in enumerate(reals):
        registers = set(one.registers)
        if any(registers & set(later.registers) for later in reals[number + 1 :]):
            yield from range(one.start, one.end)


def place_union(
    types: TypeTable, value: Travelling, first: int, argument_kind: ArgumentKind, moved: str
) -> tuple[Piece, ...]:
    """A union in the words, with the reals of its one member for LLVM in their registers."""
    if argument_kind is ArgumentKind.UNNAMED or first >= REALS:
        return in_array(first, 0, value.size, UNION, "" if first < OUTS else moved)
    reals = tuple(reals_of_storage(types, value.type, 0, first))
    return tuple(place_fields(value, first, reals, frozenset(range(value.size)), moved))


def reals_of_storage(types: TypeTable, c_type: Type, at: int, first: int) -> Iterator[Real]:
    """The reals of a type at byte `at` of a value, as LLVM is told of it; none in an array."""
    match types.plain(c_type):
        case Record(union=True) as union:
            item = storage(types, union)
            if item is not None and not item.is_bit_field:
                yield from reals_of_storage(types, item.type, at, first)
        case Record() as struct:
            for item in types.shape(struct).fields:
                if not item.is_bit_field:
                    yield from reals_of_storage(types, item.type, at + item.bit_offset // 8, first)
        case Complex(kind):
            size = types.extent(Scalar(kind)).size
            for start in (at, at + size):
                yield from reals_of_storage(types, Scalar(kind), start, first)
        case Scalar(kind) as plain if kind.is_floating and first + at // EXTENDED_WORD < REALS:
            size = types.extent(plain).size
            if at % size == 0:
                yield Real(at, at + size, first * EXTENDED_WORD // SINGLE + at // SINGLE)


def reals_of(types: TypeTable, c_type: Type, first: int) -> Iterator[Real]:
    """The reals of a structure, by the text or as a compiler sees them."""
    match types.reading:
        case Reading.CLANG:
            return reals_of_storage(types, c_type, 0, first)
        case Reading.GCC:
            return reals_of_gcc(types, c_type, 0, first)
        case None:
            return promoted_reals(types, c_type, 0, first)


def reals_of_gcc(types: TypeTable, c_type: Type, at: int, first: int) -> Iterator[Real]:
    """The reals and vectors that gcc promotes, whatever their place; none in an array or a union."""
    plain = types.plain(c_type)
    match plain:
        case Record(union=True):
            return
        case Record() if types.policies.packed_reals_in_words and has_packed_member(types, plain):
            return
        case Record():
            for item in types.shape(plain).fields:
                if not item.is_bit_field:
                    yield from reals_of_gcc(types, item.type, at + item.bit_offset // 8, first)
        case Complex(kind) if kind.is_floating:
            yield from parts(types, plain, at, first)
        case Scalar(kind) if kind.is_floating:
            yield from consecutive(at, types.extent(plain).size, 1, first)
        case Vector(kind) if kind.is_floating:
            element = types.extent(Scalar(kind)).size
            yield from consecutive(at, element, plain.size // element, first)
        case Vector():
            yield from consecutive(at, plain.size, 1, first)


def parts(types: TypeTable, number: Complex, at: int, first: int) -> Iterator[Real]:
    """The two parts of a complex real."""
    return consecutive(at, types.extent(Scalar(number.kind)).size, 2, first)


def consecutive(at: int, size: int, count: int, first: int) -> Iterator[Real]:
    """So many reals from byte `at` of a value on, in registers that follow each other from that of the first one's word."""
    word = first + at // EXTENDED_WORD
    register = word * EXTENDED_WORD // SINGLE + (size <= SINGLE and at % EXTENDED_WORD >= SINGLE)
    left = (REALS - word) * EXTENDED_WORD // max(size, SINGLE)
    for number in range(min(count, left)):
        start = at + number * size
        yield Real(start, start + size, register + number * size // SINGLE)


def is_in_words(types: TypeTable, value: Travelling, first: int, reals: tuple[Real, ...]) -> bool:
    """Return whether a compiler has a structure in its words, with its reals, since it holds it as one integer."""
    policies = types.policies
    behind = policies.held_on_stack and first >= OUTS
    read = policies.argument_in_one if value.name else policies.result_in_one
    before = read and value.size == EXTENDED_WORD and any(one.start for one in reals[:1])
    return (behind or before) and held_as(types, value.type) is Held.INTEGER


def place_fields(
    value: Travelling, first: int, reals: tuple[Real, ...], others: frozenset[int], moved: str
) -> Iterator[Piece]:
    """The fields of a structure: its reals in their registers, the bytes of others in their words without padding beside them."""
    start = 0
    for real in (*reals, None):
        end = value.size if real is None else real.start
        for piece in in_array(first, start, end, FIELDS, moved):
            yield from trimmed(piece, others)
        if real is not None:
            yield from in_reals(real.register, real.start, real.end, moved or real.clause)
            start = real.end


@implements("struct.fields")
def occupied(types: TypeTable, value: Travelling) -> Iterator[int]:
    """The bytes of a value that carry something, and the storage units of its bit-fields."""
    yield from (byte for byte, carried in enumerate(value.mask) if carried)
    for leaf in leaves(types, value.type):
        # [scd:struct.fields]
        if leaf.bit_field is not None and leaf.bit_field.member.name:
            unit = types.extent(leaf.type).size
            first = leaf.bit_offset // 8 // unit * unit
            yield from range(first, first + unit)


def trimmed(piece: Piece, others: frozenset[int]) -> Iterator[Piece]:
    """A piece without the padding at its beginning and its end, unless it is nothing else."""
    carrying = [byte for byte in range(piece.start, piece.end) if byte in others]
    if carrying:
        start, end = carrying[0], carrying[-1] + 1
        at = piece.at + start - piece.start
        rest = Extension.ANY if piece.width > end - start else None
        why = UNUSED if rest else ""
        yield msgspec.structs.replace(
            piece, start=start, end=end, at=at, extension=rest, extension_clause=why
        )


@implements("struct.fields", "struct.array", "struct.union")
def promoted_reals(types: TypeTable, c_type: Type, at: int, first: int) -> Iterator[Real]:
    """The reals that are fields of a type at byte `at` of a value, in order, as far as registers correspond to their words.

    Raises `SilentError` where the text does not say of a real whether one does.
    """
    plain = types.plain(c_type)
    if first + at // EXTENDED_WORD >= REALS:
        return
    match plain:
        # [scd:struct.union]
        case Record(union=True) if holds_real(types, plain):
            raise SilentError(UNION_FIELD, f"{spelling(plain)} in a structure")
        case Record():
            for item in types.shape(plain).fields:
                yield from in_field(types, item, at, first)
        # [scd:struct.fields]
        case Scalar(kind) if kind.is_floating:
            yield real(plain, at, types.extent(plain).size, first)
        # [scd:struct.array]
        case Array(element=element, length=length) if length and holds_real(types, element):
            raise SilentError(ARRAY, f"{spelling(plain)} in a structure")
        case other:
            only_integral(other)


def has_packed_member(types: TypeTable, record: Record) -> bool:
    """Return whether a member of a record is packed: itself, or with the record where it would be aligned to more than a byte."""
    return any(
        member.packed or (record.packed and types.extent(member.type).align > 1) for member in record.members
    )


def in_field(types: TypeTable, item: Field, at: int, first: int) -> Iterator[Real]:
    """The reals of a member of a structure at byte `at`; a bit-field is none."""
    if not item.is_bit_field:
        yield from promoted_reals(types, item.type, at + item.bit_offset // 8, first)


@implements("struct.single", "struct.misaligned")
def real(plain: Scalar, at: int, size: int, first: int) -> Real:
    """A real of `size` bytes at byte `at`, in the register that corresponds to its place."""
    # [scd:struct.misaligned]
    if (first * EXTENDED_WORD + at) % size:
        raise SilentError(MISALIGNED, f"{spelling(plain)} at byte {at} of a structure")
    # [scd:struct.single]
    return Real(at, at + size, first * EXTENDED_WORD // SINGLE + at // SINGLE)


def holds_real(types: TypeTable, c_type: Type) -> bool:
    """Return whether a type is, or contains, a value that a floating-point register may hold."""
    match types.plain(c_type):
        case Record() as record:
            return any(holds_real(types, item.type) for item in types.shape(record).fields)
        case Array(element=element, length=length):
            return bool(length) and holds_real(types, element)
        case Scalar(kind):
            return kind.is_floating
        case other:
            return isinstance(other, (Complex, Vector))


@implements("pass.complex", "type.vector")
def only_integral(plain: Type) -> None:
    """Raise `SilentError` for what is neither integral nor a pointer nor real."""
    # [scd:pass.complex]
    if isinstance(plain, Complex):
        raise SilentError(COMPLEX, spelling(plain))
    # [scd:type.vector]
    if isinstance(plain, Vector):
        raise SilentError(VECTOR, spelling(plain))
