"""A user's declarations for the commands that take a file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

import msgspec

from abiprobe.harness.base.isolated import isolated
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import (
    LIMIT,
    STRICT,
    Classes,
    Declarations,
    ReadOptions,
    Skipped,
    load,
    read,
    read_path,
)
from abiprobe.harness.input.compile_commands import options_for, read_commands
from abiprobe.harness.input.front_end import front_end
from abiprobe.harness.input.together import read_together
from abiprobe.harness.input.umbrella import own_files
from abiprobe.harness.input.unit import CXX_SUFFIXES
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.cxx_calls import CxxPrototype
from abiprobe.oracles.language.features import features
from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.oracles.language.question import Question, by_probe
from abiprobe.oracles.model import Target
from abiprobe.oracles.registry import CXX_CALLS, TARGETS
from abiprobe.results.history.baseline.interface import Interface
from abiprobe.results.report.input_summary import declaration_counts


class Declared(msgspec.Struct, frozen=True):
    """The records, functions, C++ classes and calls of C++ that a user asks about, as they read for one target, and what is not asked about.

    `interfaces` are what each file declares to others, if that was asked for, `umbrellas` the files that declare nothing themselves, of which
    their own package's headers are asked about. `symbols` are the names by which a linker knows calls of C++, of a file that is
    read as C++ alone.
    """

    target: Target
    records: tuple[Record, ...]
    functions: tuple[Prototype, ...]
    skipped: tuple[Skipped, ...] = ()
    elsewhere: tuple[int, int] = (0, 0)
    interfaces: tuple[Interface, ...] = ()
    classes: tuple[Class, ...] = ()
    calls: tuple[CxxPrototype, ...] = ()
    umbrellas: tuple[str, ...] = ()
    symbols: Mapping[str, CxxPrototype] = {}

    @property
    def questions(self) -> tuple[Question, ...]:
        """Everything that is asked about."""
        return (*self.records, *self.functions, *self.classes, *self.calls)

    @property
    def by_probe(self) -> dict[str, Question]:
        """Everything that is asked about, by the id of its probe."""
        return by_probe(self.questions)


PACKAGE_SECONDS, FIRST_SECONDS, HEADER_SECONDS = 180.0, 30.0, 0.1
"""Seconds in which the headers of a package are read: at most, for any, and for each. Of C++ that it reads as C clang may find no end."""


class NothingToAskError(Problem):
    """A file of which nothing can be asked; `called` says that a function is among what is skipped, or may be."""

    def __init__(self, message: str, hint: str, *, called: bool) -> None:
        super().__init__(message, hint)
        self.called = called


ELSEWHERE = {
    "x86_64-sysv": ("x86_64-ms", frozenset({"ms_abi"})),
    "x86_64-ms": ("x86_64-sysv", frozenset({"sysv_abi"})),
    "riscv64-lp64d": ("riscv64-lp64d-vector", frozenset({"riscv_vector_cc", "scalable vector"})),
    "aarch64-aapcs64": ("aarch64_sve-aapcs64", frozenset({"SVE vector"})),
}
"""The target whose convention functions of a target have if they need one of the features."""


def classes_of(compilers: Sequence[bool], files: Sequence[str]) -> Classes:
    """Return how classes are read: by whether each of the named compilers is one of C++ or, of none, by the names of the files."""
    if not compilers:
        return Classes.BESIDE_C if any(Path(file).suffix in CXX_SUFFIXES for file in files) else Classes.NONE
    return Classes.ALONE if all(compilers) else Classes.BESIDE_C if any(compilers) else Classes.NONE


def reading_of(files: Sequence[str], how: ReadOptions, commands: Path | None) -> dict[str, ReadOptions]:
    """Return the reading options of each file: those of a compilation database, then those of the command line."""
    if commands is None:
        return dict.fromkeys(files, how)
    found = read_commands(commands)
    return {
        file: msgspec.structs.replace(how, options=(*options_for(file, found), *how.options))
        for file in files
    }


def declared_in_files(files: Sequence[str], target: Target, how: Mapping[str, ReadOptions]) -> Declared:
    """Return the declarations of several files together, each read as `how` says; files without any are skipped with a reason.

    Raises `Problem` if that is none.
    """
    found: list[Declared] = []
    problems: list[tuple[str, Problem]] = []
    for file in files:
        try:
            found.append(declared_in_file(file, target, how[file]))
        except Problem as problem:
            if not Path(file).exists():
                raise
            problems.append((file, problem))
    if not found:
        raise problems[0][1]
    elsewhere = tuple(map(sum, zip(*(item.elsewhere for item in found), strict=True)))
    return Declared(
        target,
        tuple(dict.fromkeys(record for item in found for record in item.records)),
        tuple(dict.fromkeys(function for item in found for function in item.functions)),
        (
            *(skipped for item in found for skipped in item.skipped),
            *(_skipped_file(file, problem) for file, problem in problems),
        ),
        (elsewhere[0], elsewhere[1]),
        tuple(one for item in found for one in item.interfaces),
        tuple(dict.fromkeys(one for item in found for one in item.classes)),
        tuple(dict.fromkeys(one for item in found for one in item.calls)),
        tuple(one for item in found for one in item.umbrellas),
        {name: one for item in found for name, one in item.symbols.items()},
    )


def _skipped_file(file: str, problem: Problem) -> Skipped:
    called = problem.called if isinstance(problem, NothingToAskError) else True
    return Skipped(file, "", problem.message, problem.hint, called)


def by_target(declared: Sequence[Declared]) -> list[Declared]:
    """Declarations where they are asked about: a function of another target's convention is a question of that target.

    Where a user asks about that target as well, it is read for it anyway.
    """
    asked = {item.target for item in declared}
    found: list[Declared] = []
    for item in declared:
        places: dict[Target, list[Prototype]] = {}
        for function in item.functions:
            target, there = asked_at(item.target, function)
            places.setdefault(target, []).append(there)
        kept = places.pop(item.target, [])
        if kept or item.records or item.classes or item.calls or not places:
            found.append(msgspec.structs.replace(item, functions=tuple(kept)))
        found += (
            Declared(target, (), tuple(moved)) for target, moved in places.items() if target not in asked
        )
    return found


def asked_at(target: Target, function: Prototype) -> tuple[Target, Prototype]:
    """The target where a function of `target` is asked about, and the function as it is declared there."""
    name, theirs = ELSEWHERE.get(target.name, (target.name, frozenset()))
    if not features(function) & theirs:
        return target, function
    # Its convention is the usual one there.
    there = TARGETS[name].in_dialect(target.dialect)
    return there, msgspec.structs.replace(function, convention=None)


def declared_in_file(path: str, target: Target, how: ReadOptions = STRICT) -> Declared:
    """Return the declarations of a file (`-`: standard input); raises `Problem` if there are none."""
    is_input = path == "-"
    text, name = (_standard_input(), "<stdin>") if is_input else (None, path)
    found = _read(text, name, target, how)
    if is_umbrella(found) and not (is_input or how.included):
        included = msgspec.structs.replace(how, included=own_files(path))
        with suppress(NothingToAskError):
            return msgspec.structs.replace(
                _some(_read(text, name, target, included), target, path), umbrellas=(path,)
            )
    return _some(found, target, "standard input" if is_input else path)


def is_umbrella(found: Declarations) -> bool:
    """Return whether a file declares nothing itself, and what it includes does."""
    asked = (found.records, found.functions, found.classes, found.calls, found.skipped)
    return not any(asked) and any(found.elsewhere)


def _read(text: str | None, filename: str, target: Target, how: ReadOptions) -> Declarations:
    """The declarations of a text, or of the file of that name, read in a process of its own."""
    as_if = front_end(target)
    # Once for all that is read: only what is read may do harm.
    load()

    def found(how: ReadOptions) -> Declarations:
        return isolated(lambda: reading(how), filename)

    def reading(how: ReadOptions) -> Declarations:
        if text is None:
            return read_path(filename, triple=as_if.triple, options=as_if.options, how=how)
        return read(text, filename=filename, triple=as_if.triple, options=as_if.options, how=how)

    return _with_classes(found, how, filename)


def _with_classes(
    found: Callable[[ReadOptions], Declarations], how: ReadOptions, filename: str
) -> Declarations:
    """Return the declarations of a text with classes if those are asked for; names that C and C++ share have both meanings."""
    if how.classes is not Classes.BESIDE_C:
        return found(how)
    try:
        first = found(how)
    except Problem as problem:
        of_cxx = found(msgspec.structs.replace(how, classes=Classes.ALONE))
        unread = Skipped(filename, "", f"as C: {problem.message}", problem.hint)
        return msgspec.structs.replace(of_cxx, skipped=(unread, *of_cxx.skipped))
    if first.cxx:
        return first
    with suppress(Problem):
        of_cxx = found(msgspec.structs.replace(how, classes=Classes.ALONE))
        return msgspec.structs.replace(first, classes=of_cxx.classes, calls=of_cxx.calls)
    return first


@cache
def _standard_input() -> str:
    """All of standard input, which each target reads anew."""
    return sys.stdin.buffer.read(LIMIT).decode(errors="replace")


def declared_in_headers(
    headers: Sequence[Path], target: Target, how: ReadOptions
) -> tuple[list[Declared], dict[str, str]]:
    """Return what headers declare that are read in as few units as they need, and why others cannot be read, by their paths.

    Raises `Problem` where the reader does not end.
    """
    as_if = front_end(target)
    load()
    options = as_if.options
    paths = list(map(str, headers))
    done = isolated(
        lambda: read_together(paths, triple=as_if.triple, options=options, how=how),
        "a package",
        min(PACKAGE_SECONDS, FIRST_SECONDS + HEADER_SECONDS * len(headers)),
    )
    return [_whole(_modelled(one, target), target) for one in done.found], dict(done.unread)


def _whole(found: Declarations, target: Target) -> Declared:
    """All that is declared, as it is asked about for a target."""
    interfaces = () if found.interface.empty else (found.interface,)
    asked = found.records, found.functions, found.skipped, found.elsewhere, interfaces
    return Declared(target, *asked, found.classes, found.calls, symbols=found.symbols)


def declared_for_triple(path: str, triple: str, how: ReadOptions = STRICT) -> Declarations:
    """The declarations of a file (`-`: standard input) as a compiler for any triple reads them; raises `Problem` for no C."""
    load()
    if path == "-":
        text = _standard_input()
        return isolated(lambda: read(text, filename="<stdin>", triple=triple, how=how), "<stdin>")
    return isolated(lambda: read_path(path, triple=triple, how=how), path)


def declared_in(text: str, target: Target, how: ReadOptions = STRICT) -> Declared:
    """Return the declarations in a text from the command line; a missing last semicolon is forgiven."""
    return _some(_read(_ended(text), "declaration", target, how), target, "the declaration")


def declared_in_each(texts: Sequence[str], target: Target) -> list[Declared]:
    """Return the declarations of each of some texts, all read by one process; raises `Problem` as `declared_in` does."""
    load()
    try:
        return isolated(lambda: [declared_in_ours(text, target) for text in texts], "declarations")
    except Problem:
        # One of them is the cause, and is named where it is read by itself.
        return [declared_in(text, target) for text in texts]


def declared_in_ours(text: str, target: Target, *, cxx: bool = False) -> Declared:
    """Return the declarations of a text that comes with abiprobe, read in this process; as C++ if `cxx`."""
    as_if = front_end(target)
    how = ReadOptions(classes=Classes.ALONE) if cxx else STRICT
    found = read(_ended(text), filename="declaration", triple=as_if.triple, options=as_if.options, how=how)
    return _some(found, target, "the declaration")


def _ended(text: str) -> str:
    """A text with its last semicolon."""
    return text if text.rstrip().endswith((";", "}")) else text + ";"


def _modelled(found: Declarations, target: Target) -> Declarations:
    """Declarations whose calls of C++ are skipped where no model of a target has them."""
    if target.name in CXX_CALLS:
        return found
    skipped = (
        Skipped(one.name, "", f"C++: its calls are not modelled for {target.name}") for one in found.calls
    )
    return msgspec.structs.replace(found, calls=(), skipped=(*found.skipped, *skipped))


def _some(found: Declarations, target: Target, where: str) -> Declared:
    found = _modelled(found, target)
    if found.records or found.functions or found.classes or found.calls or not found.interface.empty:
        return _whole(found, target)
    if found.skipped:
        first = found.skipped[0]
        others = f" (and {len(found.skipped) - 1} more)" if len(found.skipped) > 1 else ""
        place = f"{first.where}: " if first.where else ""
        called = any(one.called for one in found.skipped)
        raise NothingToAskError(f"{place}{first.reason}{others}", first.hint, called=called)
    if any(found.elsewhere):
        hint = "--included tests those, --from PATTERN those of some files"
        what = declaration_counts(*found.elsewhere)
        words = f"{where} itself declares no record and no function; what it includes declares {what}"
        raise NothingToAskError(words, hint, called=False)
    raise NothingToAskError(
        f"{where} declares no record and no function",
        "give a file that declares a function or a struct",
        called=False,
    )
