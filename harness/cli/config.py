"""A user's own defaults of options: `abiprobe.toml`, or `[tool.abiprobe]` in `pyproject.toml`.

A key is the name of an option without its dashes (`cc`, `known`, `budget`), or `targets`, and concerns every command that
has it; in a table with the name of a command (`[run]`) that command alone. What the command line says takes their place.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import click
import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.suggestions import hint

OWN, SHARED = "abiprobe.toml", "pyproject.toml"
CONFIG = f"{__name__}.config"
"""Where the configuration in force is kept, if there is one."""
NEED_TARGET = frozenset({"check", "predict"})
"""The commands with targets as an option that cannot do without."""
TARGETS = "targets"
"""The key of the targets that some commands take as arguments, and others need as `--target`."""
Value: TypeAlias = str | list[str] | bool
Defaults: TypeAlias = dict[str, dict[str, Value]]
"""Values by the name of a command and of its parameter, as click takes them."""


class Config(msgspec.Struct, frozen=True):
    """The settings of a file: `table` as it is written in it."""

    file: Path
    table: Mapping[str, Any]

    def problem(self, what: str, do: str = "") -> Problem:
        """A mistake in the file."""
        return Problem(f"{self.file}: {what}", do)


def find_config(folder: Path) -> Config | None:
    """Return the configuration of the nearest folder that has one, from `folder` upwards."""
    for place in (folder, *folder.parents):
        if (place / OWN).is_file():
            return read_config(place / OWN)
        shared = place / SHARED
        if shared.is_file() and (found := read_config(shared)).table:
            return found
    return None


def read_config(file: Path) -> Config:
    """Return the settings of a file; raises `Problem` for one that cannot be read."""
    try:
        text = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise Problem(f"{file}: {error.strerror}", "name a file that can be read") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Problem(f"{file}: {error}", "write TOML") from error
    table = text.get("tool", {}).get("abiprobe", {}) if file.name == SHARED else text
    if not isinstance(table, dict):
        raise Problem(f"{file}: [tool.abiprobe] is no table", "see: abiprobe config --help")
    return Config(file, table)


def defaults(config: Config, commands: Mapping[str, click.Command]) -> Defaults:
    """Return the defaults that a configuration gives each command; raises `Problem` for what no command has."""
    found: Defaults = {name: {} for name in commands}
    tables = {
        key: value for key, value in config.table.items() if key in commands and isinstance(value, dict)
    }
    for key, value in config.table.items():
        if key in tables:
            continue
        concerned = [name for name, command in commands.items() if parameter(command, key) is not None]
        if not concerned:
            every = {one for command in commands.values() for one in keys(command)}
            raise config.problem(f"no command has the option {key!r}", hint(key, sorted({*every, *commands})))
        for name in concerned:
            found[name] |= default(config, commands[name], key, value)
    for name, table in tables.items():
        for key, value in table.items():
            if parameter(commands[name], key) is None:
                raise config.problem(f"{name} has no option {key!r}", hint(key, sorted(keys(commands[name]))))
            found[name] |= default(config, commands[name], key, value)
    return found


def keys(command: click.Command) -> Iterator[str]:
    """Yield the keys that set something of a command."""
    for one in command.params:
        if isinstance(one, click.Option):
            yield from (flag.removeprefix("--") for flag in one.opts if flag.startswith("--"))
    if parameter(command, TARGETS) is not None:
        yield TARGETS


def parameter(command: click.Command, key: str) -> click.Parameter | None:
    """The parameter of a command that a key sets, if it has one."""
    for one in command.params:
        if isinstance(one, click.Option) and f"--{key}" in one.opts:
            return one
        if key == TARGETS and (one.name == TARGETS or (one.name == "target" and command.name in NEED_TARGET)):
            return one
    return None


def default(config: Config, command: click.Command, key: str, value: object) -> dict[str, Value]:
    """The default of the parameter that a key sets, as click takes it."""
    one = parameter(command, key)
    assert one is not None
    if isinstance(one, click.Option) and one.is_flag:
        if not isinstance(value, bool):
            raise config.problem(f"{key} = {value!r} is neither true nor false")
        return {one.name: value}
    words = value if isinstance(value, list) else [value]
    if not all(isinstance(word, str | int) and not isinstance(word, bool) for word in words):
        raise config.problem(f"{key} = {value!r} is no text, number or list of these")
    texts = [placed(config, one, str(word)) for word in words]
    several = one.multiple if isinstance(one, click.Option) else one.nargs == -1
    return {one.name: texts if several else ",".join(texts)}


def placed(config: Config, one: click.Parameter, word: str) -> str:
    """A value; a path is one from the folder of the file."""
    return str(config.file.parent / word) if isinstance(one.type, click.Path) else word
