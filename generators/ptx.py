"""Random signatures of PTX: device functions whose parameters crowd the registers, and kernels of mixed alignments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abiprobe.generators.draw import Draw, SeededDraw
from abiprobe.oracles.abis.ptx.parameter import Parameter, Signature, Space, array

if TYPE_CHECKING:
    from hypothesis import strategies as st

_SCALARS = ("b32", "b64", "b32", "f32", "f64", "u32", "s64", "b8", "b16", "f16", "b64")
_REGISTERS = ("b32", "b64", "u32", "f32", "f64", "s64")
_KERNEL_SCALARS = ("u32", "u64", "u8", "u16", "f32", "f64", "b64", "s8", "b32")
_ELEMENTS = ("b64", "b32", "b16", "f64", "f32", "u64")
_ALIGNS = (4, 8, 1, 2, 16, 4, 8, 1, 16, 32, 64, 128)
_KERNEL_ALIGNS = (*_ALIGNS, 256)
_SIZES = (4, 8, 12, 16, 1, 2, 3, 5, 6, 7, 9, 11, 13, 20, 24, 31, 36, 44, 47, 48, 49, 52, 64)
_COUNTS = (1, 2, 3, 0, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20)
_LARGE = 200
_EDGE = 4200
"""Bytes of a large parameter of a kernel at least; older versions allow 4,352 together."""


def device_signatures() -> st.SearchStrategy[Signature]:
    """Signatures of device functions that ptxas takes, for `@given`."""
    from abiprobe.generators.shrinking import made

    return made(a_device_signature)


def device_pool(seed: int, count: int) -> tuple[Signature, ...]:
    """`count` signatures of device functions; the same seed gives the same."""
    draw = SeededDraw(seed)
    return tuple(a_device_signature(draw) for _ in range(count))


def kernel_pool(seed: int, count: int) -> tuple[Signature, ...]:
    """`count` signatures of kernels; the same seed gives the same."""
    draw = SeededDraw(seed)
    return tuple(a_kernel_signature(draw) for _ in range(count))


def large_kernel_pool(seed: int, count: int) -> tuple[Signature, ...]:
    """`count` signatures of kernels with about as many bytes as versions before 8.1 allow; the same seed gives the same."""
    draw = SeededDraw(seed)
    return tuple(a_large_kernel_signature(draw) for _ in range(count))


def a_device_signature(draw: Draw) -> Signature:
    """One signature of a device function; rarely its last parameter is an array without a size."""
    count = draw.pick(_COUNTS)
    result = _returned(draw) if draw.below(3) else None
    params = [_parameter(draw) for _ in range(count)]
    if draw.below(24) == 23:
        params.append(array(draw.pick(_ALIGNS[:5]), 0))
    return Signature(tuple(params), result)


def a_kernel_signature(draw: Draw) -> Signature:
    """One signature of a kernel."""
    return Signature(tuple(_kernel_parameter(draw) for _ in range(draw.pick(_COUNTS))))


def a_large_kernel_signature(draw: Draw) -> Signature:
    """One signature of a kernel on either side of the limit of older versions: few parameters, and a large one."""
    before = [_kernel_parameter(draw) for _ in range(draw.below(4))]
    after = [_kernel_parameter(draw) for _ in range(draw.below(2))]
    return Signature((*before, array(draw.pick(_KERNEL_ALIGNS), _EDGE + draw.below(_LARGE)), *after))


def _parameter(draw: Draw) -> Parameter:
    kind = draw.below(8)
    if kind < 3:
        return Parameter(draw.pick(_SCALARS))
    if kind == 3:
        return Parameter(draw.pick(_REGISTERS), space=Space.REG)
    return _array(draw, _ALIGNS)


def _returned(draw: Draw) -> Parameter:
    return Parameter(draw.pick(_SCALARS)) if draw.below(3) == 0 else _array(draw, _ALIGNS)


def _kernel_parameter(draw: Draw) -> Parameter:
    return Parameter(draw.pick(_KERNEL_SCALARS)) if draw.below(2) == 0 else _array(draw, _KERNEL_ALIGNS)


def _array(draw: Draw, aligns: tuple[int, ...]) -> Parameter:
    if draw.below(8) == 7:
        return Parameter(draw.pick(_ELEMENTS), draw.pick(aligns), 1 + draw.below(6))
    size = 1 + draw.below(_LARGE) if draw.below(8) == 7 else draw.pick(_SIZES)
    return array(draw.pick(aligns), size)
