"""C++ classes as C++ text."""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.harness.machines.render.c import attributes, declare
from abiprobe.harness.machines.render.c import definition as definition_in_c
from abiprobe.oracles.abis.itanium.graph import walk
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
    VirtualFunction,
    classes_of,
    element,
    parts,
)
from abiprobe.oracles.language.classes import spelling as cxx_spelling
from abiprobe.oracles.language.lang import Enum, Kind, Scalar, Typedef, spelling

ENDINGS = {Declared.DEFAULTED: " = default;", Declared.DELETED: " = delete;"}


def type_and(c_type: CxxType, declarator: str, hidden: frozenset[str]) -> str:
    """A declaration of `declarator` as `c_type`: `int a[3]`, `void (C::*f)()`; see `hidden_in`."""
    match c_type:
        case CxxArray(inner, length):
            return type_and(inner, f"{declarator}[{length}]", hidden)
        case Class(""):
            gnu = attributes(packed=c_type.packed, align=c_type.align)
            members = " ".join(member(one, hidden) for one in c_type.members)
            return f"{c_type.keyword} {gnu}{' ' * bool(gnu)}{{ {members} }} {declarator}".rstrip()
        case Class(tag):
            return f"{tag}{'_t' * (tag in hidden)} {declarator}".rstrip()
        case Reference(to, rvalue):
            return type_and(to, f"{'&&' if rvalue else '&'}{declarator}", hidden)
        case DataMemberPointer(of, pointee):
            return type_and(pointee, f"{of}::*{declarator}", hidden)
        case MemberFunctionPointer(of):
            return f"void ({of}::*{declarator})()"
        case FixedEnum(tag):
            return f"{tag} {declarator}".rstrip()
        case Scalar(Kind.BOOL | Kind.FLOAT128):
            return f"{cxx_spelling(c_type)} {declarator}".rstrip()
        case _:
            return declare(c_type, declarator)


def hidden_in(asked: Class) -> frozenset[str]:
    """The tags of classes which members need another name for: a private base hides its own, and those of its bases, from derived classes."""
    bases = (base for one in classes_of(asked) for base in one.bases)
    private = (base.type for base in bases if base.access is not Access.PUBLIC)
    return frozenset(node.type.tag for one in private for node in walk(one))


def member(one: DataMember, hidden: frozenset[str]) -> str:
    """A data member as it is declared, without its access."""
    specifiers = "[[no_unique_address]] " if one.no_unique_address else ""
    if one.alignas is not None:
        specifiers += f"alignas({one.alignas}) "
    width = "" if one.width is None else f" : {one.width}"
    asked = attributes(packed=one.packed, align=one.align)
    return f"{specifiers}{type_and(one.type, one.name, hidden)}{width}{' ' if asked else ''}{asked};"


def functions(one: Class, made: frozenset[Class] | None, hidden: frozenset[str]) -> Iterator[str]:
    """The member functions of a class.

    They are declared only, unless objects are `made` of some classes: then virtual functions and destructors that the user
    provides do nothing, and so do the default constructors of those classes.
    """
    tag, specials = one.tag, one.specials
    nothing = ";" if made is None else " {}"
    constructing = f"{bindings(one, hidden)} {{}}" if made is not None and one in made else ";"
    destructor = specials.destructor
    forms = (
        (specials.default, f"{tag}()", constructing),
        (specials.copy, f"{tag}(const {tag} &)", ";"),
        (specials.move, f"{tag}({tag} &&)", ";"),
        (specials.assign, f"{tag} &operator=(const {tag} &)", ";"),
        (destructor.declared, f"{'virtual ' * destructor.virtual}~{tag}()", nothing),
    )
    *special, last = (
        text + ENDINGS.get(declared, body) if declared is not Declared.IMPLICIT else ""
        for declared, text, body in forms
    )
    others = [f"{tag}(int, int);"] if specials.other else []
    virtual = [virtual_function(function, made is not None) for function in one.virtuals]
    behind = destructor.behind
    ordered = (*virtual[:behind], last, *virtual[behind:]) if behind else (*virtual,)
    yield from filter(None, (*special, *([] if behind else [last]), *others, *ordered))


