"""Questions that the text leaves open: homogeneous aggregates, and composites whose alignment has two readings."""

from __future__ import annotations

from abiprobe.oracles.abis.aarch64.calls import natural_alignment
from abiprobe.oracles.abis.aarch64.data import QUAD
from abiprobe.oracles.abis.aarch64.general import DOUBLE_WORD
from abiprobe.oracles.abis.aarch64.homogeneous import Homogeneous
from abiprobe.oracles.engine.leaves import leaves
from abiprobe.oracles.engine.records import PACKING, round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Vector, spelling
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
REAL = cite("homogeneous.real")
VECTORS = cite("homogeneous.vectors")
ALIGNED_TYPE = cite("pass.aligned-type")
REALS = (4, 8)
"""Sizes in bytes of the floating-point members that the text knows."""


@implements("homogeneous.real", "homogeneous.vectors")
def check_members(types: TypeTable, value: Travelling, group: Homogeneous) -> None:
    """Raises `SilentError` for an HFA or HVA of Arm's that the text may not have for one."""
    if types.reading is not None:
        return
    vectors = {leaf.type for leaf in leaves(types, value.type) if isinstance(leaf.type, Vector)}
    if len(vectors) > 1:
        # [windows_arm64:homogeneous.vectors]
        raise SilentError(VECTORS, f"{spelling(value.declared)} has vectors with different elements")
    if not vectors and group.size not in REALS:
        # [windows_arm64:homogeneous.real]
        raise SilentError(REAL, f"{spelling(value.declared)} has reals of {group.size} bytes")


def least_alignment(types: TypeTable, value: Travelling) -> int:
    """The alignment in bytes of a composite that the text is sure of."""
    natural = natural_alignment(types, value.type)
    return PACKING if types.extent(value.type).loose else min(natural, QUAD)


def placing_alignment(types: TypeTable, value: Travelling) -> int:
    """The alignment in bytes by which a composite has its place: to clang that of the whole type, if that is more than a double-word long."""
    if types.reading is None:
        return natural_alignment(types, value.type)
    whole = types.extent(value.type).align
    return whole if occupied(types, value) > DOUBLE_WORD else DOUBLE_WORD


def occupied(types: TypeTable, value: Travelling) -> int:
    """The bytes that a composite takes; a compiler may round those of one without bytes up to its alignment."""
    whole = types.extent(value.type).align
    return round_up(value.size, whole) if types.policies.rounded_to_alignment else value.size


@implements("pass.aligned-type")
def check_offset(types: TypeTable, value: Travelling, used: int) -> None:
    """Raises `SilentError` if it is not settled where a composite lies behind so many bytes of the stack."""
    if types.reading is not None:
        return
    least = max(DOUBLE_WORD, least_alignment(types, value))
    most = max(DOUBLE_WORD, natural_alignment(types, value.type), value.align)
    if round_up(used, least) != round_up(used, most):
        clause = types.extent(value.type).loose or ALIGNED_TYPE
        raise SilentError(clause, f"{value.name or 'the result'} is aligned to {least} or to {most}")
