"""C++ classes, as they were declared."""

from __future__ import annotations

import re
from collections import Counter
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import types
from abiprobe.harness.input.libclang import cindex, element_type, kind_of
from abiprobe.harness.input.limits import expect_shallow
from abiprobe.harness.input.reading import identifier
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
)
from abiprobe.oracles.language.lang import Kind, Pointer, Scalar, Typedef

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from abiprobe.harness.input.reading import Reading

ACCESSES = {"PUBLIC": Access.PUBLIC, "PROTECTED": Access.PROTECTED, "PRIVATE": Access.PRIVATE}


def class_of(reading: Reading, declaration: Any, where: Any) -> Class:
    """The class that `declaration` declares; raises `Problem` at `where` if it is incomplete or cannot be expressed."""
    definition = declaration if declaration.is_definition() else declaration.get_definition()
    if definition is None:
        raise reading.problem(where, f"{declaration.type.spelling} is incomplete here")
    known = reading.known_classes.get(definition)
    if known is None:
        reading.expect_sound(definition)
        reading.inside += 1
        try:
            expect_shallow(reading, definition)
            known = reading.known_classes[definition] = _class(reading, definition)
        finally:
            reading.inside -= 1
    return known


def _class(reading: Reading, definition: Any) -> Class:
    attributes = reading.attributes(definition)
    if attributes.ms_struct:
        raise reading.problem(
            definition, "attribute ms_struct on a class is not something abiprobe can express"
        )
    children = list(definition.get_children())
    kinds = cindex().CursorKind
    return Class(
        _tag(reading, definition),
        tuple(_base(reading, one) for one in children if one.kind == kinds.CXX_BASE_SPECIFIER),
        tuple(_member(reading, field) for field in definition.type.get_fields()),
        tuple(_virtuals(one for one in children if one.kind == kinds.CXX_METHOD)),
        _specials(children),
        union=definition.kind == kinds.UNION_DECL,
        final=any(one.kind == kinds.CXX_FINAL_ATTR for one in children),
        packed=attributes.packed,
        alignas=reading.alignment(definition, attributes.alignas),
        align=reading.single_alignment(definition, attributes.aligned),
        pack=reading.pack(definition),
        trivial_abi=attributes.trivial_abi,
    )


def _tag(reading: Reading, definition: Any) -> str:
    """A name by which the class may be declared at the outermost level; empty for an anonymous union."""
    if cindex().conf.lib.clang_Cursor_isAnonymousRecordDecl(definition):
        return ""
    spelled = definition.type.spelling
    if re.fullmatch(r"\w+", spelled):
        return str(spelled)
    return reading.tag(definition) if " at " in spelled else re.sub(r"\W+", "_", spelled).strip("_")


def _base(reading: Reading, specifier: Any) -> Base:
    base = class_of(reading, specifier.type.get_canonical().get_declaration(), specifier)
    virtual = bool(cindex().conf.lib.clang_isVirtualBase(specifier))
    return Base(base, virtual=virtual, access=_access(specifier))


def _access(cursor: Any) -> Access:
    return ACCESSES.get(cursor.access_specifier.name, Access.PUBLIC)


def _member(reading: Reading, field: Any) -> DataMember:
    attributes = reading.attributes(field)
    return DataMember(
        cxx_type(reading, field.type, field),
        identifier(field),
        field.get_bitfield_width() if field.is_bitfield() else None,
        _access(field),
        no_unique_address=attributes.overlapping,
        alignas=reading.alignment(field, attributes.alignas),
        align=reading.alignment(field, attributes.aligned),
        packed=attributes.packed,
    )


def _virtuals(methods: Iterator[Any]) -> Iterator[VirtualFunction]:
    """The virtual member functions; those of one name get names by their parameters."""
    found = [one for one in methods if one.is_virtual_method()]
    often = Counter(one.spelling for one in found)
    for one in found:
        plain = often[one.spelling] == 1 and re.fullmatch(r"\w+", one.spelling)
        text = f"f_{one.displayname}{' const' * one.is_const_method()}"
        name = one.spelling if plain else re.sub(r"\W+", "_", text).strip("_")
        final = any(child.kind == cindex().CursorKind.CXX_FINAL_ATTR for child in one.get_children())
        yield VirtualFunction(name, pure=one.is_pure_virtual_method(), final=final)


def _specials(children: Sequence[Any]) -> Specials:
    """Return the declarations of the special member functions; of several of a kind the one least like the compiler's own."""
    kinds = cindex().CursorKind
    constructors = [one for one in children if one.kind == kinds.CONSTRUCTOR]
    special = ("is_default_constructor", "is_copy_constructor", "is_move_constructor")
    default, copy, move = (
        _declared(one for one in constructors if getattr(one, asked)()) for asked in special
    )
    others = (one for one in constructors if not any(getattr(one, asked)() for asked in special))
    destructors = [one for one in children if one.kind == kinds.DESTRUCTOR]
    return Specials(
        default,
        copy,
        move,
        _declared(
            one
            for one in children
            if one.kind == kinds.CXX_METHOD and one.is_copy_assignment_operator_method()
        ),
        Destruction(
            _declared(iter(destructors)),
            virtual=any(one.is_virtual_method() for one in destructors),
            access=next(map(_access, destructors), Access.PUBLIC),
            behind=_behind(children),
        ),
        other=_declared(others) is not Declared.IMPLICIT,
    )


