"""Layouts of types, and places of a call's arguments and result.

These are the answers of a model. Offsets inside a value or a record say in their names whether they count bits
or bytes; a stack offset is in bytes from the stack pointer at callee entry, as the target's ABI counts it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Literal, TypeAlias

import msgspec

from abiprobe.oracles.language.lang import Type

ByteOrder: TypeAlias = Literal["little", "big"]
"""Which end of a number is at the lowest address."""


class MemberPlace(msgspec.Struct, frozen=True, omit_defaults=True):
    """One scalar leaf of a record: `path` is what `offsetof` would be given (`in.b[1]`).

    `behind` is the clause of what lies right before it and has no place that C could ask for: a bit-field without a name
    or a member without bytes, by which it is moved if that is laid out otherwise.

    Bits are counted from the end of the number at the lowest address: the least significant one of the first byte is
    bit 0 on a little-endian machine, the most significant one on a big-endian machine.
    """

    path: str
    bit_offset: int
    bit_width: int
    clause: str
    bit_field: bool = False
    behind: str = ""


class MemberAlignment(msgspec.Struct, frozen=True, omit_defaults=True):
    """An alignment in bytes, and what gave it: of a member, or where `type` is set, of the type that it is declared with.

    `path` is what `offsetof` would be given; `type` is that of the innermost elements where the member is an array.
    """

    path: str
    align: int
    clause: str
    type: Type | None = None

    @property
    def what(self) -> str:
        """The C expression whose alignment is meant."""
        return f"__alignof__ of {self.path}" if self.type is None else f"_Alignof of the type of {self.path}"


class Layout(msgspec.Struct, frozen=True):
    """Size and alignment of a type in bytes, and for a record the place of each scalar leaf."""

    size: int
    align: int
    members: tuple[MemberPlace, ...] = ()
    clause: str = ""


class Extension(Enum):
    """The contents of a place above the bits of the value in it."""

    SIGN = "sign"
    """copies of the value's most significant bit"""
    ZERO = "zero"
    """zeros"""
    NAN_BOX = "nan-box"
    """ones, so that the wider register reads as a NaN"""
    ANY = "any"
    """anything: the text leaves these bits undefined"""


class Register(msgspec.Struct, frozen=True, tag="reg"):
    """A register, by the name the ABI document gives it."""

    name: str


class StackSlot(msgspec.Struct, frozen=True, tag="stack"):
    """Memory at a byte offset from the stack pointer at callee entry, or from the start of the buffer of arguments, if there is one."""

    offset: int


Place: TypeAlias = Register | StackSlot


class RegisterFile(Enum):
    """A kind of registers; a machine's description says of which kind each of its registers is.

    The values are the words by which entries for known deviations name kinds of places.
    """

    GENERAL = "general register"
    """integers and addresses"""
    SAVED = "saved register"
    """general registers that called functions preserve, and in which no ABI of the machine passes anything"""
    FLOATING = "floating-point register"
    """reals, in the format of `double` where the machine has one"""
    SINGLE = "s register"
    """reals of 32 bits, two of which are one of 64"""
    VECTOR = "vector register"
    """vectors, and scalars in their first elements"""
    X87 = "x87 register"
    """extended reals on the x87 stack"""
    MMX = "MMX register"
    """vectors of 64 bits in the significands of x87 registers"""
    MASK = "mask register"
    """a bit for each element of a vector"""
    PREDICATE = "predicate register"
    """a bit for each byte of a scalable vector"""
    CONTROL = "control register"
    """flags, modes and tags, in which no value is"""


Files: TypeAlias = Mapping[str, RegisterFile]
"""The file of each register of a machine, by name."""


class Located(msgspec.Struct, frozen=True, omit_defaults=True, tag="place"):
    """A byte of a register, or of the stack: where a value begins, or is to begin.

    Byte `at` counts from the first one that storing the register leaves in memory, and is 0 on the stack, whose offsets count
    bytes themselves. `file` is that of a register, `None` for one that the machine at hand does not have. A `float` may be there
    `as_double`, as the `double` of the same value.
    """

    place: Place
    at: int = 0
    file: RegisterFile | None = None
    as_double: bool = False

    @classmethod
    def of(cls, place: Place, files: Files, at: int = 0) -> Located:
        """Byte `at` of a place on a machine whose registers have these files."""
        match place:
            case Register(name):
                return cls(place, at, files.get(name))
            case StackSlot(offset):
                return cls(StackSlot(offset + at))


class Form(Enum):
    """A representation of a value in a place that differs from that in memory."""

    EXTENDED = "x87 extended"
    """a real of 4 or 8 bytes as an extended real of 10"""
    DOUBLE = "double"
    """a real of 4 bytes as one of 8, in the byte order of the piece"""


