"""`abiprobe toolchains`: compilers in a cache of our own, without root: clang from wheels, gcc and clang from Debian."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rich.table import Table

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.removal import remove_tree
from abiprobe.harness.cli.commands.console import answers, asides, print_json, print_table
from abiprobe.harness.subjects import releases
from abiprobe.harness.subjects.debian import names as debian_names
from abiprobe.harness.subjects.debian import tree
from abiprobe.harness.subjects.debian.apt import Apt
from abiprobe.harness.subjects.find import NEWEST, identity
from abiprobe.harness.subjects.installing import alone

MEBI = 1 << 20
ON_PATH, ALREADY = "is on PATH", "is installed already"


def install(names: Sequence[str], form: str = "text") -> int:
    """Fetch compilers, one after the other; one that is there already, on PATH or in the cache, is left alone.

    One that cannot be had does not keep the others from being installed; the `Problem` is raised at the end.
    """
    wanted, missing = chosen(names)
    if missing:
        say(f"no wheel carries {', '.join(missing)}")
    done: list[dict[str, Any]] = []
    problems: list[Problem] = []
    with alone(releases.folder(), say), indexed(wanted) as apt:
        for name in wanted:
            try:
                done.append(installed(name, apt))
            except Problem as problem:
                problems.append(problem)
            else:
                if form == "text":
                    print_installed(done[-1])
    if form == "json":
        print_json({"schema": 1, "releases": done, "missing": missing})
    if problems:
        raise Problem("; ".join(problem.message for problem in problems), problems[0].hint)
    return 0


def say(words: str) -> None:
    """Print a remark."""
    asides().print(words, markup=False, soft_wrap=True)


@contextmanager
def indexed(wanted: Sequence[str]) -> Iterator[Apt]:
    """Apt, with an index if one of the compilers is to be fetched from Debian's packages, which are removed in the end."""
    apt = Apt(releases.folder() / "apt")
    if any(to_fetch(name) and name not in releases.releases() and not architecture(name) for name in wanted):
        say("fetching the index of Debian's packages")
        apt.update()
    try:
        yield apt
    finally:
        apt.forget()


def print_installed(item: Mapping[str, Any]) -> None:
    """Print what was done about one compiler."""
    if item["done"] == ON_PATH:
        say(f"{item['release']} is {item['path']}")
    else:
        words = f"{item['release']} {item['done']}: {item['version']}, {item['bytes'] / MEBI:.0f} MiB on disk"
        answers().print(words, markup=False, soft_wrap=True)


