"""The functions of C++ that a file declares itself: at namespace scope, and non-static members of classes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import Skipped
from abiprobe.harness.input.classes import class_of, cxx_type
from abiprobe.harness.input.functions import convention_attributes, decayed, function_type
from abiprobe.harness.input.libclang import TOO_DEEP, argument_types, cindex, kind_of
from abiprobe.harness.input.limits import expect_class_room
from abiprobe.harness.input.own_classes import scopes
from abiprobe.harness.input.own_declarations import skip
from abiprobe.oracles.abis.itanium.makable import can_be_made, makable
from abiprobe.oracles.language.classes import Class, CxxType
from abiprobe.oracles.language.cxx_calls import CxxParam, CxxPrototype, classes_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from abiprobe.harness.input.reading import Reading

TEMPLATE = "C++: a function template"
OF_TEMPLATE = "C++: a member function of a class template"
UNNAMED = "C++: which unnamed arguments it is called with is not read"


def own_cxx_functions(reading: Reading, skipped: list[Skipped]) -> dict[str, CxxPrototype]:
    """Map the symbol of every function of the file that is no template to it; those that cannot be asked about go to `skipped`."""
    found: dict[str, CxxPrototype] = {}
    for cursor in declarations(reading):
        if why := template(cursor):
            skipped.append(Skipped(cursor.spelling, reading.unit.where(cursor.location), why))
            continue
        try:
            asked = function(reading, cursor)
            for one in classes_in(asked.types):
                expect_class_room(reading, cursor, one)
        except (Problem, *TOO_DEEP) as error:
            skipped.append(skip(reading, cursor, cursor.spelling, error))
            continue
        found.setdefault(cursor.mangled_name or cursor.get_usr(), asked)
    return found


def template(cursor: Any) -> str:
    """Return why a declaration is none of a function but of a template; empty for a function.

    A member function of a class template may be defined outside of it.
    """
    kinds = cindex().CursorKind
    if cursor.kind == kinds.FUNCTION_TEMPLATE:
        return TEMPLATE
    scope = cursor.semantic_parent
    while scope is not None and scope.kind not in (kinds.TRANSLATION_UNIT, kinds.NAMESPACE):
        if scope.kind in (kinds.CLASS_TEMPLATE, kinds.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION):
            return OF_TEMPLATE
        scope = scope.semantic_parent
    return ""


def declarations(reading: Reading) -> Iterator[Any]:
    """Yield the declarations of functions, and of non-static member functions that are neither special nor operators."""
    kinds = cindex().CursorKind
    inner = (kinds.NAMESPACE, kinds.LINKAGE_SPEC, kinds.STRUCT_DECL, kinds.CLASS_DECL)
    outer = (kinds.FUNCTION_DECL, kinds.FUNCTION_TEMPLATE)
    for cursor in scopes(reading, inner):
        if cursor.kind in outer or (
            cursor.kind == kinds.CXX_METHOD and re.fullmatch(r"\w+", cursor.spelling)
        ):
            yield cursor


def function(reading: Reading, cursor: Any) -> CxxPrototype:
    """The function that `cursor` declares; raises `Problem` for one that cannot be expressed."""
    reading.expect_sound(cursor)
    if attributes := convention_attributes(cursor.type):
        raise reading.problem(cursor, f"attribute {attributes[0]} is not something abiprobe can express")
    c_type = function_type(cursor.type)
    if c_type.is_function_variadic():
        raise reading.problem(cursor, UNNAMED)
    result = c_type.get_result()
    void = kind_of(result.get_canonical()) == cindex().TypeKind.VOID
    this = None
    if cursor.kind == cindex().CursorKind.CXX_METHOD and not cursor.is_static_method():
        this = makable(class_of(reading, cursor.semantic_parent, cursor))
    params = tuple(
        CxxParam(f"p{index}", decayed(reading, passed, cursor) or value(reading, passed, cursor))
        for index, passed in enumerate(argument_types(c_type))
    )
    given = None if void else value(reading, result, cursor)
    tags = {
        one.tag for one in classes_in((*(() if this is None else (this,)), *(one.type for one in params)))
    }
    # Compilers take a dollar sign for a letter.
    plain = cursor.spelling.replace("$", "_")
    name = plain if re.fullmatch(r"\w+", plain) else "operator_"
    virtual = this is not None and cursor.is_virtual_method() and this.own_virtual
    return CxxPrototype(f"{name}_" if name in tags else name, given, params, this=this, virtual=virtual)


def value(reading: Reading, c_type: Any, where: Any) -> CxxType:
    """The type of a parameter or result; raises `Problem` for a class of which a program cannot make objects."""
    found = cxx_type(reading, c_type, where)
    if not isinstance(found, Class):
        return found
    made = makable(found)
    if not can_be_made(made):
        raise reading.problem(where, f"no program can make objects of {made.tag} from bytes")
    return made
