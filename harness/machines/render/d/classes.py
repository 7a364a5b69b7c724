"""Classes of C++ in D: structs, unions, and the classes of `extern (C++)`, all of which have virtual functions.

A class of D has one base at most, is no member of another, and its size and alignment are not told; what is told is where
the data of a class begin that is derived from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from abiprobe.harness.machines.render.class_units import LAYOUT, by_offset
from abiprobe.harness.machines.render.d.types import BUILTINS
from abiprobe.harness.machines.render.probe_markers import marker
from abiprobe.harness.machines.render.unsayable import UnsayableError
from abiprobe.oracles.abis.itanium.definitions import is_dynamic
from abiprobe.oracles.language.classes import (
    Access,
    Class,
    CxxArray,
    CxxType,
    DataMember,
    DataMemberPointer,
    Declared,
    FixedEnum,
    MemberFunctionPointer,
    Reference,
    classes_of,
    element,
    parts,
)
from abiprobe.oracles.language.lang import Kind, Pointer, Scalar, spelling

PRELUDE = "module abi_classes;\nimport core.stdc.config;\nextern (C++):\n"
DERIVED = "Derived"
KINDS = {Kind.SCHAR: "byte", Kind.BOOL: "bool"}
DECLARED: Mapping[str, str] = MappingProxyType({})
"""Functions that are declared only."""
UNTOLD = frozenset({Declared.IMPLICIT, Declared.DEFAULTED})


def is_class(one: Class) -> bool:
    """Return whether a class is one of D, and no struct."""
    return is_dynamic(one)


def scalar(kind: Kind) -> str:
    """A scalar in D."""
    if kind in KINDS:
        return KINDS[kind]
    name = spelling(Scalar(kind))
    if name not in BUILTINS:
        raise UnsayableError(f"no {name}")
    return BUILTINS[name] or name


def type_text(c_type: CxxType, suffix: str) -> str:
    """The type of a member; the names of classes and enumerations end with a suffix."""
    match c_type:
        case Scalar(kind):
            return scalar(kind)
        case Pointer(function=False):
            return "void*"
        case CxxArray(inner, length):
            return f"{type_text(inner, suffix)}[{length}]"
        case FixedEnum(tag):
            return f"{tag}{suffix}"
        case Class() as one if is_class(one):
            raise UnsayableError("no members, elements and parameters of classes with virtual functions")
        case Class(tag):
            return f"{tag}{suffix}"
        case DataMemberPointer() | MemberFunctionPointer():
            raise UnsayableError("no pointers to members")
        case Reference():
            raise UnsayableError("no references but parameters and results")
        case _:
            raise UnsayableError(f"no {type(c_type).__name__.lower()} that is asked for here")


def member(one: DataMember, owner: Class, suffix: str) -> str:
    """A data member."""
    if one.width is not None:
        raise UnsayableError("no bit-fields")
    if one.no_unique_address:
        raise UnsayableError("no members that overlap")
    private = "private " * (one.access is not Access.PUBLIC)
    if isinstance(one.type, Class) and not one.type.tag:
        return f"{asked_align(one, owner, '')}{private}{one.type.keyword} {{ {members(one.type, suffix)} }}"
    text = type_text(one.type, suffix)
    return f"{asked_align(one, owner, f'({text}).alignof')}{private}{text} {one.name};"


def asked_align(one: DataMember, owner: Class, natural: str) -> str:
    """The `align` of a member, which in D is the whole of its alignment."""
    wanted = max(one.alignas or 0, one.align or 0)
    if one.packed or owner.packed:
        return f"align({wanted or 1}) "
    if owner.pack is not None:
        raise UnsayableError("no #pragma pack")
    if not wanted:
        return ""
    return f"align({wanted} > {natural} ? {wanted} : {natural}) "


def members(one: Class, suffix: str) -> str:
    """The data members of a class."""
    return " ".join(member(item, one, suffix) for item in one.members)


def definition(one: Class, suffix: str, bodies: Mapping[str, str] = DECLARED, first: str = "") -> str:
    """The definition of a class with a declaration that comes `first`; `bodies` are those of special functions and of all others."""
    name = f"{one.tag}{suffix}"
    if one.trivial_abi:
        raise UnsayableError("no attribute trivial_abi")
    inside = " ".join(filter(None, (members(one, suffix), *functions(one, bodies, suffix))))
    if not is_class(one):
        if one.bases:
            raise UnsayableError("no base classes of structs")
        return f"{aligned(one, suffix)}{one.keyword} {name} {{ {first} {inside} }}"
    if one.asked > 1 or one.packed:
        raise UnsayableError("no alignment of a class that is asked for, and none packed")
    return f"{'final ' * one.final}class {name}{base_of(one, suffix)} {{ {first} {inside} }}"


def aligned(one: Class, suffix: str) -> str:
    """The `align` of a struct, which is never less than that of its members here."""
    if one.asked == 1:
        return ""
    inner = [f"({type_text(item.type, suffix)}).alignof" for item in one.members if item.name]
    if one.packed or not inner:
        return f"align({one.asked}) "
    text = str(one.asked)
    for natural in inner:
        text = f"({natural} > {text} ? {natural} : {text})"
    return f"align({text}) "


def base_of(one: Class, suffix: str) -> str:
    """The base of a class of D."""
    if len(one.bases) > 1:
        raise UnsayableError("no second base class")
    if not one.bases:
        return ""
    (base,) = one.bases
    if base.virtual:
        raise UnsayableError("no virtual bases")
    if base.access is not Access.PUBLIC:
        raise UnsayableError("no private and protected bases")
    if not is_class(base.type):
        raise UnsayableError("no base class without virtual functions")
    if base.type.final:
        raise UnsayableError("no final base")
    return f" : {base.type.tag}{suffix}"


def functions(one: Class, bodies: Mapping[str, str], suffix: str) -> Iterator[str]:
    """The special member functions and the virtual functions of a class, in the order of their declarations in C++.

    A struct of D is made without a default constructor, whether C++ has one or not.
    """
    specials, name, of_class = one.specials, f"{one.tag}{suffix}", is_class(one)
    if specials.default not in UNTOLD and of_class:
        yield f"this() {body_of('', bodies)}"
    elif of_class and not specials.other and any(map(lacks_default, (base.type for base in one.bases))):
        yield "@disable this();"
    if specials.move not in UNTOLD:
        raise UnsayableError("no move constructors")
    if of_class and not {specials.copy, specials.assign} <= UNTOLD:
        raise UnsayableError("no copy constructors and assignments of classes")
    if specials.copy not in UNTOLD:
        yield disabled(specials.copy, f"this(ref const({name}) o)", body_of("copy", bodies))
    if specials.assign not in UNTOLD:
        assign = f"ref {name} opAssign(ref const({name}) o) return"
        yield disabled(specials.assign, assign, body_of("assign", bodies))
    destroying = tuple(destructor(one, body_of("destructor", bodies)))
    behind = specials.destructor.behind
    yield from () if behind else destroying
    if specials.other:
        yield f"this(int at, int) {body_of('other', bodies)}"
    if any(item.result or item.deleted for item in one.virtuals):
        raise UnsayableError(
            "no virtual functions that are deleted or return a pointer to a class of this kind"
        )
    body = body_of("", bodies)
    virtuals = [virtual(one, item.name, pure=item.pure, final=item.final, body=body) for item in one.virtuals]
    yield from virtuals[:behind]
    yield from destroying if behind else ()
    yield from virtuals[behind:]


def body_of(name: str, bodies: Mapping[str, str]) -> str:
    """The body of a special function; it is only declared where there is none."""
    return bodies.get(name, ";")


def lacks_default(one: Class) -> bool:
    """Return whether a class can be made only with arguments, or a base of it."""
    if one.specials.default is not Declared.IMPLICIT:
        return False
    return one.specials.other or any(lacks_default(base.type) for base in one.bases)


def destructor(one: Class, body: str) -> Iterator[str]:
    """The destructor of a class, which is virtual in a class of D."""
    own = one.specials.destructor
    if own.declared is Declared.DELETED:
        raise UnsayableError("no destructor that is deleted")
    if own.virtual and own.declared is not Declared.PROVIDED:
        raise UnsayableError("no destructor that is virtual and defaulted")
    if own.declared is Declared.PROVIDED:
        if one.union:
            raise UnsayableError("no destructors of unions")
        if is_class(one) and not own.virtual and not inherits_destructor(one):
            raise UnsayableError("no destructors of classes but virtual ones")
        yield f"~this() {body}"


def inherits_destructor(one: Class) -> bool:
    """Return whether a base has a virtual destructor."""
    return any(base.type.specials.destructor.virtual or inherits_destructor(base.type) for base in one.bases)


def disabled(how: Declared, declaration: str, body: str) -> str:
    """A function that is provided, or one that is deleted."""
    return f"@disable {declaration};" if how is Declared.DELETED else f"{declaration} {body}"


def virtual(one: Class, name: str, *, pure: bool, final: bool, body: str) -> str:
    """A virtual function, which overrides that of a base."""
    overrides = any(name in every_virtual(base.type) for base in one.bases)
    if final and not overrides:
        raise UnsayableError("no final function that is virtual and overrides none")
    words = "final " * final + "abstract " * pure + "override " * overrides
    return f"{words}void {name}(){';' if pure else f' {body}'}"


def every_virtual(one: Class) -> frozenset[str]:
    """The names of the virtual functions of a class and its bases."""
    inherited = frozenset(name for base in one.bases for name in every_virtual(base.type))
    return inherited | {item.name for item in one.virtuals}


def enumerations(types: Sequence[CxxType], suffix: str) -> Iterator[str]:
    """The enumerations among types."""
    for one in dict.fromkeys(types):
        if isinstance(one, FixedEnum):
            yield f"enum {one.tag}{suffix} : {scalar(one.base)} {{ {one.tag}_e }}"


def definitions(asked: Class, suffix: str = "", bodies: Mapping[str, str] = DECLARED) -> str:
    """Everything that a class needs to be defined, and the class."""
    types = [element(item.type) for one in parts(asked) for item in one.members]
    return "\n".join(
        [*enumerations(types, suffix), *(definition(one, suffix, bodies) for one in classes_of(asked))]
    )


def told(asked: Class, suffix: str) -> dict[str, str]:
    """The constants about a class, as expressions by what they are about."""
    name = f"{asked.tag}{suffix}"
    found = {} if is_class(asked) else {"sizeof": f"{name}.sizeof", "alignof": f"{name}.alignof"}
    found |= {item.name: f"{name}.{item.name}.offsetof" for item in by_offset(asked)}
    if is_class(asked) and not asked.final:
        found[DERIVED] = f"{DERIVED}{suffix}.c.offsetof"
    if not found:
        raise UnsayableError("nothing to tell of a final class without members")
    return found


def constants_unit(questions: Sequence[Class]) -> str:
    """The unit with the constants of each class."""
    lines = [PRELUDE]
    for index, asked in enumerate(questions):
        suffix = f"_{index}"
        found = told(asked, suffix)
        lines += [marker(index), definitions(asked, suffix)]
        if DERIVED in found:
            lines.append(f"class {DERIVED}{suffix} : {asked.tag}{suffix} {{ this(); char c; }}")
        values = ", ".join(found.values())
        lines.append(f"extern (C) __gshared immutable ulong[{len(found)}] {LAYOUT}{index} = [{values}];")
    return "\n".join(lines) + "\n"


def declaration(asked: Class) -> str:
    """A class for people; raises `UnsayableError` for what D cannot say or tell."""
    told(asked, "")
    return definitions(asked)
