"""Functions as prototypes."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import msgspec

from abiprobe.harness.input.freestanding_headers import KERNEL, SYSV_ABI, VERTEX
from abiprobe.harness.input.libclang import cindex, element_type, kind_of
from abiprobe.harness.input.target_attribute import isa_of
from abiprobe.harness.input.types import convert, pointer
from abiprobe.oracles.language.lang import Convention, Param, Prototype

if TYPE_CHECKING:
    from abiprobe.harness.input.reading import Reading
    from abiprobe.oracles.language.lang import Pointer, Type

_NO_CONVENTION = frozenset({"noreturn", "cdecl", "sysv_abi"})
"""Attributes of a function type that leave its calls where the ABI puts them."""

_CONVENTIONS = {each.value: each for each in Convention}


def prototype(reading: Reading, cursor: Any) -> Prototype:
    """The function that `cursor` declares; raises `Problem` for a calling convention of its own."""
    reading.expect_sound(cursor)
    annotations = _annotations(cursor)
    convention, regparm = _convention(reading, cursor, annotations)
    kinds = cindex().TypeKind
    function = function_type(cursor.type)
    result = function.get_result()
    void = kind_of(result.get_canonical()) == kinds.VOID
    arguments = list(cursor.get_arguments())
    names = _names([argument.spelling for argument in arguments])
    found = Prototype(
        cursor.spelling,
        None if void else convert(reading, result, cursor),
        tuple(
            Param(name, _parameter(reading, argument))
            for name, argument in zip(names, arguments, strict=True)
        ),
        variadic=kind_of(function) == kinds.FUNCTIONPROTO and function.is_function_variadic(),
        vertex=VERTEX in annotations,
        convention=convention,
        regparm=regparm,
        kernel=KERNEL in annotations,
    )
    return for_processor(reading, cursor, found)


def for_processor(reading: Reading, cursor: Any, function: Prototype) -> Prototype:
    """The function with the vector registers that its `target` attribute adds for its values, those of unnamed arguments included."""
    targets = reading.attributes(cursor).targets
    return msgspec.structs.replace(function, isa=isa_of(reading, cursor, targets, function))


def _annotations(cursor: Any) -> frozenset[str]:
    """The words that a declaration is annotated with."""
    annotation = cindex().CursorKind.ANNOTATE_ATTR
    return frozenset(child.spelling for child in cursor.get_children() if child.kind == annotation)


def _convention(
    reading: Reading, cursor: Any, annotations: frozenset[str]
) -> tuple[Convention | None, int | None]:
    """The calling convention that a function's attributes ask for, and the number of `regparm`."""
    convention, regparm = (Convention.SYSV_ABI if SYSV_ABI in annotations else None), None
    for attribute in convention_attributes(cursor.type):
        name, _, number = attribute.rstrip(")").partition("(")
        if name == "regparm":
            regparm = int(number)
        elif name in _CONVENTIONS:
            convention = _CONVENTIONS[name]
        else:
            raise reading.problem(cursor, f"attribute {name} is not something abiprobe can express")
    return convention, regparm


def convention_attributes(c_type: Any) -> tuple[str, ...]:
    """The attributes of a function type that move its calls from where the ABI puts them, with their arguments: `regparm(3)`."""
    found = re.findall(r"__attribute__\(\((\w+)(?:\s*(\([^()]*\)))?", _own_attributes(c_type.get_canonical()))
    return tuple(name + argument for name, argument in found if name not in _NO_CONVENTION)


def has_prototype(cursor: Any) -> bool:
    """Return whether the declaration says which parameters the function has."""
    return bool(kind_of(cursor.type.get_canonical()) == cindex().TypeKind.FUNCTIONPROTO)


def _own_attributes(function: Any) -> str:
    """Return the text after the parameter list of a function type that does not belong to the type of its result."""
    spelling = function.spelling
    result = function.get_result().spelling
    # The parameter list stands within the result's type where that is a pointer to a function: `int (*(long))(int)`.
    before = len([*takewhile(lambda pair: pair[0] == pair[1], zip(spelling, result, strict=False))])
    own = spelling[before : len(spelling) - len(result) + before]
    depth = 0
    for position, character in enumerate(own):
        depth += (character == "(") - (character == ")")
        if character == ")" and depth == 0:
            return str(own[position + 1 :])
    return ""


def function_type(c_type: Any) -> Any:
    """The function type under typedef names, its parameters still as they were declared."""
    kinds = cindex().TypeKind
    while True:
        match kind_of(c_type):
            case kinds.FUNCTIONPROTO | kinds.FUNCTIONNOPROTO:
                return c_type
            case kinds.ELABORATED:
                c_type = c_type.get_named_type()
            case kinds.TYPEDEF:
                c_type = c_type.get_declaration().underlying_typedef_type
            case _:
                return c_type.get_canonical()


def _names(names: list[str]) -> list[str]:
    """`names`, an unnamed parameter called `p` and its position."""
    taken = set(names)
    result = []
    for position, name in enumerate(names):
        given = name or f"p{position}"
        while not name and given in taken:
            given += "_"
        result.append(given)
    return result


def _parameter(reading: Reading, argument: Any) -> Type:
    """The parameter's type after an array or a function has become a pointer."""
    attributes = reading.attributes(argument)
    if attributes.aligned or attributes.alignas:
        raise reading.problem(
            argument, "attribute aligned on a parameter is not something abiprobe can express"
        )
    return decayed(reading, argument.type, argument) or convert(reading, argument.type, argument)


def decayed(reading: Reading, c_type: Any, where: Any) -> Pointer | None:
    """The pointer that a parameter with the type of an array or function is; `None` for one with another type."""
    kinds = cindex().TypeKind
    canonical = c_type.get_canonical()
    match kind_of(canonical):
        case kinds.CONSTANTARRAY | kinds.INCOMPLETEARRAY | kinds.VARIABLEARRAY | kinds.DEPENDENTSIZEDARRAY:
            array = c_type if kind_of(c_type) == kind_of(canonical) else canonical
            return pointer(reading, element_type(array), where)
        case kinds.FUNCTIONPROTO | kinds.FUNCTIONNOPROTO:
            return pointer(reading, canonical, where)
        case _:
            return None
