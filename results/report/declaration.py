"""C declarations for people to read: a specifier and a declarator, which a table may put in two columns."""

from __future__ import annotations

from typing import NamedTuple

from abiprobe.oracles.lang import Array, Member, Pointer, Prototype, Record, Type, Vector, spelling


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
        case Array(element=element, length=length):
            return declare(element, f"{declarator}[{'' if length is None else length}]")
        case Pointer(pointee, function=True):
            return Declaration(pointee, f"(*{declarator})(void)")
        case Vector(kind, size):
            return Declaration(kind.value, f"{declarator} __attribute__((vector_size({size})))".lstrip())
        case Record(tag=""):
            return Declaration(one_line(c_type), declarator)
        case _:
            return Declaration(spelling(c_type), declarator)


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
    """What opens the definition of a record: keyword and, if it has one, tag."""
    return f"{record.keyword} {record.tag}".rstrip()


def prototype(function: Prototype) -> str:
    """The prototype as C declares it; a comment gives the unnamed arguments' types of a call of a variadic one."""
    params = [str(declare(param.type, param.name)) for param in function.params]
    if function.variadic:
        unnamed = ", ".join(str(declare(c_type, "")) for c_type in function.unnamed)
        params.append(f"... /* {unnamed} */" if unnamed else "...")
    call = f"{function.name}({', '.join(params) or 'void'})"
    return f"void {call};" if function.result is None else f"{declare(function.result, call)};"
