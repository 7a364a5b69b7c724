"""libclang's types as values of `abiprobe.oracles.language.lang`, as they were declared."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from abiprobe.harness.input import records
from abiprobe.harness.input.freestanding_headers import DECIMAL, DECIMALS, FLOAT16, FLOAT128
from abiprobe.harness.input.libclang import cindex, element_type, kind_of
from abiprobe.oracles.language.lang import (
    SCALABLE,
    SVE_ELEMENTS,
    Array,
    Atomic,
    BitInt,
    Complex,
    FixedKind,
    FixedPoint,
    Kind,
    Pointer,
    Scalable,
    ScalableMask,
    Scalar,
    SvePredicate,
    SveVector,
    Type,
    Typedef,
    Vector,
)

if TYPE_CHECKING:
    from abiprobe.harness.input.reading import Reading

_SPELLINGS = {
    **{kind.value: kind for kind in Kind},
    "bool": Kind.BOOL,
    "__float128": Kind.FLOAT128,
    # Types of C++ whose size, sign and alignment are those of another one ([basic.fundamental]).
    "char8_t": Kind.UCHAR,
    "char16_t": Kind.USHORT,
    "char32_t": Kind.UINT,
}
_WIDE = {2: Kind.USHORT, 4: Kind.INT}
"""The type beside `wchar_t` in C++, by its size in bytes."""
STAND_INS = {FLOAT16: Kind.FLOAT16, FLOAT128: Kind.FLOAT128} | {
    name.replace("_Decimal", DECIMAL): Kind(name) for name in DECIMALS
}
"""The typedef names of the prelude, each with the type that it stands for."""
_BIT_INT = re.compile(r"(unsigned )?_BitInt\((\d+)\)")
_FIXED_POINT = re.compile(r"(_Sat )?(unsigned )?((?:short |long )?_(?:Fract|Accum))")
_SCALABLE = re.compile(r"__rvv_(\w+?)(mf?)(\d)(?:x(\d))?_t")
_SCALABLE_MASK = re.compile(r"__rvv_bool(\d+)_t")
_ELEMENTS = {name: kind for kind, name in SCALABLE.items()}
_SVE = re.compile(r"(?:__SV|__clang_sv)([A-Za-z]+\d+)(?:x(\d))?_t")
_VECTOR = re.compile(r"vector_size__\(|(?:neon_(?:poly)?|ext_)vector_type\(|__vector ")
"""How libclang writes vectors of GNU C, NEON, OpenCL and AltiVec."""
_NEON_KINDS = {Kind.FP16: Kind.FLOAT16}
"""Stand-ins for the elements of NEON's vectors that libclang has."""
_SVE_KINDS = {Kind.FP16: Kind.FLOAT16, Kind.LONG: Kind.LLONG, Kind.ULONG: Kind.ULLONG}
"""Stand-ins for the elements that libclang has."""
_SVE_LENGTH = re.compile(r"arm_sve_vector_bits__\((\d+)")
_SVE_ELEMENTS = {name: kind for kind, name in SVE_ELEMENTS.items()}
_QUALIFIERS = re.compile(r"^(?:(?:const|volatile|restrict) )+")


def convert(reading: Reading, c_type: Any, where: Any) -> Type:
    """`c_type`, used by the declaration `where`; raises `Problem` for a type that cannot be expressed."""
    kinds = cindex().TypeKind
    match kind_of(c_type):
        case kinds.ELABORATED:
            return convert(reading, c_type.get_named_type(), where)
        case kinds.TYPEDEF:
            return _typedef(reading, c_type.get_declaration())
        case kinds.RECORD:
            return records.record(reading, c_type.get_declaration(), where)
        case kinds.ENUM:
            return records.enum(reading, c_type.get_declaration(), where)
        case kinds.LVALUEREFERENCE:
            pointee = c_type.get_pointee()
            return Pointer(_pointee(pointee), to=convert(reading, pointee, where), reference=True)
        case kinds.POINTER:
            return pointer(reading, c_type.get_pointee(), where)
        case kinds.CONSTANTARRAY:
            return Array(convert(reading, element_type(c_type), where), c_type.element_count)
        case kinds.INCOMPLETEARRAY:
            return Array(convert(reading, element_type(c_type), where), None)
        case kinds.ATOMIC:
            value = cindex().conf.lib.clang_Type_getValueType(c_type)
            return Atomic(convert(reading, value, where))
        case kinds.COMPLEX:
            return Complex(_element(reading, c_type, where, "complex"))
        case kinds.VECTOR if "arm_sve_vector_bits__(" in c_type.get_canonical().spelling:
            return _sve_of_fixed_length(reading, c_type, where)
        case kinds.VECTOR | kinds.EXTVECTOR if _VECTOR.search(c_type.get_canonical().spelling):
            return _vector(reading, c_type, where)
        case kinds.VARIABLEARRAY:
            raise reading.problem(
                where, f"a variable length array ({c_type.spelling}) has no layout to check"
            )
        case _:
            return _by_spelling(reading, c_type, where)


