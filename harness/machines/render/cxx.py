"""C++ classes as C++ text."""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.harness.machines.render.c import attributes, declare
from abiprobe.oracles.language.classes import (
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
)
from abiprobe.oracles.language.lang import Kind, Scalar, spelling

ENDINGS = {Declared.DEFAULTED: " = default;", Declared.DELETED: " = delete;"}


def type_and(c_type: CxxType, declarator: str) -> str:
    """A declaration of `declarator` as `c_type`: `int a[3]`, `void (C::*f)()`."""
    match c_type:
        case CxxArray(inner, length):
            return type_and(inner, f"{declarator}[{length}]")
        case Class():
            return f"{named(c_type)} {declarator}".rstrip()
        case Reference(to, rvalue):
            return type_and(to, f"{'&&' if rvalue else '&'}{declarator}")
        case DataMemberPointer(of, member):
            return type_and(member, f"{of}::*{declarator}")
        case MemberFunctionPointer(of):
            return f"void ({of}::*{declarator})()"
        case FixedEnum(tag):
            return f"{tag} {declarator}".rstrip()
        case Scalar(Kind.BOOL):
            return f"bool {declarator}".rstrip()
        case _:
            return declare(c_type, declarator)


def named(one: Class) -> str:
    """The name by which another class names this one: not its own, which a private base hides from those derived further."""
    return f"{one.tag}_t"


def member(one: DataMember) -> str:
    """A data member as it is declared, without its access."""
    specifiers = "[[no_unique_address]] " if one.no_unique_address else ""
    if one.alignas is not None:
        specifiers += f"alignas({one.alignas}) "
    width = "" if one.width is None else f" : {one.width}"
    asked = attributes(packed=one.packed, align=one.align)
    return f"{specifiers}{type_and(one.type, one.name)}{width}{' ' if asked else ''}{asked};"


def functions(one: Class, made: frozenset[Class] | None) -> Iterator[str]:
    """The member functions of a class.

    They are declared only, unless objects are `made` of some classes: then virtual functions and destructors that the user
    provides do nothing, and so do the default constructors of those classes.
    """
    tag, specials = one.tag, one.specials
    nothing = ";" if made is None else " {}"
    constructing = f"{bindings(one)} {{}}" if made is not None and one in made else ";"
    destructor = specials.destructor
    forms = (
        (specials.default, f"{tag}()", constructing),
        (specials.copy, f"{tag}(const {tag} &)", ";"),
        (specials.move, f"{tag}({tag} &&)", ";"),
        (specials.assign, f"{tag} &operator=(const {tag} &)", ";"),
        (destructor.declared, f"{'virtual ' * destructor.virtual}~{tag}()", nothing),
    )
    for declared, text, body in forms:
        if declared is not Declared.IMPLICIT:
            yield text + ENDINGS.get(declared, body)
    if specials.other:
        yield f"{tag}(int, int);"
    for function in one.virtuals:
        yield f"virtual void {function.name}(){' final' * function.final}{' = 0;' if function.pure else nothing}"


def bindings(one: Class) -> str:
    """The initialisers of the references of a class, which are bound to the object itself."""
    bound = [
        f"{item.name}(({type_and(item.type, '')})*this)"
        for item in one.members
        if isinstance(item.type, Reference)
    ]
    return f" : {', '.join(bound)}" if bound else ""


def definition(one: Class, friend: str = "", made: frozenset[Class] | None = None) -> str:
    """The definition of a class, whose parts must be defined before; `friend` may name its members, `made` is as for `functions`."""
    asked = "".join(f" alignas({one.alignas})" if one.alignas is not None else "")
    gnu = attributes(packed=one.packed, align=one.align)
    bases = ", ".join(
        f"{'virtual ' * base.virtual}{base.access.value} {named(base.type)}" for base in one.bases
    )
    lines = [f"friend struct {friend};"] if friend else []
    lines += [f"{item.access.value}: {member(item)}" for item in one.members]
    lines += [f"public: {text}" for text in functions(one, made)]
    # gcc before 13 takes no attribute beside alignas, in either order.
    head_gnu, tail_gnu = ("", f" {gnu}") if asked and gnu else (f" {gnu}" if gnu else "", "")
    head = f"{one.keyword}{asked}{head_gnu} {one.tag}{' final' * one.final}{' : ' if bases else ''}{bases}"
    text = f"{head} {{ {' '.join(lines)} }}{tail_gnu};\ntypedef {one.tag} {named(one)};"
    return text if one.pack is None else f"#pragma pack(push, {one.pack})\n{text}\n#pragma pack(pop)"


def enumerations(asked: Class) -> Iterator[FixedEnum]:
    """The enumerations that the classes of a question use."""
    for one in classes_of(asked):
        for item in one.members:
            inner = element(item.type)
            if isinstance(inner, FixedEnum):
                yield inner


def definitions(
    asked: Class, friend: str = "", more: tuple[Class, ...] = (), made: frozenset[Class] | None = None
) -> str:
    """Everything that a class needs to be defined, the class, and `more` that need nothing else; `made` is as for `functions`."""
    enums = dict.fromkeys(enumerations(asked))
    lines = ["struct Z;"]
    for one in enums:
        kind = "bool" if one.base is Kind.BOOL else spelling(Scalar(one.base))
        lines.append(f"enum {'class ' * one.scoped}{one.tag} : {kind} {{}};")
    return "\n".join([*lines, *(definition(one, friend, made) for one in (*classes_of(asked), *more))])
