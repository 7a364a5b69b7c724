"""Command-line definitions of triage, accept, reduce, bisect, repro and toolchains."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from abiprobe.harness.cli.options import (
    CONFINE,
    FORMAT,
    JOBS,
    LEVELS,
    NAMED_RUN,
    RUN,
    SOME_TARGET,
    SUBJECTS,
    levels_option,
    path_option,
    subjects_option,
    takes_known,
)

if TYPE_CHECKING:
    from abiprobe.results.known.deviations import Known


@click.command()
@NAMED_RUN
@JOBS
@click.option("--top", default=15, show_default=True, metavar="N", help="Causes shown in full; 0 for all.")
@click.option("--fresh", is_flag=True, help="Reduce and cluster anew, whatever was kept with the run.")
@takes_known
@CONFINE
@FORMAT
def triage(
    folder: Path | None,
    jobs: str | None,
    top: int,
    form: str,
    *,
    known: Known,
    fresh: bool,
) -> int:
    """Find the root causes of a run's deviations. Each is reduced, and compared with the known deviations."""
    from abiprobe.harness.cli.commands.triage import triage as command
    from abiprobe.harness.runs.run_files import named_run

    return command(named_run(folder), form, jobs, top, known, fresh=fresh)


@click.command()
@NAMED_RUN
@JOBS
@path_option("--write", "write", "FILE", "Append to FILE instead of printing.")
@takes_known
@CONFINE
@FORMAT
def accept(folder: Path | None, jobs: str | None, write: Path | None, form: str, *, known: Known) -> int:
    """Entries for the known deviations, for each new cause of a run."""
    from abiprobe.harness.cli.commands.accept import accept as command
    from abiprobe.harness.runs.run_files import named_run

    return command(named_run(folder), form, jobs, known, write)


@click.command()
@click.argument("name", metavar="ID|FILE")
@RUN
@SOME_TARGET
@SUBJECTS
@LEVELS
@path_option("--save", "save", "FILE.json", "Write the smallest question to this corpus file.")
@CONFINE
@FORMAT
def reduce(
    name: str,
    run: Path | None,
    target: str | None,
    subjects: str | None,
    levels: str,
    save: Path | None,
    form: str,
) -> int:
    """Find the smallest question that still deviates. ID is a cluster or a probe; the same compilers keep deviating."""
    from abiprobe.harness.cli.commands.reduce import reduce_command

    return reduce_command(name, run, target, subjects, levels, form, save)


@click.command()
@click.argument("name", metavar="ID|FILE")
@RUN
@SOME_TARGET
@subjects_option("Test these compilers instead of every installed version of the family.")
@levels_option("O0,O1,O2,O3")
@click.option("--with", "options", metavar="'-mA,-mB'", help="Also test with each of these options.")
@CONFINE
@FORMAT
def bisect(
    name: str,
    run: Path | None,
    target: str | None,
    subjects: str | None,
    levels: str,
    options: str | None,
    form: str,
) -> int:
    """Show which versions of a compiler deviate. Names the first bad and the first good one."""
    from abiprobe.harness.cli.commands.bisect import bisect as command

    return command(name, run, target, subjects, levels, options, form)


@click.command()
@click.argument("name", metavar="ID|FILE")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    required=True,
    help="Folder to write the bundle to; it must be empty or missing.",
)
@click.option(
    "--as",
    "as_test",
    type=click.Choice(["filecheck", "gcc-dg", "rustc", "zig", "c"]),
    help="Write the test that the suite of clang, gcc, rustc or zig takes, or C and a Makefile, instead of the bundle.",
)
@RUN
@SOME_TARGET
@SUBJECTS
@LEVELS
@CONFINE
@FORMAT
def repro(
    name: str,
    out: Path,
    as_test: str | None,
    run: Path | None,
    target: str | None,
    subjects: str | None,
    levels: str,
    form: str,
) -> int:
    """Write a bundle and an issue that show a deviation. The bundle needs the compilers, a linker and qemu only."""
    if as_test is not None:
        from abiprobe.harness.cli.commands.export import export_command
        from abiprobe.harness.triage.exports.forms import Form

        return export_command(name, out, run, target, subjects, levels, Form(as_test), form)
    from abiprobe.harness.cli.commands.repro import repro as command

    return command(name, out, run, target, subjects, levels, form)


@click.group()
def toolchains() -> None:
    """Manage compilers in abiprobe's own cache. They come from pip and from Debian's packages; no root is needed."""


@toolchains.command(name="install")
@click.argument("names", nargs=-1, required=True, metavar="gcc-N|clang-N[..M]...")
@FORMAT
def toolchains_install(names: tuple[str, ...], form: str) -> int:
    """Fetch compilers, checked by their digests; installed ones are left alone."""
    from abiprobe.harness.cli.commands.toolchains import install

    return install(names, form)


@toolchains.command(name="remove")
@click.argument("names", nargs=-1, required=True, metavar="gcc-N|clang-N[..M]...")
@FORMAT
def toolchains_remove(names: tuple[str, ...], form: str) -> int:
    """Remove compilers from the cache."""
    from abiprobe.harness.cli.commands.toolchains import remove

    return remove(names, form)


@toolchains.command(name="list")
@FORMAT
def toolchains_list(form: str) -> int:
    """List the compilers that can be installed, those that are, and their sizes."""
    from abiprobe.harness.cli.commands.toolchains import listing

    return listing(form)


COMMANDS = (triage, accept, reduce, bisect, repro, toolchains)
