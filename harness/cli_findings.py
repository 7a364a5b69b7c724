"""The commands that go from what a run found to what a person can act on, and the compilers that they need."""

from __future__ import annotations

from pathlib import Path

import click

from abiprobe.harness.cli_options import FORMAT, JOBS, KNOWN, LEVELS, NO_KNOWN, RUN, SOME_TARGET, SUBJECTS


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="RUN")
@JOBS
@click.option("--top", default=15, show_default=True, metavar="N", help="Causes shown in full; 0 for all.")
@click.option("--fresh", is_flag=True, help="Reduce and cluster anew, whatever was kept with the run.")
@KNOWN
@NO_KNOWN
@FORMAT
def triage(
    folder: Path,
    jobs: str | None,
    top: int,
    known: tuple[Path, ...],
    form: str,
    *,
    fresh: bool,
    unknown: bool,
) -> int:
    """The root causes of what a run found: reduced, clustered, held against what is known."""
    from abiprobe.harness.commands.triage import triage as command
    from abiprobe.harness.recollect import read_known

    return command(folder, form, jobs, top, read_known(known, none=unknown), fresh=fresh)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="RUN")
@JOBS
@click.option(
    "--write", type=click.Path(path_type=Path), metavar="FILE", help="Append to FILE instead of printing."
)
@KNOWN
@NO_KNOWN
def accept(
    folder: Path, jobs: str | None, write: Path | None, known: tuple[Path, ...], *, unknown: bool
) -> int:
    """Entries for the known deviations, for each new cause of a run."""
    from abiprobe.harness.commands.accept import accept as command
    from abiprobe.harness.recollect import read_known

    return command(folder, jobs, read_known(known, none=unknown), write)


@click.command()
@click.argument("name", metavar="ID|FILE")
@RUN
@SOME_TARGET
@SUBJECTS
@LEVELS
@click.option(
    "--save", type=click.Path(path_type=Path), metavar="FILE.json", help="Keep what is left as a corpus file."
)
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
    """The smallest question that still shows the deviation of a cluster, a probe or a file, with the same blame."""
    from abiprobe.harness.commands.reduce import reduce_command

    return reduce_command(name, run, target, subjects, levels, form, save)


@click.command()
@click.argument("name", metavar="ID|FILE")
@RUN
@SOME_TARGET
@click.option(
    "--cc", "subjects", metavar="SUBJECT,...", help="Instead of every installed version of the family."
)
@click.option(
    "--opt", "levels", metavar="O0,O2", default="O0,O1,O2,O3", show_default=True, help="Optimisation levels."
)
@click.option("--with", "options", metavar="'-mA,-mB'", help="Options to try one by one beside none.")
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
    """Which versions of a compiler deviate: first bad, first good, and the timeline in between."""
    from abiprobe.harness.commands.bisect import bisect as command

    return command(name, run, target, subjects, levels, options, form)


@click.command()
@click.argument("name", metavar="ID|FILE")
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", required=True, help="Folder of the bundle."
)
@RUN
@SOME_TARGET
@SUBJECTS
@LEVELS
def repro(
    name: str, out: Path, run: Path | None, target: str | None, subjects: str | None, levels: str
) -> int:
    """A bundle that shows a deviation with nothing but the compilers and qemu, and an issue ready to paste."""
    from abiprobe.harness.commands.repro import repro as command

    return command(name, out, run, target, subjects, levels)


@click.group()
def toolchains() -> None:
    """Releases of clang in abiprobe's own cache, fetched with pip; no root is needed."""


@toolchains.command(name="install")
@click.argument("names", nargs=-1, required=True, metavar="clang-N[..clang-M]...")
def toolchains_install(names: tuple[str, ...]) -> int:
    """Fetch releases (checked by their digests); what is there already is kept."""
    from abiprobe.harness.commands.toolchains import install

    return install(names)


@toolchains.command(name="remove")
@click.argument("names", nargs=-1, required=True, metavar="clang-N[..clang-M]...")
def toolchains_remove(names: tuple[str, ...]) -> int:
    """Remove releases from the cache."""
    from abiprobe.harness.commands.toolchains import remove

    return remove(names)


@toolchains.command(name="list")
@FORMAT
def toolchains_list(form: str) -> int:
    """The releases that can be installed, those that are, and their sizes."""
    from abiprobe.harness.commands.toolchains import listing

    return listing(form)


COMMANDS = (triage, accept, reduce, bisect, repro, toolchains)
