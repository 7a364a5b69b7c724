"""C declarations of types: a printer.

`suffix` is appended to every tag, typedef name and enumerator, so that many probes share one translation unit.
"""

from __future__ import annotations

import msgspec

from abiprobe.harness.machines.render.own_names import own, own_member
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    Enum,
    Member,
    Pointer,
    Position,
    Prototype,
    Record,
    Type,
    Typedef,
    Vector,
    declared,
    spelling,
)

GNU_C = "defined __GNUC__ || defined __clang__ || defined __TINYC__ || defined __PCC__ || defined __cplusplus"
"""True for a compiler that may be given GNU attributes and built-in functions. Others, small ones mostly, are asked in plain C."""


def type_name(c_type: Type | None, suffix: str = "") -> str:
    """The type without a declarator; not for arrays and pointers, see `declare`."""
    match c_type:
        case Record():
            return f"{c_type.keyword} {c_type.tag}{suffix}"
        case Enum(tag=tag):
            return f"enum {tag}{suffix}"
        case Typedef(name=name):
            return own(name, suffix) + suffix
        case Vector(kind=kind, size=size):
            return f"{kind.value} __attribute__((vector_size({size})))"
        case Atomic(base=base):
            return f"_Atomic({declare(base, '', suffix)})"
        case _:
            return spelling(c_type)


def declare(c_type: Type, declarator: str, suffix: str = "", specifier: str = "", pointer: str = "") -> str:
    """A declaration of `declarator` (a name, or `*`, or nothing) as `c_type`: `int a[3]`, `void (*f)(void)`.

    Attributes may stand behind the type specifier (`specifier`) and behind the star of a pointer (`pointer`).
    """
    match c_type:
        case Array(element=element, length=length):
            rows = f"{declarator}[{'' if length is None else length}]"
            return declare(element, rows, suffix, specifier, pointer)
        case Pointer(function=True):
            return f"{_join('void', specifier)} (*{_join(pointer, declarator)})(void)"
        case Pointer():
            return f"{_join('void', specifier)} *{_join(pointer, declarator)}"
        case _:
            return _join(type_name(c_type, suffix), specifier, declarator)


def _join(*words: str) -> str:
    return " ".join(filter(None, words))


def definition(c_type: Record | Enum | Typedef, suffix: str = "") -> str:
    """The definition of a tag or typedef name; what it is made of must be defined before."""
    match c_type:
        case Enum(tag=tag, enumerators=enumerators, packed=packed):
            items = ", ".join(
                f"{own(item.name, suffix)}{suffix} = {_literal(item.value)}" for item in enumerators
            )
            return _join(f"enum {tag}{suffix} {{ {items} }}", attributes(packed=packed)) + ";"
        case Typedef(name=name, base=base, align=align):
            return (
                _join("typedef", declare(base, own(name, suffix) + suffix, suffix), attributes(align=align))
                + ";"
            )
        case Record():
            return _within(None, c_type.pack, f"{_body(c_type, suffix)};").strip()


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


def _body(record: Record, suffix: str) -> str:
    """A record with its members and attributes; without a tag where it is anonymous."""
    tag = record.tag and record.tag + suffix
    members = " ".join(_member(member, record.pack, suffix) for member in record.members)
    asked = attributes(packed=record.packed, align=record.align, ms_struct=record.ms_struct)
    return _join(record.keyword, tag, f"{{ {members} }}", asked)


def _within(outer: int | None, pack: int | None, text: str) -> str:
    """`text` with `#pragma pack` of value `pack` in force, where `outer` is."""
    if pack == outer:
        return text
    change = f"#pragma pack(push, {pack})" if pack else "#pragma pack(push)\n#pragma pack()"
    return f"\n{change}\n{text}\n#pragma pack(pop)\n"


def _member(member: Member, pack: int | None, suffix: str) -> str:
    """A member of a record for which `#pragma pack` has the value `pack`."""
    asked = attributes(packed=member.packed, align=member.align)

    def at(position: Position) -> str:
        return asked if position is member.position else ""

    alignas = f"_Alignas({member.alignas})" if member.alignas is not None else ""
    ahead = (alignas, at(Position.BEFORE))
    if _is_anonymous(member) and isinstance(member.type, Record):
        text = _join(*ahead, _body(member.type, suffix), at(Position.SPECIFIER), at(Position.AFTER))
        return _within(pack, member.type.pack, f"{text};")
    width = f": {member.width}" if member.width is not None else ""
    middle = declare(
        member.type,
        own_member(member.name, suffix) + width,
        suffix,
        at(Position.SPECIFIER),
        at(Position.POINTER),
    )
    return _join(*ahead, middle, at(Position.AFTER)) + ";"


def attributes(
    *,
    packed: bool = False,
    align: int | None = None,
    ms_struct: bool | None = None,
    trivial_abi: bool = False,
) -> str:
    """The GNU attributes of that name in one `__attribute__`, or nothing."""
    asked = [
        *(["packed"] if packed else []),
        *([f"aligned({align})"] if align is not None else []),
        *(["ms_struct" if ms_struct else "gcc_struct"] if ms_struct is not None else []),
        *(["trivial_abi"] if trivial_abi else []),
    ]
    return f"__attribute__(({', '.join(asked)}))" if asked else ""


def _literal(value: int) -> str:
    """An integer constant expression of any value that a 64-bit type holds."""
    if value == -(1 << 63):
        return "-9223372036854775807LL - 1"
    return f"{value}{'ULL' if value >= 1 << 63 else 'LL' if abs(value) >= 1 << 31 else ''}"


def prototype(function: Prototype, suffix: str = "", name: str | None = None) -> str:
    """A prototype without the semicolon: `struct S f(int a, double b)`."""
    called = function.name if name is None else name
    if asked := convention(function):
        # In brackets, or the attribute of a function that returns a function's address would be that function's.
        called = f"({asked} {called})"
    return _returning(function, f"{called}({_params(function, suffix, named=True)})", suffix)


def pointer_to(function: Prototype, suffix: str = "") -> str:
    """The type name of a pointer to functions of this prototype, for a cast."""
    # A pointer has no `target` attribute: who calls through it decides.
    star = _join(convention(msgspec.structs.replace(function, isa=None)), "*")
    return _returning(function, f"({star})({_params(function, suffix, named=False)})", suffix)


def convention(function: Prototype) -> str:
    """The attributes of a function's calling convention in one `__attribute__`, or nothing."""
    asked = [
        *([function.convention.value] if function.convention is not None else []),
        *([f"regparm({function.regparm})"] if function.regparm is not None else []),
        *([f'target("{function.isa.value}")'] if function.isa is not None else []),
    ]
    return f"__attribute__(({', '.join(asked)}))" if asked else ""


def _returning(function: Prototype, declarator: str, suffix: str) -> str:
    return f"void {declarator}" if function.result is None else declare(function.result, declarator, suffix)


def _params(function: Prototype, suffix: str, *, named: bool) -> str:
    # What a pragma says of a parameter it says by its name.
    apart = "" if function.simd else suffix
    params = [
        declare(param.type, own(param.name, apart) if named else "", suffix) for param in function.params
    ]
    if function.variadic:
        params.append("...")
    return ", ".join(params) or "void"


def call_of(function: Prototype) -> str:
    """A function that calls a variadic one with the unnamed arguments asked about; empty where there are none."""
    if not function.unnamed:
        return ""
    arguments = ", ".join(f"*({declare(argument.type, '*')})0" for argument in function.arguments)
    return f"static void calls_{function.name}(void) {{ {function.name}({arguments}); }}"
