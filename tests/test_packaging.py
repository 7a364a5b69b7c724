"""What is installed is what lies in the rooms."""

from __future__ import annotations

import fnmatch
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("generators", "harness", "oracles", "results")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
SETUPTOOLS = PYPROJECT["tool"]["setuptools"]


def files_of_the_rooms() -> set[str]:
    """Every file of the four rooms, by its path in the checkout."""
    return {
        path.relative_to(ROOT).as_posix()
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


NAMESPACE = SETUPTOOLS["package-dir"]["abiprobe"]
"""Where the package itself is, of which the rooms are the others."""


def folder(package: str) -> str:
    return NAMESPACE if package == "abiprobe" else package.removeprefix("abiprobe.").replace(".", "/")


def in_the_checkout(installed: Path) -> str:
    """The path in the checkout of a file that is installed, by its path below `abiprobe`."""
    return installed.as_posix() if installed.parts[0] in ROOMS else f"{NAMESPACE}/{installed.as_posix()}"


def test_every_package_is_listed():
    found = {str(Path(path).parent) for path in files_of_the_rooms() if path.endswith("/__init__.py")}
    assert sorted(map(folder, SETUPTOOLS["packages"])) == sorted(found)


def test_every_file_is_in_a_package():
    found = {str(Path(path).parent) for path in files_of_the_rooms()}
    assert found <= set(map(folder, SETUPTOOLS["packages"]))


def test_every_file_is_code_or_package_data():
    patterns = ("*.py", *SETUPTOOLS["package-data"]["*"])
    left_out = [
        path
        for path in files_of_the_rooms()
        if not any(fnmatch.fnmatchcase(Path(path).name, pattern) for pattern in patterns)
    ]
    assert left_out == []


def test_every_kind_of_package_data_exists():
    names = [Path(path).name for path in files_of_the_rooms()]
    unused = [p for p in SETUPTOOLS["package-data"]["*"] if not fnmatch.filter(names, p)]
    assert unused == []


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_is_typed(room):
    assert (ROOT / room / "py.typed").exists()


def test_each_room_is_where_the_package_has_it():
    assert SETUPTOOLS["package-dir"] == {"abiprobe": NAMESPACE} | {f"abiprobe.{room}": room for room in ROOMS}


def test_an_installed_abiprobe_has_the_files_of_the_checkout():
    try:
        files = metadata.files("abiprobe") or []
    except metadata.PackageNotFoundError:
        files = []
    installed = {
        in_the_checkout(Path(*file.parts[1:]))
        for file in files
        if file.parts[0] == "abiprobe" and "__pycache__" not in file.parts
    }
    if not installed:
        pytest.skip("abiprobe is not installed from a wheel")
    assert installed == files_of_the_rooms()
