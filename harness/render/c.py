"""C declarations of types: a printer.

`suffix` is appended to every tag, typedef name and enumerator, so that many probes share one translation unit.
"""

from __future__ import annotations

from abiprobe.oracles.lang import (
    Array,
    Atomic,
    Enum,
    Member,
    Pointer,
    Prototype,
    Record,
    Type,
    Typedef,
    Vector,
    declared,
    spelling,
)


def type_name(c_type: Type | None, suffix: str = "") -> str:
    """The type without a declarator; not for arrays and function pointers, see `declare`."""
    match c_type:
        case Record():
            return f"{c_type.keyword} {c_type.tag}{suffix}"
        case Enum(tag=tag):
            return f"enum {tag}{suffix}"
        case Typedef(name=name):
            return name + suffix
        case Atomic(base=base):
            return f"_Atomic({declare(base, '', suffix)})"
        case _:
            return spelling(c_type)


def declare(c_type: Type, declarator: str, suffix: str = "") -> str:
    """A declaration of `declarator` (a name, or `*`, or nothing) as `c_type`: `int a[3]`, `void (*f)(void)`."""
    match c_type:
        case Array(element=element, length=length):
            return declare(element, f"{declarator}[{'' if length is None else length}]", suffix)
        case Pointer(function=True):
            return f"void (*{declarator})(void)"
        case Pointer():
            return f"void *{declarator}"
        case Vector(kind=kind, size=size):
            return f"{kind.value} __attribute__((vector_size({size}))) {declarator}".rstrip()
        case _:
            return f"{type_name(c_type, suffix)} {declarator}".rstrip()


def definition(c_type: Record | Enum | Typedef, suffix: str = "") -> str:
    """The definition of a tag or typedef name; what it is made of must be defined before."""
    match c_type:
        case Enum(tag=tag, enumerators=enumerators, packed=packed):
            items = ", ".join(f"{item.name}{suffix} = {_literal(item.value)}" for item in enumerators)
            return f"enum {tag}{suffix} {{ {items} }}{' __attribute__((packed))' if packed else ''};"
        case Typedef(name=name, base=base, align=align):
            attribute = f" __attribute__((aligned({align})))" if align is not None else ""
            return f"typedef {declare(base, name + suffix, suffix)}{attribute};"
        case Record():
            return _record(c_type, suffix)


def definitions(types: tuple[Type, ...], suffix: str = "") -> str:
    """Every definition that `types` need, one below the other, in an order that C accepts."""
    named = declared(types)
    inside = {inner for outer in named for inner in _anonymous(outer)}
    return "\n".join(definition(item, suffix) for item in named if item not in inside)


def _anonymous(c_type: Record | Enum | Typedef) -> list[Type]:
    if not isinstance(c_type, Record):
        return []
    return [member.type for member in c_type.members if _is_anonymous(member)]


def _is_anonymous(member: Member) -> bool:
    return not member.name and member.width is None


def _record(record: Record, suffix: str) -> str:
    body = " ".join(_member(member, suffix) for member in record.members)
    text = f"{record.keyword} {record.tag}{suffix} {{ {body} }}{_attributes(record.packed, record.align)};"
    return f"#pragma pack(push, {record.pack})\n{text}\n#pragma pack(pop)" if record.pack else text


def _member(member: Member, suffix: str) -> str:
    alignas = f"_Alignas({member.alignas}) " if member.alignas is not None else ""
    if _is_anonymous(member) and isinstance(member.type, Record):
        inner = member.type
        body = " ".join(_member(item, suffix) for item in inner.members)
        text = f"{inner.keyword} {{ {body} }}{_attributes(inner.packed, inner.align)}"
    elif member.width is not None:
        text = f"{type_name(member.type, suffix)} {member.name}: {member.width}"
    else:
        text = declare(member.type, member.name, suffix)
    return f"{alignas}{text}{_attributes(member.packed, member.align)};"


def _attributes(packed: bool, align: int | None) -> str:  # noqa: FBT001 - mirrors the two attributes
    asked = [*(["packed"] if packed else []), *([f"aligned({align})"] if align is not None else [])]
    return f" __attribute__(({', '.join(asked)}))" if asked else ""


def _literal(value: int) -> str:
    """An integer constant expression of any value that a 64-bit type holds."""
    if value == -(1 << 63):
        return "-9223372036854775807LL - 1"
    return f"{value}{'ULL' if value >= 1 << 63 else 'LL' if abs(value) >= 1 << 31 else ''}"


def prototype(function: Prototype, suffix: str = "", name: str | None = None) -> str:
    """A prototype without the semicolon: `struct S f(int a, double b)`."""
    params = [declare(param.type, param.name, suffix) for param in function.params]
    if function.variadic:
        params.append("...")
    declarator = f"{function.name if name is None else name}({', '.join(params) or 'void'})"
    return f"void {declarator}" if function.result is None else declare(function.result, declarator, suffix)


def pointer_to(function: Prototype, suffix: str = "") -> str:
    """The type name of a pointer to functions of this prototype, for a cast."""
    params = [declare(param.type, "", suffix) for param in function.params]
    if function.variadic:
        params.append("...")
    declarator = f"(*)({', '.join(params) or 'void'})"
    return f"void {declarator}" if function.result is None else declare(function.result, declarator, suffix)
