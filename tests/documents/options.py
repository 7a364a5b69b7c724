"""Whether the command line has the commands and options that a document names."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from abiprobe.harness.cli.main import cli

OPTION = re.compile(r"(?<![\w'-])(--[a-z][a-z-]*|-[a-z])(?![\w-])")
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
CHOICES = re.compile(r"(--[a-z-]+) ((?:[a-z-]+ ?\| ?)+[a-z-]+)")


def leaves(group: click.Group = cli, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Every command that is no group, with its full name: `corpus add`."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from leaves(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


def named(text: str) -> list[tuple[str, click.Command]]:
    """The commands that a synopsis is about, several in `toolchains install|remove`; none if one does not exist."""
    all_of = dict(leaves())
    words = [word.split("|") for word in text.split()[1:3]]
    for first in words[0] if words else ():
        if isinstance(cli.commands.get(first), click.Group) and len(words) == 1:
            return [(first, cli.commands[first])]
    found = []
    for first in words[0] if words else ():
        if first in all_of:
            found.append((first, all_of[first]))
        else:
            second = words[1] if len(words) > 1 else []
            found += [
                (f"{first} {two}", all_of[f"{first} {two}"]) for two in second if f"{first} {two}" in all_of
            ]
    return found


def names(command: click.Command) -> set[str]:
    """The options of a command."""
    own = {
        name for one in command.params for name in (*one.opts, *one.secondary_opts) if name.startswith("-")
    }
    return own | {"--help", "-h"}


def mistakes(text: str) -> list[str]:
    """What is wrong with a command line: a command or an option that does not exist, or other choices than it has."""
    found = named(text)
    if not found:
        # An option of the group itself, or a command in a sentence such as `abiprobe --help`.
        return [] if text.split()[1:2] in (["--help"], ["--version"]) else [f"no such command: {text}"]
    plain = QUOTED.sub("", text)
    wrong = [
        f"{name} has no option {option}"
        for name, command in found
        for option in OPTION.findall(plain)
        if option not in names(command)
    ]
    for option, shown in CHOICES.findall(plain):
        for name, command in found:
            real = choices(command, option)
            if real and set(re.split(r" ?\| ?", shown)) != real:
                wrong.append(f"{name} {option} takes {', '.join(sorted(real))}")
    return wrong


def choices(command: click.Command, option: str) -> set[str]:
    """The values that an option takes, if they are a list."""
    for one in command.params:
        if option in one.opts and isinstance(one.type, click.Choice):
            return set(one.type.choices)
    return set()
