"""C types and prototypes as frozen values.

Nothing here has a size: how large an `int` is, where a member lies and which register takes it are answers
that belong to a model of a written ABI (`abiprobe.oracles.model`). Every value can be written as JSON and read
back (`encode`, `decode`), compares by structure, and can be a dictionary key.
"""

from __future__ import annotations

from enum import Enum as PyEnum
from functools import lru_cache
from typing import TypeAlias

import msgspec

from abiprobe.oracles.language.names import (
    Bits,
    Bytes,
    Constant,
    Count,
    Identifier,
    MaybeIdentifier,
    ParameterName,
    Spelled,
    Symbol,
)
from abiprobe.oracles.language.simd import Simd


class Kind(PyEnum):
    """An arithmetic type that has a name of its own; the value is its C spelling."""

    BOOL = "_Bool"
    CHAR = "char"
    SCHAR = "signed char"
    UCHAR = "unsigned char"
    SHORT = "short"
    USHORT = "unsigned short"
    INT = "int"
    UINT = "unsigned int"
    LONG = "long"
    ULONG = "unsigned long"
    LLONG = "long long"
    ULLONG = "unsigned long long"
    INT128 = "__int128"
    UINT128 = "unsigned __int128"
    FLOAT16 = "_Float16"
    FP16 = "__fp16"
    BF16 = "__bf16"
    FLOAT = "float"
    DOUBLE = "double"
    LDOUBLE = "long double"
    FLOAT128 = "_Float128"
    DECIMAL32 = "_Decimal32"
    DECIMAL64 = "_Decimal64"
    DECIMAL128 = "_Decimal128"

    __hash__ = object.__hash__  # that of enumerations is written in Python, and kinds are keys everywhere

    @property
    def is_floating(self) -> bool:
        """Return whether this is a real floating type."""
        return self in FLOATING

    @property
    def is_int128(self) -> bool:
        """Return whether this is `__int128`, signed or unsigned."""
        return self in (Kind.INT128, Kind.UINT128)

    @property
    def is_integer(self) -> bool:
        """Return whether this is an integer type (`_Bool` and `char` included)."""
        return self not in FLOATING


DECIMAL = frozenset({Kind.DECIMAL32, Kind.DECIMAL64, Kind.DECIMAL128})
"""The decimal ones of the real floating types."""
FLOATING = DECIMAL | {
    Kind.FLOAT16,
    Kind.FP16,
    Kind.BF16,
    Kind.FLOAT,
    Kind.DOUBLE,
    Kind.LDOUBLE,
    Kind.FLOAT128,
}
UNSIGNED = frozenset(
    {Kind.BOOL, Kind.UCHAR, Kind.USHORT, Kind.UINT, Kind.ULONG, Kind.ULLONG, Kind.UINT128},
)


SCALABLE = {
    Kind.SCHAR: "int8",
    Kind.UCHAR: "uint8",
    Kind.SHORT: "int16",
    Kind.USHORT: "uint16",
    Kind.INT: "int32",
    Kind.UINT: "uint32",
    Kind.LLONG: "int64",
    Kind.ULLONG: "uint64",
    Kind.FLOAT: "float32",
    Kind.DOUBLE: "float64",
}
"""The elements of scalable vectors, as their types have them in their names."""

SVE_ELEMENTS = {**SCALABLE, Kind.FLOAT16: "float16", Kind.BF16: "bfloat16"}
"""The elements of vectors of SVE, as their types have them in their names."""


class Value(msgspec.Struct, frozen=True, tag=True, omit_defaults=True, cache_hash=True):
    """Base of every C type: immutable, hashable, tagged with its class name in JSON."""


class Scalar(Value, frozen=True):
    """An integer or real floating type with a name of its own."""

    kind: Kind


class BitInt(Value, frozen=True):
    """`_BitInt(width)` of C23; `width` in bits, the sign bit included."""

    width: Bits
    signed: bool = True


class FixedKind(PyEnum):
    """A fixed-point type of ISO/IEC TR 18037 but for its sign and `_Sat`; the value is its C spelling."""

    SHORT_FRACT = "short _Fract"
    FRACT = "_Fract"
    LONG_FRACT = "long _Fract"
    SHORT_ACCUM = "short _Accum"
    ACCUM = "_Accum"
    LONG_ACCUM = "long _Accum"

    __hash__ = object.__hash__  # as for `Kind`


