"""Describes a binding that is written with ctypes, for `python_child.py`, in any Python from 3.7 on.

Types with sizes, alignments and fields in bytes and bits, constants, and the parameters and results of the functions that the
module declares. No library is loaded: one that answers for each stands in. Imports nothing of abiprobe.
"""

from __future__ import annotations

import ctypes
import enum
from typing import Any

REALS, POINTERS = "fdg", "PzZO"


class Function:
    """Stands in for a function of a library."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.argtypes: Any = None
        self.restype: Any = ctypes.c_int
        self.errcheck: Any = None

    def __call__(self, *_arguments: object) -> None:
        """Refuse to be called."""
        raise RuntimeError(f"{self.name} is called as the file is imported")


class Library:
    """Stands in for a library, whatever its name is, and has every function."""

    found: dict[str, Function] = {}  # noqa: RUF012 - all libraries of one binding

    def __init__(self, name: str | None = None, *_others: object, **_more: object) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Function:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.found.setdefault(name, Function(name))

    __getitem__ = __getattr__


class Loader:
    """Stands in for `ctypes.cdll` and its kin."""

    def LoadLibrary(self, name: str) -> Library:  # noqa: N802 - the name of ctypes
        """Return what stands in for a library."""
        return Library(name)

    __getattr__ = __getitem__ = LoadLibrary


def has_size(c_type: Any) -> bool:
    """Return whether something is a type of ctypes that has values."""
    try:
        return isinstance(c_type, type) and ctypes.sizeof(c_type) >= 0
    except TypeError:
        return False


def described(c_type: Any) -> dict[str, Any]:
    """A type: its kind, its bytes, whether it has a sign, and its name; of an array those of its elements, too."""
    if c_type is None:
        return {"kind": "none"}
    if not has_size(c_type):
        return {"kind": "unknown"}
    about = {"size": ctypes.sizeof(c_type), "align": ctypes.alignment(c_type), "name": c_type.__name__}
    if issubclass(c_type, ctypes.Array):
        return {**about, "kind": "array", "element": described(c_type._type_)}
    if issubclass(c_type, (ctypes.Structure, ctypes.Union)):
        return {**about, "kind": "record"}
    code = getattr(c_type, "_type_", "P")
    if not isinstance(code, str) or code in POINTERS:
        return {**about, "kind": "pointer"}
    if code in REALS:
        return {**about, "kind": "real"}
    return {**about, "kind": "integer", "signed": code != "?" and code.islower()}


def passed(c_type: Any) -> dict[str, Any]:
    """A type as a parameter or result; one whose class makes something else of a value than ctypes does is not known."""
    own = (
        base
        for base in getattr(c_type, "__mro__", ())
        if base.__module__ not in {"ctypes", "_ctypes", "builtins"}
    )
    converts = any("from_param" in vars(base) for base in own)
    return {"kind": "unknown"} if converts else described(c_type)


def fields(record: Any) -> dict[str, Any]:
    """The fields of a record with the bytes and bits where they are."""
    found = {}
    anonymous = getattr(record, "_anonymous_", ())
    for base in reversed(record.__mro__):
        for name, c_type, *_width in vars(base).get("_fields_", ()):
            place = getattr(record, name)
            width = place.size >> 16
            found[name] = {
                "offset": place.offset,
                "size": ctypes.sizeof(c_type),
                "bit": place.size & 0xFFFF if width else 0,
                "width": width,
                "type": described(c_type),
                "anonymous": name in anonymous,
            }
    return found


def said(module: Any) -> dict[str, Any]:
    """All that a module says."""
    sizes: dict[str, Any] = {}
    constants: dict[str, Any] = {}
    for name, one in vars(module).items():
        if isinstance(one, type) and issubclass(one, enum.Enum):
            constants.update(
                {f"{name}::{each.name}": each.value for each in one if isinstance(each.value, int)}
            )
        elif has_size(one):
            sizes[name] = described(one)
            if sizes[name]["kind"] == "record":
                sizes[name]["fields"] = fields(one)
        elif isinstance(one, int):
            constants[name] = int(one)
        elif isinstance(one, (str, bytes)) and not name.startswith("__"):
            constants[name] = one.decode("latin-1") if isinstance(one, bytes) else one
    functions = {
        name: {
            "parameters": None if one.argtypes is None else [passed(each) for each in one.argtypes],
            "result": passed(one.restype),
        }
        for name, one in Library.found.items()
    }
    return {"types": sizes, "constants": constants, "functions": functions}


def stand_in() -> None:
    """Put what stands in for libraries in their place."""
    for name in ("CDLL", "PyDLL", "WinDLL", "OleDLL"):
        setattr(ctypes, name, Library)
    for name in ("cdll", "pydll", "windll", "oledll"):
        setattr(ctypes, name, Loader())
    # What stands in answers for a library that is not there, too.
    from ctypes import util

    setattr(util, "find_library", str)  # noqa: B010 - as it is looked up by those who import it
