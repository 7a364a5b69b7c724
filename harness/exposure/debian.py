"""Debian's development packages: fetched by apt with a state of its own, and unpacked into the cache. No root is needed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from abiprobe.harness.base.cache import cache_dir
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.exposure.packages import Package, unpacked
from abiprobe.harness.subjects.debian.apt import Apt, Archive
from abiprobe.harness.subjects.debian.mirror import system
from abiprobe.harness.subjects.debian.tree import unpack, verify, version_in
from abiprobe.harness.subjects.installing import alone

SUFFIX, SECTION = "-dev", "libdevel"
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
        return [package(apt, name) for name in names]


def most_used(count: int, tell: Callable[[str], object]) -> list[str]:
    """The packages with headers of C and C++ that most others depend on, of this machine's Debian release."""
    with index(tell) as apt:
        needed = dict(apt.dependencies(SECTION))
    users = Counter(one for names in needed.values() for one in names if one in needed)
    order = sorted(users, key=lambda name: (-users[name], name))
    return [name for name in order if name.endswith(SUFFIX) and name not in OF_THE_SYSTEM][:count]


def package(apt: Apt, name: str) -> Package:
    """One package, fetched and unpacked unless it is there already."""
    archives = {one.package: one for one in apt.archives_of(name)}
    if name not in archives:
        raise Problem(f"Debian has no package {name}", "name one such as libsdl2-dev")
    needed = [one for one in archives if one.endswith(SUFFIX) and one not in {name, *OF_THE_SYSTEM}]
    roots = {one: place(archives[one]) for one in (name, *needed)}
    absent = [archives[one] for one, root in roots.items() if not root.is_dir()]
    for archive, path in zip(absent, apt.download(absent), strict=True):
        put(archive, path)
    multiarch = MULTIARCH.get(apt.architecture, "")
    return unpacked(name, roots[name], [roots[one] for one in needed], multiarch)


def place(archive: Archive) -> Path:
    """The folder of an unpacked package, by its name and version."""
    return folder() / f"{archive.package}_{version_in(archive.file)}"


def put(archive: Archive, path: Path) -> None:
    """Unpack a fetched package to its place in one step; raises `Problem` where it is not what the index says."""
    verify([archive], [path])
    with temporary(".unpacking-", folder()) as scratch:
        made = Path(scratch, "package")
        unpack([path], made)
        made.rename(place(archive))
    path.unlink()