class FixedPoint(Value, frozen=True):
    """A fixed-point type of ISO/IEC TR 18037; a `saturating` one is `_Sat`."""

    kind: FixedKind
    signed: bool = True
    saturating: bool = False


class Complex(Value, frozen=True):
    """`kind _Complex`; `kind` is a real floating type or, in GNU C, an integer type."""

    kind: Kind

    @property
    def is_integer(self) -> bool:
        """Return whether this is a complex integer of GNU C."""
        return self.kind.is_integer


class Enumerator(msgspec.Struct, frozen=True, omit_defaults=True):
    """One named constant of an enumeration."""

    name: Identifier
    value: Constant


class Enum(Value, frozen=True):
    """`enum tag { ... }`; `packed` is the GNU attribute that shrinks it to its values."""

    tag: MaybeIdentifier
    enumerators: tuple[Enumerator, ...]
    packed: bool = False


class Pointer(Value, frozen=True):
    """A pointer to an object or, when `function` is set, to a function.

    `pointee` is the pointed-to type as C spells it, for people; no ABI here passes pointers by what they
    point to. `to` is the same as a value, where a pragma counts in elements of it; `reference` makes it a C++ reference.
    """

    pointee: Spelled = ""
    function: bool = False
    to: Type | None = None
    reference: bool = False


class Array(Value, frozen=True):
    """`element[length]`; a `length` of `None` is a flexible array member."""

    element: Type
    length: Count | None


class Vector(Value, frozen=True):
    """A GNU vector: `kind __attribute__((vector_size(size)))`; `size` in bytes."""

    kind: Kind
    size: Bytes


class Scalable(Value, frozen=True):
    """A scalable vector of RISC-V's V extension: `fields` groups of `eighths` / 8 registers (LMUL), in elements of `kind`."""

    kind: Kind
    eighths: Count = 8
    fields: Count = 1


class ScalableMask(Value, frozen=True):
    """A mask of RISC-V's V extension: a bit for each element of a vector whose SEW / LMUL is `ratio`."""

    ratio: Count


class SveVector(Value, frozen=True):
    """A vector of Arm's SVE with elements of `kind`, as long as a register; a tuple of `fields` such vectors where that is not 1.

    Where `bits` says how long registers are (the attribute `arm_sve_vector_bits`), records may have members of the type.
    """

    kind: Kind
    fields: Count = 1
    bits: Bits | None = None


class SvePredicate(Value, frozen=True):
    """A predicate of Arm's SVE, `svbool_t`: a bit for each byte of a vector, of `bits` where that is said."""

    bits: Bits | None = None


class Atomic(Value, frozen=True):
    """`_Atomic(base)`."""

    base: Type


class Typedef(Value, frozen=True):
    """A typedef name; `align` (bytes) is its `aligned` attribute, which may raise or lower the alignment."""

    name: Identifier
    base: Type
    align: Bytes | None = None


class Position(PyEnum):
    """The position of a member's attributes in its declaration; compilers bind them differently."""

    AFTER = "after"
    """behind the declarator: `int *p __attribute__((...));`"""
    BEFORE = "before"
    """before the type: `__attribute__((...)) int *p;`"""
    SPECIFIER = "specifier"
    """behind the type specifier: `int __attribute__((...)) *p;`"""
    POINTER = "pointer"
    """between the star and the name, of a pointer only: `int * __attribute__((...)) p;`"""


class Member(msgspec.Struct, frozen=True, omit_defaults=True, cache_hash=True):
    """One member of a record.

    `name` is empty for an unnamed bit-field and for an anonymous struct or union. `width` (bits) makes it a
    bit-field. `packed` and `align` (bytes) are the GNU attributes, written at `position`; `alignas` (bytes) is
    `_Alignas`.
    """

    type: Type
    name: MaybeIdentifier = ""
    width: Bits | None = None
    packed: bool = False
    align: Bytes | None = None
    alignas: Bytes | None = None
    position: Position = Position.AFTER


class Record(Value, frozen=True):
    """A struct or union.

    `packed` and `align` (bytes) are the GNU attributes of the record; `pack` (bytes) is the value of
    `#pragma pack` in force at its closing brace. `ms_struct` is true for the attribute of that name, false for
    `gcc_struct`.
    """

    tag: MaybeIdentifier
    members: tuple[Member, ...]
    union: bool = False
    packed: bool = False
    align: Bytes | None = None
    pack: Bytes | None = None
    ms_struct: bool | None = None

    @property
    def keyword(self) -> str:
        """`struct` or `union`."""
        return "union" if self.union else "struct"


