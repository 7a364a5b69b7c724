"""Access to libclang, which is loaded when it is first needed."""

from __future__ import annotations

import re
from ctypes import ArgumentError
from functools import cache
from typing import Any

from abiprobe.harness.base.problem import Problem

TOO_DEEP = (RecursionError, ArgumentError)
"""Errors raised where functions call each other too often; ctypes makes the second of the first."""
BREAK, CONTINUE = 0, 1
"""Answers that tell libclang whether to visit more."""


@cache
def cindex() -> Any:
    """The `clang.cindex` module with the calls it leaves out; raises `Problem` where the wheel is missing."""
    try:
        from clang import cindex as module
    except ImportError as error:
        raise Problem("reading C declarations needs libclang", "pip install libclang") from error
    try:
        library = module.conf.lib
    except module.LibclangError as error:
        raise Problem(
            f"libclang cannot be loaded ({error})", "pip install --force-reinstall libclang"
        ) from error
    string = getattr(module, "_CXString")  # noqa: B009 - private to cindex, and the only way to a string
    library.clang_getCursorPrintingPolicy.argtypes = [module.Cursor]
    library.clang_getCursorPrintingPolicy.restype = module.c_object_p
    library.clang_PrintingPolicy_dispose.argtypes = [module.c_object_p]
    library.clang_PrintingPolicy_setProperty.argtypes = [module.c_object_p, module.c_int, module.c_uint]
    library.clang_getCursorPrettyPrinted.argtypes = [module.Cursor, module.c_object_p]
    library.clang_getCursorPrettyPrinted.restype = string
    library.clang_getCursorPrettyPrinted.errcheck = string.from_result
    library.clang_getClangVersion.argtypes = []
    library.clang_getClangVersion.restype = string
    library.clang_getClangVersion.errcheck = string.from_result
    library.clang_Type_getValueType.argtypes = [module.Type]
    library.clang_Type_getValueType.restype = module.Type
    library.clang_Type_getValueType.errcheck = module.Type.from_result
    for name in ("clang_getCursorVisibility", "clang_Cursor_isFunctionInlined"):
        getattr(library, name).argtypes = [module.Cursor]
        getattr(library, name).restype = module.c_int
    library.clang_isVirtualBase.argtypes = [module.Cursor]
    library.clang_isVirtualBase.restype = module.c_uint
    return module


def some_fields(c_type: Any, most: int) -> list[Any]:
    """The first `most` fields of a record type: of a million the Python module would make a million objects."""
    found: list[Any] = []

    def visit(field: Any, _data: object) -> int:
        field._tu = c_type._tu  # noqa: SLF001 - as the module does itself
        found.append(field)
        return CONTINUE if len(found) < most else BREAK

    module = cindex()
    module.conf.lib.clang_Type_visitFields(c_type, module.callbacks["fields_visit"](visit), None)
    return found


def some_children(cursor: Any, kinds: tuple[Any, ...], most: int | None = None) -> list[Any]:
    """The children of `cursor` of certain kinds, the first `most` of them if that is given."""
    found: list[Any] = []
    numbers = {kind.value for kind in kinds}

    def visit(child: Any, _parent: Any, _data: object) -> int:
        if child._kind_id in numbers:  # noqa: SLF001
            child._tu = cursor._tu  # noqa: SLF001
            found.append(child)
        return BREAK if len(found) == most else CONTINUE

    module = cindex()
    module.conf.lib.clang_visitChildren(cursor, module.callbacks["cursor_visit"](visit), None)
    return found


def clang_version() -> int:
    """The major version of clang that libclang is; 0 where it does not say."""
    found = re.search(r"version (\d+)", cindex().conf.lib.clang_getClangVersion())
    return int(found[1]) if found else 0


def element_type(c_type: Any) -> Any:
    """The type of the elements of an array, vector or complex type; the Python module's own property knows too few kinds."""
    return cindex().conf.lib.clang_getElementType(c_type)


def argument_types(function: Any) -> list[Any]:
    """The types of a function type's parameters; the Python module's own list ends at one of a kind that it has no name for."""
    lib = cindex().conf.lib
    return [lib.clang_getArgType(function, at) for at in range(lib.clang_getNumArgTypes(function))]


def kind_of(c_type: Any) -> Any:
    """The libclang kind; `UNEXPOSED` for kinds that the Python module has no name for."""
    try:
        return c_type.kind
    except ValueError:
        return cindex().TypeKind.UNEXPOSED
