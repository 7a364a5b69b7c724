"""The grammar of calls of C++: classes that are trivial for calls or not, empty ones, members, virtual functions, references."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from msgspec.structs import replace

from abiprobe.generators.classes import least_alignment, least_of_type
from abiprobe.generators.draw import Draw
from abiprobe.generators.streams import once, seeded
from abiprobe.oracles.abis.itanium.calls import is_copied_from_bytes
from abiprobe.oracles.abis.itanium.definitions import is_empty
from abiprobe.oracles.abis.itanium.makable import has_virtual_pointer, is_usable, makable
from abiprobe.oracles.abis.itanium.triviality import is_non_trivial
from abiprobe.oracles.language.classes import (
    Access,
    Base,
    Class,
    CxxArray,
    CxxType,
    DataMember,
    DataMemberPointer,
    Declared,
    Destruction,
    FixedEnum,
    MemberFunctionPointer,
    Reference,
    Specials,
    VirtualFunction,
)
from abiprobe.oracles.language.cxx_calls import CxxParam, CxxPrototype
from abiprobe.oracles.language.lang import Kind, Pointer, Scalar, Vector
from abiprobe.oracles.language.question import Sort

INT, DOUBLE, FLOAT, CHAR = (Scalar(kind) for kind in (Kind.INT, Kind.DOUBLE, Kind.FLOAT, Kind.CHAR))
SCALARS: tuple[CxxType, ...] = (
    INT,
    DOUBLE,
    FLOAT,
    CHAR,
    Scalar(Kind.LLONG),
    DOUBLE,
    FLOAT,
    Scalar(Kind.SHORT),
    Scalar(Kind.BOOL),
    Scalar(Kind.LONG),
    Scalar(Kind.UINT),
    Pointer("void"),
    Scalar(Kind.LDOUBLE),
    FixedEnum("Small", Kind.UCHAR, scoped=True),
    DataMemberPointer("Z"),
    MemberFunctionPointer("Z"),
)
"""Types of members that are no classes, the simplest first; `Z` is a class that is declared and never defined."""
NARROW = frozenset({Kind.CHAR, Kind.SHORT, Kind.BOOL})
"""Integers that compilers extend or do not, of which questions of C ask."""
VALUES = tuple(one for one in SCALARS if not isinstance(one, Scalar) or one.kind not in NARROW)
"""Types of parameters and results that are no classes, the simplest first."""
VECTORS = (Vector(Kind.FLOAT, 16), Vector(Kind.DOUBLE, 16), Vector(Kind.INT, 16))
"""Vectors, the simplest first."""
PROMOTED: tuple[CxxType, ...] = (INT, DOUBLE, Scalar(Kind.LLONG), Pointer("void"))
"""Those that the default argument promotions leave alone, the simplest first."""
BIT_FIELDS: tuple[CxxType, ...] = (INT, CHAR, Scalar(Kind.UINT), Scalar(Kind.SHORT), Scalar(Kind.LLONG))
WIDEST = 8
"""The bits of the widest bit-field, which every one of those types has."""
GONE = Destruction(Declared.PROVIDED)
SPECIALS: tuple[Specials, ...] = (
    Specials(),
    Specials(destructor=GONE),
    Specials(copy=Declared.PROVIDED),
    Specials(),
    Specials(copy=Declared.PROVIDED, move=Declared.PROVIDED, destructor=GONE),
    Specials(),
    Specials(move=Declared.PROVIDED),
    Specials(),
    Specials(move=Declared.DELETED),
    Specials(copy=Declared.DELETED, move=Declared.DEFAULTED),
    Specials(),
    Specials(copy=Declared.DELETED, move=Declared.DELETED),
    Specials(copy=Declared.DEFAULTED, destructor=Destruction(Declared.DEFAULTED)),
    Specials(),
    Specials(assign=Declared.PROVIDED),
    Specials(copy=Declared.DEFAULTED, move=Declared.PROVIDED),
    Specials(copy=Declared.DEFAULTED, move=Declared.DELETED),
    Specials(),
    Specials(copy=Declared.DELETED, destructor=GONE),
    Specials(default=Declared.PROVIDED),
    Specials(),
    Specials(destructor=Destruction(Declared.PROVIDED, virtual=True)),
)
"""Special member functions that a class may declare, the simplest first."""
MOST_CLASSES, MOST_PARAMS = 3, 7


def stream(*, seed: int) -> Iterator[CxxPrototype]:
    """The calls of a run one by one, without end; none comes twice."""
    return once(a_call(seeded(Sort.CXX_CALLS, seed, number)) for number in count())


def a_call(draw: Draw) -> CxxPrototype:
    """The call that the decisions of `draw` make, with the classes of its types."""
    return _Maker(draw).call()


def declared(one: Class) -> Class:
    """A class of which objects can be made, with a constructor of its own where one that copies or moves is declared or missing, or a reference is bound."""
    specials = one.specials
    own = any(item is not Declared.IMPLICIT for item in (specials.copy, specials.move))
    binds = any(isinstance(member.type, Reference) for member in one.members)
    if own or binds or not is_usable(one):
        one = replace(one, specials=replace(specials, default=Declared.PROVIDED))
    return makable(one)


class _Maker:
    """The making of one question."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.made: list[Class] = []

    def often(self, of: int) -> bool:
        """True once in `of` times."""
        return self.draw.below(of) == of - 1

    def call(self) -> CxxPrototype:
        for index in range(1 + self.draw.below(MOST_CLASSES)):
            self.made.append(self.one(f"C{index}"))
        this = self.draw.pick(self.made) if self.often(3) else None
        virtual = this is not None and bool(this.virtuals) and not self.often(4)
        params = tuple(self.types())
        unnamed: tuple[CxxType, ...] = ()
        if variadic := self.often(10):
            params = (*params, self.draw.pick((INT, DOUBLE)))
            unnamed = tuple(self.unnamed() for _ in range(1 + self.draw.below(4)))
        named = tuple(CxxParam(f"p{index}", c_type) for index, c_type in enumerate(params))
        return CxxPrototype("f", self.result(), named, variadic, unnamed, this, virtual)

    def types(self) -> Iterator[CxxType]:
        """The types of parameters; sometimes many of one come first, and take the registers."""
        if self.often(5):
            yield from (self.draw.pick((INT, DOUBLE, FLOAT)),) * (3 + self.draw.below(6))
        for _ in range(self.draw.below(MOST_PARAMS)):
            yield self.value()

    def value(self) -> CxxType:
        choice = self.draw.below(12)
        if choice < 4:
            return self.draw.pick(VECTORS if self.often(8) else VALUES)
        if choice < 11:
            return self.draw.pick(self.made)
        return self.reference()

    def reference(self) -> Reference:
        to: tuple[CxxType, ...] = (INT, *self.made)
        return Reference(self.draw.pick(to), rvalue=self.often(4))

    def unnamed(self) -> CxxType:
        """A type of an unnamed argument; clang's va_arg takes what nothing can copy in too many ways."""
        trivial = [one for one in self.made if not is_non_trivial(one)]
        copied = [one for one in self.made if is_usable(one)]
        return self.draw.pick((*PROMOTED, *copied, *trivial, *trivial))

    def result(self) -> CxxType | None:
        choice = self.draw.below(10)
        if choice < 3:
            return None
        if choice < 8:
            return self.draw.pick(self.made)
        return self.draw.pick(VALUES) if choice < 9 else self.reference()

    def one(self, tag: str) -> Class:
        union = self.often(20)
        empty = not union and self.often(4)
        bases = () if union else self.bases(empty=empty)
        members = () if empty else tuple(self.members(union=union))
        specials = Specials() if union else self.draw.pick(SPECIALS)
        if not is_copied_from_bytes(Class(tag, bases, members)):
            specials = replace(specials, copy=Declared.PROVIDED)
        virtuals = (VirtualFunction("v"),) if not union and not empty and self.often(9) else ()
        alignas = self.draw.pick((None, None, 16, 32)) if self.often(4) else None
        if alignas is not None and alignas < least_alignment(bases, members):
            alignas = None
        return declared(Class(tag, bases, members, virtuals, specials, union=union, alignas=alignas))

    def bases(self, *, empty: bool) -> tuple[Base, ...]:
        found: dict[Class, Base] = {}
        able = [one for one in self.made if not one.union and (is_empty(one) or not empty)]
        for _ in range(self.draw.pick((0, 0, 1, 1, 2)) if able else 0):
            one = self.draw.pick(able)
            if not any(one in _every_base(other) or other in _every_base(one) for other in found):
                found[one] = Base(one, virtual=not empty and self.often(6))
        return tuple(found.values())

    def members(self, *, union: bool) -> Iterator[DataMember]:
        access = Access.PUBLIC if union or not self.often(6) else Access.PRIVATE
        able = [one for one in self.made if not union or not is_non_trivial(one)]
        alike = self.draw.pick((FLOAT, DOUBLE, None, None))
        for index in range(1 + self.draw.below(4)):
            name = f"{chr(ord('a') + index)}{len(self.made)}"
            if self.often(10):
                yield self.bit_field(name, access)
                continue
            if not union and self.often(16):
                yield DataMember(Reference(INT, rvalue=self.often(3)), name, access=access)
                continue
            c_type: CxxType = self.draw.pick(SCALARS) if alike is None else alike
            if not union and self.often(24):
                c_type = self.draw.pick(VECTORS)
            if able and self.often(4):
                c_type = self.draw.pick(able)
            overlaps = isinstance(c_type, Class) and is_empty(c_type) and not union and self.often(2)
            # Elements of an array may be copied with their pointers to virtual tables, which lead nowhere here.
            if self.often(10) and not (isinstance(c_type, Class) and has_virtual_pointer(c_type)):
                c_type = CxxArray(c_type, 1 + self.draw.below(3))
            alignas = self.draw.pick((16, 32)) if self.often(12) else None
            if (alignas or 0) < least_of_type(c_type):
                alignas = None
            yield DataMember(c_type, name, access=access, no_unique_address=overlaps, alignas=alignas)

    def bit_field(self, name: str, access: Access) -> DataMember:
        """A bit-field, some of which have no name, and some of those no width."""
        c_type, width = self.draw.pick(BIT_FIELDS), 1 + self.draw.below(WIDEST)
        nameless = self.often(4)
        if nameless and self.often(3):
            return DataMember(c_type, "", 0, access)
        return DataMember(c_type, "" if nameless else name, width, access)


def _every_base(one: Class) -> frozenset[Class]:
    """A class with all its bases."""
    return frozenset((one, *(inner for base in one.bases for inner in _every_base(base.type))))
