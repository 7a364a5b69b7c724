"""The types from which argument classes are found: every scalar, and small aggregates of each make and size.

Nothing here knows an ABI: which of them a model treats alike is for the model to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

from abiprobe.generators.scope import COMMON
from abiprobe.oracles.language.features import type_features
from abiprobe.oracles.language.lang import (
    DECIMAL,
    Array,
    BitInt,
    Complex,
    Enum,
    Enumerator,
    Kind,
    Member,
    Pointer,
    Record,
    Scalable,
    ScalableMask,
    Scalar,
    SvePredicate,
    SveVector,
    Type,
    Vector,
    spelling,
)
from abiprobe.oracles.language.sve import MOST_FIELDS, SVE_BITS

INT, LLONG, FLOAT, DOUBLE = map(Scalar, (Kind.INT, Kind.LLONG, Kind.FLOAT, Kind.DOUBLE))
LDOUBLE, INT128, CHAR, SHORT = map(Scalar, (Kind.LDOUBLE, Kind.INT128, Kind.CHAR, Kind.SHORT))
USUAL = COMMON | {"vector", "scalable vector", "SVE vector", "SVE vector of fixed length"}
"""Features that most compilers have where the target has them."""
NEVER_PASSED = frozenset({Kind.FP16}) | DECIMAL
"""Most compilers take it for a member only; and decimal types, which only gcc has."""
PARTS: tuple[Type, ...] = (INT, LLONG, FLOAT, DOUBLE)
ALONE: tuple[Type, ...] = (*PARTS, CHAR, SHORT, Pointer(), LDOUBLE, INT128, Complex(Kind.FLOAT))
BYTES = (1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 32, 33, 40, 48)
REPEATED = ((FLOAT, 2), (FLOAT, 3), (FLOAT, 4), (DOUBLE, 2), (DOUBLE, 3), (LLONG, 2), (LLONG, 3), (INT, 3))
VECTORS = tuple(product((Kind.INT, Kind.FLOAT, Kind.SCHAR, Kind.SHORT, Kind.DOUBLE, Kind.LLONG), (4, 8, 16)))
WIDTHS = (37, 100, 200)
GROUPS = ((8, 1), (16, 1), (64, 1), (1, 1), (16, 3))
RATIOS = (1, 64)


@cache
def menu(*, scalable: bool = False, sve: bool = False) -> tuple[Type, ...]:
    """Every candidate, those that need the fewest features first; or scalable vectors and what displaces them."""
    if sve:
        found = dict.fromkeys((INT, DOUBLE, struct(FLOAT, FLOAT), *sve_types()))
    else:
        found = dict.fromkeys((INT, *scalables()) if scalable else (*scalars(), *aggregates(), *vectors()))
    return tuple(sorted(found, key=effort))


def effort(c_type: Type) -> tuple[bool, int]:
    """Return a sort key by how many compilers have a type: whether it needs a rare feature, and the number of features."""
    needs = type_features(c_type)
    return not needs <= USUAL, len(needs)


def scalars() -> Iterator[Type]:
    """Every type without members or elements."""
    yield INT
    yield DOUBLE
    yield from (Scalar(kind) for kind in Kind if kind not in NEVER_PASSED)
    yield Pointer()
    yield Pointer(function=True)
    yield Enum("Few", (Enumerator("FEW_A", 0), Enumerator("FEW_B", 9)))
    yield from (Complex(kind) for kind in (Kind.FLOAT, Kind.DOUBLE, Kind.LDOUBLE))
    yield from (BitInt(width) for width in WIDTHS)


def aggregates() -> Iterator[Record]:
    """Structs and unions of one to three members, bytes of each size, and nothing."""
    yield from (struct(part) for part in ALONE)
    yield from (struct(*parts) for parts in product(PARTS, repeat=2))
    yield from (struct(Array(CHAR, size)) for size in BYTES)
    yield from (struct(Array(element, length)) for element, length in REPEATED)
    yield struct(FLOAT, FLOAT, FLOAT)
    yield struct(CHAR, FLOAT)
    yield struct(FLOAT, CHAR)
    yield struct(struct(FLOAT), struct(FLOAT))
    yield struct(DOUBLE, DOUBLE, INT)
    yield struct(LDOUBLE, LDOUBLE)
    yield struct()
    yield record("Bits", Member(INT, "a", 5), Member(FLOAT, "b"))
    yield record("Field", Member(INT, "a", 5))
    yield record("Precise", Member(BitInt(37), "a"), Member(DOUBLE, "b"))
    yield record("Narrow", Member(FLOAT, "a"), Member(BitInt(12), "b"))
    yield union(INT, FLOAT)
    yield union(FLOAT)
    yield union(LLONG, DOUBLE)
    yield union(LLONG, Array(CHAR, 16))


def vectors() -> Iterator[Type]:
    """GNU vectors of at most 16 bytes, which every compiler has."""
    yield from (Vector(kind, size) for kind, size in VECTORS if size > 4 or kind in {Kind.SCHAR, Kind.SHORT})


def scalables() -> Iterator[Type]:
    """RISC-V's scalable vectors, tuples of them, and masks."""
    yield from (Scalable(Kind.INT, eighths if eighths > 1 else 4, fields) for eighths, fields in GROUPS)
    yield from (ScalableMask(ratio) for ratio in RATIOS)


def sve_types() -> Iterator[Type]:
    """Vectors of SVE, tuples of them, predicates, and an aggregate of both."""
    yield from (SveVector(Kind.INT, fields) for fields in range(1, MOST_FIELDS + 1))
    yield SvePredicate()
    yield struct(SveVector(Kind.INT, bits=SVE_BITS), SvePredicate(SVE_BITS))


def struct(*parts: Type) -> Record:
    """A struct of these members, whose tag tells them."""
    return record("_".join(["S", *map(word, parts)]), *members(parts))


def union(*parts: Type) -> Record:
    """A union of these members."""
    return Record("_".join(["U", *map(word, parts)]), members(parts), union=True)


def record(tag: str, *parts: Member) -> Record:
    """A struct of these members."""
    return Record(tag, parts)


def members(parts: tuple[Type, ...]) -> tuple[Member, ...]:
    """Members called `a`, `b` and so on."""
    return tuple(Member(part, name) for part, name in zip(parts, "abcd", strict=False))


def word(c_type: Type) -> str:
    """A word for a type, as a part of a tag."""
    match c_type:
        case Scalar(kind):
            return kind.name.lower()
        case Complex(kind):
            return f"c{kind.name.lower()}"
        case Array(element=element, length=length):
            return f"{word(element)}{length}"
        case Record(tag=tag):
            return tag
        case SveVector() | SvePredicate():
            return spelling(c_type)
        case _:
            return "pointer"
