"""The names that C gives the types of Arm's SVE, without the header that is a compiler's own."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from abiprobe.oracles.language.lang import SVE_ELEMENTS, SvePredicate, SveVector, spelling

MOST_FIELDS = 4
"""The vectors in the longest tuple."""
SVE_BITS = 256
"""The length of a vector register where calls are asked: more than that of the SIMD register which it extends."""
SVE_TYPES: tuple[SveVector | SvePredicate, ...] = (
    SvePredicate(),
    *(SveVector(kind, fields) for fields in range(1, MOST_FIELDS + 1) for kind in SVE_ELEMENTS),
)
"""Every type of SVE that is asked about."""


def _internal(c_type: SveVector | SvePredicate) -> str:
    """The name that clang has for a type without any declaration."""
    if isinstance(c_type, SvePredicate):
        return "__SVBool_t"
    if c_type.fields > 1:
        return f"__clang_{spelling(c_type)}"
    return f"__SV{SVE_ELEMENTS[c_type.kind].capitalize()}_t"


SVE_TYPEDEFS = tuple(f"typedef {_internal(c_type)} {spelling(c_type)};" for c_type in SVE_TYPES)
"""The names of the header `arm_sve.h`, as clang's own types."""
SVE_FIXED: tuple[SveVector | SvePredicate, ...] = (
    SvePredicate(SVE_BITS),
    *(SveVector(kind, bits=SVE_BITS) for kind in SVE_ELEMENTS),
)
"""Every type that the attribute `arm_sve_vector_bits` makes of one of SVE. Its names are of typedefs, as C has no other way."""


def fixed_typedef(c_type: SveVector | SvePredicate) -> str:
    """The definition of the name of a type whose length is said."""
    plain = replace(c_type, bits=None)
    asked = f"__attribute__((arm_sve_vector_bits({c_type.bits})))"
    return f"typedef {spelling(plain)} {spelling(c_type)} {asked};"


def fixed_typedefs(types: Iterable[SveVector | SvePredicate]) -> tuple[str, ...]:
    """The definitions of the names of some types whose length is said, where the registers have this length."""
    return (f"#if __ARM_FEATURE_SVE_BITS == {SVE_BITS}", *map(fixed_typedef, types), "#endif")


SVE_FIXED_TYPEDEFS = fixed_typedefs(SVE_FIXED)
# clang before 17 spells one of its types otherwise.
_EARLIER = ("#if __clang_major__ < 17", "#define __SVBfloat16_t __SVBFloat16_t", "#endif")
SVE_NAMES = "\n".join(
    ("#ifdef __clang__", *_EARLIER, *SVE_TYPEDEFS, "#else", '#pragma GCC aarch64 "arm_sve.h"', "#endif", "")
)
"""The line of a unit before it names a type of SVE: clang's header would take longer than everything else."""
