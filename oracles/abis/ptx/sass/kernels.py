"""The parameters of a kernel: offsets in its parameter space, and where that lies in constant bank 0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from abiprobe.oracles.abis.ptx.parameter import Parameter
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
OFFSET = cite("kernel.offset")
ORIGIN = cite("kernel.origin")
BASE = cite("kernel.base")
LIMIT = cite("kernel.limit")

SMALL_LIMIT = 0x1100
"""Bytes of parameters that every version from 1.5 on allows."""
LARGE_LIMIT = 0x7FFC
"""Bytes of parameters from version 8.1 and sm_70 on."""
FIRST_LIMIT = 256
"""Bytes of parameters in version 1.4."""
LARGE_VERSION, LARGE_TARGET = (8, 1), 70
LARGE_BASE = 0x1A80
"""Where parameters begin up to sm_89 when they exceed the small limit."""
OWN_RECORD = 90
"""The first architecture that has room for larger kernels where smaller ones begin."""
OWN_ORIGIN = 100
"""The first architecture that counts alignments from the first parameter."""


@dataclass(frozen=True)
class KernelLayout:
    """Offsets of the parameters from the first byte of the parameter space, the bytes used, and the base of that in the bank."""

    offsets: tuple[int, ...]
    sizes: tuple[int, ...]
    total: int
    base: int

    @property
    def bank_bytes(self) -> int:
        """The size in bytes of the part of constant bank 0 that is used."""
        return self.base + self.total


def sm(arch: str) -> int:
    """The number in `sm_90a`; raises `ValueError` for anything else."""
    digits = arch.removeprefix("sm_").rstrip("abcdefghijklmnopqrstuvwxyz")
    if not arch.startswith("sm_") or not digits.isdigit():
        raise ValueError(f"no architecture: {arch!r}")
    return int(digits)


@implements("kernel.offset", "kernel.origin", "kernel.base")
def layout(params: Sequence[Parameter], arch: str) -> KernelLayout:
    """Return the places of a kernel's parameters on an architecture (`sm_75`)."""
    number = sm(arch)
    # [ptx_sass:kernel.base]
    base = bank_base(number, offsets_from(params, 0)[1])
    # [ptx_sass:kernel.origin]
    from_first = number >= OWN_ORIGIN or base == LARGE_BASE
    # [ptx_sass:kernel.offset]
    offsets, end = offsets_from(params, 0 if from_first else base)
    return KernelLayout(offsets, tuple(param.size for param in params), end, base)


def offsets_from(params: Sequence[Parameter], origin: int) -> tuple[tuple[int, ...], int]:
    """Offset of each parameter and the end of the last, alignments counted `origin` bytes ahead of the first."""
    at = origin
    offsets = []
    for param in params:
        at = round_up(at, param.align)
        offsets.append(at - origin)
        at += param.size
    return tuple(offsets), at - origin


def bank_base(number: int, used: int) -> int:
    """The byte of constant bank 0 at which parameters begin, by architecture number and the bytes from the first parameter on."""
    if number >= OWN_ORIGIN:
        return 0x380
    if number >= OWN_RECORD:
        return 0x210
    return 0x160 if used <= SMALL_LIMIT else LARGE_BASE


@implements("kernel.limit")
def limit(version: tuple[int, int], target: int) -> int:
    """The most bytes of kernel parameters that a PTX version and target allow."""
    if version < (1, 5):
        return FIRST_LIMIT
    return LARGE_LIMIT if version >= LARGE_VERSION and target >= LARGE_TARGET else SMALL_LIMIT