def chosen(texts: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """Return the compilers of the given names and ranges, and the names within a range that have none.

    A clang up to the newest wheel comes from a wheel, everything else from Debian's packages. Raises `Problem` for a
    name of neither.
    """
    wheels = releases.releases()
    newest = max(int(name.removeprefix("clang-")) for name in wheels if name.startswith("clang-"))
    wanted: dict[str, None] = {}
    missing: list[str] = []
    for text in texts:
        if text.startswith(releases.ZIG):
            wanted |= dict.fromkeys(releases.named(text))
            continue
        found = debian_names.expand(text)
        if beyond := [name for name in found if debian_names.version_of(name) > NEWEST]:
            raise Problem(f"there is no {beyond[0]}", "see: abiprobe toolchains list")
        absent = [
            name
            for name in found
            if name not in wheels and name.startswith("clang-") and int(name.removeprefix("clang-")) <= newest
        ]
        if len(absent) == len(found):
            raise Problem(f"no wheel carries {text}", f"there are {', '.join(wheels)}")
        missing += absent
        wanted |= dict.fromkeys(program_name(name) for name in found if name not in absent)
    return tuple(wanted), missing


def program_name(name: str) -> str:
    """The name under which a compiler is installed: that of its program."""
    found = debian_names.wanted(name)
    assert found is not None, "it is one of the names that were read"
    return found.name


def command_of(name: str) -> tuple[str, ...] | None:
    """The command of a compiler in the cache; `None` if it is not there."""
    return releases.program(name) or tree.program(name)


def to_fetch(name: str) -> bool:
    """Return whether a compiler is neither in the cache nor on PATH."""
    return command_of(name) is None and shutil.which(name) is None


def installed(name: str, apt: Apt) -> dict[str, Any]:
    """Fetch one compiler unless it is there; what was done, and what there is now."""
    done = ALREADY
    if command_of(name) is None:
        if path := shutil.which(name):
            return {"release": name, "done": ON_PATH, "path": path}
        fetch(name, apt)
        done = "installed"
    command = command_of(name)
    assert command is not None, "it was installed just now"
    size = releases.size_of(releases.folder() / name)
    described = tree.manifest(name) if architecture(name) else None
    version = described.version if described else version_of(name, command)
    return {"release": name, "done": done, "version": version, "bytes": size}


def version_of(name: str, command: tuple[str, ...]) -> str:
    """Return a compiler's own version text; that of a zig is its name."""
    return name.replace("-", " ") if name.startswith(releases.ZIG) else identity(command).version


def architecture(name: str) -> str:
    """The architecture of a library, by its name; empty for a compiler."""
    found = debian_names.wanted(name)
    return found.architecture if found else ""


def fetch(name: str, apt: Apt) -> None:
    """Fetch one compiler from the wheel or the packages that carry it."""
    if release := releases.releases().get(name):
        size = f"{release.bytes / MEBI:.0f} MiB"
        say(f"{name}: {releases.PACKAGE} {release.wheel}, {size}")
        releases.install(name, releases.folder() / "downloads")
        return
    wanted = debian_names.wanted(name)
    assert wanted is not None, "it is one of the names that were read"
    if wanted.architecture:
        apt = Apt(releases.folder() / f"apt-{wanted.architecture}", wanted.architecture)
        apt.update()
    archives = apt.archives_of(wanted.package)
    size = f"{sum(one.bytes for one in archives) / MEBI:.0f} MiB"
    say(f"{name}: {len(archives)} packages of Debian, {size}")
    tree.install(wanted, archives, apt)
    if wanted.architecture:
        apt.forget()


def remove(names: Sequence[str], form: str = "text") -> int:
    """Remove compilers from the cache, and say what that frees."""
    wanted, _ = chosen(names)
    with alone(releases.folder(), say):
        freed = {name: releases.remove(name) for name in wanted}
        remove_tree(releases.folder() / "downloads")
    if form == "json":
        print_json({"schema": 1, "freed_bytes": freed})
        return 0
    for name, count in freed.items():
        words = f"removed, {count / MEBI:.0f} MiB freed" if count else "was not installed"
        answers().print(f"{name} {words}", markup=False)
    return 0


def listing(form: str) -> int:
    """The compilers that can be installed, and those that are, with sizes."""
    available = Apt(releases.folder() / "apt").compilers()
    found = [*from_wheels(), *from_packages(available)]
    if form == "json":
        print_json({"schema": 1, "releases": found, "index": bool(available)})
        return 0
    headers = ("release", "from", "download", "on disk", "on PATH")
    table = Table(*headers, box=None, pad_edge=False, header_style="bold")
    for item in found:
        table.add_row(
            item["release"],
            item["from"],
            mebibytes(item["download_bytes"]),
            mebibytes(item["installed_bytes"]),
            "yes" if item["on_path"] else "-",
        )
    print_table(table)
    if not available:
        words = (
            "gcc-N, clang-N and riscv64-gcc-N of Debian's packages are listed once one of them was installed"
        )
        answers().print(words, markup=False, soft_wrap=True)
    return 0


def mebibytes(size: int | None) -> str:
    """A size for people; a dash for none, and for one that is not known."""
    return f"{size / MEBI:.0f} MiB" if size else "-"


def from_wheels() -> list[dict[str, Any]]:
    """A row for each release that a wheel carries."""
    return [
        {
            "release": name,
            "from": f"{releases.PACKAGE} {release.wheel}",
            "download_bytes": release.bytes,
            "installed_bytes": releases.size_of(releases.folder() / name),
            "on_path": shutil.which(name) is not None,
        }
        for name, release in releases.releases().items()
    ]


def from_packages(available: dict[str, str]) -> list[dict[str, Any]]:
    """A row for each compiler of Debian's packages that is installed or can be."""
    rows = {debian_names.of_package(package): (package, version) for package, version in available.items()}
    for home in sorted(releases.folder().glob("*")):
        if described := tree.manifest(home.name):
            rows[home.name] = (described.package, described.version)
    return [
        {
            "release": name,
            "from": f"{rows[name][0]} {rows[name][1]}",
            "download_bytes": None,
            "installed_bytes": releases.size_of(releases.folder() / name),
            "on_path": shutil.which(name) is not None,
        }
        for name in sorted(rows.keys() - releases.releases().keys(), key=debian_names.order)
    ]
