"""Compilers of other languages than C, each by the folder of its language.

Those that come with abiprobe, those that installed packages bring, and a user's.
"""

from __future__ import annotations

import importlib.util
import platform
import shutil
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib.metadata import entry_points
from pathlib import Path

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.languages.language import OPTIMISED, Language, built_in, find_language
from abiprobe.harness.machines.targets import PLATFORMS
from abiprobe.harness.subjects import releases
from abiprobe.harness.subjects.debian import tree
from abiprobe.harness.subjects.families import libffi, zig
from abiprobe.harness.subjects.subject import LANGUAGE, Family, Subject

DOOR = "subject"
"""The prefix of the folder of a user's own language: `subject:DIR`."""
GROUP = "abiprobe.languages"
"""The entry points by which installed packages bring languages: the name of a subject, and the package that is its folder."""
TARGET, LEVEL, OPTIONS = "{target}", "{level}", "{options}"
WHEELS: dict[str, Callable[[], str | None]] = {"zig-lang": zig.program}
"""Languages whose compiler may come with a wheel."""
FOUND: dict[str, Callable[[str, str], tuple[str, ...] | None]] = {libffi.NAME: libffi.find}
"""Languages whose compiler is another one for each target."""


def of_language(name: str, folder: Path) -> Family:
    """The family of the compilers of a language."""
    language = find_language(str(folder))
    return Family(
        name,
        language.about.targets,
        (),
        FOUND.get(name) or partial(program, language),
        observers=("objects", "image"),
        language=str(folder),
    )


def program(language: Language, name: str, target: str) -> tuple[str, ...] | None:
    """The program of a language by its own names, with the version of the subject where it has one (`rustc-1.85`).

    Where PATH has none, it may come from the cache or with a wheel.
    """
    about = language.about
    version = name.removeprefix(language.name) if name.startswith(language.name) else ""
    for prefix in prefixes(target) if about.cross else ("",):
        for one in about.programs:
            path = shutil.which(prefix + one + version)
            if path and all(shutil.which(prefix + other + version) for other in about.beside):
                return (path,)
    if about.release and not version:
        return tree.program(about.release)
    if language.name not in WHEELS:
        return None
    if version:
        return releases.program(f"{releases.ZIG}{version.removeprefix('-')}")
    found = WHEELS[language.name]()
    return (found,) if found else None


def releases_of(about: str) -> tuple[str, ...]:
    """The subjects of a language of which releases are in the cache, by the family that `blame.family` tells."""
    return tuple(f"{about}-{version}" for version in releases.installed_zigs()) if about in WHEELS else ()


def prefixes(target: str) -> Iterator[str]:
    """Yield the prefixes of GNU tools for a target; those for this machine need none."""
    yield from PLATFORMS[target].gnu
    if platform.machine() in PLATFORMS[target].hosts:
        yield ""


BUILT_IN = tuple(of_language(name, folder) for name, folder in built_in().items())


@cache
def of_folder(folder: str) -> Family:
    """The family of a user's own language; raises `Problem` for a folder that has none."""
    return of_language(DOOR, Path(folder).resolve())


@cache
def of_package(name: str) -> Family | None:
    """The family of a language that an installed package brings under this name.

    Raises `Problem` for a package without such a language.
    """
    for point in entry_points(group=GROUP, name=name):
        found = importlib.util.find_spec(point.module.partition(".")[0]) and importlib.util.find_spec(
            point.module
        )
        folders = list(found.submodule_search_locations or ()) if found else []
        if not folders:
            raise Problem(
                f"the language {name!r} is declared in {point.value}, which is not a package",
                f"its package names it so by an entry point of {GROUP}: see docs/how-to/language.md",
            )
        if not name.isidentifier():
            raise Problem(f"a language is called {name!r} by its package", "a name is a word without a dash")
        language = find_language(folders[0])
        if language.name != name:
            raise Problem(
                f"{language.folder} has the language {language.name!r}, its entry point {name!r}",
                "name both alike",
            )
        return of_language(name, Path(folders[0]))
    return None


def absolute(name: str) -> str:
    """The name of a subject, with the whole path of a folder: whoever reads it may be elsewhere."""
    prefix, colon, folder = name.partition(":")
    return f"{DOOR}:{Path(folder).resolve()}" if colon and prefix == DOOR else name


def command(
    subject: Subject, found: tuple[str, ...], flags: tuple[str, ...], words: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """The command of a subject, in which the places for files and for the level are open.

    `words` are its arguments, those for an object file unless others are given.
    """
    places = {TARGET: flags, OPTIONS: subject.options}
    words = words or find_language(subject.family.language).about.command
    if OPTIONS not in words:
        words = (*words, OPTIONS)
    return (LANGUAGE, subject.family.language, *found, *spliced(words, places))


def spliced(words: tuple[str, ...], places: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """Words with the options in the places of those that stand for some."""
    for word in words:
        yield from places.get(word, (word,))


def at_level(words: tuple[str, ...], level: str) -> tuple[str, ...]:
    """A command at an optimisation level; one that the language does not tell apart is its usual one."""
    levels = find_language(words[1]).about.levels
    return tuple(spliced(words, {LEVEL: levels.get(level, levels[OPTIMISED])}))