Type: TypeAlias = (
    Scalar
    | BitInt
    | FixedPoint
    | Complex
    | Enum
    | Pointer
    | Array
    | Vector
    | Scalable
    | ScalableMask
    | SveVector
    | SvePredicate
    | Atomic
    | Typedef
    | Record
)


class Param(msgspec.Struct, frozen=True, omit_defaults=True, cache_hash=True):
    """A parameter: its name and its type (never an array: C passes those as pointers)."""

    name: ParameterName
    type: Type


class Convention(PyEnum):
    """A calling convention that an attribute of the function asks for; the value is the attribute's name."""

    STDCALL = "stdcall"
    """i386: the callee takes its arguments off the stack"""
    FASTCALL = "fastcall"
    """i386: as `stdcall`, with two arguments in registers"""
    THISCALL = "thiscall"
    """i386: as `stdcall`, with one argument in a register"""
    MS_ABI = "ms_abi"
    """x86-64: Microsoft's convention"""
    SYSV_ABI = "sysv_abi"
    """x86-64: System V's convention, where Microsoft's is the usual one"""
    RISCV_VECTOR = "riscv_vector_cc"
    """RISC-V: the standard vector calling convention variant"""
    VECTORCALL = "vectorcall"
    """x86: Microsoft's convention with more arguments in registers, as clang has it"""
    REGCALL = "regcall"
    """x86: Intel's convention with as many arguments in registers as fit"""
    PRESERVE_MOST = "preserve_most"
    """clang: the usual convention, where the callee preserves most general registers"""
    PRESERVE_ALL = "preserve_all"
    """clang: the same, where it preserves vector registers as well"""


POPPING = frozenset({Convention.STDCALL, Convention.FASTCALL, Convention.THISCALL})
"""Conventions by which the callee takes its arguments off the stack."""
PRESERVING = frozenset({Convention.PRESERVE_MOST, Convention.PRESERVE_ALL})
"""Conventions that compilers have on many targets, and no text describes."""


class Isa(PyEnum):
    """Instructions that the `target` attribute allows a function of x86; the value is what it asks for."""

    AVX = "avx"
    """vector registers of 32 bytes"""
    AVX512 = "avx512f"
    """vector registers of 64 bytes"""

    @property
    def vectors(self) -> int:
        """Bytes of the largest vector register."""
        return 64 if self is Isa.AVX512 else 32


class Prototype(msgspec.Struct, frozen=True, omit_defaults=True, cache_hash=True, tag=True):
    """A function prototype, and for a variadic one the types of the unnamed arguments of one call.

    `result` is `None` for `void`. `unnamed` holds types after the default argument promotions. `simd` are the
    pragmas that make it a vector function. A `vertex` is what the supervisor of an IPU starts a worker with, and no
    function that C calls. `convention` and `regparm` (how many registers take
    arguments, i386) are the attributes of those names, and `isa` is what its `target` attribute adds to the vector
    registers; `None` is the default.
    A `kernel` is entered from the host of an accelerator. `symbol` is the name for the assembler where it is not `name`.
    """

    name: Identifier
    result: Type | None
    params: tuple[Param, ...]
    variadic: bool = False
    unnamed: tuple[Type, ...] = ()
    simd: tuple[Simd, ...] = ()
    vertex: bool = False
    convention: Convention | None = None
    regparm: Count | None = None
    kernel: bool = False
    symbol: Symbol = ""
    isa: Isa | None = None

    @property
    def arguments(self) -> tuple[Param, ...]:
        """The arguments of a call: the parameters, then the unnamed arguments, which are called `...0`, `...1` and so on."""
        if not self.unnamed:
            return self.params
        extra = (Param(f"...{index}", c_type) for index, c_type in enumerate(self.unnamed))
        return (*self.params, *extra)

    @property
    def types(self) -> tuple[Type, ...]:
        """The types of the values of a call: that of the result, if there is one, then those of the arguments."""
        result = () if self.result is None else (self.result,)
        return (*result, *[param.type for param in self.params], *self.unnamed)


def unnamed(c_type: Type) -> Type:
    """The type behind typedef names. C gives no access to the members of an atomic record, so that one stays atomic."""
    while isinstance(c_type, Typedef):
        c_type = c_type.base
    return c_type


