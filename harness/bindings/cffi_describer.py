"""Describes a binding that is written with cffi, for `python_child.py`, in the Python that has cffi.

All that it declares by `cdef`, as `ctypes_describer.py` describes it. No library is loaded and nothing is compiled. What cffi would
ask a C compiler about (`...`) is told as left. Imports nothing of abiprobe.
"""

from __future__ import annotations

from typing import Any

import cffi
from cffi import model

REALS = {"float", "double", "long double", "float _Complex", "double _Complex"}
ASKED = "cffi asks a C compiler about it, and says nothing itself"
NEWEST = 1 << 30
found: list[Any] = []


class Library(int):
    """Stands in for a library, for what its functions return, where it passes for the number of its newest version, and for what `compile` makes."""

    def __getattr__(self, name: str) -> Library:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_arguments: object, **_more: object) -> Library:
        return self


class Recorded(cffi.FFI):  # type: ignore[misc]  # cffi has no types
    """An FFI that loads and compiles nothing."""

    def __init__(self, *arguments: object, **more: object) -> None:
        super().__init__(*arguments, **more)
        found.append(self)

    def stand_in(self, *_arguments: object, **_more: object) -> Library:
        """Do nothing."""
        return Library(NEWEST)

    dlopen = verify = compile = set_source = set_source_pkgconfig = stand_in
    emit_c_code = emit_python_code = distutils_extension = stand_in
    embedding_api = embedding_init_code = stand_in


class Enumeration(model.EnumType):  # type: ignore[misc]
    """An enumeration, which cffi forgets if it has no name."""

    every: list[Any] = []  # noqa: RUF012 - all of one binding

    def __init__(self, *arguments: object, **more: object) -> None:
        super().__init__(*arguments, **more)
        self.every.append(self)


class Describer:
    """Describes the declarations of one FFI."""

    def __init__(self, ffi: Any) -> None:
        self.ffi = ffi
        self.types: dict[str, Any] = {}
        self.functions: dict[str, Any] = {}
        self.left: list[tuple[str, str]] = []

    def said(self) -> None:
        """Describe each declaration; one that cannot be is left with the reason."""
        for key, (declared, _) in list(self.ffi._parser._declarations.items()):  # noqa: SLF001 - cffi lists them nowhere else
            kind, _, name = key.partition(" ")
            try:
                if kind in {"struct", "union", "enum", "typedef"}:
                    self.types[name] = self.described(declared)
                elif kind == "function":
                    self.functions[name] = self.function(declared)
                elif declared == "...":
                    self.left.append((name, ASKED))
            except model.VerificationMissing:
                self.left.append((name, ASKED))
            except (cffi.CDefError, cffi.FFIError, TypeError, ValueError, NotImplementedError) as error:
                self.left.append((name, str(error)))

    def made(self, declared: Any) -> Any:
        """The type that cffi makes of a declaration."""
        with self.ffi._lock:  # noqa: SLF001 - of a declaration and not of its text
            return self.ffi._get_cached_btype(declared)  # noqa: SLF001

    def function(self, declared: Any) -> dict[str, Any]:
        """The parameters and the result of a function."""
        return {
            "parameters": [self.described(each) for each in declared.args],
            "result": self.described(declared.result),
            "variadic": declared.ellipsis,
        }

    def described(self, declared: Any) -> dict[str, Any]:
        """A type, as `ctypes_describer.py` describes it."""
        if isinstance(declared, (model.UnknownIntegerType, model.UnknownFloatType)):
            raise model.VerificationMissing
        made = self.made(declared)
        about: dict[str, Any] = {"name": made.cname}
        if made.kind == "void":
            return {"kind": "none"}
        if isinstance(declared, model.StructOrUnion):
            return self.record(declared, made)
        about |= {"align": self.ffi.alignof(made), "size": 0}
        if made.kind == "array":
            size = 0 if made.length is None else self.ffi.sizeof(made)
            return {**about, "size": size, "kind": "array", "element": self.described(declared.item)}
        about["size"] = self.ffi.sizeof(made)
        if made.kind in {"pointer", "function"}:
            return {**about, "kind": "pointer"}
        if made.cname in REALS:
            return {**about, "kind": "real"}
        # What a `char` is it is for the header, too.
        signed = None if made.cname == "char" else int(self.ffi.cast(made, -1)) < 0
        return {**about, "kind": "integer", "signed": signed}

    def record(self, declared: Any, made: Any) -> dict[str, Any]:
        """A record with its fields, also by the name that cffi gives it."""
        about = {"name": made.cname, "kind": "record", "size": 0, "align": 0, "fields": {}}
        if declared.fldnames is None:
            return about
        about |= {"size": self.ffi.sizeof(made), "align": self.ffi.alignof(made)}
        about["fields"] = dict(self.fields(declared, made))
        self.types[made.cname] = about
        return about

    def fields(self, declared: Any, made: Any) -> Any:
        """Yield the fields of a record; those of one without a name are in it."""
        places = dict(made.fields)
        for number, (name, of) in enumerate(zip(declared.fldnames, declared.fldtypes)):  # noqa: B905 - Python 3.9
            about = self.described(of)
            anonymous = not name
            if anonymous:
                inner = dict(self.made(of).fields)
                if not inner:
                    continue
                first = next(iter(inner))
                offset, bit, width = places[first].offset - inner[first].offset, 0, 0
            else:
                place = places[name]
                offset, bit, width = place.offset, max(place.bitshift, 0), max(place.bitsize, 0)
            yield (
                name or f"_{number}",
                {
                    "offset": offset,
                    "size": about["size"],
                    "bit": bit,
                    "width": width,
                    "type": about,
                    "anonymous": anonymous,
                },
            )


def said(_module: object) -> dict[str, Any]:
    """All that the FFIs of a file say."""
    every: dict[str, Any] = {"types": {}, "constants": {}, "functions": {}, "left": []}
    for ffi in found:
        one = Describer(ffi)
        one.said()
        every["types"].update(one.types)
        every["functions"].update(one.functions)
        every["left"] += one.left
        every["constants"].update(ffi._parser._int_constants)  # noqa: SLF001
    for one in Enumeration.every:
        # With `...` in it cffi numbers the others as if that were not there.
        for name in one.enumerators if one.partial else ():
            every["constants"].pop(name, None)
            every["left"].append((name, ASKED))
    return every


def stand_in() -> None:
    """Put what records enumerations and FFIs in their place, as the file looks them up."""
    setattr(model, "EnumType", Enumeration)  # noqa: B010
    setattr(cffi, "FFI", Recorded)  # noqa: B010
