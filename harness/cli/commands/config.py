"""`abiprobe config`: the defaults of options that a file sets."""

from __future__ import annotations

from collections.abc import Mapping

import click

from abiprobe.harness.cli.commands.console import answers, print_json
from abiprobe.harness.cli.config import CONFIG, OWN, SHARED, Config
from abiprobe.results.report.json_form import SCHEMA


def config(root: click.Context, form: str) -> int:
    """Print the file in force, and for each command the options that it sets."""
    found: Config | None = root.meta.get(CONFIG)
    given = {name: options(root, name) for name in root.default_map or {}}
    if form == "json":
        file = None if found is None else str(found.file)
        print_json(
            {"schema": SCHEMA, "file": file, "defaults": {name: of for name, of in given.items() if of}}
        )
        return 0
    console = answers()
    if found is None:
        console.print(
            f"no {OWN}, and no {SHARED} with [tool.abiprobe], in this folder or above it", markup=False
        )
        return 0
    console.print(str(found.file), markup=False, soft_wrap=True)
    for name, of in given.items():
        if of:
            words = " ".join(of.values())
            console.print(f"  abiprobe {name} {words}", markup=False, soft_wrap=True)
    return 0


def options(root: click.Context, name: str) -> Mapping[str, str]:
    """The options that a file sets of a command, as they would be on its command line, by the parameter's name."""
    assert isinstance(root.command, click.Group)
    values = (root.default_map or {}).get(name, {})
    found: dict[str, str] = {}
    for one in root.command.commands[name].params:
        value = values.get(one.name)
        if value is None:
            continue
        texts = list(map(str, value)) if isinstance(value, list) else [str(value)]
        flag = next((text for text in one.opts if text.startswith("--")), "")
        if isinstance(value, bool):
            found[one.name] = flag if value else next(iter(one.secondary_opts), f"(not {flag})")
        elif isinstance(one, click.Argument):
            found[one.name] = " ".join(texts)
        else:
            found[one.name] = " ".join(f"{flag} {text}" for text in texts)
    return found
