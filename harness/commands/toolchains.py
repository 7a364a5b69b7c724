"""`abiprobe toolchains`: releases of clang in a cache of our own, without root."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from rich.table import Table

from abiprobe.harness.commands.console import answers, asides, print_json
from abiprobe.harness.toolchains import releases
from abiprobe.harness.toolchains.find import identity

MEBI = 1 << 20


def install(names: Sequence[str]) -> int:
    """Fetch releases, one after the other; one that is there already, on PATH or in the cache, is left alone."""
    aside = asides()
    wanted = tuple(dict.fromkeys(name for text in names for name in releases.named(text)))
    missing = [name for text in names for name in absent(text)]
    if missing:
        aside.print(f"no wheel carries {', '.join(missing)}", markup=False)
    downloads = releases.folder() / "downloads"
    for name in wanted:
        release = releases.releases()[name]
        if releases.program(name) is not None:
            print_installed(name, "is installed already")
        elif path := shutil.which(name):
            aside.print(f"{name} is {path}", markup=False)
        else:
            aside.print(
                f"{name}: {releases.PACKAGE} {release.wheel}, {release.bytes / MEBI:.0f} MiB", markup=False
            )
            releases.install(name, downloads)
            print_installed(name, "installed")
    return 0


def absent(text: str) -> list[str]:
    """The releases within a range that no wheel carries."""
    numbers = [int(name.removeprefix("clang-")) for name in releases.named(text)]
    return [f"clang-{n}" for n in range(min(numbers), max(numbers)) if n not in numbers]


def print_installed(name: str, what: str) -> None:
    """One release with its version and size on disk."""
    command = releases.program(name)
    assert command is not None, "it was installed just now"
    size = releases.size_of(releases.folder() / name) / MEBI
    answers().print(
        f"{name} {what}: {identity(command).version}, {size:.0f} MiB on disk", markup=False, soft_wrap=True
    )


def remove(names: Sequence[str]) -> int:
    """Remove releases from the cache, and say what that frees."""
    for name in dict.fromkeys(name for text in names for name in releases.named(text)):
        freed = releases.remove(name)
        words = f"removed, {freed / MEBI:.0f} MiB freed" if freed else "was not installed"
        answers().print(f"{name} {words}", markup=False)
    shutil.rmtree(releases.folder() / "downloads", ignore_errors=True)
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
    answers().print(table)
    return 0