def virtual_function(one: VirtualFunction, defined: bool) -> str:  # noqa: FBT001 - like `made` above
    """The declaration of a virtual function, or its definition that does nothing."""
    head = f"virtual {f'{one.result} *' if one.result else 'void '}{one.name}(){' final' * one.final}"
    if one.pure or one.deleted:
        return f"{head} = {'0' if one.pure else 'delete'};"
    return f"{head}{' { return 0; }' if one.result else ' {}'}" if defined else f"{head};"


def bindings(one: Class, hidden: frozenset[str]) -> str:
    """The initialisers of the references of a class, which are bound to the object itself."""
    bound = [
        f"{item.name}(({type_and(item.type, '', hidden)})*this)"
        for item in one.members
        if isinstance(item.type, Reference)
    ]
    return f" : {', '.join(bound)}" if bound else ""


def definition(
    one: Class, friend: str, made: frozenset[Class] | None, hidden: frozenset[str], first: str = ""
) -> str:
    """The definition of a class, whose parts must be defined before, with a declaration that comes `first`.

    A `friend` may name its members, `made` is as for `functions`.
    """
    asked = f" alignas({one.alignas})" if one.alignas is not None else ""
    gnu = attributes(packed=one.packed, align=one.align, trivial_abi=one.trivial_abi)
    bases = ", ".join(
        f"{'virtual ' * base.virtual}{'' if base.access is Access.PUBLIC else f'{base.access.value} '}{base.type.tag}"
        for base in one.bases
    )
    # gcc before 13 takes no attribute beside alignas, in either order.
    head_gnu, tail_gnu = ("", f" {gnu}") if asked and gnu else (f" {gnu}" if gnu else "", "")
    head = f"{one.keyword}{asked}{head_gnu} {one.tag}{' final' * one.final}{' : ' if bases else ''}{bases}"
    body = " ".join(filter(None, (first, *declarations(one, friend, made, hidden))))
    text = f"{head} {{{f' {body} ' if body else ''}}}{tail_gnu};"
    if one.tag in hidden:
        text += f"\ntypedef {one.tag} {one.tag}_t;"
    return text if one.pack is None else f"#pragma pack(push, {one.pack})\n{text}\n#pragma pack(pop)"


def declarations(
    one: Class, friend: str, made: frozenset[Class] | None, hidden: frozenset[str]
) -> Iterator[str]:
    """The declarations in a class, with a label wherever another access begins."""
    if friend:
        yield f"friend struct {friend};"
    access = Access.PUBLIC
    found = [(item.access, member(item, hidden)) for item in one.members]
    for own, text in (*found, *((Access.PUBLIC, text) for text in functions(one, made, hidden))):
        yield text if own is access else f"{own.value}: {text}"
        access = own


def member_types(asked: Class) -> tuple[CxxType, ...]:
    """The types of all members that a question has, of arrays those of their elements, each once."""
    return tuple(dict.fromkeys(element(item.type) for one in parts(asked) for item in one.members))


def pointed_to(asked: Class) -> Iterator[str]:
    """The classes of which there are pointers to members, and which are none of those that a question is made of."""
    pointers = (
        one for one in member_types(asked) if isinstance(one, DataMemberPointer | MemberFunctionPointer)
    )
    known = {one.tag for one in classes_of(asked)}
    yield from dict.fromkeys(one.of for one in pointers if one.of not in known)


def enumerations(types: tuple[CxxType, ...]) -> Iterator[str]:
    """The definitions of enumerations and typedef names among types."""
    for one in types:
        if isinstance(one, FixedEnum):
            kind = "bool" if one.base is Kind.BOOL else spelling(Scalar(one.base))
            yield f"enum {'class ' * one.scoped}{one.tag} : {kind} {{}};"
        elif isinstance(one, Enum | Typedef):
            yield definition_in_c(one)


def definitions(
    asked: Class, friend: str = "", more: tuple[Class, ...] = (), made: frozenset[Class] | None = None
) -> str:
    """Everything that a class needs to be defined, the class, and `more` that need nothing else; `made` is as for `functions`."""
    lines = [f"struct {tag};" for tag in pointed_to(asked)]
    lines += enumerations(member_types(asked))
    hidden = hidden_in(asked)
    return "\n".join(
        [*lines, *(definition(one, friend, made, hidden) for one in (*classes_of(asked), *more))]
    )
