"""Types that are not made of other types: arithmetic types, enumerations, pointers."""

from __future__ import annotations

from functools import cache

from abiprobe.generators.scope import Scope
from abiprobe.oracles.lang import Complex, Enum, Enumerator, Kind, Pointer, Scalar, Type

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
def allowed(types: tuple[Type, ...], exclude: frozenset[str]) -> tuple[Type, ...]:
    """Those of `types` that need no feature in `exclude`."""
    return tuple(c_type for c_type in types if features(c_type).isdisjoint(exclude))


def features(c_type: Type) -> frozenset[str]:
    """The `FEATURES` that an arithmetic type needs."""
    match c_type:
        case Scalar(Kind.INT128 | Kind.UINT128):
            return frozenset({"__int128"})
        case Scalar(Kind.LDOUBLE):
            return frozenset({"long double"})
        case Complex(kind):
            return frozenset({"_Complex"}) | features(Scalar(kind))
        case _:
            return frozenset()


def word(scope: Scope) -> Type:
    """An integer or a pointer."""
    return scope.draw.pick(WORDS)


def real(scope: Scope) -> Type:
    """`float` or `double`."""
    return scope.draw.pick(REALS)


def wide(scope: Scope) -> Type:
    """`long double`, `__int128` or a complex type; a `double` where all of them are excluded."""
    return scope.draw.pick(allowed(WIDE, scope.bounds.exclude) or REALS[1:])


def enumeration(scope: Scope) -> Enum:
    """An enumeration of two constants, whose range may need a sign."""
    low, high = scope.draw.pick(_RANGES)
    tag = scope.enum_tag()
    return Enum(tag, (Enumerator(f"{tag}_A", low), Enumerator(f"{tag}_B", high)))


_SCALARS = WORDS + REALS * 3 + WIDE


def scalar(scope: Scope) -> Type:
    """Any of the above but an enumeration."""
    return scope.draw.pick(allowed(_SCALARS, scope.bounds.exclude))
