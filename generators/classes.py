"""The grammar of C++ classes: bases, members, virtual and special member functions, attributes that change layouts.

The classes of one question are made one after the other; each may have earlier ones for bases and members.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice

import msgspec

from abiprobe.generators.draw import Draw
from abiprobe.generators.small_scope.classes import COUNT, hierarchy, permuted
from abiprobe.generators.streams import once, seeded
from abiprobe.oracles.abis.itanium import CxxModel
from abiprobe.oracles.abis.itanium.graph import Node, direct, walk
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
    element,
)
from abiprobe.oracles.language.lang import Kind, Pointer, Scalar
from abiprobe.oracles.language.question import Sort
from abiprobe.oracles.language.standards import depends_on_edition
from abiprobe.oracles.text.place import Unspecified

SCALARS: tuple[CxxType, ...] = (
    Scalar(Kind.CHAR),
    Scalar(Kind.INT),
    Scalar(Kind.SHORT),
    Scalar(Kind.LLONG),
    Scalar(Kind.BOOL),
    Scalar(Kind.LONG),
    Scalar(Kind.UCHAR),
    Scalar(Kind.UINT),
    Scalar(Kind.FLOAT),
    Scalar(Kind.DOUBLE),
    Scalar(Kind.LDOUBLE),
    Pointer("void"),
    DataMemberPointer("Z"),
    MemberFunctionPointer("Z"),
    FixedEnum("Small", Kind.UCHAR, scoped=True),
    FixedEnum("Large", Kind.LLONG),
    Reference(Scalar(Kind.INT)),
)
"""Types of members that are no classes, the simplest first; `Z` is a class that is declared and never defined."""
BIT_FIELDS: tuple[CxxType, ...] = (
    Scalar(Kind.INT),
    Scalar(Kind.CHAR),
    Scalar(Kind.UINT),
    Scalar(Kind.SHORT),
    Scalar(Kind.BOOL),
    Scalar(Kind.LLONG),
    Scalar(Kind.LONG),
    FixedEnum("Small", Kind.UCHAR, scoped=True),
)
NAMES = ("v", "w")
"""The names of virtual functions."""
WIDTHS = {
    Kind.BOOL: 8,
    Kind.CHAR: 8,
    Kind.UCHAR: 8,
    Kind.SHORT: 16,
    Kind.INT: 32,
    Kind.UINT: 32,
    Kind.LONG: 32,
    Kind.LLONG: 64,
}
"""Widths in bits that every C ABI has at least for a type."""
ALIGNED = (2, 4, 8, 16, 32)
"""Alignments in bytes of the attribute `aligned`."""
OVERSIZED = (16, 32, 64, 128)
"""Widths in bits at which a bit-field begins in a larger type."""
PLAIN: tuple[CxxType, ...] = (
    *(Scalar(kind) for kind in (Kind.CHAR, Kind.INT, Kind.SHORT, Kind.LLONG, Kind.FLOAT)),
    Pointer("void"),
)
"""The types of members of anonymous unions."""
SPECIAL = (Declared.IMPLICIT,) * 9 + (Declared.PROVIDED, Declared.DEFAULTED, Declared.DELETED)
ACCESS = (Access.PUBLIC,) * 5 + (Access.PRIVATE, Access.PROTECTED)
PACKING: tuple[tuple[bool, int | None], ...] = ((False, None),) * 46 + ((True, None), (False, 2))
"""The attribute `packed` of a class, and the bytes of `#pragma pack` around it."""
LARGEST = 5
"""Classes of one question, and members and bases of a class, are at most so many."""
OF_EDITIONS = 40
"""Classes on which editions disagree are so many."""


def stream(*, seed: int) -> Iterator[Class]:
    """The classes of a run one by one, without end; none comes twice.

    Every fourth one is of the small scope, as long as that lasts.
    """
    return once(_numbered(seed, number) for number in count())


def _numbered(seed: int, number: int) -> Class:
    small = number % 4 == 3 and number // 4 < COUNT
    question = hierarchy(permuted(number // 4, seed=seed)) if small else None
    return question or a_class(seeded(Sort.CLASSES, seed, number))


def of_editions(model: CxxModel, *, seed: int) -> tuple[Class, ...]:
    """Classes whose layout the text leaves open and which are made of what editions of C++ disagree on; few drawn ones are."""
    drawn = filter(depends_on_edition, stream(seed=seed))
    return tuple(islice((one for one in drawn if isinstance(model.layout(one), Unspecified)), OF_EDITIONS))


def a_class(draw: Draw, *, oversized: bool = True, overlapping: bool = True) -> Class:
    """The class that the decisions of `draw` make, with the classes that it is made of.

    `oversized` has bit-fields wider than their types, `overlapping` the attribute `no_unique_address`.
    """
    return _Maker(draw, oversized=oversized, overlapping=overlapping).last()


def least_alignment(bases: tuple[Base, ...], members: tuple[DataMember, ...]) -> int:
    """An alignment in bytes that a class with these parts has at most, but for what is asked of itself."""
    inner = (*(base.type for base in bases), *(member.type for member in members))
    wanted = (max(member.alignas or 1, member.align or 1) for member in members)
    return max((16, *wanted, *map(least_of_type, inner)))


def least_of_type(c_type: CxxType) -> int:
    """An alignment in bytes that a type has at most."""
    inner = element(c_type)
    return max(inner.asked, least_alignment(inner.bases, inner.members)) if isinstance(inner, Class) else 16


def without_final_overrider(asked: Class) -> list[str]:
    """The names of virtual functions that a class must override, since two of its bases do and neither is the last ([class.virtual]p2)."""
    return [name for name in NAMES if is_ambiguous(asked, name)]


def is_ambiguous(asked: Class, name: str) -> bool:
    """Return whether a virtual function of a base has more than one final overrider."""
    nodes = {node: within(node) for node in walk(asked)}
    declaring = [node for node in nodes if any(one.name == name for one in node.type.virtuals)]
    return any(
        len(
            [
                node
                for node in overriding
                if not any(node in nodes[other] for other in overriding if other != node)
            ]
        )
        > 1
        for introduced in declaring
        for overriding in [[node for node in declaring if introduced in nodes[node]]]
    )


def has_virtual_destructor(one: Class) -> bool:
    """Return whether the destructor of a class is virtual, its own or as one that overrides a base's."""
    return one.specials.destructor.virtual or any(has_virtual_destructor(base.type) for base in one.bases)


