"""Python for browsers, fetched when pages are built: Pyodide from the npm registry, and wheels from pip's index."""

from __future__ import annotations

import sys
import tarfile
import tomllib
from collections.abc import Callable
from functools import cache, partial
from importlib import resources
from pathlib import Path

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.base.cache import cache_dir, obstacle
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.progress import steps
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.subjects.wholeness import digest

RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""The files of the npm package that a page loads."""
SECONDS = 600.0
"""The time that one file may take to fetch."""


class Wheel(msgspec.Struct, frozen=True):
    """A wheel: its project and version, the name of its file, and its SHA-256."""

    project: str
    version: str
    file: str
    sha256: str


class Pinned(msgspec.Struct, frozen=True):
    """A release of Pyodide by version and SHA-256, the platform of its wheels, and those that the page loads."""

    version: str
    sha256: str
    python: str
    platform: str
    wheels: tuple[Wheel, ...]


@cache
def pinned() -> Pinned:
    """Return the release and the wheels that the page loads."""
    text = resources.files(__package__).joinpath("pyodide.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), Pinned)


def runtime() -> dict[str, bytes]:
    """Return the files of Pyodide by name; raises `Problem` where they cannot be fetched."""
    found: dict[str, bytes] = {}
    with tarfile.open(_kept(f"pyodide-{pinned().version}.tgz", pinned().sha256, _npm)) as archive:
        for name in RUNTIME:
            file = archive.extractfile(f"package/{name}")
            assert file is not None, name
            found[name] = file.read()
    return found


def wheels() -> dict[str, bytes]:
    """Return the wheels by the names of their files; raises `Problem` where they cannot be fetched."""
    return {one.file: _kept(one.file, one.sha256, partial(_pip, one)).read_bytes() for one in pinned().wheels}


def _kept(name: str, sha256: str, command: Callable[[Path], tuple[str, ...]]) -> Path:
    """Return a file in the cache; a `command`, which puts it into a folder, fetches it if it is not there yet, and whole."""
    words = obstacle(cache_dir())
    if words:
        raise Problem(words, "set ABIPROBE_CACHE")
    home = cache_dir() / "pyodide"
    path = home / name
    if path.is_file() and digest(path) == sha256:
        return path
    home.mkdir(mode=0o700, exist_ok=True)
    with temporary(".fetch-", home) as scratch, steps(f"fetching {name}"):
        argv = command(Path(scratch))
        try:
            done = child.run(argv, timeout=SECONDS, scratch=Path(scratch))
        except FileNotFoundError as error:
            raise Problem(f"{name} cannot be fetched: there is no {argv[0]}", f"install {argv[0]}") from error
        found = Path(scratch, name)
        if not found.is_file() or digest(found) != sha256:
            lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
            why = next((line for line in lines if "err" in line.lower()), "another file came")
            hint = (
                f"{argv[0]} must reach its registry"
                if argv[0] == "npm"
                else "pip must be installed and reach its index"
            )
            raise Problem(f"{name} cannot be fetched: {why}", hint)
        found.replace(path)
    return path


def _npm(folder: Path) -> tuple[str, ...]:
    return ("npm", "pack", "--silent", "--pack-destination", str(folder), f"pyodide@{pinned().version}")


def _pip(wheel: Wheel, folder: Path) -> tuple[str, ...]:
    wanted = folder / "wanted.txt"
    wanted.write_text(f"{wheel.project}=={wheel.version} --hash=sha256:{wheel.sha256}\n", "utf-8")
    return (
        *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"),
        *("--implementation", "cp", "--python-version", pinned().python),
        *("--abi", f"cp{pinned().python.replace('.', '')}", "--platform", pinned().platform),
        *("--require-hashes", "--dest", str(folder), "--requirement", str(wanted)),
    )