class Piece(msgspec.Struct, frozen=True, omit_defaults=True):
    """The bytes `[start, end)` of a value and the one place where they lie.

    What a model guarantees of the pieces of a `Passed`: they are in the order of `start`, and between them carry every
    byte that the text defines; a byte in no piece does not travel, and one in two pieces travels in both places. For an indirect value `start` and
    `end` count the bytes of its address, or of its addresses, of which each is a piece, and leads to an equal share. Byte `start` is byte `at` of its place, lowest address first, unless `bit`, `lane`
    or `form` say otherwise; a register has the bytes that storing it leaves in memory. So a number that is narrower than
    its place has what extends it behind it on a little-endian machine, before it on a big-endian one.
    """

    start: int
    """first byte of the value in the piece"""
    end: int
    """one past its last byte"""
    place: Place
    """the register or stack slot"""
    clause: str
    """what decides the place"""
    extension: Extension | None = None
    """what stands above the value up to `width`; `None` where nothing does"""
    width: int = 0
    """size in bytes of the register or slot that the piece occupies"""
    extension_clause: str = ""
    """what decides `extension`"""
    bit: int | None = None
    """the bit of the value at which a bit-field starts that travels alone, right-aligned, in a register"""
    bits: int | None = None
    """the width in bits of such a bit-field"""
    lane: int = 0
    """bytes that each byte of the value takes where a vector travels with its elements widened; 0 elsewhere"""
    group: str = ""
    """the ABI's name of the pair or quad of which the register is a part (`d4`)"""
    form: Form | None = None
    """how the place represents the value, where that is not its representation in memory"""
    at: int = 0
    """the bytes of the place before the value; on big-endian machines a number narrower than its place has some"""
    order: ByteOrder = "little"
    """the byte order of the value and of the place, where `form` makes another number of it"""


class Passing(Enum):
    """The way in which a parameter or result travels."""

    DIRECT = "direct"
    """its bytes are in registers or in the argument area of the stack"""
    INDIRECT = "indirect"
    """an address travels; the bytes are in memory that the caller provides"""
    IGNORED = "ignored"
    """nothing travels"""


class ParamVariable(msgspec.Struct, frozen=True, omit_defaults=True):
    """A parameter or result as PTX declares it; `align`, `size` and `offset` in bytes.

    `by_pointer` is the alignment in the prototype of a call through a pointer, 0 for the same. `offset` is that of a kernel's parameter from the first, as later architectures count; `offsets` are those of the
    architectures that count otherwise.
    """

    index: int
    align: int
    size: int
    declaration: str
    clause: str
    offset: int | None = None
    offsets: tuple[tuple[str, int], ...] = ()
    by_pointer: int = 0


class Passed(msgspec.Struct, frozen=True):
    """A parameter or result with its places.

    `mask` has one byte per byte of the value; a clear bit is padding or otherwise undefined and never compared. It
    is empty for a value of more than a mebibyte. `param` is its declaration where the ABI is one of declarations. The
    memory of an indirect value is at a multiple of `memory_align` bytes, as `memory_clause` says. A compiler that stores the
    value from its registers may write `overrun` bytes beyond it; by no text any.
    """

    name: str
    type: str
    passing: Passing
    pieces: tuple[Piece, ...]
    clause: str
    size: int
    align: int
    mask: bytes
    param: ParamVariable | None = None
    memory_align: int = 1
    memory_clause: str = ""
    overrun: int = 0

    def with_pieces(self, pieces: Iterable[Piece]) -> Passed:
        """The value with these pieces alone, where a compiler loses the bytes of others."""
        kept = tuple(pieces)
        there = {byte for piece in kept for byte in range(piece.start, piece.end)}
        mask = bytes(own if byte in there else 0 for byte, own in enumerate(self.mask))
        return msgspec.structs.replace(self, pieces=kept, mask=mask)


RESULT_POINTER = "result pointer"
"""The role of the address of the memory for a result."""
BEHIND_THE_CALL = "unimp instruction"
"""The role of the number of instructions behind a call that say that its result is in memory."""
ARGUMENT_BUFFER = "argument buffer"
"""The role of the address of a buffer that has the arguments which are elsewhere on the stack: stack slots count from there."""


class Hidden(msgspec.Struct, frozen=True):
    """An argument that the prototype does not show.

    `role` is `result pointer`, `argument buffer`, `vector count`, `condition bit` or `unimp instruction`.

    `bounds` are the least and the largest number that it may be, where the text gives no one value.
    """

    role: str
    pieces: tuple[Piece, ...]
    bounds: tuple[int, int] | None = None


class Assignment(msgspec.Struct, frozen=True):
    """All places of one call. `stack_bytes` is the size of the stack argument area in bytes.

    The callee takes `pops` of them off the stack as it returns. An argument on the stack has the area start at a
    multiple of `area_align` bytes, as the clause `area_clause` says, where that is more than every call asks for. Where more than 1 has
    no clause, a compiler is known to keep to no more than that.
    """

    params: tuple[Passed, ...]
    result: Passed | None
    hidden: tuple[Hidden, ...]
    stack_bytes: int
    pops: int = 0
    area_align: int = 1
    area_clause: str = ""


class Unspecified(msgspec.Struct, frozen=True):
    """The text is silent or contradicts itself here; `clause` says where, `why` says how."""

    clause: str
    why: str


class Unsupported(msgspec.Struct, frozen=True):
    """The target has no such type at all; `why` names it."""

    why: str
