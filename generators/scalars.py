"""Types that are not made of other types: arithmetic types, enumerations, pointers."""

from __future__ import annotations

from functools import cache

from abiprobe.generators.scope import Scope
from abiprobe.oracles.language.features import type_features
from abiprobe.oracles.language.lang import Complex, Enum, Enumerator, Kind, Pointer, Scalar, Type

_INTEGERS = (
    Kind.INT,
    Kind.CHAR,
    Kind.UCHAR,
    Kind.SHORT,
    Kind.UINT,
    Kind.LONG,
    Kind.LLONG,
    Kind.SCHAR,
    Kind.USHORT,
    Kind.ULONG,
    Kind.ULLONG,
    Kind.BOOL,
)
_POINTERS = (
    Pointer(),
    Pointer("char"),
    Pointer("double"),
    Pointer(function=True),
    Pointer("int", function=True),
)
_REALS = (Kind.FLOAT, Kind.DOUBLE)

WORDS: tuple[Type, ...] = tuple(map(Scalar, _INTEGERS)) + _POINTERS
"""Types that take one general register wherever registers hold a pointer."""

REALS: tuple[Type, ...] = tuple(map(Scalar, _REALS))
"""Types that take one floating-point register."""

RARE_REALS: tuple[Type, ...] = tuple(map(Scalar, (Kind.FLOAT16, Kind.BF16, Kind.FLOAT128)))
"""Floating types that few compilers have."""

WIDE: tuple[Type, ...] = (
    Scalar(Kind.LDOUBLE),
    Scalar(Kind.INT128),
    Scalar(Kind.UINT128),
    Complex(Kind.DOUBLE),
    Complex(Kind.FLOAT),
    Complex(Kind.LDOUBLE),
)
"""Types that take more than one register, or none."""

_RANGES = (
    (0, 1),
    (0, 255),
    (0, 256),
    (0, 0x7FFFFFFF),
    (-1, 1),
    (-128, 127),
    (-0x8000, 0x7FFF),
    (-0x80000000, 0x7FFFFFFF),
)


@cache
def allowed(types: tuple[Type, ...], features: frozenset[str]) -> tuple[Type, ...]:
    """Return the `types` that need no feature outside `features`."""
    return tuple(c_type for c_type in types if type_features(c_type) <= features)


def word(scope: Scope) -> Type:
    """An integer or a pointer."""
    return scope.draw.pick(WORDS)


def real(scope: Scope) -> Type:
    """`float` or `double`, or a narrower or wider one of the dialect."""
    return scope.draw.pick(allowed(REALS + RARE_REALS, scope.features))


def wide(scope: Scope) -> Type:
    """`long double`, `__int128` or a complex type; a `double` where all of them are excluded."""
    return scope.draw.pick(allowed(WIDE, scope.features) or REALS[1:])


def enumeration(scope: Scope) -> Enum:
    """An enumeration of two constants, whose range may need a sign."""
    low, high = scope.draw.pick(_RANGES)
    packed = "packed enum" in scope.dialect and scope.draw.below(2) == 1
    tag = scope.enum_tag()
    return Enum(tag, (Enumerator(f"{tag}_A", low), Enumerator(f"{tag}_B", high)), packed)


_RARE = (*RARE_REALS * 4, Complex(Kind.FLOAT16), Complex(Kind.FLOAT128))
_SCALARS = (*WORDS, *REALS * 3, *WIDE, *_RARE)


def plain(scope: Scope) -> Type:
    """Any of the above but an enumeration, and of no rarer feature."""
    return scope.draw.pick(allowed(_SCALARS, scope.features))
