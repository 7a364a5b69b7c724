"""Debian's development packages: fetched by apt with a state of its own, and unpacked into the cache. No root is needed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

from abiprobe.harness.base.cache import cache_dir
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.exposure.packages import SUFFIXES, Package, unpacked
from abiprobe.harness.subjects.debian.apt import Apt, Archive, Available
from abiprobe.harness.subjects.debian.mirror import system
from abiprobe.harness.subjects.debian.tree import unpack, verify, version_in
from abiprobe.harness.subjects.installing import alone

SUFFIX, SECTION = "-dev", "libdevel"
TOGETHER = 50
"""Packages that are fetched by one start of apt."""
NAME = re.compile(r"[a-z0-9][a-z0-9+.-]+")
OF_THE_SYSTEM = frozenset({"libc6-dev", "linux-libc-dev"})
"""The headers of the C library and the kernel are read as this machine has them."""
MULTIARCH = {"amd64": "x86_64-linux-gnu", "arm64": "aarch64-linux-gnu"}


def folder() -> Path:
    """The folder of the cache with the index and the packages."""
    return cache_dir() / "headers"


@contextmanager
def index(tell: Callable[[str], object]) -> Iterator[Apt]:
    """Give the index of this machine's Debian release, which is fetched the first time; raises `Problem` where there is none."""
    home = folder()
    home.mkdir(parents=True, exist_ok=True)
    # Another release has other headers than those that are asked for, so no other suite is.
    apt = Apt(home / "apt", suites=(system().get("VERSION_CODENAME", "stable"),), others=())
    with alone(home, tell):
        if not apt.has_lists:
            apt.update()
        yield apt


def packages(names: Sequence[str], tell: Callable[[str], object]) -> list[Package]:
    """Fetch development packages and those that they depend on; raises `Problem` for one that there is not."""
    for name in names:
        if not NAME.fullmatch(name):
            raise Problem(f"{name} is no header, no folder and no name of a package")
    with index(tell) as apt:
        there = apt.available()
        for name in names:
            if name not in there:
                raise Problem(f"Debian has no package {name}", "name one such as libsdl2-dev")
        provided = {virtual: name for name, one in there.items() for virtual in one.provides}
        needed = {name: closure(name, there, provided) for name in names}
        fetch(apt, [there[one].archive for one in dict.fromkeys(chain(*needed.values()))])
        multiarch = MULTIARCH.get(apt.architecture, "")
    roots = {one: place(there[one].archive) for one in dict.fromkeys(chain(*needed.values()))}
    return [
        unpacked(name, roots[name], [roots[one] for one in needed[name][1:]], multiarch) for name in names
    ]


def most_used(count: int, tell: Callable[[str], object]) -> list[str]:
    """The development packages of this machine's Debian release that most others depend on; those by name on which none does come last."""
    with index(tell) as apt:
        there = apt.available()
    needed = {name: set(chain(*one.depends)) for name, one in there.items() if one.section == SECTION}
    users = Counter(one for names in needed.values() for one in names if one in needed)
    order = sorted(needed, key=lambda name: (-users[name], name))
    return [name for name in order if name.endswith(SUFFIX) and name not in OF_THE_SYSTEM][:count]


def closure(name: str, there: Mapping[str, Available], provided: Mapping[str, str]) -> list[str]:
    """A package and the development packages that it depends on, directly or through others; of alternatives the first.

    `provided` names a package for each that is only provided by others.
    """
    found, waiting = {name: None}, [name]
    while waiting:
        for clause in there[waiting.pop()].depends:
            names = (one if one in there else provided.get(one, "") for one in clause)
            chosen = next(filter(None, names), "")
            if chosen.endswith(SUFFIX) and chosen not in OF_THE_SYSTEM and chosen not in found:
                found[chosen] = None
                waiting.append(chosen)
    return list(found)


def fetch(apt: Apt, archives: Sequence[Archive]) -> None:
    """Fetch and unpack packages that are not there already."""
    absent = [one for one in archives if not place(one).is_dir()]
    for some in (absent[at : at + TOGETHER] for at in range(0, len(absent), TOGETHER)):
        for archive, path in zip(some, apt.download(some), strict=True):
            put(archive, path)


def place(archive: Archive) -> Path:
    """The folder of an unpacked package, by its name and version."""
    return folder() / f"{archive.package}_{version_in(archive.file)}"


def keep_headers(made: Path) -> None:
    """Remove all of an unpacked package but headers and what pkg-config reads; most of many is libraries."""
    for path in list(made.rglob("*")):
        needed = "include" in path.relative_to(made).parts or path.suffix in {*SUFFIXES, ".pc"}
        if not (needed or path.is_dir()):
            path.unlink()


def put(archive: Archive, path: Path) -> None:
    """Unpack a fetched package to its place in one step; raises `Problem` where it is not what the index says."""
    verify([archive], [path])
    with temporary(".unpacking-", folder()) as scratch:
        made = Path(scratch, "package")
        unpack([path], made)
        keep_headers(made)
        made.rename(place(archive))
    path.unlink()
