"""The names that C gives the types of Arm's SVE, without the header that is a compiler's own."""

from __future__ import annotations

from abiprobe.oracles.lang import SVE_ELEMENTS, SvePredicate, SveVector, spelling

MOST_FIELDS = 4
"""The vectors in the longest tuple."""
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
# clang before 17 spells one of its types otherwise.
_EARLIER = ("#if __clang_major__ < 17", "#define __SVBfloat16_t __SVBFloat16_t", "#endif")
SVE_NAMES = "\n".join(
    ["#ifdef __clang__", *_EARLIER, *SVE_TYPEDEFS, "#else", '#pragma GCC aarch64 "arm_sve.h"', "#endif", ""]
)
"""What stands in a unit before it names a type of SVE: clang's header would take longer than everything else."""
