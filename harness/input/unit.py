"""One translation unit as libclang sees it, parsed in memory."""

from __future__ import annotations

import os
import re
from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import Classes
from abiprobe.harness.input.errors import Error, errors, hint, place, tainted
from abiprobe.harness.input.freestanding_headers import CUDA, FOLDER, HEADERS, PRELUDE, SPARE
from abiprobe.harness.input.libclang import cindex, clang_version
from abiprobe.harness.input.search import Search, hosts, search

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

C = (("-x", "c", "-std=gnu2x"), ("-x", "c", "-std=gnu17"))
"""C23 first; C17 for files that use `bool` as a name of their own or declare `f()` and mean `f(int)`."""
CXX = (("-x", "c++", "-std=gnu++20"),)
WRITTEN = "declaration"
"""The file name of declarations that are given on the command line."""
USUAL = ("-include", "stddef.h", "-include", "stdint.h", "-include", "stdarg.h")
"""Headers that declarations on the command line may take for granted."""
CXX_SUFFIXES = frozenset({".cc", ".cpp", ".cxx", ".c++", ".C", ".hh", ".hpp", ".hxx", ".h++"})

MAX_BIT_INT = 1 << 23
"""Bits of the widest `_BitInt`; without it libclang stops at 128 on most targets."""

SKIP_FUNCTION_BODIES, KEEP_GOING = 0x40, 0x200


class Input(msgspec.Struct, frozen=True):
    """The input of a parse: the text (UTF-8), the name for messages, the target and the compiler's options.

    `bodies` asks for the bodies of functions too. `strict` makes any error one of the whole file. `included` are the
    patterns of the included files whose declarations are read as if they were the file's own. `interface` asks for all that
    a baseline keeps, `classes` for those of C++. `package` says that the text includes the headers of a package: all errors are
    told, those behind one that is fatal, too, and what is declared in the files `read_already` is left out.
    """

    text: bytes
    filename: str
    triple: str
    options: tuple[str, ...] = ()
    bodies: bool = False
    strict: bool = True
    sysroot: str = ""
    included: tuple[str, ...] = ()
    interface: bool = False
    classes: Classes = Classes.NONE
    package: bool = False
    read_already: frozenset[str] = frozenset()

    @property
    def path(self) -> str:
        """The path under which libclang sees the text: beside `filename`, so that its `#include "..."` are found."""
        return str(Path(self.filename).parent / "abiprobe-input.c").encode(errors="replace").decode()

    @property
    def languages(self) -> tuple[tuple[str, ...], ...]:
        """The options for each language that the text may be in, to be tried in order.

        C++ last, for headers and text without a name.
        """
        suffix = Path(self.filename).suffix
        chosen = next((option for option in reversed(self.options) if option.startswith("-std=")), "")
        if self.classes is Classes.ALONE or suffix in CXX_SUFFIXES or "++" in chosen:
            return (("-x", "c++", chosen),) if "++" in chosen else CXX
        if chosen:
            return (("-x", "c", chosen),)
        usual = (*C, *(("-x", "c", "-std=gnu2x", *USUAL),)) if self.filename == WRITTEN else C
        return usual + CXX if suffix in {"", ".h"} else usual

    @property
    def includes(self) -> bool:
        """Return whether the text includes headers, or the options do."""
        return "-include" in self.options or re.search(rb"#\s*include|__has_include", self.text) is not None


class Unit:
    """A translation unit, parsed in a `language`; `errors` are about single declarations, `in_bodies` about statements."""

    def __init__(
        self,
        source: Input,
        language: tuple[str, ...],
        tree: Any,
        found: tuple[Error, ...],
        in_bodies: tuple[Error, ...] = (),
    ) -> None:
        self.source = source
        self.path = source.path
        self.language = language
        self.tree = tree
        self.errors = found
        self.in_bodies = in_bodies
        self._wanted: dict[str, bool] = {}

    @property
    def cxx(self) -> bool:
        """Return whether the text was read as C++."""
        return "c++" in self.language

    @cached_property
    def own(self) -> list[Any]:
        """The cursors of what is asked about at the outermost level: what the file declares, and what `included` adds."""
        outer = outermost(self.tree.cursor)
        if self.source.package:
            return [cursor for cursor in outer if self._is_wanted(cursor)]
        return [cursor for cursor in outer if self.is_in_file(cursor) or self._is_wanted(cursor)]

    @cached_property
    def elsewhere(self) -> tuple[int, int]:
        """The numbers of named records and functions in included files that are not asked about."""
        asked = set(self.own)
        kinds = cindex().CursorKind
        records, functions = set(), set()
        for cursor in outermost(self.tree.cursor):
            if cursor in asked or cursor.location.file is None or is_ours(cursor.location.file.name):
                continue
            if cursor.kind == kinds.FUNCTION_DECL:
                functions.add(cursor.spelling)
            elif cursor.kind in (kinds.STRUCT_DECL, kinds.UNION_DECL) and cursor.is_definition():
                records.add(cursor)
        return len(records), len(functions)

    @cached_property
    def broken(self) -> dict[Any, Error]:
        """The declarations that clang could not make sense of, each with the error."""
        return tainted(self.errors, outermost(self.tree.cursor))

    def is_in_file(self, cursor: Any) -> bool:
        """Return whether a declaration stands in the file itself, or comes out of a macro there."""
        file = cursor.location.file
        in_file = cindex().conf.lib.clang_Location_isFromMainFile(cursor.location)
        return bool(in_file) or (file is not None and file.name == self.path)

    def _is_wanted(self, cursor: Any) -> bool:
        file = cursor.location.file
        if not self.source.included or file is None:
            return False
        name = file.name
        if name not in self._wanted:
            self._wanted[name] = self._is_wanted_file(name)
        return self._wanted[name]

    def _is_wanted_file(self, name: str) -> bool:
        if is_ours(name) or os.path.realpath(name) in self.source.read_already:
            return False
        return any(fnmatch(name, form) for one in self.source.included for form in (one, f"*/{one}"))

    def where(self, location: Any) -> str:
        """`FILE:LINE:COLUMN`, with the name the user gave the file."""
        return place(self.source, location)

    @cached_property
    def texts(self) -> dict[str, bytes]:
        """The text of the file and of every file it includes, by libclang's path, our own headers excepted."""
        found = {self.source.path: self.source.text}
        for inclusion in self.tree.get_includes():
            path = inclusion.include.name
            if not is_ours(path):
                found[path] = Path(path).read_bytes()
        return found


