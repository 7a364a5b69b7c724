"""Types as text, with typedef names spelled out, so that two texts are the same if the types are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from abiprobe.harness.input.functions import convention_attributes
from abiprobe.harness.input.libclang import argument_types, cindex, element_type, kind_of
from abiprobe.harness.input.reading import identifier
from abiprobe.harness.input.types import STAND_INS

if TYPE_CHECKING:
    from collections.abc import Iterable


OTHER_NAMES = {"bool": "_Bool", "__float128": "_Float128"}
"""Other names of types, in standards of C and in languages."""


class TypeText:
    """Spells types, and collects the records and enumerations by whose names it does: `used`, which others may add to."""

    def __init__(self) -> None:
        self.used: dict[Any, None] = {}

    def __call__(
        self,
        c_type: Any,
        declarator: str = "",
        qualifiers: frozenset[str] = frozenset(),
        *,
        unqualified: bool = False,
    ) -> str:
        """The declaration of `declarator` as `c_type`, which is qualified further by `qualifiers`, or not at all."""
        kinds = cindex().TypeKind
        c_type, said = unwrapped(c_type)
        words = [] if unqualified else sorted(qualifiers | said)
        match kind_of(c_type):
            case kinds.TYPEDEF:
                return _declared(words, STAND_INS[c_type.get_declaration().spelling].value, declarator)
            case kinds.POINTER | kinds.LVALUEREFERENCE | kinds.RVALUEREFERENCE as kind:
                return self._pointer(c_type.get_pointee(), kind, words, declarator)
            case kinds.CONSTANTARRAY | kinds.INCOMPLETEARRAY | kinds.VARIABLEARRAY as kind:
                length = c_type.element_count if kind == kinds.CONSTANTARRAY else ""
                return self(element_type(c_type), f"{declarator}[{length}]", frozenset(words))
            case kinds.FUNCTIONPROTO | kinds.FUNCTIONNOPROTO:
                return self._function(c_type, declarator)
            case kinds.ATOMIC:
                value = cindex().conf.lib.clang_Type_getValueType(c_type)
                return _declared(words, f"_Atomic({self(value)})", declarator)
            case kinds.RECORD:
                return _declared(words, self.record(c_type.get_declaration()), declarator)
            case kinds.ENUM:
                return _declared(words, self.enum(c_type.get_declaration()), declarator)
            case _:
                return _declared(words, _unqualified(c_type.spelling), declarator)

    def parameter(self, c_type: Any) -> str:
        """A parameter's type: arrays and functions are pointers, and its own qualifiers are the callee's matter."""
        kinds = cindex().TypeKind
        bare, _ = unwrapped(c_type)
        match kind_of(bare):
            case kinds.CONSTANTARRAY | kinds.INCOMPLETEARRAY | kinds.VARIABLEARRAY:
                return self._pointer(element_type(bare), kinds.POINTER, (), "")
            case kinds.FUNCTIONPROTO | kinds.FUNCTIONNOPROTO:
                return self._pointer(bare, kinds.POINTER, (), "")
            case kinds.POINTER:
                return self._pointer(bare.get_pointee(), kinds.POINTER, (), "")
            case _:
                return self(bare, unqualified=True)

    def parameters(self, function: Any) -> tuple[str, ...] | None:
        """The parameters of a function type; `None` where it does not say them."""
        if kind_of(function) != cindex().TypeKind.FUNCTIONPROTO:
            return None
        return tuple(map(self.parameter, argument_types(function)))

    def record(self, declaration: Any) -> str:
        """A struct or union by its tag or typedef name; one without either by its members."""
        keyword = "union" if declaration.kind == cindex().CursorKind.UNION_DECL else "struct"
        if name := identifier(declaration):
            self.use(declaration)
            return f"{keyword} {name}"
        members = (f"{self.member(field, identifier(field))};" for field in declaration.type.get_fields())
        return f"{keyword} {{ {' '.join(members)} }}"

    def member(self, field: Any, name: str = "") -> str:
        """A member's type and width, around its name."""
        width = f" : {field.get_bitfield_width()}" if field.is_bitfield() else ""
        return self(field.type, name) + width

    def enum(self, declaration: Any) -> str:
        """An enumeration by its tag or typedef name, if it has one."""
        self.use(declaration)
        return f"enum {identifier(declaration)}".rstrip()

    def use(self, declaration: Any) -> None:
        """Note that a record or enumeration is used."""
        self.used.setdefault(declaration.get_definition() or declaration.canonical)

    def _pointer(self, pointee: Any, kind: Any, words: Iterable[str], declarator: str) -> str:
        kinds = cindex().TypeKind
        star = {kinds.POINTER: "*", kinds.LVALUEREFERENCE: "&"}.get(kind, "&&")
        inner = f"{star}{' '.join(words)}{' ' if words and declarator[:1].isalpha() else ''}{declarator}"
        bare, _ = unwrapped(pointee)
        behind = (kinds.FUNCTIONPROTO, kinds.FUNCTIONNOPROTO, kinds.CONSTANTARRAY, kinds.INCOMPLETEARRAY)
        return self(pointee, f"({inner})" if kind_of(bare) in behind else inner)

    def _function(self, c_type: Any, declarator: str) -> str:
        named = self.parameters(c_type)
        variadic = named is not None and c_type.is_function_variadic()
        listed = ", ".join((*(named or ()), *(("...",) if variadic else ())))
        attributes = "".join(f" __attribute__(({each}))" for each in convention_attributes(c_type))
        # Without a prototype nothing is between the parentheses.
        inner = "void" if named == () and not variadic else listed
        return self(c_type.get_result(), f"{declarator}({inner})") + attributes


def unwrapped(c_type: Any) -> tuple[Any, frozenset[str]]:
    """The type under typedef names and other sugar, but for names that stand for a type of their own; and its qualifiers."""
    kinds = cindex().TypeKind
    said: set[str] = set()
    while True:
        said |= _qualifiers(c_type)
        match kind_of(c_type):
            case kinds.ELABORATED:
                c_type = c_type.get_named_type()
            case kinds.TYPEDEF if c_type.get_declaration().spelling in STAND_INS:
                return c_type, frozenset(said)
            case kinds.TYPEDEF:
                c_type = c_type.get_declaration().underlying_typedef_type
            case kind if kind != kind_of(canonical := c_type.get_canonical()):
                c_type = canonical
            case _:
                return c_type, frozenset(said)


def enumerators(declaration: Any) -> tuple[tuple[str, int], ...]:
    """The names and values of an enumeration."""
    constant = cindex().CursorKind.ENUM_CONSTANT_DECL
    return tuple(
        (child.spelling, child.enum_value) for child in declaration.get_children() if child.kind == constant
    )


def _qualifiers(c_type: Any) -> set[str]:
    asked = {
        "const": c_type.is_const_qualified(),
        "volatile": c_type.is_volatile_qualified(),
        "restrict": c_type.is_restrict_qualified(),
    }
    return {word for word, said in asked.items() if said}


def _unqualified(spelling: str) -> str:
    """The spelling of a type that is no pointer, without its qualifiers, and with the one name of each type that has two."""
    bare = re.sub(r"^(?:(?:const|volatile|restrict) )+", "", spelling)
    return OTHER_NAMES.get(bare, bare)


def _declared(words: Iterable[str], name: str, declarator: str) -> str:
    """A declaration of a declarator by a type's name, qualified by `words` that the name does not have yet."""
    glue = " " if declarator and not declarator.startswith("[") else ""
    return " ".join((*words, name)) + glue + declarator