def within(node: Node) -> frozenset[Node]:
    """A subobject with all its own base subobjects."""
    return frozenset((node, *(inner for base in direct(node) for inner in within(base))))


def inside(member: DataMember, pack: int | None) -> DataMember:
    """A member of a class under `#pragma pack`, under which the type of an anonymous one is, too."""
    if member.name or not isinstance(member.type, Class):
        return member
    return msgspec.structs.replace(member, type=msgspec.structs.replace(member.type, pack=pack))


class _Maker:
    """The making of one question."""

    def __init__(self, draw: Draw, *, oversized: bool, overlapping: bool) -> None:
        self.draw = draw
        self.oversized = oversized
        self.overlapping = overlapping
        self.crowded = False
        self.made: list[Class] = []

    def often(self, of: int) -> bool:
        """True once in `of` times."""
        return self.draw.below(of) == of - 1

    def last(self) -> Class:
        """The last of the classes made; `crowded` ones have no data, and one class in many places."""
        self.crowded = self.often(8)
        for index in range(1 + self.draw.below(LARGEST)):
            self.made.append(self.one(f"C{index}"))
        return self.made[-1]

    def one(self, tag: str) -> Class:
        union = self.often(16)
        bases = () if union else self.bases()
        members = tuple(one for one in self.members() if not (union and isinstance(one.type, Reference)))
        virtuals = () if union else self.virtuals(bases)
        inner = [element(member.type) for member in members]
        # A union of classes has no constructor and destructor of its own, which those that have it for a member would need.
        provided = any(isinstance(one, Reference) or (union and isinstance(one, Class)) for one in inner)
        alignas = self.draw.pick((None,) * 7 + (16, 32, 64))
        if alignas is not None and alignas < least_alignment(bases, members):
            alignas = None
        packed, pack = self.draw.pick(PACKING)
        return Class(
            tag,
            bases,
            tuple(inside(one, pack) for one in members),
            virtuals,
            self.specials(bases, provided=provided, union=union),
            union=union,
            final=self.often(16),
            packed=packed,
            alignas=alignas,
            pack=pack,
        )

    def bases(self) -> tuple[Base, ...]:
        count = min(self.draw.pick((0, 1, 1, 2, 0, 3)), len(self.made))
        found: dict[Class, Base] = {}
        for _ in range(count):
            one = self.draw.pick(self.made[::-1])
            virtual = self.often(4)
            if one in found or one.final or one.union:
                continue
            found[one] = Base(one, virtual=virtual, access=self.draw.pick(ACCESS))
        return tuple(found.values())

    def members(self) -> tuple[DataMember, ...]:
        if self.crowded and not self.made:
            return ()
        return tuple(self.member(index) for index in range(self.draw.below(LARGEST)))

    def member(self, index: int) -> DataMember:
        name = f"{chr(ord('a') + index)}{len(self.made)}"
        access = self.draw.pick(ACCESS)
        if self.often(4) and not self.crowded:
            return self.bit_field(name, access)
        if self.often(16) and not self.crowded:
            return DataMember(self.anonymous(name))
        c_type: CxxType = self.draw.pick(SCALARS)
        if self.made and (self.draw.below(2) or self.crowded):
            c_type = self.draw.pick(self.made)
        if self.often(10) and not isinstance(c_type, Reference):
            c_type = CxxArray(c_type, 1 + self.draw.below(3))
        overlaps = self.overlapping and self.often(4) and not isinstance(c_type, Reference)
        alignas = self.draw.pick((16, 32, 64)) if self.often(16) else None
        if isinstance(c_type, Reference) or (alignas or 0) < least_of_type(c_type):
            alignas = None
        member = DataMember(c_type, name, access=access, no_unique_address=overlaps, alignas=alignas)
        return member if isinstance(c_type, Reference) else self.attributed(member)

    def attributed(self, member: DataMember) -> DataMember:
        """A member with a GNU attribute, rarely."""
        align = self.draw.pick(ALIGNED) if self.often(24) else None
        return msgspec.structs.replace(member, align=align, packed=self.often(24))

    def anonymous(self, name: str) -> Class:
        """The type of an anonymous union or struct, whose members have names that begin with `name`."""
        count = 1 + self.draw.below(2)
        members = tuple(DataMember(self.draw.pick(PLAIN), f"{name}{index}") for index in range(count))
        return Class("", members=members, union=self.draw.below(3) > 0)

    def bit_field(self, name: str, access: Access) -> DataMember:
        c_type = self.draw.pick(BIT_FIELDS)
        base = (
            c_type.base
            if isinstance(c_type, FixedEnum)
            else c_type.kind
            if isinstance(c_type, Scalar)
            else Kind.INT
        )
        most = WIDTHS[base]
        if self.often(10):
            return DataMember(c_type, "", 0, access)
        width = most if self.often(6) else 1 + self.draw.below(most)
        if self.oversized and self.often(7):
            exact = self.draw.pick(OVERSIZED) if self.often(3) else 0
            width = exact if exact > most else most + 1 + self.draw.below(72)
        return self.attributed(DataMember(c_type, "" if self.often(8) else name, width, access))

    def virtuals(self, bases: tuple[Base, ...]) -> tuple[VirtualFunction, ...]:
        drawn = () if self.crowded else self.draw.pick(((), (), (), ("v",), ("w",), ("v", "w")))
        names = dict.fromkeys((*drawn, *without_final_overrider(Class("", bases))))
        return tuple(VirtualFunction(name) for name in names)

    def specials(self, bases: tuple[Base, ...], *, provided: bool, union: bool) -> Specials:
        if not provided and self.draw.below(2) == 0:
            return Specials()
        default = Declared.PROVIDED if provided or union else self.draw.pick(SPECIAL)
        destructor = self.draw.pick((Declared.IMPLICIT,) * 4 + (Declared.PROVIDED, Declared.DEFAULTED))
        own = not union and destructor is not Declared.IMPLICIT and self.often(3)
        virtual = own or (
            destructor is not Declared.IMPLICIT and any(has_virtual_destructor(base.type) for base in bases)
        )
        return Specials(
            default,
            self.draw.pick(SPECIAL),
            self.draw.pick(SPECIAL),
            self.draw.pick(SPECIAL),
            Destruction(Declared.PROVIDED if union else destructor, virtual),
            other=self.often(12),
        )