def _behind(children: Sequence[Any]) -> int:
    """The number of virtual functions that are declared before a virtual destructor."""
    before = takewhile(lambda one: one.kind != cindex().CursorKind.DESTRUCTOR, children)
    found = sum(one.kind == cindex().CursorKind.CXX_METHOD and one.is_virtual_method() for one in before)
    destructors = (one for one in children if one.kind == cindex().CursorKind.DESTRUCTOR)
    return found if any(one.is_virtual_method() for one in destructors) else 0


def _declared(functions: Iterator[Any]) -> Declared:
    found = {
        # What is defaulted may be deleted all the same.
        Declared.DEFAULTED
        if one.is_default_method()
        else Declared.DELETED
        if one.is_deleted_method()
        else Declared.PROVIDED
        for one in functions
    }
    order = (Declared.PROVIDED, Declared.DEFAULTED, Declared.DELETED)
    return next((one for one in order if one in found), Declared.IMPLICIT)


def cxx_type(reading: Reading, c_type: Any, where: Any) -> CxxType:
    """A type of C++; raises `Problem` for one that cannot be expressed."""
    kinds = cindex().TypeKind
    match kind_of(c_type):
        case kinds.ELABORATED:
            return cxx_type(reading, c_type.get_named_type(), where)
        case kinds.TYPEDEF:
            return _typedef(reading, c_type.get_declaration(), where)
        case kinds.RECORD:
            return class_of(reading, c_type.get_declaration(), where)
        case kinds.ENUM:
            return _enum(reading, c_type.get_declaration(), where)
        case kinds.LVALUEREFERENCE | kinds.RVALUEREFERENCE as kind:
            return Reference(_referred(reading, c_type.get_pointee()), rvalue=kind == kinds.RVALUEREFERENCE)
        case kinds.MEMBERPOINTER:
            return _member_pointer(reading, c_type)
        case kinds.CONSTANTARRAY:
            return CxxArray(cxx_type(reading, element_type(c_type), where), c_type.element_count)
        case kinds.UNEXPOSED if kind_of(c_type.get_canonical()) != kinds.UNEXPOSED:
            return cxx_type(reading, c_type.get_canonical(), where)
        case _:
            return _of_c(reading, c_type, where)


def _of_c(reading: Reading, c_type: Any, where: Any) -> CxxType:
    """A type that C has, too; records of C are classes here, and are found before."""
    found = types.convert(reading, c_type, where)
    if not isinstance(found, CxxType):
        raise reading.problem(
            where, f"the type {c_type.spelling} is not something abiprobe can express in a class"
        )
    return found


def _typedef(reading: Reading, declaration: Any, where: Any) -> CxxType:
    """The type behind a typedef name; only one of C may have an alignment of its own."""
    attributes = reading.attributes(declaration)
    if attributes.aligned or attributes.alignas:
        found = types.convert(reading, declaration.type, where)
        if isinstance(found, Typedef) and isinstance(found.base, Scalar | Pointer):
            return found
        raise reading.problem(
            where, f"an alignment of the typedef name {declaration.spelling} cannot be expressed"
        )
    return cxx_type(reading, declaration.underlying_typedef_type, where)


def _enum(reading: Reading, declaration: Any, where: Any) -> CxxType:
    """An enumeration: with a fixed underlying type, or as C has it."""
    definition = declaration.get_definition() or declaration
    scoped = definition.is_scoped_enum()
    fixed = scoped or re.search(r"(?<!:):(?!:)", reading.print(definition).partition("{")[0])
    if not fixed:
        return _of_c(reading, declaration.type, where)
    base = types.convert(reading, definition.enum_type, where)
    if not isinstance(base, Scalar):
        raise reading.problem(where, f"the underlying type of {definition.type.spelling} cannot be expressed")
    tag = re.sub(r"\W+", "_", definition.type.spelling).strip("_")
    constants = cindex().CursorKind.ENUM_CONSTANT_DECL
    values = tuple(one.enum_value for one in definition.get_children() if one.kind == constants)
    return FixedEnum(tag, base.kind, scoped=scoped, values=values)


def _referred(reading: Reading, c_type: Any) -> CxxType:
    """Return the type that a reference refers to, simplified since layouts do not depend on it: a scalar, or else a byte."""
    if kind_of(c_type.get_canonical()) == cindex().TypeKind.RECORD:
        # Classes may refer to each other in circles.
        return Scalar(Kind.CHAR)
    try:
        found = types.convert(reading, c_type, reading.unit.tree.cursor)
    except Problem:
        return Scalar(Kind.CHAR)
    return found if isinstance(found, Scalar) else Scalar(Kind.CHAR)


def _member_pointer(reading: Reading, c_type: Any) -> CxxType:
    """A pointer to a member: to a function, or to data."""
    kinds = cindex().TypeKind
    of = re.sub(r"\W+", "_", c_type.get_class_type().spelling).strip("_")
    if kind_of(c_type.get_pointee().get_canonical()) in (kinds.FUNCTIONPROTO, kinds.FUNCTIONNOPROTO):
        return MemberFunctionPointer(of)
    return DataMemberPointer(of, _referred(reading, c_type.get_pointee()))
