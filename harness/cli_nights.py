"""The commands about many runs: what was kept of one, what changed since another, and how that is shown."""

from __future__ import annotations

from pathlib import Path

import click

from abiprobe.harness.cli_options import FORMAT, KNOWN, NO_KNOWN, RUN, SOME_TARGET


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


@click.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN...")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", required=True, help="The whole run.")
def merge(folders: tuple[Path, ...], out: Path) -> int:
    """Put the shards of a run together."""
    from abiprobe.harness.commands.merge import merge as command

    return command(folders, out)


FOLDER = click.option(
    "--folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    default=Path(".abiprobe", "corpus"),
    show_default=True,
    help="Where kept questions are.",
)


@click.group()
def corpus() -> None:
    """The questions that are asked every night, beside those that are drawn."""


@corpus.command(name="add")
@click.argument("names", nargs=-1, required=True, metavar="RUN|ID|FILE...")
@RUN
@SOME_TARGET
@FOLDER
def corpus_add(names: tuple[str, ...], run: Path | None, target: str | None, folder: Path) -> int:
    """Keep the smallest examples of a triaged run, of one cause, or what a file declares."""
    from abiprobe.harness.commands.corpus import add

    return add(names, run, target, folder)


@corpus.command(name="list")
@SOME_TARGET
@FOLDER
@FORMAT
def corpus_list(target: str | None, folder: Path, form: str) -> int:
    """What was kept; with a target, everything that is asked of it every night."""
    from abiprobe.harness.commands.corpus import listing

    return listing(target, form, folder)


@corpus.command(name="prune")
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN...")
@click.option("--dry-run", "dry", is_flag=True, help="Only say how many.")
@FOLDER
def corpus_prune(runs: tuple[Path, ...], folder: Path, *, dry: bool) -> int:
    """Remove what was kept and agrees for everybody in each of these runs."""
    from abiprobe.harness.commands.corpus import prune

    return prune(runs, folder, dry=dry)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="RUN")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "html", "markdown", "junit", "sarif", "card"]),
    default="text",
    help="How to print the report.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="FILE", help="Write to FILE instead of printing."
)
@click.option(
    "--maps/--no-maps", default=True, help="html: ask the compilers again, for drawings of registers."
)
@KNOWN
@NO_KNOWN
def report(
    folder: Path, form: str, out: Path | None, known: tuple[Path, ...], *, maps: bool, unknown: bool
) -> int:
    """The report of a finished run: for people, for CI, for other programs."""
    if form in {"text", "json"} and out is None:
        from abiprobe.harness.commands.report import report as command

        return command(folder, form)
    from abiprobe.harness.commands.reports import reports
    from abiprobe.harness.recollect import read_known

    return reports(folder, form, out, read_known(known, none=unknown), maps=maps)


COMMANDS = (corpus, diff, merge, rejudge, report)
"""Every command here."""
