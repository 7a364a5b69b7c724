"""The list of packages in pyproject.toml has every folder of modules, so that none is missing in a wheel."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("generators", "harness", "oracles", "results")
OURS = ROOT / "harness" / "package"
"""The package itself, which has the name of none of its folders."""


def test_every_folder_of_modules_is_listed() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["packages"]
    folders = (file.parent for room in ROOMS for file in (ROOT / room).rglob("__init__.py"))
    named = {".".join(("abiprobe", *one.relative_to(ROOT).parts)) for one in folders if one != OURS}
    assert sorted(listed) == sorted({"abiprobe", *named})
