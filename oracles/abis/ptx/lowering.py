""".param declarations of C types: the table of the Writer's Guide, 3.3, and the choices of compiler families for the rest."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import msgspec

from abiprobe.oracles.abis.ptx.clang_ir import greatest, ir_align
from abiprobe.oracles.abis.ptx.families import Family
from abiprobe.oracles.abis.ptx.nvcc_storage import has_mismatched_storage
from abiprobe.oracles.abis.ptx.parameter import Parameter, array, scalar
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    BitInt,
    Complex,
    FixedPoint,
    Kind,
    Pointer,
    Record,
    Scalable,
    ScalableMask,
    Scalar,
    SvePredicate,
    SveVector,
    Type,
    Typedef,
    Vector,
    spelling,
    strip,
)
from abiprobe.oracles.language.lang import Enum as CEnum
from abiprobe.oracles.text.clause import citing, load_sheet

cite, implements = citing("abiprobe.oracles.abis.ptx.guide")
SHEET = load_sheet(__package__)
NARROW = cite("pass.narrow")
WIDE = cite("pass.wide")
POINTER = cite("pass.pointer")
FLOAT = cite("pass.float")
AGGREGATE = cite("pass.aggregate")
KERNEL = cite("pass.kernel")
HALF = cite("pass.half")
INT128 = cite("pass.int128")
VECTOR = cite("pass.vector")
COMPLEX = cite("pass.complex")
BIT_INT = cite("pass.bit-int")
EMPTY = cite("pass.empty")
OVER_ALIGNED = cite("pass.over-aligned")
OTHER_SCALAR = cite("dialect.scalar")
OTHER_EMPTY = cite("dialect.empty")
MISMATCHED = cite("dialect.torn")
TYPEDEF = cite("pass.typedef")
OTHER_TYPEDEF = cite("dialect.typedef")
OTHER_HALF = cite("dialect.half")
LONG_DOUBLE = cite("dialect.long-double")
LEAST_ALIGN = cite("dialect.least-align")
IR_PARAM = cite("dialect.ir-param")
IR_RESULT = cite("dialect.ir-result")
IR_UNKNOWN = cite("dialect.ir-unknown")

LARGEST_ALIGN = 128
WORD = 4
HALVES = (Kind.FLOAT16, Kind.BF16)


class Role(Enum):
    """The role of a declaration."""

    PARAM = "parameter of a device function"
    RESULT = "result of a device function"
    KERNEL = "parameter of a kernel"


@dataclass(frozen=True)
class Lowered:
    """The declaration of a C type in a role, with the clause that gave it."""

    param: Parameter
    clause: str


def lower(types: TypeTable, family: Family, c_type: Type, role: Role) -> Lowered:
    """The declaration of a parameter or result of type `c_type`.

    Raises `SilentError` where the guide has none, `AbsentError` for a type that the family lacks.
    """
    own = strip(c_type)
    lowered = stripped(types, family, own, role)
    align = types.extent(c_type).align
    if lowered.param.length is None or align == types.extent(own).align:
        return lowered
    return under_typedef(family, c_type, lowered, align)


@implements("pass.typedef", "dialect.typedef")
def under_typedef(family: Family, c_type: Type, lowered: Lowered, align: int) -> Lowered:
    """A declaration where a typedef gives another alignment; raises `SilentError` where the text has none."""
    if family.typedefs is None:
        raise SilentError(TYPEDEF, f"a typedef aligns {spelling(strip(c_type))} to {align} bytes")
    if not family.typedefs:
        return lowered
    if align > LARGEST_ALIGN:
        raise SilentError(OVER_ALIGNED, f"{spelling(c_type)} is aligned to {align} bytes")
    return Lowered(msgspec.structs.replace(lowered.param, declared=align), OTHER_TYPEDEF)


def stripped(types: TypeTable, family: Family, own: Type, role: Role) -> Lowered:
    """The declaration of a type without typedef names."""
    size = types.extent(own).size
    if family.mismatched_storage and not isinstance(own, Scalar) and has_mismatched_storage(types, own):
        raise SilentError(MISMATCHED, f"{spelling(own)} is stored elsewhere than sizeof and offsetof say")
    match own:
        case Scalar(kind) if kind in HALVES:
            return half(family, own)
        case Scalar(kind) if kind.is_int128:
            return other(family, own, INT128, 16, 16)
        case Scalar(Kind.LDOUBLE):
            return Lowered(scalar(8, "f" if role is Role.KERNEL else "b"), LONG_DOUBLE)
        case Scalar(Kind.FLOAT | Kind.DOUBLE):
            return Lowered(scalar(size, "f" if role is Role.KERNEL else "b"), FLOAT)
        case Pointer():
            return integer(size, role, POINTER)
        case Scalar() | CEnum():
            return integer(size, role, WIDE if size > WORD else NARROW)
        case BitInt(width):
            if not family.bit_int or width > 64:
                raise SilentError(BIT_INT, spelling(own))
            return integer(size, role, BIT_INT)
        case FixedPoint():
            raise SilentError(types.extent(own).clause, spelling(own))
        case Complex(kind):
            return other(family, own, COMPLEX, size, types.data.kind(kind).align)
        case Vector():
            rounded = 1 << (size - 1).bit_length()
            return other(family, own, VECTOR, rounded, rounded)
        case Record():
            return aggregate(types, family, own, role)
        case Array() | Typedef() | Atomic() | Scalable() | ScalableMask() | SveVector() | SvePredicate():
            raise AbsentError(f"{spelling(own)} is not passed by value")


@implements("pass.narrow", "pass.wide", "pass.pointer", "pass.kernel")
def integer(size: int, role: Role, clause: str) -> Lowered:
    """An integer is widened to 32 bits for a device function, and keeps its size for a kernel."""
    if role is Role.KERNEL:
        return Lowered(scalar(size, "u"), KERNEL if size < WORD else clause)
    # [ptx_guide:pass.narrow] [ptx_guide:pass.wide] [ptx_guide:pass.pointer]
    return Lowered(scalar(max(size, WORD)), clause)


@implements("pass.half", "dialect.half")
def half(family: Family, c_type: Scalar) -> Lowered:
    """A 16-bit floating-point type, which the guide forbids to pass."""
    if not family.extensions:
        raise SilentError(HALF, spelling(c_type))
    if not family.halves:
        raise AbsentError(f"{spelling(c_type)} is not passed in one way by this compiler")
    return Lowered(array(2, 2), OTHER_HALF)


@implements("dialect.scalar")
def other(family: Family, c_type: Type, silent: str, size: int, align: int) -> Lowered:
    """A type that the guide does not know, as every compiler passes it: an array of bytes."""
    if not family.extensions:
        raise SilentError(silent, spelling(c_type))
    if align > LARGEST_ALIGN:
        raise SilentError(OVER_ALIGNED, f"{spelling(c_type)} is aligned to {align} bytes")
    return Lowered(array(align, size), OTHER_SCALAR)


@SHEET.implements("aggregate.bytes")
@implements("pass.aggregate", "pass.aggregate-align", "dialect.least-align")
def aggregate(types: TypeTable, family: Family, c_type: Type, role: Role) -> Lowered:
    """A record is an array of its bytes with its alignment."""
    extent = types.extent(c_type)
    if not extent.size and not family.empty:
        raise SilentError(EMPTY, spelling(c_type))
    # [ptx_guide:pass.aggregate-align]
    align, clause = extent.align, AGGREGATE if extent.size else OTHER_EMPTY
    policies = types.policies
    if role is Role.RESULT and policies.llvm_results:
        align, clause = known(ir_align(types, c_type), c_type), IR_RESULT
    elif role is not Role.RESULT and policies.llvm_params:
        align, clause = raised(types, c_type, align, clause)
    if role is Role.PARAM and align < policies.least_param_align:
        align, clause = policies.least_param_align, LEAST_ALIGN
    if align > LARGEST_ALIGN and role is not Role.KERNEL:
        raise SilentError(OVER_ALIGNED, f"{spelling(c_type)} is aligned to {align} bytes")
    return Lowered(array(align, extent.size), clause)


@implements("dialect.ir-param")
def raised(types: TypeTable, c_type: Type, align: int, clause: str) -> tuple[int, str]:
    """The alignment of a parameter, not below that of its LLVM type, and the clause for it: that given, or that of the type."""
    own = ir_align(types, c_type)
    if own is None and greatest(types, c_type) <= align:
        own = align
    ir = known(own, c_type)
    return (ir, IR_PARAM) if ir > align else (align, clause)


@implements("dialect.ir-result")
def known(align: int | None, c_type: Type) -> int:
    """The alignment of an LLVM type, if it can be told."""
    if align is None:
        raise SilentError(IR_UNKNOWN, f"{spelling(c_type)} has members whose storage only clang knows")
    return align
