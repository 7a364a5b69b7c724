"""PowerPC: 64-bit by ELFv2 and ELFv1, from POWER8 on; 32-bit with AltiVec.

The format of `long double` is an option of its own, and which one is the default depends on how a compiler was built.
"""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import Platform, by_triple


def _platform(target: str, machine: str, *code: str) -> Platform:
    triple = f"{target.partition('-')[0]}-linux-gnu"
    return Platform(
        target,
        triple,
        {"clang": by_triple(triple, *code), "gcc": code},
        (f"{triple}-",),
        frozenset({machine}),
    )


PLATFORMS = (
    _platform("powerpc64le-elfv2", "ppc64le", "-mcpu=power8", "-mabi=ibmlongdouble"),
    _platform("powerpc64-elfv1", "ppc64", "-mcpu=power8", "-mabi=ibmlongdouble"),
    _platform("powerpc-sysv", "ppc", "-maltivec", "-mabi=ibmlongdouble"),
)
