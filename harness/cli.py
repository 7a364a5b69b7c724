"""The command line: names, options and exit statuses. What a command does is in `abiprobe.harness.commands`.

Exit status: 0 as expected, 1 a deviation, 2 usage, 3 nothing could be compared, 4 a tool or abiprobe broke.
Commands import what they need when they are called, so that `--help` answers at once.
"""

from __future__ import annotations

import sys
import traceback
from pathlib import Path

import click

from abiprobe.harness.problem import Problem
from abiprobe.harness.version import version

USAGE = 2
BROKEN = 4
INTERRUPTED = 130

FORMAT = click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to print the answer."
)
TARGET = click.option(
    "--target",
    "-t",
    "target",
    required=True,
    metavar="T[,T]",
    help="Targets, a dialect after @ (x86_64-sysv@clang).",
)
SUBJECTS = click.option(
    "--cc", "subjects", metavar="SUBJECT,...", help="Compilers: clang-19, gcc-12, zig, gcc:PROGRAM."
)
LEVELS = click.option(
    "--opt", "levels", metavar="O0,O2", default="O0,O2", show_default=True, help="Optimisation levels."
)
WITNESS = click.option(
    "--witness",
    "witnesses",
    metavar="NAME,...",
    help="Who tells layouts: object, debug, values. [default: all; run asks the last two of a sample]",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version(), prog_name="abiprobe")
def cli() -> None:
    """Does this compiler do what the written ABI says, byte for byte, and if not, which clause does it break?"""


@cli.command()
@FORMAT
def doctor(form: str) -> int:
    """What is installed, what that allows, what to install for the rest."""
    from abiprobe.harness.commands.doctor import doctor as command

    return command(form)


@cli.command(name="list")
@click.argument("what", type=click.Choice(["targets", "toolchains", "clauses"]))
@FORMAT
def list_(what: str, form: str) -> int:
    """The targets, toolchains or clauses there are."""
    from abiprobe.harness.commands.listing import listing

    return listing(what, form)


@cli.command()
@click.argument("targets", nargs=-1, metavar="[TARGET...]")
@SUBJECTS
@LEVELS
@click.option(
    "--cases", metavar="N", default="1000", show_default=True, help="Prototypes, and as many records."
)
@click.option("--budget", metavar="TIME", help="Stop after this time: 90s, 10m, 2h.")
@click.option(
    "--seed", metavar="N", help="The same seed draws the same questions. [default: drawn, and printed]"
)
@click.option(
    "--profile",
    type=click.Choice(["quick", "nightly"]),
    help="quick: 250 cases at O0; nightly: until the budget (30m) is spent.",
)
@click.option(
    "--shard", metavar="K/N", default="1/1", show_default=True, help="Do the K-th of N equal parts."
)
@click.option("--jobs", "-j", metavar="N", help="Batches at a time. [default: one per core]")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of the run. [default: .abiprobe/runs/TIME]",
)
@WITNESS
@click.option("--resume", type=click.Path(path_type=Path), metavar="DIR", help="Finish an interrupted run.")
@FORMAT
def run(
    targets: tuple[str, ...],
    subjects: str | None,
    levels: str,
    form: str,
    resume: Path | None,
    **options: object,
) -> int:
    """Random types and prototypes, predicted, compiled, run and compared byte by byte."""
    from abiprobe.harness.commands.run import resume as resume_command
    from abiprobe.harness.commands.run import start

    if resume is not None:
        return resume_command(resume, options["jobs"], options["budget"], form)
    return start(targets, subjects, levels, form, options)


@cli.command()
@click.argument("file", metavar="FILE")
@TARGET
@SUBJECTS
@LEVELS
@WITNESS
@FORMAT
def check(file: str, target: str, subjects: str | None, levels: str, witnesses: str | None, form: str) -> int:
    """Every record and prototype declared in FILE (- for standard input), all probe kinds."""
    from abiprobe.harness.commands.check import check as command

    return command(file, target, subjects, levels, form, witnesses)


@cli.command()
@click.argument("file", metavar="FILE")
@TARGET
@FORMAT
def predict(file: str, target: str, form: str) -> int:
    """What the model says of the declarations in FILE; no compiler is asked."""
    from abiprobe.harness.commands.predict import predict as command

    return command(file, target, form)


@cli.command()
@click.argument("declaration", metavar="FILE|'C DECLARATION'")
@TARGET
@FORMAT
def explain(declaration: str, target: str, form: str) -> int:
    """The derivation, clause by clause, with the layout and the map of registers and stack."""
    from abiprobe.harness.commands.predict import explain as command

    return command(declaration, target, form)


@cli.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="RUN")
@FORMAT
def report(folder: Path, form: str) -> int:
    """The report of a finished run."""
    from abiprobe.harness.commands.report import report as command

    return command(folder, form)


RUN = click.option(
    "--run",
    "run",
    type=click.Path(path_type=Path),
    metavar="RUN",
    help="Folder of the run. [default: the latest]",
)
SOME_TARGET = click.option(
    "--target", "-t", "target", metavar="T[,T]", help="Only for these targets; needed for a FILE."
)
KNOWN = click.option(
    "--known",
    "known",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="Known deviations. [default: those that come with abiprobe]",
)
NO_KNOWN = click.option("--no-known", "unknown", is_flag=True, help="Know of no deviation: all are new.")
JOBS = click.option("--jobs", "-j", metavar="N", help="Compilers at a time. [default: one per core]")


@cli.command()
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


@cli.command()
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


@cli.command()
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


@cli.command()
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


@cli.command()
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


@cli.group()
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


@cli.command()
@click.option(
    "--cc", "subjects", metavar="SUBJECT,...", help="Toolchains: clang-22, zig, riscv64-linux-gnu-gcc."
)
@click.option(
    "--cases",
    metavar="N",
    default="20000",
    show_default=True,
    help="Random pairs of an ISA string and an ABI.",
)
@click.option(
    "--seed", metavar="N", default="1", show_default=True, help="The same seed draws the same pairs."
)
@FORMAT
def march(subjects: str | None, cases: str, seed: str, form: str) -> int:
    """RISC-V toolchains against the text of ISA strings, named ABIs, object headers and code models."""
    from abiprobe.harness.commands.march import march as command

    return command(subjects, cases, seed, form)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit status; a user's mistake is one line."""
    try:
        status = cli.main(arguments, prog_name="abiprobe", standalone_mode=False)
    except click.exceptions.Abort:
        sys.exit(INTERRUPTED)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except Problem as problem:
        click.echo(f"abiprobe: {problem}", err=True)
        sys.exit(USAGE)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(BROKEN)
    except Exception:  # noqa: BLE001 - whatever it is, it is ours, and its status must not read as a deviation
        traceback.print_exc()
        sys.exit(BROKEN)
    sys.exit(status if isinstance(status, int) else 0)
