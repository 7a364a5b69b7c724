"""PTX texts that compilers write: what their constants hold, and how their functions are declared."""

from __future__ import annotations

import re
from typing import NamedTuple

from abiprobe.oracles.abis.ptx.text.declarations import formals, variable
from abiprobe.oracles.abis.ptx.text.module import Formal, PtxSyntaxError

_GLOBAL = re.compile(r"^\s*(?:\.(?:visible|weak|extern)\s+)*(\.(?:global|const)\s[^;]*);", re.MULTILINE)
_FUNCTION = re.compile(
    r"^\s*\.(visible|extern)\s+\.(func|entry)\s*(?:\(([^)]*)\))?\s*([\w$]+)\s*\(([^)]*)\)", re.MULTILINE
)
_CALLED = re.compile(r"\.callprototype\s*(?:\(([^)]*)\))?\s*_\s*\(([^)]*)\)")
_VERSION = re.compile(rb"^\s*\.version\s+\d+\.\d+", re.MULTILINE)


class PtxDeclaration(NamedTuple):
    """The declaration of a function."""

    entry: bool
    result: Formal | None
    params: tuple[Formal, ...]


def is_ptx(data: bytes) -> bool:
    """Return whether a file is a PTX text."""
    return _VERSION.search(data[:4096]) is not None


def constants(data: bytes) -> dict[str, bytes]:
    """The initial contents of every variable at module scope, zeros where there are none.

    Raises `ValueError` for a declaration that cannot be read.
    """
    found = {}
    for text in _GLOBAL.findall(data.decode("utf-8", "replace")):
        try:
            own = variable(text)
        except PtxSyntaxError as problem:
            raise ValueError(str(problem)) from problem
        found[own.name] = own.initial if own.initial is not None else bytes(own.param.size)
    return found


def called_by_pointer(body: str) -> PtxDeclaration | None:
    """The prototype of the first call through a pointer in the text of a function; `None` where there is none.

    Raises `ValueError` for one that cannot be read.
    """
    found = _CALLED.search(body)
    if found is None:
        return None
    try:
        results = formals(found[1] or "")
        return PtxDeclaration(entry=False, result=results[0] if results else None, params=formals(found[2]))
    except PtxSyntaxError as problem:
        raise ValueError(str(problem)) from problem


def signatures(text: str, linkage: str = "visible") -> dict[str, PtxDeclaration]:
    """The declaration of every visible function that is defined, or of every `extern` one that is called.

    Raises `ValueError` for one that cannot be read.
    """
    found = {}
    for own, kind, result, name, params in _FUNCTION.findall(text):
        if own != linkage:
            continue
        try:
            results = formals(result)
            found[name] = PtxDeclaration(kind == "entry", results[0] if results else None, formals(params))
        except PtxSyntaxError as problem:
            raise ValueError(f"{name}: {problem}") from problem
    return found
