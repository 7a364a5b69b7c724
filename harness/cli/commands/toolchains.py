"""`abiprobe toolchains`: releases of clang in a cache of our own, without root."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from typing import Any

from rich.table import Table

from abiprobe.harness.cli.commands.console import answers, asides, print_json, print_table
from abiprobe.harness.subjects import releases
from abiprobe.harness.subjects.find import identity

MEBI = 1 << 20
ON_PATH, ALREADY = "is on PATH", "is installed already"


def install(names: Sequence[str], form: str = "text") -> int:
    """Fetch releases, one after the other; one that is there already, on PATH or in the cache, is left alone."""
    aside = asides()
    wanted = tuple(dict.fromkeys(name for text in names for name in releases.named(text)))
    missing = [name for text in names for name in absent(text)]
    if missing:
        aside.print(f"no wheel carries {', '.join(missing)}", markup=False)
    done = [installed(name) for name in wanted]
    if form == "json":
        print_json({"schema": 1, "releases": done, "missing": missing})
        return 0
    for item in done:
        if item["done"] == ON_PATH:
            aside.print(f"{item['release']} is {item['path']}", markup=False)
        else:
            words = (
                f"{item['release']} {item['done']}: {item['version']}, {item['bytes'] / MEBI:.0f} MiB on disk"
            )
            answers().print(words, markup=False, soft_wrap=True)
    return 0


def installed(name: str) -> dict[str, Any]:
    """Fetch one release unless it is there; what was done, and what there is now."""
    release = releases.releases()[name]
    done = ALREADY
    if releases.program(name) is None:
        if path := shutil.which(name):
            return {"release": name, "done": ON_PATH, "path": path}
        asides().print(
            f"{name}: {releases.PACKAGE} {release.wheel}, {release.bytes / MEBI:.0f} MiB", markup=False
        )
        releases.install(name, releases.folder() / "downloads")
        done = "installed"
    command = releases.program(name)
    assert command is not None, "it was installed just now"
    size = releases.size_of(releases.folder() / name)
    return {"release": name, "done": done, "version": identity(command).version, "bytes": size}


def absent(text: str) -> list[str]:
    """The releases within a range that no wheel carries."""
    numbers = [int(name.removeprefix("clang-")) for name in releases.named(text)]
    return [f"clang-{n}" for n in range(min(numbers), max(numbers)) if n not in numbers]


def remove(names: Sequence[str], form: str = "text") -> int:
    """Remove releases from the cache, and say what that frees."""
    wanted = dict.fromkeys(name for text in names for name in releases.named(text))
    freed = {name: releases.remove(name) for name in wanted}
    shutil.rmtree(releases.folder() / "downloads", ignore_errors=True)
    if form == "json":
        print_json({"schema": 1, "freed_bytes": freed})
        return 0
    for name, count in freed.items():
        words = f"removed, {count / MEBI:.0f} MiB freed" if count else "was not installed"
        answers().print(f"{name} {words}", markup=False)
    return 0


def listing(form: str) -> int:
    """The releases that can be installed, and those that are, with sizes."""
    found = [
        {
            "release": name,
            "wheel": f"{releases.PACKAGE} {release.wheel}",
            "download_bytes": release.bytes,
            "installed_bytes": releases.size_of(releases.folder() / name),
            "on_path": shutil.which(name) is not None,
        }
        for name, release in releases.releases().items()
    ]
    if form == "json":
        print_json({"schema": 1, "releases": found})
        return 0
    table = Table(
        "release", "wheel", "download", "on disk", "on PATH", box=None, pad_edge=False, header_style="bold"
    )
    for name, release in releases.releases().items():
        size = releases.size_of(releases.folder() / name)
        table.add_row(
            name,
            f"{releases.PACKAGE} {release.wheel}",
            f"{release.bytes / MEBI:.0f} MiB",
            f"{size / MEBI:.0f} MiB" if size else "-",
            "yes" if shutil.which(name) else "-",
        )
    print_table(table)
    return 0
