"""The command line itself: its configuration, completion, and man pages."""

from __future__ import annotations

from pathlib import Path

import click

from abiprobe.harness.cli.options import FORMAT

SHELLS = "bash", "zsh", "fish"


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@FORMAT
def completion(shell: str, form: str) -> int:
    """Print the completion script of a shell.

    bash: write this to ~/.bashrc: eval "$(abiprobe completion bash)"

    zsh: write this to ~/.zshrc: eval "$(abiprobe completion zsh)"

    fish: abiprobe completion fish > ~/.config/fish/completions/abiprobe.fish
    """
    from abiprobe.harness.cli.commands.completion import completion as command

    return command(shell, form)


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path), metavar="[DIR]")
@FORMAT
def man(folder: Path | None, form: str) -> int:
    """Write a man page for each command to DIR. Without DIR, to where man looks for those of this Python environment."""
    from abiprobe.harness.cli.commands.man import man as command

    return command(click.get_current_context().find_root(), folder, form)


@click.command()
@FORMAT
def config(form: str) -> int:
    """Show the defaults of options that a file sets, and which one. It is abiprobe.toml, or [tool.abiprobe] of pyproject.toml.

    A key is an option without its dashes: targets, cc, known, baseline, budget, seed. It concerns every command that has the
    option, or one command in a table: [run]. The nearest folder with such a file counts; the command line has the last word.
    """
    from abiprobe.harness.cli.commands.config import config as command

    return command(click.get_current_context().find_root(), form)


COMMANDS = (config, completion, man)
"""Every command here."""