def _vector(reading: Reading, c_type: Any, where: Any) -> Vector:
    """A vector, however it is written: NEON's, AltiVec's and OpenCL's are those of GNU C with the same elements."""
    element = _element(reading, c_type, where, "vector")
    own = element_type(c_type).get_size()
    if element is Kind.BOOL or own * c_type.element_count != c_type.get_size():
        raise reading.problem(where, f"the vector {c_type.spelling} has bits that are no elements")
    of_gnu = "vector_size__(" in c_type.get_canonical().spelling
    return Vector(element if of_gnu else _NEON_KINDS.get(element, element), c_type.get_size())


def pointer(reading: Reading, pointee: Any, where: Any) -> Pointer:
    """A pointer to the libclang type `pointee`; raises `Problem` for one into another address space."""
    kinds = cindex().TypeKind
    canonical = pointee.get_canonical()
    if canonical.get_address_space():
        raise reading.problem(where, "attribute address_space is not something abiprobe can express")
    if kind_of(canonical) in (kinds.FUNCTIONPROTO, kinds.FUNCTIONNOPROTO):
        return Pointer(_pointee(canonical.get_result()), function=True)
    return Pointer(_pointee(pointee))


def _pointee(c_type: Any) -> str:
    """The type as the file spells it; `void` for one without a name, which libclang would call by its place."""
    text: str = c_type.spelling
    return (
        "void"
        if " at " in text
        else text.replace(FLOAT128, "_Float128")
        .replace(FLOAT16, "_Float16")
        .replace("__float128", "_Float128")
        .replace(DECIMAL, "_Decimal")
    )


def _typedef(reading: Reading, declaration: Any) -> Type:
    """A plain typedef name is its type; only one with an alignment of its own stays."""
    if declaration in reading.known:
        return reading.known[declaration]
    reading.expect_sound(declaration)
    if declaration.spelling in STAND_INS:
        return Scalar(STAND_INS[declaration.spelling])
    attributes = reading.attributes(declaration)
    base = convert(reading, declaration.underlying_typedef_type, declaration)
    align = reading.single_alignment(declaration, attributes.aligned)
    result = base if align is None else Typedef(declaration.spelling, base, align)
    reading.known[declaration] = result
    return result


def _by_spelling(reading: Reading, c_type: Any, where: Any) -> Type:
    """Types that libclang's Python module cannot name, and sugar such as `typeof`."""
    canonical = c_type.get_canonical()
    spelling = _QUALIFIERS.sub("", canonical.spelling)
    if spelling in _SPELLINGS and canonical.get_align() == c_type.get_align():
        return Scalar(_SPELLINGS[spelling])
    if spelling == "wchar_t" and canonical.get_size() in _WIDE:
        return Scalar(_WIDE[canonical.get_size()])
    bit_int = _BIT_INT.fullmatch(spelling)
    if bit_int and canonical.get_align() == c_type.get_align():
        return BitInt(int(bit_int[2]), signed=bit_int[1] is None)
    fixed = _FIXED_POINT.fullmatch(spelling)
    if fixed and canonical.get_align() == c_type.get_align():
        return FixedPoint(FixedKind(fixed[3]), fixed[2] is None, fixed[1] is not None)
    mask = _SCALABLE_MASK.fullmatch(spelling)
    if mask:
        return ScalableMask(int(mask[1]))
    scalable = _SCALABLE.fullmatch(spelling)
    if scalable and scalable[1] in _ELEMENTS:
        return _scalable(scalable)
    if spelling == "__SVBool_t":
        return SvePredicate()
    sve = _SVE.fullmatch(spelling)
    if sve and sve[1].lower() in _SVE_ELEMENTS:
        return SveVector(_SVE_ELEMENTS[sve[1].lower()], int(sve[2] or 1))
    if kind_of(canonical) != kind_of(c_type) and canonical.get_align() == c_type.get_align():
        return convert(reading, canonical, where)
    raise reading.problem(
        where, f"the type {c_type.spelling} ({canonical.spelling}) is not something abiprobe can express"
    )


def _scalable(found: re.Match[str]) -> Scalable:
    """A scalable vector by its name: element, LMUL (`m2`, or `mf2` for a half), fields of a tuple."""
    lmul = int(found[3])
    return Scalable(_ELEMENTS[found[1]], 8 * lmul if found[2] == "m" else 8 // lmul, int(found[4] or 1))


def _sve_of_fixed_length(reading: Reading, c_type: Any, where: Any) -> SveVector | SvePredicate:
    """A vector, or a predicate, for whose bits libclang has bytes, an eighth of them."""
    kind = _element(reading, c_type, where, "vector")
    said = _SVE_LENGTH.search(c_type.get_canonical().spelling)
    if said is not None and int(said[1]) == 8 * c_type.element_count:
        return SvePredicate(8 * int(said[1]))
    return SveVector(_SVE_KINDS.get(kind, kind), bits=8 * c_type.get_size())


def _element(reading: Reading, c_type: Any, where: Any, what: str) -> Kind:
    element = convert(reading, element_type(c_type), where)
    while isinstance(element, Typedef):
        element = element.base
    if not isinstance(element, Scalar):
        raise reading.problem(where, f"a {what} type of {element_type(c_type).spelling} is not supported")
    return element.kind