def is_atomic(c_type: Type) -> bool:
    """Return whether a type is atomic, also through a typedef name."""
    return isinstance(unnamed(c_type), Atomic)


def strip(c_type: Type) -> Type:
    """The type under typedef names and `_Atomic`: what a calling convention classifies."""
    while isinstance(c_type, (Typedef, Atomic)):
        c_type = c_type.base
    return c_type


def innermost(c_type: Type) -> Type:
    """The element of an array of arrays, typedef names removed."""
    while isinstance(c_type, (Array, Typedef)):
        c_type = c_type.element if isinstance(c_type, Array) else c_type.base
    return c_type


def spelling(c_type: Type | None) -> str:
    """The type as C spells it in a declaration without a declarator: `struct S`, `int[3]`, `void`."""
    match c_type:
        case None:
            return "void"
        case Scalar(kind):
            return kind.value
        case BitInt(width, signed):
            return f"_BitInt({width})" if signed else f"unsigned _BitInt({width})"
        case FixedPoint(kind, signed, saturating):
            return f"{'_Sat ' if saturating else ''}{'' if signed else 'unsigned '}{kind.value}"
        case Complex(kind):
            return f"{kind.value} _Complex"
        case Enum(tag=tag):
            return f"enum {tag}"
        case Pointer(pointee, reference=True):
            return f"{pointee} &"
        case Pointer(pointee, function):
            return f"{pointee or 'void'} (*)(void)" if function else f"{pointee or 'void'} *"
        case Array():
            lengths, inner = "", c_type.element
            outer: Type = c_type
            while isinstance(outer, Array):
                lengths += f"[{'' if outer.length is None else outer.length}]"
                outer = inner = outer.element
            return spelling(inner) + lengths
        case Vector(kind, size):
            return f"{kind.value} __attribute__((vector_size({size})))"
        case Scalable(kind, eighths, fields):
            group = f"m{eighths // 8}" if eighths >= 8 else f"mf{8 // eighths}"
            return f"__rvv_{SCALABLE[kind]}{group}{f'x{fields}' if fields > 1 else ''}_t"
        case ScalableMask(ratio):
            return f"__rvv_bool{ratio}_t"
        case SveVector(kind, fields, bits):
            return f"sv{SVE_ELEMENTS[kind]}{f'x{fields}' if fields > 1 else ''}{'' if bits is None else f'_{bits}'}_t"
        case SvePredicate(bits):
            return "svbool_t" if bits is None else f"svbool_{bits}_t"
        case Atomic(base):
            return f"_Atomic({spelling(base)})"
        case Typedef(name=name):
            return name
        case Record():
            return f"{c_type.keyword} {c_type.tag}".rstrip()


@lru_cache(maxsize=1 << 12)
def unsaid_part(c_type: Type) -> Complex | FixedPoint | None:
    """The first type in `c_type`, itself included, that no ABI document has: a complex integer or a fixed-point type."""
    match c_type:
        case Complex():
            return c_type if c_type.is_integer else None
        case FixedPoint():
            return c_type
        case _:
            parts = map(unsaid_part, components(c_type))
            return next((part for part in parts if part is not None), None)


def components(c_type: Type) -> tuple[Type, ...]:
    """The types a type is directly made of: element, base, or the types of its members."""
    match c_type:
        case Array(element=element):
            return (element,)
        case Atomic(base=base) | Typedef(base=base):
            return (base,)
        case Record(members=members):
            return tuple(member.type for member in members)
        case _:
            return ()


def widest_vector(function: Prototype) -> int:
    """The bytes of the largest vector in what a function takes and returns; 0 where there is none."""
    return max(map(_widest, function.types), default=0)


def _widest(c_type: Type) -> int:
    own = c_type.size if isinstance(c_type, Vector) else 0
    return max((own, *map(_widest, components(c_type))))


def declared(types: tuple[Type, ...]) -> tuple[Record | Enum | Typedef, ...]:
    """Every tag and typedef name that must be declared before `types` can be used, innermost first."""
    found: dict[Record | Enum | Typedef, None] = {}

    def visit(c_type: Type) -> None:
        for inner in components(c_type):
            visit(inner)
        if isinstance(c_type, (Record, Enum, Typedef)):
            found.setdefault(c_type)

    for c_type in types:
        visit(c_type)
    return tuple(found)
