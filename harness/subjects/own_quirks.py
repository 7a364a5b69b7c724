"""A user's own quirks: a TOML file, named by `ABIPROBE_QUIRKS`, that switches shipped ones off and adds others."""

from __future__ import annotations

import os
import runpy
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.suggestions import hint
from abiprobe.oracles.engine.policies import Policies
from abiprobe.oracles.quirks.in_force import QUIRKS, Choice
from abiprobe.oracles.quirks.quirk import BOTH, Quirk, Side, Status
from abiprobe.oracles.quirks.versions import Range

VARIABLE = "ABIPROBE_QUIRKS"
HELP = "docs/how-to/triage.md describes a quirk; abiprobe list known shows the shipped ones"


class Written(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A quirk as a file says it; see `oracles.quirks.quirk.Quirk`."""

    name: str
    subjects: tuple[str, ...]
    policies: dict[str, Any]
    status: Status
    reason: str
    link: str
    since: date
    example: str
    targets: tuple[str, ...] = ("*",)
    sides: tuple[Side, ...] = tuple(BOTH)
    levels: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


class File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of quirks: shipped ones that are switched `off`, a Python `module` whose `QUIRKS` are added, and further ones."""

    off: tuple[str, ...] = ()
    module: str = ""
    quirk: tuple[Written, ...] = ()


def chosen() -> Choice:
    """Return the user's choice of quirks, by the environment; raises `Problem` for a file that cannot be read."""
    path = os.environ.get(VARIABLE, "")
    return read(Path(path)) if path else Choice()


@cache
def read(path: Path) -> Choice:
    """Read a file of quirks; raises `Problem`."""
    try:
        found = msgspec.convert(tomllib.loads(path.read_text("utf-8")), File)
        added = tuple(map(quirk, found.quirk))
    except OSError as error:
        raise Problem(f"cannot read {path} ({error.strerror})", f"{VARIABLE} names it") from error
    except (ValueError, RecursionError) as error:
        raise Problem(f"{path}: {error}", HELP) from error
    unknown = next((name for name in found.off if name not in QUIRKS), None)
    if unknown is not None:
        raise Problem(f"{path}: there is no quirk {unknown!r}", hint(unknown, QUIRKS, HELP))
    return Choice((*added, *of_module(path.parent / found.module)) if found.module else added, found.off)


def quirk(written: Written) -> Quirk:
    """Return the quirk that a file says; raises `ValueError` for a policy or a range that is none."""
    for text in written.subjects:
        Range.read(text)
    every = {field.name for field in fields(Policies)}
    unknown = next((name for name in written.policies if name not in every), None)
    if unknown is not None:
        raise ValueError(f"{written.name}: there is no policy {unknown}")
    policies = msgspec.convert(written.policies, Policies)
    values = msgspec.structs.asdict(written) | {
        "policies": {name: getattr(policies, name) for name in written.policies},
        "sides": frozenset(written.sides),
    }
    return Quirk(**values)


def of_module(path: Path) -> tuple[Quirk, ...]:
    """Return the quirks of a Python file, in its `QUIRKS`; raises `Problem` where it has none."""
    try:
        found: Mapping[str, Any] = runpy.run_path(str(path))
    except Exception as error:
        raise Problem(
            f"{path}: {type(error).__name__}: {error}", f"{VARIABLE} names a file that names it"
        ) from error
    quirks = found.get("QUIRKS")
    if not isinstance(quirks, tuple) or not all(isinstance(one, Quirk) for one in quirks):
        raise Problem(f"{path} has no tuple QUIRKS of quirks", HELP)
    return quirks
