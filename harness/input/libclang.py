"""Access to libclang, which is loaded when it is first needed."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from abiprobe.harness.base.problem import Problem


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
    library.clang_isVirtualBase.argtypes = [module.Cursor]
    library.clang_isVirtualBase.restype = module.c_uint
    return module


def clang_version() -> int:
    """The major version of clang that libclang is; 0 where it does not say."""
    found = re.search(r"version (\d+)", cindex().conf.lib.clang_getClangVersion())
    return int(found[1]) if found else 0


def kind_of(c_type: Any) -> Any:
    """The libclang kind; `UNEXPOSED` for kinds that the Python module has no name for."""
    try:
        return c_type.kind
    except ValueError:
        return cindex().TypeKind.UNEXPOSED
