"""Every command has examples that it takes, and the options of `run` are in sections."""

from __future__ import annotations

import shlex

import click
import pytest
from click.testing import CliRunner

from abiprobe.harness.cli.help import EXAMPLES, REST, SECTIONS
from abiprobe.harness.cli.main import PROGRAM, cli


def test_every_command_has_examples() -> None:
    assert set(EXAMPLES) == set(cli.commands)
    for name, command in cli.commands.items():
        if isinstance(command, click.Group):
            assert {f"{name} {below}" for below in command.commands} == {
                " ".join(line.split()[:2]) for line in EXAMPLES[name]
            }


@pytest.mark.parametrize("line", [line for lines in EXAMPLES.values() for line in lines])
def test_an_example_is_a_command_line(line: str) -> None:
    name, *words = shlex.split(line)
    command: click.Command = cli.commands[name]
    context = click.Context(cli, info_name=PROGRAM)
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=name, parent=context)
        command, words = command.commands[words[0]], words[1:]
    command.make_context(name, words, parent=context)


def test_the_options_of_run_are_in_sections() -> None:
    shown = CliRunner().invoke(cli, ["run", "--help"]).output
    assert [line[:-1] for line in shown.splitlines() if line.endswith(":") and not line.startswith(" ")] == [
        *SECTIONS,
        REST,
    ]
    every = {flag for one in cli.commands["run"].params if isinstance(one, click.Option) for flag in one.opts}
    assert every <= set(shown.replace(",", " ").split())
    assert f"{PROGRAM} {EXAMPLES['run'][0]}" in shown
