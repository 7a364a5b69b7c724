"""The commands about many runs: what was kept of one, what changed since another, and how that is shown."""

from __future__ import annotations

from pathlib import Path

import click

from abiprobe.harness.cli_options import FORMAT


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="RUN")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Keep the rejudged run.")
@click.option(
    "--as",
    "renamed",
    multiple=True,
    metavar="TARGET=TARGET",
    help="Judge a target by another model: riscv64-lp64d=riscv64-lp64d@clang.",
)
@click.option("--ask", is_flag=True, help="Ask the compilers again where old observations do not tell.")
@FORMAT
def rejudge(folder: Path, out: Path | None, renamed: tuple[str, ...], form: str, *, ask: bool) -> int:
    """Judge what a run observed by the model of today, without any compiler, and say what that changes."""
    from abiprobe.harness.commands.rejudge import rejudge as command

    return command(folder, out, renamed, form, ask=ask)


@click.command()
@click.argument("old", required=False, type=click.Path(path_type=Path), metavar="[OLD]")
@click.argument("new", required=False, type=click.Path(path_type=Path), metavar="[NEW]")
@click.option(
    "--match",
    multiple=True,
    metavar="SUBJECT=SUBJECT",
    help="Compare a subject of the old run with one of the new: clang-19=clang-22.",
)
@click.option(
    "--abi-breaks",
    "breaking",
    is_flag=True,
    help="Where two compilers lay out or place differently, whatever the text says (runs with --raw).",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    help="How to print the answer.",
)
def diff(old: Path | None, new: Path | None, match: tuple[str, ...], form: str, *, breaking: bool) -> int:
    """What changed from one run to another; without names, between the last two in .abiprobe/runs."""
    from abiprobe.harness.commands.diff import diff as command

    return command(old, new, match, form, breaking=breaking)


COMMANDS = (diff, rejudge)
"""Every command here."""
