"""Structs and unions as pycparser has them."""

from __future__ import annotations

from pycparser import c_ast

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input.plain.attributes import Attributes, read, together
from abiprobe.harness.input.plain.constants import constant
from abiprobe.harness.input.plain.types import Function, Reading, Unnamed
from abiprobe.oracles.language.lang import (
    Array,
    BitInt,
    Enum,
    Kind,
    Member,
    Pointer,
    Position,
    Record,
    Scalar,
    Type,
    innermost,
    strip,
)


def record(reading: Reading, node: c_ast.Struct | c_ast.Union, tag: str, beside: Attributes) -> Record:
    """Return the record that a node defines; raises `Problem` for a member that C does not have or that is not read here."""
    attributes = together(read(node.attributes, reading.seen), beside)
    if attributes.of_calls or attributes.vector_size is not None or len(set(attributes.aligned)) > 1:
        raise Problem("two alignments of one type, or attributes that are not of a record, are not read here")
    members: list[Member] = []
    for one in node.decls:
        if isinstance(one, c_ast.Pragma):
            pragma(reading, one)
        elif not isinstance(one, c_ast.StaticAssert):
            members.append(member(reading, one, tag))
    union = isinstance(node, c_ast.Union)
    names = [name for one in members for name in _names(one)]
    if len(set(names)) < len(names):
        raise Problem(f"two members of {'union' if union else 'struct'} {tag} have one name")
    if any(_flexible(one.type) for one in (members if union else members[:-1])):
        raise Problem("an array without a length is the last member of a struct only")
    return Record(
        tag,
        tuple(members),
        union=union,
        packed=attributes.packed,
        align=max(attributes.aligned, default=None),
        pack=reading.pack[-1],
        ms_struct=attributes.ms_struct,
    )


def member(reading: Reading, declared: c_ast.Decl, outer: str) -> Member:
    """Return a member; raises `Problem` where C has none like it, or it is not read here."""
    anonymous = declared.name is None and declared.bitsize is None
    defined = declared.type.type if isinstance(declared.type, c_ast.AttributedType) else declared.type
    if anonymous and (not isinstance(defined, c_ast.Struct | c_ast.Union) or defined.name):
        raise Problem("an anonymous member with a tag, or of another type, is not read here")
    c_type, attributes = reading.type_of(declared, Unnamed(stem=outer or "untagged", anonymous=anonymous))
    if c_type is None or isinstance(c_type, Function):
        raise Problem("a member of type void, or a function")
    if attributes.ms_struct is not None or attributes.of_calls:
        raise Problem("attribute ms_struct is of a type only, and a calling convention of a function")
    asked = [_alignas(reading, one) for one in declared.align or ()]
    alignas = max(asked, default=0) or None
    if alignas is not None and alignas < (reading.sizes.align(c_type) or 0):
        raise Problem(f"_Alignas({alignas}) is less than the alignment of the type")
    width = None if declared.bitsize is None else _width(reading, declared, c_type)
    return Member(
        c_type,
        declared.name or "",
        width=width,
        packed=attributes.packed,
        align=max(attributes.aligned, default=None),
        alignas=alignas,
        position=_position(declared, c_type),
    )


def pragma(reading: Reading, node: c_ast.Pragma) -> None:
    """Follow `#pragma pack`; raises `Problem` for a form or a number of it that C compilers do not have."""
    said = "".join(node.string.split()).removeprefix("pack").strip("()").split(",")
    values = [int(word) for word in said if word.isdigit()]
    words = [word for word in said if word and not word.isdigit()]
    if (
        len(values) > 1
        or words not in ([], ["push"], ["pop"])
        or any(value not in (1, 2, 4, 8, 16) for value in values)
    ):
        raise Problem(f"#pragma {node.string} is not read here")
    if words == ["pop"]:
        if len(reading.pack) < 2:
            raise Problem("#pragma pack(pop) without its push")
        reading.pack.pop()
    elif words == ["push"]:
        reading.pack.append(reading.pack[-1])
    if values or not words:
        reading.pack[-1] = values[0] if values else None


def _names(member: Member) -> tuple[str, ...]:
    """The names by which a member is reached: those of its members where it is anonymous."""
    if member.name or not isinstance(member.type, Record) or member.width is not None:
        return (member.name,) if member.name else ()
    return tuple(name for one in member.type.members for name in _names(one))


def _flexible(c_type: Type) -> bool:
    return isinstance(c_type, Array) and c_type.length is None


def _alignas(reading: Reading, node: c_ast.Alignas) -> int:
    if isinstance(node.alignment, c_ast.Typename):
        raise Problem("_Alignas is read with a number only")
    value = constant(node.alignment, reading.constants)
    if value < 0 or value & (value - 1):
        raise Problem(f"_Alignas({value}) is not a power of two")
    return value


def _width(reading: Reading, declared: c_ast.Decl, c_type: Type) -> int:
    """Bits of a bit-field (C17 6.7.2.1)."""
    width = constant(declared.bitsize, reading.constants)
    match strip(c_type):
        case Scalar(Kind.BOOL):
            most: int | None = 1
        case BitInt(bits):
            most = bits
        case (Scalar() | Enum()) as bare if isinstance(bare, Enum) or bare.kind.is_integer:
            size = reading.sizes.size(bare)
            most = None if size is None else 8 * size
        case _:
            raise Problem(f"bit-field {declared.name or 'without a name'} is not of an integer type")
    if width < (1 if declared.name else 0) or (most is not None and width > most):
        raise Problem(
            f"bit-field {declared.name or 'without a name'} of {width} bits, where its type has {most}"
        )
    return width


def _position(declared: c_ast.Decl, c_type: Type) -> Position:
    """Return the position of the attributes of a pointer: between its star and its name, or elsewhere."""
    star = declared.type
    return (
        Position.POINTER
        if isinstance(star, c_ast.PtrDecl) and star.attributes and isinstance(innermost(c_type), Pointer)
        else Position.AFTER
    )
