"""One translation unit as libclang sees it, parsed in memory."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from abiprobe.harness.declarations.headers import CUDA, FLOAT128, FOLDER, HEADERS, PRELUDE
from abiprobe.harness.declarations.libclang import cindex
from abiprobe.harness.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

C = (("c", "gnu2x"), ("c", "gnu17"))
"""C23 first; C17 for files that use `bool` as a name of their own or declare `f()` and mean `f(int)`."""
CXX = (("c++", "gnu++20"),)
CXX_SUFFIXES = frozenset({".cc", ".cpp", ".cxx", ".c++", ".C", ".hh", ".hpp", ".hxx", ".h++"})

MAX_BIT_INT = 1 << 23
"""Bits of the widest `_BitInt`; without it libclang stops at 128 on most targets."""

SKIP_FUNCTION_BODIES = 0x40


class Input(msgspec.Struct, frozen=True):
    """What is parsed: the text (UTF-8), the name that messages give it, the target and the compiler's options.

    `bodies` asks for the bodies of functions too.
    """

    text: bytes
    filename: str
    triple: str
    options: tuple[str, ...] = ()
    bodies: bool = False

    @property
    def path(self) -> str:
        """Where libclang believes the text to be: beside `filename`, so that its `#include "..."` are found."""
        return str(Path(self.filename).parent / "abiprobe-input.c").encode(errors="replace").decode()

    @property
    def languages(self) -> tuple[tuple[str, str], ...]:
        """What the text may be written in, language and standard; of a text without a file name C++ is the last guess."""
        suffix = Path(self.filename).suffix
        return CXX if suffix in CXX_SUFFIXES else C if suffix else C + CXX


class Unit:
    """A parsed translation unit without errors."""

    def __init__(self, source: Input, tree: Any, *, cxx: bool) -> None:
        self.source = source
        self.tree = tree
        self.cxx = cxx

    @cached_property
    def own(self) -> list[Any]:
        """The cursors of what the file declares at its outermost level, what it includes left out."""
        is_own = cindex().conf.lib.clang_Location_isFromMainFile
        children = outermost(self.tree.cursor)
        return [cursor for cursor in children if is_own(cursor.location) or self._from_own_macro(cursor)]

    def _from_own_macro(self, cursor: Any) -> bool:
        file = cursor.location.file
        return file is not None and file.name == self.source.path

    def where(self, location: Any) -> str:
        """`FILE:LINE:COLUMN`, with the name the user gave the file."""
        return _where(self.source, location)

    @cached_property
    def texts(self) -> dict[str, bytes]:
        """The text of the file and of every file it includes, by libclang's path, our own headers excepted."""
        found = {self.source.path: self.source.text}
        for inclusion in self.tree.get_includes():
            path = inclusion.include.name
            if not path.startswith(FOLDER):
                found[path] = Path(path).read_bytes()
        return found


def parse(source: Input, replaced: Mapping[str, bytes] | None = None) -> Unit:
    """`source` parsed, with `replaced` (path and text) standing for files on disk.

    Raises `Problem` with the first thing clang calls an error, at its file, line and column.
    """
    files: dict[str, str | bytes] = {**HEADERS, source.path: source.text, **(replaced or {})}
    problems = []
    for language, standard in source.languages:
        tree = _parse_as(source, (language, standard), list(files.items()))
        problem = _first_error(source, tree)
        if problem is None:
            return Unit(source, tree, cxx=language != "c")
        problems.append(problem)
    raise problems[0]


def outermost(cursor: Any) -> Iterator[Any]:
    """What is declared in no scope, in the braces of `extern "C"` too."""
    for child in cursor.get_children():
        if child.kind == cindex().CursorKind.LINKAGE_SPEC:
            yield from outermost(child)
        else:
            yield child


def _parse_as(source: Input, written: tuple[str, str], files: Sequence[tuple[str, str | bytes]]) -> Any:
    language, standard = written
    arguments = [
        *("-x", language, f"-std={standard}", f"--target={source.triple}"),
        *("-Xclang", f"-fexperimental-max-bitint-width={MAX_BIT_INT}"),
        *("-isystem", FOLDER, "-include", PRELUDE),
        # No device takes the options of OpenMP.
        *(CUDA if source.triple.startswith("nvptx") else ("-fopenmp-simd",)),
        *(option for option in source.options if option != "-w"),
        *("-Wno-error", "-Wunknown-attributes", "-Wdeprecated-non-prototype"),
    ]
    clang = cindex()
    try:
        skipped = 0 if source.bodies else SKIP_FUNCTION_BODIES
        return clang.Index.create().parse(source.path, arguments, files, skipped)
    except clang.TranslationUnitLoadError:
        message = f"{source.filename}: libclang cannot parse C for the target {source.triple!r}"
        raise Problem(message, "check the target and the options") from None


IGNORED = re.compile(r"unknown attribute '(?:gnu::)?_*(scalar_storage_order|regparm)_*' ignored")
"""Attributes that one compiler obeys and libclang does not know: to go on would be to misread the file."""


def _first_error(source: Input, tree: Any) -> Problem | None:
    for diagnostic in tree.diagnostics:
        ignored = IGNORED.match(diagnostic.spelling)
        if ignored:
            where = _where(source, diagnostic.location)
            return Problem(f"{where}: attribute {ignored[1]} is not something abiprobe can express")
        old_style = diagnostic.spelling.startswith("a function definition without a prototype")
        if old_style or diagnostic.severity >= diagnostic.Error:
            return Problem(f"{_where(source, diagnostic.location)}: {_said(diagnostic.spelling)}")
    return None


def _said(message: str) -> str:
    if FLOAT128 in message:
        return "for this target libclang knows _Float128 only as a type of its own"
    return message


def _where(source: Input, location: Any) -> str:
    if location.file is None:
        return source.filename
    name = source.filename if location.file.name == source.path else location.file.name
    return f"{name}:{location.line}:{location.column}"
