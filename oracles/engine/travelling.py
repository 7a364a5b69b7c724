"""A value that is to travel, with what every rule asks about it."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from abiprobe.oracles.engine.policies import Direction, ValueKind
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    BitInt,
    Complex,
    Enum,
    Member,
    Record,
    Scalar,
    Type,
    Typedef,
    is_atomic,
    spelling,
)
from abiprobe.oracles.text.place import ByteOrder, Extension, Passed, Passing, Piece, StackSlot

LARGEST_MASK = 1 << 20
"""Bytes of the largest value whose padding is told apart: what is larger is in memory, and no probe passes it."""


WORD = 4

ONE_BIT = BitInt(1, signed=False)
REMEMBERED = 1 << 12
"""Values that are remembered: most arguments of a run fill registers in front of another one."""


class Extended(msgspec.Struct, frozen=True, cache_hash=True):
    """The bits above an integer, where a compiler departs from the text: `nobody` extends it, or everybody by its `sign`.

    Nobody extends one on the stack that is `open_on_stack`. `places` and `stack` are the bytes up to which one is extended of which the text leaves that open. On the stack an
    unsigned one may be extended `as_signed`.
    """

    nobody: bool = False
    sign: Extension = Extension.ANY
    places: int = 0
    stack: int = 0
    as_signed: bool = False
    open_on_stack: bool = False

    def piece(self, size: int, piece: Piece) -> Piece:
        """A piece of a value of `size` bytes as the compiler has it."""
        on_stack = isinstance(piece.place, StackSlot)
        reach = self.stack if on_stack else self.places
        nobody = self.nobody or (self.open_on_stack and on_stack)
        if nobody and piece.extension is not None:
            return msgspec.structs.replace(piece, extension=Extension.ANY)
        if self.as_signed and on_stack and piece.extension is Extension.ZERO:
            return msgspec.structs.replace(piece, extension=Extension.SIGN)
        if size < reach and piece.extension is Extension.ANY:
            return msgspec.structs.replace(piece, extension=self.sign, width=reach)
        return piece


AS_TOLD = Extended()


class Travelling(msgspec.Struct, frozen=True, cache_hash=True):
    """A parameter, unnamed argument or result: its name, types as declared and stripped, size and alignment.

    `declared_align` is the alignment of the type as declared; `align` is that by which it has its place, which is another one to a
    compiler that does not look at typedef names. `order` is the byte order of the numbers in it. `extended` is how it is
    extended where the text does not say.
    """

    name: str
    declared: Type
    type: Type
    size: int
    align: int
    mask: bytes
    declared_align: int
    order: ByteOrder = "little"
    extended: Extended = AS_TOLD

    @classmethod
    def of(cls, types: TypeTable, name: str, declared: Type) -> Travelling:
        """Measure a value of type `declared`."""
        return measured(types, name, declared)

    @property
    def kind(self) -> ValueKind:
        """The kind of the value."""
        return kind_of(self.type)

    @property
    def is_unnamed(self) -> bool:
        """Return whether this is a variable argument."""
        return is_unnamed(self.name)

    def right_aligned(self, size: int, width: int) -> int:
        """The bytes of a place of `width` bytes before a number of `size` bytes in its least significant part."""
        return 0 if self.order == "little" else max(width - size, 0)

    def passed(self, passing: Passing, clause: str, *pieces: Piece) -> Passed:
        """The answer: how this value travels, and where."""
        if self.extended is not AS_TOLD and passing is Passing.DIRECT:
            pieces = tuple(self.extended.piece(self.size, piece) for piece in pieces)
        return Passed(
            self.name,
            spelling(self.declared),
            passing,
            pieces,
            clause,
            self.size,
            self.declared_align,
            self.mask,
        )


@lru_cache(REMEMBERED)
def measured(types: TypeTable, name: str, declared: Type) -> Travelling:
    """See `Travelling.of`."""
    extent = types.extent(declared)
    mask = mask_of(types, name, declared) if extent.size <= LARGEST_MASK else b""
    return Travelling(
        name,
        declared,
        looked_into(types, declared),
        extent.size,
        types.extent(placed_type(types, declared)).align,
        mask,
        extent.align,
        types.data.order,
        extended(types, declared, result=not name),
    )


def is_unnamed(name: str) -> bool:
    """Return whether a value of this name is a variable argument."""
    return name.startswith("...")


def kind_of(plain: Type) -> ValueKind:
    """The kind of a value, by its type without typedef names."""
    return ValueKind.RECORD if isinstance(plain, Record) else ValueKind.SCALAR


def placed_type(types: TypeTable, declared: Type) -> Type:
    """The type by whose alignment a value has its place: as declared, or without the typedef names that a compiler drops."""
    unaligned = types.policies.unaligned_names
    if unaligned and kind_of(types.plain(declared)) in unaligned:
        while isinstance(declared, Typedef):
            declared = declared.base
    return declared


def looked_into(types: TypeTable, declared: Type) -> Type:
    """The type by which a value is classified: to who does not look into it, what is atomic and no scalar is a record of it."""
    plain = types.plain(declared)
    closed = isinstance(plain, (Complex, Record)) and types.is_opaque(declared)
    return Record("", (Member(declared),)) if closed else plain


def mask_of(types: TypeTable, name: str, declared: Type) -> bytes:
    """The bits of a value that travel, of a `_BitInt` by itself those that a compiler extends or does not."""
    policies = types.policies
    direction = Direction.ARGUMENT if name else Direction.RESULT
    unextended = direction in policies.unextended_bit_ints
    extends = direction is Direction.RESULT and bool(policies.extended_bit_int_results)
    changed = unextended or policies.open_bit_ints or extends
    if not (changed or policies.extended_unnamed_one_bit or policies.open_lone_bit_ints):
        return types.mask(declared)
    plain = types.plain(declared)
    if policies.extended_unnamed_one_bit and is_unnamed(name) and plain == ONE_BIT:
        return b"\xff"
    if not isinstance(plain, BitInt) or not (changed or policies.open_lone_bit_ints):
        return types.mask(declared)
    size = types.extent(declared).size
    whole = (types.data.bit_int_extended or extends) and not (unextended or types.stores_bits_alone(plain))
    return b"\xff" * size if whole else ((1 << plain.width) - 1).to_bytes(size, types.data.order)


def extended(types: TypeTable, declared: Type, *, result: bool) -> Extended:
    """Return what a compiler does about the bits above a value, other than the text."""
    policies = types.policies
    if policies.extends_as_told:
        return AS_TOLD
    plain = types.plain(declared)
    bit_int = isinstance(plain, BitInt)
    if not (bit_int or is_integer(plain)) or (is_atomic(declared) and not policies.unextended_atomics):
        return AS_TOLD
    by_sign = Extension.SIGN if types.is_signed(plain) else Extension.ZERO
    direction = Direction.RESULT if result else Direction.ARGUMENT
    if is_atomic(declared) or (isinstance(plain, BitInt) and is_unextended(types, plain, direction)):
        return Extended(nobody=True, sign=by_sign)
    if result:
        reach = policies.extended_bit_int_results if bit_int else policies.extended_results
        return Extended(sign=by_sign, places=reach, stack=reach) if reach else AS_TOLD
    as_signed = policies.stack_sign_extended and by_sign is Extension.ZERO and types.extent(plain).size < WORD
    places, stack = policies.extended_arguments, policies.extended_on_stack
    return Extended(
        nobody=types.extent(plain).size < policies.open_arguments,
        sign=by_sign,
        places=places,
        stack=max(places, stack),
        as_signed=as_signed,
        open_on_stack=policies.open_on_stack,
    )


def is_unextended(types: TypeTable, plain: BitInt, direction: Direction) -> bool:
    """Return whether a compiler does not extend a `_BitInt` that travels in a direction, whatever the text says."""
    alone = types.stores_bits_alone(plain) and direction in types.policies.bit_ints_in_bytes
    return alone or direction in types.policies.unextended_bit_ints


def is_integer(plain: Type) -> bool:
    """Return whether a type is an integer of the language, or an enumeration."""
    return isinstance(plain, Enum) or (isinstance(plain, Scalar) and plain.kind.is_integer)
