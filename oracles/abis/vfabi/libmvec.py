"""The scalar functions of which glibc's libmvec has vector variants, as `math.h` declares them."""

from __future__ import annotations

from abiprobe.oracles.language.lang import Kind, Param, Pointer, Prototype, Scalar
from abiprobe.oracles.language.simd import Branch, Simd

UNARY = (
    *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "erf", "erfc", "exp"),
    *("exp10", "exp2", "expm1", "log", "log10", "log1p", "log2", "sin", "sinh", "tan", "tanh"),
)
BINARY = ("atan2", "hypot", "pow")
PRAGMA = Simd(branch=Branch.NOTINBRANCH)
"""The pragma that `math.h` puts in front of each of them on x86-64."""


def prototypes() -> tuple[Prototype, ...]:
    """The functions for `double`, and those for `float`, whose names end in f."""
    return tuple(
        one
        for kind, suffix in ((Kind.DOUBLE, ""), (Kind.FLOAT, "f"))
        for one in (
            *(_of(name + suffix, kind, ("x",)) for name in UNARY),
            *(_of(name + suffix, kind, ("x", "y")) for name in BINARY),
            _sincos("sincos" + suffix, kind),
        )
    )


def _of(name: str, kind: Kind, params: tuple[str, ...]) -> Prototype:
    number = Scalar(kind)
    return Prototype(name, number, tuple(Param(param, number) for param in params), simd=(PRAGMA,))


def _sincos(name: str, kind: Kind) -> Prototype:
    pointer = Pointer(kind.value)
    params = (Param("x", Scalar(kind)), Param("s", pointer), Param("c", pointer))
    return Prototype(name, None, params, simd=(PRAGMA,))
