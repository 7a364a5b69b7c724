"""C++ classes as frozen values, beside the types of C (`abiprobe.oracles.language.lang`), which they build on.

Nothing here has a size, as in `lang`. A class is the same as another if all that is said of both is the same; two classes
of one question that have the same tag must be the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum as PyEnum
from functools import lru_cache
from typing import TypeAlias

import msgspec

from abiprobe.oracles.language.lang import (
    BitInt,
    Complex,
    Enum,
    Enumerator,
    Kind,
    Pointer,
    Scalar,
    Typedef,
    Value,
    Vector,
)
from abiprobe.oracles.language.lang import spelling as c_spelling
from abiprobe.oracles.language.names import Bits, Bytes, Constant, Count, Identifier, MaybeIdentifier


class Access(PyEnum):
    """The access of a member or a base."""

    __hash__ = object.__hash__  # as for `Kind`
    PUBLIC = "public"
    """everybody"""
    PROTECTED = "protected"
    """the class and those derived from it"""
    PRIVATE = "private"
    """the class"""


class Declared(PyEnum):
    """The way in which a special member function is declared."""

    __hash__ = object.__hash__  # as for `Kind`
    IMPLICIT = "implicit"
    """it is not declared by the user"""
    DEFAULTED = "defaulted"
    """`= default` in the class"""
    DELETED = "deleted"
    """`= delete`"""
    PROVIDED = "user-provided"
    """declared in the class and defined by the user, or defaulted behind the class"""


class Destruction(msgspec.Struct, frozen=True, omit_defaults=True):
    """The destructor of a class, declared `behind` so many of its virtual functions."""

    declared: Declared = Declared.IMPLICIT
    virtual: bool = False
    access: Access = Access.PUBLIC
    behind: Count = 0


class Specials(msgspec.Struct, frozen=True, omit_defaults=True):
    """The special member functions of a class: default constructor, copy and move constructors, copy assignment, destructor.

    `other` is a constructor with a parameter of its own, which is none of the special ones.
    """

    default: Declared = Declared.IMPLICIT
    copy: Declared = Declared.IMPLICIT
    move: Declared = Declared.IMPLICIT
    assign: Declared = Declared.IMPLICIT
    destructor: Destruction = Destruction()
    other: bool = False

    @property
    def constructors(self) -> tuple[Declared, ...]:
        """The declaration of each constructor."""
        return (self.default, self.copy, self.move, *((Declared.PROVIDED,) if self.other else ()))


class VirtualFunction(msgspec.Struct, frozen=True, omit_defaults=True):
    """A virtual member function `void name()`; it overrides those of the same name in bases.

    With a `result` it returns a pointer to the class with that tag, which is its own class or a base of that.
    """

    name: Identifier
    pure: bool = False
    final: bool = False
    deleted: bool = False
    result: MaybeIdentifier = ""

    @property
    def free(self) -> bool:
        """Return whether its entry in a virtual table may lead anywhere."""
        return self.pure or self.deleted


class Reference(Value, frozen=True):
    """`to &`, or `to &&` for an `rvalue` reference."""

    to: CxxType
    rvalue: bool = False


class DataMemberPointer(Value, frozen=True):
    """A pointer to a member of class `of` with the type `member`."""

    of: Identifier
    member: CxxType = Scalar(Kind.INT)


class MemberFunctionPointer(Value, frozen=True):
    """A pointer to a member function `void (of::*)()`."""

    of: Identifier


class FixedEnum(Value, frozen=True):
    """An enumeration with a fixed underlying type, scoped (`enum class`) or not."""

    tag: Identifier
    base: Kind
    scoped: bool = False
    values: tuple[Constant, ...] = ()

    @property
    def enumerators(self) -> tuple[Enumerator, ...]:
        """The values by name."""
        return tuple(Enumerator(f"{self.tag}_{index}", value) for index, value in enumerate(self.values))


class CxxArray(Value, frozen=True):
    """`element[length]`."""

    element: CxxType
    length: Count


class DataMember(msgspec.Struct, frozen=True, omit_defaults=True, cache_hash=True):
    """A non-static data member, or an unnamed bit-field.

    `name` is empty for an unnamed bit-field and for an anonymous union. `width` (bits) makes it a bit-field, which may be
    wider than its type. `alignas`, `align` (bytes) and `packed` are the specifier and the GNU attributes;
    `no_unique_address` is the standard's attribute.
    """

    type: CxxType
    name: MaybeIdentifier = ""
    width: Bits | None = None
    access: Access = Access.PUBLIC
    no_unique_address: bool = False
    alignas: Bytes | None = None
    align: Bytes | None = None
    packed: bool = False


class Base(msgspec.Struct, frozen=True, omit_defaults=True, cache_hash=True):
    """A direct base class."""

    type: Class
    virtual: bool = False
    access: Access = Access.PUBLIC


class Class(Value, frozen=True):
    """A class, struct or union with its bases, data members and virtual functions, each in the order of declaration.

    `alignas`, `align` (bytes) and `packed` are the specifier and the GNU attributes, `pack` (bytes) the value of `#pragma pack`
    in force at the closing brace, `trivial_abi` clang's attribute.
    """

    tag: MaybeIdentifier
    bases: tuple[Base, ...] = ()
    members: tuple[DataMember, ...] = ()
    virtuals: tuple[VirtualFunction, ...] = ()
    specials: Specials = Specials()
    union: bool = False
    final: bool = False
    packed: bool = False
    alignas: Bytes | None = None
    align: Bytes | None = None
    pack: Bytes | None = None
    trivial_abi: bool = False

    @property
    def keyword(self) -> str:
        """`struct` or `union`."""
        return "union" if self.union else "struct"

    @property
    def own_virtual(self) -> bool:
        """Return whether the class declares a virtual function or destructor."""
        return bool(self.virtuals) or self.specials.destructor.virtual

    @property
    def asked(self) -> int:
        """The alignment in bytes that specifier and attribute ask for; 1 without."""
        return max(self.alignas or 1, self.align or 1)


CType: TypeAlias = Scalar | BitInt | Complex | Enum | Pointer | Vector | Typedef
"""The types of C that members have as they are; records of C are classes here, and their arrays `CxxArray`."""
CxxType: TypeAlias = (
    CType | Reference | DataMemberPointer | MemberFunctionPointer | FixedEnum | CxxArray | Class
)


def element(c_type: CxxType) -> CxxType:
    """The type of the innermost elements of an array, or the type itself."""
    while isinstance(c_type, CxxArray):
        c_type = c_type.element
    return c_type


def in_type(c_type: CxxType, change: Callable[[Class], Class]) -> CxxType:
    """The type with its class, or that of its elements, changed."""
    match c_type:
        case CxxArray(inner, length):
            return CxxArray(in_type(inner, change), length)
        case Class():
            return change(c_type)
        case _:
            return c_type


def with_parts(asked: Class, change: Callable[[Class], Class]) -> Class:
    """The class with the classes of its bases and members changed."""
    return msgspec.structs.replace(
        asked,
        bases=tuple(msgspec.structs.replace(base, type=change(base.type)) for base in asked.bases),
        members=tuple(
            msgspec.structs.replace(member, type=in_type(member.type, change)) for member in asked.members
        ),
    )


def lengths(c_type: CxxType) -> str:
    """The bounds of an array as a declarator has them, `[2][3]`; empty for other types."""
    found = ""
    while isinstance(c_type, CxxArray):
        found += f"[{c_type.length}]"
        c_type = c_type.element
    return found


def spelling(c_type: CxxType) -> str:
    """The type as C++ spells it without a declarator: `S`, `int[3]`, `int S::*`."""
    match c_type:
        case Class():
            return c_type.tag or f"{c_type.keyword} {{...}}"
        case Reference(to, rvalue):
            return f"{spelling(to)} {'&&' if rvalue else '&'}"
        case DataMemberPointer(of, member):
            return f"{spelling(member)} {of}::*"
        case MemberFunctionPointer(of):
            return f"void ({of}::*)()"
        case FixedEnum(tag):
            return tag
        case CxxArray():
            return spelling(element(c_type)) + lengths(c_type)
        case Scalar(Kind.BOOL):
            return "bool"
        case Scalar(Kind.FLOAT128):
            # gcc before 13 and clang have no _Float128 in C++.
            return "__float128"
        case _:
            return c_spelling(c_type)


def direct_classes(asked: Class) -> Iterator[Class]:
    """The classes of bases, and of members and their elements."""
    yield from (base.type for base in asked.bases)
    for member in asked.members:
        inner = element(member.type)
        if isinstance(inner, Class):
            yield inner


def pure_functions(asked: Class) -> frozenset[str]:
    """The names of virtual functions that a class leaves pure, and by which it is abstract."""
    inherited = frozenset(name for base in asked.bases for name in pure_functions(base.type))
    pure = {one.name for one in asked.virtuals if one.pure}
    return (inherited - {one.name for one in asked.virtuals}) | pure


@lru_cache(1 << 12)
def parts(asked: Class) -> tuple[Class, ...]:
    """Every class that must be complete before `asked` is, those without a name too, and `asked` itself, in such an order."""
    found: dict[Class, None] = {}

    def visit(one: Class) -> None:
        if one in found:
            return
        for inner in direct_classes(one):
            visit(inner)
        found.setdefault(one)

    visit(asked)
    return tuple(found)


def classes_of(asked: Class) -> tuple[Class, ...]:
    """Every named class that must be defined before `asked`, and `asked` itself, in an order in which they may be defined."""
    return tuple(one for one in parts(asked) if one.tag)
