"""Scalable vectors, masks and predicates in memory, for registers of a known width.

Those of RISC-V's V extension are described in its 3.4 and 4, those of SVE in AAPCS64 5.1, 5.6 and 5.7.
"""

from __future__ import annotations

from abiprobe.oracles.engine.attributes import Extent
from abiprobe.oracles.engine.data_model import DataModel
from abiprobe.oracles.engine.silence import AbsentError
from abiprobe.oracles.language.lang import Scalable, ScalableMask, SvePredicate, SveVector, spelling


def scalable_extent(data: DataModel, c_type: Scalable | ScalableMask) -> Extent:
    """Size and alignment in bytes of what one of the type takes in memory; raises `AbsentError` without registers."""
    if not data.vector_bits:
        raise AbsentError(f"{spelling(c_type)} is not a type of this ABI")
    if isinstance(c_type, ScalableMask):
        return Extent(-(-mask_bits(data, c_type) // 8), 1, data.scalable_clause)
    size = data.vector_bits * c_type.eighths * c_type.fields // 64
    return Extent(size, data.kind(c_type.kind).size, data.scalable_clause)


def mask_bits(data: DataModel, c_type: ScalableMask) -> int:
    """Return the number of elements that a mask covers."""
    return data.vector_bits // c_type.ratio


SVE_ALIGN, PREDICATE_ALIGN = 16, 2
"""The alignments in bytes of a vector and of a predicate of SVE."""


def sve_extent(data: DataModel, c_type: SveVector | SvePredicate) -> Extent:
    """Size and alignment in bytes of a vector, a tuple or a predicate of SVE; raises `AbsentError` without registers."""
    if not data.sve_bits or c_type.bits not in {None, data.sve_bits}:
        raise AbsentError(f"{spelling(c_type)} is not a type of this ABI")
    if isinstance(c_type, SvePredicate):
        return Extent(data.sve_bits // 64, PREDICATE_ALIGN, data.scalable_clause)
    return Extent(data.sve_bits // 8 * c_type.fields, SVE_ALIGN, data.scalable_clause)
