"""The command line: names, options and exit statuses. What a command does is in `abiprobe.harness.commands`.

Exit status: 0 as expected, 1 a deviation, 2 usage, 3 nothing could be compared, 4 a tool or abiprobe broke.
Commands import what they need when they are called, so that `--help` answers at once.
"""

from __future__ import annotations

import sys
import traceback
from pathlib import Path

import click

from abiprobe.harness import cli_findings, cli_nights
from abiprobe.harness.cli_options import FORMAT, LEVELS, PAIRS, SUBJECTS, TARGET, WITNESS
from abiprobe.harness.problem import Problem
from abiprobe.harness.scratch import scratch
from abiprobe.harness.version import version

USAGE = 2
BROKEN = 4
INTERRUPTED = 130


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
    "--cases", metavar="N", help="Prototypes, and as many records: 1000, or as many as the budget allows."
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
@click.option("--fresh", is_flag=True, help="Ask again what earlier runs have been answered.")
@click.option(
    "--raw/--no-raw",
    "raw",
    default=None,
    help="Keep what was observed, for rejudge. [default: with --profile nightly]",
)
@click.option("--dask", metavar="ADDRESS", help="Let the workers of a Dask scheduler do the batches.")
@click.option("--corpus", is_flag=True, help="Ask the corpus first. [default: with --profile nightly]")
@WITNESS
@PAIRS
@click.option(
    "--tours/--no-tours",
    default=None,
    help="First the signatures that cross every transition of each target's model. [default: from 250 cases on]",
)
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
@PAIRS
@FORMAT
def check(
    file: str, target: str, subjects: str | None, levels: str, witnesses: str | None, pairs: str, form: str
) -> int:
    """Every record and prototype declared in FILE (- for standard input), all probe kinds."""
    from abiprobe.harness.commands.check import check as command

    return command(file, target, subjects, levels, form, witnesses, pairs)


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
def coverage(folder: Path, form: str) -> int:
    """Which clauses decided a compared byte of a run, which did not and why, and what of the tours was observed."""
    from abiprobe.harness.commands.coverage import command

    return command(folder, form)


@cli.command()
@click.argument(
    "sections", nargs=-1, metavar="[tours|riscv|x86_64|i386|ms|engine|ipu|dpu|ptx|vfabi|flags]..."
)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="FILE", help="The page to put the sections into."
)
@click.option(
    "--run",
    "runs",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="RUN",
    help="Nothing is measured but which clauses each subject of these runs breaks.",
)
@click.option(
    "--cases", default=250, show_default=True, metavar="N", help="Random prototypes that are recorded."
)
@click.option(
    "--seed", default=1, show_default=True, metavar="N", help="The same seed draws the same questions."
)
@click.option(
    "--clang", default="clang-22", show_default=True, metavar="SUBJECT", help="Who takes clang's flags."
)
@click.option("--gcc", default="gcc-12", show_default=True, metavar="SUBJECT", help="Who takes gcc's flags.")
def sensitivity(
    sections: tuple[str, ...],
    out: Path | None,
    runs: tuple[Path, ...],
    cases: int,
    seed: int,
    clang: str,
    gcc: str,
) -> int:
    """How many wrong models and wrong compilers the probes notice, and how soon; the tours of each target."""
    from abiprobe.harness.commands.sensitivity import releases
    from abiprobe.harness.commands.sensitivity import sensitivity as command

    if runs:
        return releases(runs, out)
    return command(sections, out, cases, seed, {"clang": clang, "gcc": gcc})


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


@cli.command(name="object")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE [FILE]")
@FORMAT
def object_(files: tuple[Path, ...], form: str) -> int:
    """The ABI facts of an ELF file; of two, whether they may be linked together, and why not."""
    from abiprobe.harness.commands.object import object_ as command

    return command(files, form)


for command in (*cli_findings.COMMANDS, *cli_nights.COMMANDS):
    cli.add_command(command)


@cli.command()
@click.argument("library", required=False, type=click.Path(path_type=Path), metavar="[LIBRARY]")
@FORMAT
def libmvec(library: Path | None, form: str) -> int:
    """Glibc's libmvec (or LIBRARY): its names derived, its functions called lane by lane."""
    from abiprobe.harness.commands.libmvec import libmvec as command

    return command(library, form)


@cli.command()
@click.option("--functions", metavar="N", default="1000", show_default=True, help="Random device functions.")
@click.option("--kernels", metavar="N", default="500", show_default=True, help="Random kernels.")
@click.option(
    "--arch", "arches", metavar="SM,...", default="sm_75,sm_90", show_default=True, help="Architectures."
)
@click.option("--opt", "levels", metavar="O1,O3", default="O1,O3", show_default=True, help="Levels of ptxas.")
@click.option("--seed", metavar="N", default="1", show_default=True, help="The same seed draws the same.")
@click.option("--ptxas", "assemblers", metavar="PATH,...", help="Releases of ptxas to compare.")
@FORMAT
def ptx(
    functions: str, kernels: str, arches: str, levels: str, seed: str, assemblers: str | None, form: str
) -> int:
    """Ptxas against registers, stack, kernel offsets and the rules of PTX; nvlink against prototypes; a GPU."""
    from abiprobe.harness.commands.ptx import ptx as command

    return command(functions, kernels, arches, levels, seed, assemblers, form)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit status; a user's mistake is one line."""
    try:
        with scratch():
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
