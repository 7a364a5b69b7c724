"""Releases of clang and zig kept in the cache: each is the compiler of a `ziglang` wheel, without what C libraries need."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.base.cache import cache_dir, obstacle, stamp
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.progress import steps
from abiprobe.harness.base.removal import remove_tree, temporary
from abiprobe.harness.subjects.installing import expect_room
from abiprobe.harness.subjects.wholeness import digest, is_whole, kept, seal

PACKAGE = "ziglang"
WANTED = ("ziglang/zig", "ziglang/lib/include/")
"""The files of a wheel that a probe in C needs: the program, and the headers that come with the compiler."""
WANTED_IN_ZIG = ("ziglang/zig", "ziglang/lib/std/", "ziglang/lib/compiler")
"""The files that one in Zig needs: the program, the standard library, and what it builds beside it."""
ZIG = "zig-"
"""How the names of releases of zig begin, which are asked in their own language; the others are those of clang."""
DOWNLOAD_SECONDS = 1800.0
CHUNK = 1 << 20


class Release(msgspec.Struct, frozen=True):
    """One release: the version of the wheel that carries it, the wheel's size in bytes and its SHA-256."""

    wheel: str
    bytes: int
    sha256: str


@cache
def releases() -> dict[str, Release]:
    """Every release that can be installed, by the name of the subject that it becomes."""
    text = resources.files(__package__).joinpath("releases.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, Release])


def folder() -> Path:
    """Return the folder of releases."""
    return cache_dir() / "releases"


def program(name: str) -> tuple[str, ...] | None:
    """The command of a release that is installed and as it was unpacked, `None` for any other name."""
    path = folder() / name / "zig"
    mark = stamp(str(path)) if name in releases() else None
    if mark is None or not is_whole(path.parent, mark):
        return None
    return (str(path),) if is_zig(name) else (str(path), "clang")


def is_zig(name: str) -> bool:
    """Return whether a release is asked in zig's own language."""
    return name.startswith(ZIG)


def installed_zigs() -> Iterator[str]:
    """The releases of zig in the cache, by their versions, the oldest first."""
    yield from (name.removeprefix(ZIG) for name in releases() if is_zig(name) and program(name))


def named(text: str) -> tuple[str, ...]:
    """The releases that `clang-12..clang-22`, `clang-15` or `zig-0.13.0` stands for; raises `Problem` when there is none."""
    if is_zig(text):
        if text not in releases():
            raise Problem(
                f"there is no wheel of zig called {text}",
                f"there are {', '.join(filter(is_zig, releases()))}",
            )
        return (text,)
    found = re.fullmatch(r"clang-(\d+)(?:\.\.(?:clang-)?(\d+))?", text)
    if found is None:
        raise Problem(f"{text!r} names no releases", "write clang-15, clang-12..clang-22 or zig-0.13.0")
    first, last = int(found[1]), int(found[2] or found[1])
    names = tuple(name for number in range(first, last + 1) if (name := f"clang-{number}") in releases())
    if not names:
        raise Problem(f"no wheel carries {text}", f"there are {', '.join(releases())}")
    return names


def install(name: str, downloads: Path) -> Path:
    """Fetch a release into the cache, in one step; raises `Problem` when its wheel cannot be had or is another one."""
    home = folder() / name
    if program(name) is None:
        wheel = fetched(releases()[name], downloads)
        folder().mkdir(0o700, parents=True, exist_ok=True)
        with temporary(f".{name}-", folder()) as scratch:
            made = Path(scratch, name)
            unpack(wheel, made, WANTED_IN_ZIG if is_zig(name) else WANTED)
            remove_tree(home)
            made.chmod(0o755)
            made.rename(home)
        if not seal(home):
            raise Problem(obstacle(cache_dir()) or f"cannot write to {folder()}", "set ABIPROBE_CACHE")
        wheel.unlink()
    return home


def fetched(release: Release, downloads: Path) -> Path:
    """The wheel of a release in `downloads`; one that is there already, and whole, is not fetched again."""
    downloads.mkdir(parents=True, exist_ok=True)
    for wheel in here(release, downloads):
        return wheel
    with temporary(".pip-", downloads) as scratch:
        wanted = Path(scratch, "wanted.txt")
        wanted.write_text(f"{PACKAGE}=={release.wheel} --hash=sha256:{release.sha256}\n", "utf-8")
        pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:")
        # pip fetches to a folder of its own first.
        with steps(f"fetching {release.wheel}", release.bytes, done=lambda: size_of(downloads)):
            done = child.run(
                (*pip, "--require-hashes", "--dest", str(downloads), "--requirement", str(wanted)),
                timeout=DOWNLOAD_SECONDS,
                scratch=Path(scratch),
            )
    for wheel in here(release, downloads):
        return wheel
    expect_room(downloads, done.stderr)
    words = done.stderr.decode("utf-8", "replace").strip().splitlines()
    why = next(
        (line for line in words if "error" in line.lower() or "No module" in line), "pip brought another file"
    )
    raise Problem(
        f"{PACKAGE} {release.wheel} cannot be fetched: {why}", "pip must be installed and reach its index"
    )


def here(release: Release, downloads: Path) -> Iterator[Path]:
    """The wheels in `downloads` that are this release's, to the last bit."""
    for path in sorted(downloads.glob(f"{PACKAGE}-{release.wheel}-*.whl")):
        if path.stat().st_size == release.bytes and digest(path) == release.sha256:
            yield path


def unpack(wheel: Path, home: Path, wanted: tuple[str, ...] = WANTED) -> None:
    """The part of a wheel that probes need."""
    with zipfile.ZipFile(wheel) as archive:
        for item in archive.infolist():
            inside = item.filename.removeprefix("ziglang/")
            if item.is_dir() or not item.filename.startswith(wanted) or ".." in Path(inside).parts:
                continue
            path = home / inside
            path.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(item) as source, path.open("wb") as target:
                shutil.copyfileobj(source, target, CHUNK)
    (home / "zig").chmod(0o755)


def remove(name: str) -> int:
    """Remove a release from the cache; the bytes that this frees, 0 when it was not there."""
    home = folder() / name
    size = size_of(home)
    kept(home).unlink(missing_ok=True)
    remove_tree(home)
    return size


def size_of(home: Path) -> int:
    """The bytes of all files in a folder."""
    return sum(Path(top, file).lstat().st_size for top, _, files in os.walk(home) for file in files)
