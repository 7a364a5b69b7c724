"""C declarations for people to read: a specifier and a declarator, which a table may put in two columns."""

from __future__ import annotations

import re
from typing import NamedTuple

from abiprobe.oracles.language.lang import (
    Array,
    Member,
    Pointer,
    Prototype,
    Record,
    Scalar,
    Type,
    Vector,
    spelling,
)


class Declaration(NamedTuple):
    """`specifier` is what stands before the declared name, `declarator` the name and what surrounds it."""

    specifier: str
    declarator: str

    def __str__(self) -> str:
        glue = "" if self.specifier.endswith("*") or not self.declarator else " "
        return f"{self.specifier}{glue}{self.declarator}"


def declare(c_type: Type, declarator: str) -> Declaration:
    """A declaration of `declarator` as `c_type`; a record without a tag shows its members."""
    match c_type:
        case Scalar(kind):
            return Declaration(kind.value, declarator)
        case Array(element=element, length=length):
            return declare(element, f"{declarator}[{'' if length is None else length}]")
        case Pointer(pointee, function=True):
            return Declaration(pointee, f"(*{declarator})(void)")
        case Pointer(pointee, reference=False) if "[" in pointee:
            return pointer_to_array(pointee, declarator)
        case Vector(kind, size):
            return Declaration(f"{kind.value} __attribute__((vector_size({size})))", declarator)
        case Record(tag=""):
            return Declaration(one_line(c_type), declarator)
        case _:
            return Declaration(spelling(c_type), declarator)


def pointer_to_array(pointee: str, declarator: str) -> Declaration:
    """A pointer to what clang spells `int[3]` or `int (*)[3]`: the name stands inside, with a star."""
    # Either there is a star in parentheses, or the name goes before the first bracket.
    inner = re.fullmatch(r"(.*?)\s*\((\*[^()]*)\)(.*)", pointee)
    if inner is not None:
        element, stars, lengths = inner.groups()
    else:
        element, bracket, rest = pointee.partition("[")
        element, stars, lengths = element.rstrip(), "", bracket + rest
    return Declaration(element, f"({stars}*{declarator}){lengths}")


def declare_member(member: Member) -> Declaration:
    """A member with its width and attributes, without the semicolon."""
    width = "" if member.width is None else f":{member.width}"
    specifier, declarator = declare(member.type, member.name + width)
    alignas = "" if member.alignas is None else f"_Alignas({member.alignas}) "
    return Declaration(
        alignas + specifier, (declarator + attributes(packed=member.packed, align=member.align)).lstrip()
    )


def attributes(*, packed: bool, align: int | None) -> str:
    """The GNU attributes, with a space before them; `align` in bytes."""
    asked = ["packed"] if packed else []
    if align is not None:
        asked.append(f"aligned({align})")
    return f" __attribute__(({', '.join(asked)}))" if asked else ""


def one_line(record: Record) -> str:
    """A record with its members on one line, nested records by their tags."""
    members = "".join(f"{declare_member(member)}; " for member in record.members)
    end = attributes(packed=record.packed, align=record.align)
    return f"{head(record)} {{ {members}}}{end}"


def head(record: Record) -> str:
    """Return the opening of a record's definition: keyword and, if it has one, tag."""
    return f"{record.keyword} {record.tag}".rstrip()


def prototype(function: Prototype) -> str:
    """The prototype as C declares it; a comment gives the unnamed arguments' types of a call of a variadic one."""
    params = [str(declare(param.type, param.name)) for param in function.params]
    if function.variadic:
        unnamed = ", ".join(str(declare(c_type, "")) for c_type in function.unnamed)
        params.append(f"... /* {unnamed} */" if unnamed else "...")
    call = f"{function.name}({', '.join(params) or 'void'})"
    return f"void {call};" if function.result is None else f"{declare(function.result, call)};"
