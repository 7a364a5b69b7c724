"""Pointers, and what they point to as C spells it.

Typedef names are spelled out: the spelling must still mean something where the user's typedefs are not declared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from abiprobe.harness.declarations.reading import tag_of
from abiprobe.harness.declarations.unit import cindex, kind_of
from abiprobe.oracles.lang import Pointer

if TYPE_CHECKING:
    from abiprobe.harness.declarations.reading import Reading


def pointer(reading: Reading, pointee: Any, where: Any) -> Pointer:
    """A pointer to the libclang type `pointee`; raises `Problem` for one into another address space."""
    kinds = cindex().TypeKind
    canonical = pointee.get_canonical()
    if canonical.get_address_space():
        raise reading.problem(where, "attribute address_space is not something abiprobe can express")
    if kind_of(canonical) in (kinds.FUNCTIONPROTO, kinds.FUNCTIONNOPROTO):
        return Pointer(spelled(canonical.get_result()), function=True)
    return Pointer(spelled(canonical))


def spelled(c_type: Any) -> str:
    """The canonical type `c_type`, so that `SPELLING *` declares a pointer to it; `void` for one without a name."""
    kinds = cindex().TypeKind
    match kind_of(c_type):
        case kinds.RECORD | kinds.ENUM:
            return _tagged(c_type)
        case kinds.POINTER:
            return _pointer(c_type) + _qualifiers(c_type, before="")
        case kinds.CONSTANTARRAY:
            return f"__typeof__({spelled(c_type.element_type)}[{c_type.element_count}])"
        case kinds.INCOMPLETEARRAY:
            return f"__typeof__({spelled(c_type.element_type)}[])"
        case kinds.VARIABLEARRAY:
            return "void"
        case _:
            text: str = c_type.spelling
            return text


def _pointer(c_type: Any) -> str:
    kinds = cindex().TypeKind
    pointee = c_type.get_pointee().get_canonical()
    if kind_of(pointee) in (kinds.FUNCTIONPROTO, kinds.FUNCTIONNOPROTO):
        return f"__typeof__({spelled(pointee.get_result())} (*)(void))"
    return f"{spelled(pointee)} *"


def _tagged(c_type: Any) -> str:
    declaration = c_type.get_declaration()
    tag = tag_of(declaration)
    if not tag:
        return "void"
    cursors = cindex().CursorKind
    keywords = {cursors.UNION_DECL: "union", cursors.ENUM_DECL: "enum"}
    return _qualifiers(c_type, before=f"{keywords.get(declaration.kind, 'struct')} {tag}")


def _qualifiers(c_type: Any, *, before: str) -> str:
    words = [
        word
        for word, present in (
            ("const", c_type.is_const_qualified()),
            ("volatile", c_type.is_volatile_qualified()),
            ("restrict", c_type.is_restrict_qualified() and not before),
        )
        if present
    ]
    return " ".join([*words, before]) if before else " ".join(words)
