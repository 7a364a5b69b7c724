"""Command-line definitions of rejudge, diff, merge, corpus, report, site and playground."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from abiprobe.harness.cli.options import (
    CONFINE,
    FORMAT,
    NAMED_RUN,
    RUN,
    SOME_TARGET,
    STRICT,
    path_option,
    takes_known,
)

if TYPE_CHECKING:
    from abiprobe.results.known.deviations import Known


@click.command()
@NAMED_RUN
@path_option("--out", "out", "DIR", "Write the rejudged run to this folder.")
@click.option(
    "--as",
    "renamed",
    multiple=True,
    metavar="TARGET=TARGET",
    help="Judge a target by another model: riscv64-lp64d=riscv64-lp64d@clang.",
)
@click.option(
    "--ask", is_flag=True, help="Run the compilers again where the old observations are not enough."
)
@CONFINE
@FORMAT
def rejudge(folder: Path | None, out: Path | None, renamed: tuple[str, ...], form: str, *, ask: bool) -> int:
    """Judge a run's observations by the current model. No compiler runs; what changes is reported."""
    from abiprobe.harness.cli.commands.rejudge import rejudge as command
    from abiprobe.harness.runs.run_files import named_run

    return command(named_run(folder), out, renamed, form, ask=ask)


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
    help="Report where two compilers differ in layout or placement, whatever the text says (needs runs with --raw).",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    help="Output format.",
)
@takes_known
def diff(
    old: Path | None, new: Path | None, match: tuple[str, ...], form: str, *, known: Known, breaking: bool
) -> int:
    """Report what changed from one run to another. The default is the last two in .abiprobe/runs."""
    from abiprobe.harness.cli.commands.diff import diff as command

    return command(old, new, match, form, known=known, breaking=breaking)


@click.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN...")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    required=True,
    help="Folder to write the whole run to.",
)
@FORMAT
def merge(folders: tuple[Path, ...], out: Path, form: str) -> int:
    """Put the shards of a run together."""
    from abiprobe.harness.cli.commands.merge import merge as command

    return command(folders, out, form)


FOLDER = click.option(
    "--folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    default=Path(".abiprobe", "corpus"),
    show_default=True,
    help="Folder of the kept questions.",
)


@click.group()
def corpus() -> None:
    """Manage the questions of every nightly run. They are asked beside the random ones."""


@corpus.command(name="add")
@click.argument("names", nargs=-1, required=True, metavar="RUN|ID|FILE...")
@RUN
@SOME_TARGET
@FOLDER
@FORMAT
def corpus_add(names: tuple[str, ...], run: Path | None, target: str | None, folder: Path, form: str) -> int:
    """Keep the smallest examples of a triaged run, of one cause, or what a file declares."""
    from abiprobe.harness.cli.commands.corpus import add

    return add(names, run, target, folder, form)


@corpus.command(name="list")
@SOME_TARGET
@FOLDER
@FORMAT
def corpus_list(target: str | None, folder: Path, form: str) -> int:
    """List what was kept; with a target, every question of its nightly runs."""
    from abiprobe.harness.cli.commands.corpus import listing

    return listing(target, form, folder)


@corpus.command(name="prune")
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN...")
@click.option("--dry-run", "dry", is_flag=True, help="Only report the number that would be removed.")
@FOLDER
@FORMAT
def corpus_prune(runs: tuple[Path, ...], folder: Path, form: str, *, dry: bool) -> int:
    """Remove the kept questions on which all compilers agree in each of these runs."""
    from abiprobe.harness.cli.commands.corpus import prune

    return prune(runs, folder, form, dry=dry)


@click.command()
@NAMED_RUN
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "html", "markdown", "junit", "sarif", "card"]),
    default="text",
    help="Output format.",
)
@path_option("--out", "out", "FILE", "Write to FILE instead of printing.")
@click.option(
    "--maps/--no-maps", default=True, help="html: ask the compilers again, for drawings of registers."
)
@click.option(
    "--by",
    type=click.Choice(["cause", "clause"]),
    default="cause",
    show_default=True,
    help="text: the causes that are new, or every deviation by the clause that it breaks.",
)
@STRICT
@takes_known
def report(
    folder: Path | None, form: str, out: Path | None, *, known: Known, maps: bool, by: str, strict: bool
) -> int:
    """Print the report of a finished run. There are formats for people, CI and other programs."""
    from abiprobe.harness.runs.run_files import named_run

    run = named_run(folder)
    if form in {"text", "json"} and out is None:
        from abiprobe.harness.cli.commands.report import report as command

        return command(run, form, known, by=by, strict=strict)
    from abiprobe.harness.cli.commands.report_formats import write_report

    return write_report(run, form, out, known, maps=maps, strict=strict)


@click.command()
@click.argument("folders", nargs=-1, type=click.Path(path_type=Path), metavar="[RUN...]")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    required=True,
    help="Folder to write: new, empty, or an earlier edition of the pages.",
)
@path_option(
    "--since",
    "since",
    "DIR",
    "List the news since this edition or triaged run. [default: the edition in --out]",
)
@click.option("--title", default="abiprobe", show_default=True, help="Title of all pages.")
@click.option(
    "--url",
    default="",
    metavar="URL",
    help="Address at which the folder will be published, for feed, sitemap and robots.txt.",
)
@click.option(
    "--maps/--no-maps", default=True, help="Ask the compilers again, for the bytes that each example passes."
)
@click.option("--bundles/--no-bundles", default=True, help="Put a bundle beside each cause.")
@click.option("--edges/--no-edges", default=True, help="Add examples on both sides of each clause's edge.")
@click.option(
    "--playground",
    is_flag=True,
    help="Add the page of `abiprobe playground`, and a link to it from each cause.",
)
@takes_known
@CONFINE
@FORMAT
def site(
    folders: tuple[Path, ...],
    out: Path,
    since: Path | None,
    title: str,
    url: str,
    form: str,
    *,
    known: Known,
    maps: bool,
    bundles: bool,
    edges: bool,
    playground: bool,
) -> int:
    """Write a folder of web pages about triaged runs, for publication or for reading from the disk.

    It has a matrix of compilers and versions by ABI, a page for each cause and for each clause, a search and an Atom feed.
    """
    from abiprobe.harness.cli.commands.site import OptionalContent
    from abiprobe.harness.cli.commands.site import site as command

    wanted = OptionalContent(maps=maps, bundles=bundles, edges=edges, playground=playground)
    return command(folders, out, since, known, wanted, form, title=title, url=url)


@click.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    required=True,
    help="Folder to write: new, empty, or an earlier playground.",
)
@FORMAT
def playground(out: Path, form: str) -> int:
    """Write a web page that shows layout, places and derivation of the C that is typed into it.

    The models run in the browser, by Pyodide; no server is needed but one of files. npm and pip fetch what the page loads.
    """
    from abiprobe.harness.cli.commands.playground import playground as command

    return command(out, form)


@click.command()
@click.option("--count", type=click.IntRange(1), default=40, show_default=True, help="The number of bugs.")
@path_option(
    "--out", "out", "DIR", "Write each issue and a table to DIR; the table keeps what was entered in it."
)
@takes_known
@FORMAT
def dossier(count: int, out: Path | None, form: str, *, known: Known) -> int:
    """List the known bugs that matter most, that are not reported, and that an installed compiler shows now, as issues."""
    from abiprobe.harness.cli.commands.dossier import dossier as command

    return command(count, out, form, known)


COMMANDS = (corpus, diff, dossier, merge, playground, rejudge, report, site)
"""Every command here."""