def is_ours(path: str) -> bool:
    """Return whether a header is one of those that we show libclang."""
    return path.startswith(FOLDER)


def parse(source: Input, replaced: Mapping[str, bytes] | None = None) -> Unit:
    """`source` parsed, with `replaced` (path and text) standing for files on disk.

    As the first language in which clang finds no error; failing that, unless `source` is strict, as the variant of C
    with the fewest errors in single declarations. Raises `Problem` with the first thing that makes the file unreadable.
    """
    problems, usable = [], []
    for language in source.languages:
        unit = parse_as(source, language, replaced)
        if not unit.errors:
            return unit
        worst = next((error for error in unit.errors if error.fatal or source.strict), None)
        if worst is not None:
            problems.append(_problem(source, worst))
        elif not unit.cxx or all("c++" in each for each in source.languages):
            usable.append(unit)
    if usable:
        return min(usable, key=lambda unit: len(unit.errors))
    raise problems[0]


def parse_as(source: Input, language: tuple[str, ...], replaced: Mapping[str, bytes] | None = None) -> Unit:
    """`source` parsed in one `language`, whatever is wrong with it."""
    files: dict[str, str | bytes] = {**HEADERS, source.path: source.text, **(replaced or {})}
    tree = _tree(source, language, list(files.items()))
    return Unit(source, language, tree, errors(source, tree))


def _problem(source: Input, error: Error) -> Problem:
    missing = re.match(r"'(.+)' file not found", error.reason)
    searched = _search(source)
    advice = searched.advice(missing[1]) if missing else hint(error.reason)
    if missing and searched.library and (found := hosts(missing[1], source.triple)):
        advice = f"{found} is the host's, not of {source.triple}; -idirafter {found} reads it all the same"
    return Problem(f"{error.where}: {error.reason}", advice)


def outermost(cursor: Any) -> Iterator[Any]:
    """The declarations of no scope, those in `extern "C"` included."""
    for child in cursor.get_children():
        if child.kind == cindex().CursorKind.LINKAGE_SPEC:
            yield from outermost(child)
        else:
            yield child


def _tree(source: Input, language: tuple[str, ...], files: Sequence[tuple[str, str | bytes]]) -> Any:
    arguments = [
        *language,
        f"--target={source.triple}",
        *(() if "c++" in language else ("-ffixed-point",)),
        *("-Xclang", f"-fexperimental-max-bitint-width={MAX_BIT_INT}"),
        # What stands for _Float16 is a __fp16.
        *("-Xclang", "-fnative-half-arguments-and-returns"),
        # A user's folders come before ours, as they would before a compiler's own.
        *(option for option in source.options if option != "-w" and not option.startswith("-std=")),
        *("-isystem", FOLDER, "-include", PRELUDE),
        *(_search(source).options if source.includes or source.sysroot else ()),
        *("-idirafter", SPARE),
        # No device takes the options of OpenMP.
        *(CUDA if source.triple.startswith("nvptx") else ("-fopenmp-simd",)),
        *("-ferror-limit=0", "-Wno-error", "-Wunknown-attributes", "-Wdeprecated-non-prototype"),
    ]
    clang = cindex()
    try:
        flags = (0 if source.bodies else SKIP_FUNCTION_BODIES) | (KEEP_GOING if source.package else 0)
        return clang.Index.create().parse(source.path, arguments, files, flags)
    except clang.TranslationUnitLoadError:
        message = f"{source.filename}: libclang cannot parse C for the target {source.triple!r}"
        raise Problem(message, "check the target, the options and what is included") from None


def _search(source: Input) -> Search:
    return search(source.triple, source.sysroot, clang_version())
