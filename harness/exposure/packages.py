"""Packages of headers: folders, single files, and Debian's development packages, with what has to be said to include them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from abiprobe.harness.base.problem import Problem

SUFFIXES = (".h", ".hh", ".hpp", ".hxx", ".h++", ".H")
"""Names of headers of C and C++ end so."""
INCLUDE = Path("usr/include")
FOLDERS = 64
"""Packages whose files are listed at a time."""
PKG_CONFIG = ("usr/lib/*/pkgconfig/*.pc", "usr/lib/pkgconfig/*.pc", "usr/share/pkgconfig/*.pc")
VARIABLE = re.compile(r"^(\w+)\s*=\s*(.*)$", re.MULTILINE)
CFLAGS = re.compile(r"^Cflags(?:\.private)?\s*:\s*(.*)$", re.MULTILINE)


INCLUDED = re.compile(r"^[ \t]*#[ \t]*include[ \t]*([<\"])([^>\"]+)", re.MULTILINE)
"""How headers include others: the sign before the name, and the name."""


class Package(msgspec.Struct, frozen=True):
    """The headers of a package, patterns of its `own` files, and the compiler's options by which headers are found.

    `folders` are those that it and the packages that it depends on are unpacked in.
    """

    name: str
    headers: tuple[Path, ...]
    own: tuple[str, ...]
    options: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()


def package_at(path: Path) -> Package:
    """A header, or a folder of headers, as a package of that name; raises `Problem` where there is none."""
    if path.is_file():
        return Package(str(path), (path.resolve(),), (str(path.resolve()),))
    found = tuple(one.resolve() for one in headers_in(path))
    if not found:
        raise Problem(
            f"{path} has no header", f"name a folder with files called *{SUFFIXES[0]}, or a package"
        )
    return Package(str(path), found, (f"{path.resolve()}/*",), (f"-I{path.resolve()}",))


def unpacked(name: str, root: Path, others: Sequence[Path], multiarch: str) -> Package:
    """A package that is unpacked in a folder; `others` are those of packages that it depends on."""
    folders = (root, *others)
    found = tuple(headers_in(root / INCLUDE))
    places = (folder / INCLUDE / part for folder in folders for part in ("", multiarch))
    options = [f"-I{place}" for place in places if place.is_dir()]
    for folder in folders:
        options += pkg_config_options(folder, folders, defines=folder == root)
    own = dict.fromkeys(f"{folder}/*" for folder in (root, root.resolve()))
    return Package(name, found, tuple(own), tuple(dict.fromkeys(options)), tuple(folders))


def headers_in(folder: Path) -> list[Path]:
    """The headers in a folder and below."""
    return sorted(one for one in folder.rglob("*") if one.suffix in SUFFIXES and one.is_file())


def pkg_config_options(folder: Path, folders: Sequence[Path], *, defines: bool) -> Iterator[str]:
    """Yield the options that the files for pkg-config in a folder ask for: where headers lie in any of `folders`, and macros."""
    for pattern in PKG_CONFIG:
        # Some are links to those of another package, which are found there.
        for file in sorted(filter(Path.is_file, folder.glob(pattern))):
            for word in flags_in(file.read_text("utf-8", "replace")):
                if word.startswith("-I"):
                    yield from (f"-I{place}" for place in placed(word[2:], folders))
                elif defines and word.startswith("-D"):
                    yield word


def behind(package: Package, headers: Iterable[Path]) -> Iterator[str]:
    """Yield the options for what headers include that no folder has which is searched, but one of those of the package.

    Files for pkg-config may lie in a package that needs this one. The places are searched last: they may have a `string.h`.
    """
    searched = [Path(one[2:]) for one in package.options if one.startswith("-I")]
    given: dict[Path, None] = {}
    for name in absent(headers, searched) if package.folders else ():
        ending, last = f"/{name}", name.rpartition("/")[2]
        there = (path for folder in package.folders for path in files_of(folder).get(last, ()))
        if not any((place / name).is_file() for place in given):
            file = next((one for one in there if one.endswith(ending)), None)
            if file is not None:
                given[Path(file.removesuffix(ending))] = None
    yield from (f"-idirafter{place}" for place in given)


def absent(headers: Iterable[Path], searched: Sequence[Path]) -> dict[str, None]:
    """The names that headers include and that lie in none of the folders that are searched, nor beside the header."""
    found: dict[str, None] = {}
    known: dict[str, bool] = {}
    for header in headers:
        for sign, name in INCLUDED.findall(header.read_text("utf-8", "replace")):
            if name not in known:
                known[name] = any((place / name).is_file() for place in searched)
            if not known[name] and not (sign == '"' and (header.parent / name).is_file()):
                found[name] = None
    return found


@lru_cache(FOLDERS)
def files_of(folder: Path) -> Mapping[str, Sequence[str]]:
    """The paths of what may be included of an unpacked package, by the names of the files; headers of C++ may have no suffix."""
    found: dict[str, list[str]] = {}
    for path in sorted(map(str, (folder / INCLUDE).rglob("*"))):
        found.setdefault(path.rpartition("/")[2], []).append(path)
    return found


def placed(path: str, folders: Iterable[Path]) -> Iterator[Path]:
    """Yield where an absolute path of a system lies below `folders`."""
    for folder in folders:
        place = folder / path.lstrip("/")
        if place.is_dir():
            yield place


def flags_in(text: str) -> list[str]:
    """The words of a pkg-config file's flags for the compiler, with its variables replaced."""
    variables: Mapping[str, str] = dict(VARIABLE.findall(text))
    found = CFLAGS.search(text)
    return expanded(found[1], variables).split() if found else []


def expanded(text: str, variables: Mapping[str, str], depth: int = 8) -> str:
    """Replace the variables in a value, which may name others."""
    made = re.sub(r"\$\{(\w+)\}", lambda found: variables.get(found[1], ""), text)
    return made if made == text or not depth else expanded(made, variables, depth - 1)
