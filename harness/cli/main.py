"""The command line: names, options and exit statuses. What a command does is in `abiprobe.harness.cli.commands`.

Exit status: 0 nothing new, 1 a new deviation or a known one gone, 2 usage, 3 nothing was compared, or nothing of something that was
named, 4 a tool died in a way that is not known, or abiprobe broke. With `--strict` known deviations count, too.
Commands import what they need when they are called, so that `--help` answers at once.
"""

from __future__ import annotations

import re
import signal
import sys
import traceback
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from abiprobe.harness.base import child
from abiprobe.harness.base.faults import machine_fault
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.scratch import scratch
from abiprobe.harness.base.suggestions import closest_names, either
from abiprobe.harness.base.version import version
from abiprobe.harness.cli import completers, history_commands, shell, triage_commands
from abiprobe.harness.cli.commands.progress import progress_lines
from abiprobe.harness.cli.config import CONFIG, defaults, find_config, read_config
from abiprobe.harness.cli.help import InSections, add_examples
from abiprobe.harness.cli.input_options import read_options, reading_options
from abiprobe.harness.cli.options import (
    BUNDLES,
    CONFINE,
    FORMAT,
    JOBS,
    LEVELS,
    NAMED_RUN,
    PAIRS,
    SOME_TARGET,
    SOME_TARGETS,
    STRICT,
    SUBJECTS,
    TARGET,
    WITNESS,
    baseline_options,
    drawn_options,
    is_configured,
    is_given,
    levels_option,
    listed,
    on_command_line,
    path_option,
    reduce_option,
    refuse_others,
    subjects_option,
    takes_known,
    takes_known_of,
)
from abiprobe.harness.cli.topics import by_topic
from abiprobe.oracles.text.sheet_error import SheetError
from abiprobe.results.journal.printable import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from abiprobe.results.known.deviations import Known
    from abiprobe.results.known.lowerings import Entry as KnownLowering
    from abiprobe.results.known.ways import Entry as KnownWay

USAGE = 2
BROKEN = 4
INTERRUPTED = 130
LINE_BREAKS = re.compile(r"\s*\n\s*")
PROGRAM = "abiprobe"
COLUMN_GAP = 2
"""Columns between the name of a command and what it does."""
ENDINGS = signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU


class Commands(click.Group):
    """Commands that are listed by topic, and that know what was meant by a mistyped one."""

    def list_commands(self, _context: click.Context) -> list[str]:
        """The names of the commands, topic by topic."""
        return [name for _, names in by_topic(self.commands) for name in names]

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands under their topics."""
        width = max(map(len, self.commands))
        limit = formatter.width - formatter.indent_increment - COLUMN_GAP - width
        for topic, names in by_topic(self.commands):
            with formatter.section(topic):
                rows = [(f"{name:{width}}", self.commands[name].get_short_help_str(limit)) for name in names]
                formatter.write_dl(rows, col_spacing=COLUMN_GAP)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; an unknown one is a usage error with the closest names."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            if args and (close := closest_names(args[0], self.list_commands(ctx))):
                raise click.UsageError(
                    f"No such command {args[0]!r}. Did you mean {either(close)}?", ctx
                ) from error
            raise


def read_defaults(context: click.Context, _parameter: click.Parameter, given: Path | None) -> None:
    """Take the defaults of options from a file: the one that is named, or that of the nearest folder that has one."""
    if context.resilient_parsing:
        return
    found = read_config(given) if given is not None else find_config(Path.cwd())
    if found is not None:
        context.meta[CONFIG] = found
        context.default_map = dict(defaults(found, cli.commands))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version(), prog_name=PROGRAM)
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    is_eager=True,
    expose_value=False,
    callback=read_defaults,
    help="Defaults of options. [default: the nearest abiprobe.toml, or pyproject.toml with [tool.abiprobe]]",
)
@click.pass_context
def cli(context: click.Context) -> None:
    """Does this compiler do what the written ABI says, byte for byte, and if not, which clause does it break?"""
    given = (context.default_map or {}).get(context.invoked_subcommand or "")
    if given:
        click.echo(f"abiprobe: options as {context.meta[CONFIG].file} says (abiprobe config)", err=True)


@cli.command()
@click.option("--verbose", "-v", is_flag=True, help="Show every target and the stand-in compilers, too.")
@FORMAT
def doctor(form: str, *, verbose: bool) -> int:
    """Show what is installed and what to install for more."""
    from abiprobe.harness.cli.commands.doctor import doctor as command

    return command(form, verbose=verbose)


@cli.command(name="list")
@click.argument("what", type=click.Choice(["targets", "toolchains", "clauses", "known"]))
@click.argument("pattern", required=False, metavar="[PATTERN]")
@click.option(
    "--target",
    "-t",
    metavar="T",
    shell_complete=completers.targets,
    help="Only entries that concern this target.",
)
@click.option("--sheet", metavar="NAME", help="Only the clauses of this document: riscv, x86_64, gnu, ptx.")
@FORMAT
def list_(what: str, pattern: str | None, target: str | None, sheet: str | None, form: str) -> int:
    """List targets, toolchains, clauses or known deviations.

    PATTERN selects some: a name with * and ?, or a part of a name or text.
    """
    from abiprobe.harness.cli.commands.listing import listing

    return listing(what, form, pattern=pattern, target=target, sheet=sheet)


@cli.command(cls=InSections)
@click.argument("targets", nargs=-1, metavar="[TARGET...|all]", shell_complete=completers.targets)
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
@path_option("--out", "out", "DIR", "Folder of the run. [default: .abiprobe/runs/TIME]")
@click.option("--fresh", is_flag=True, help="Run compilers again for questions that earlier runs answered.")
@click.option(
    "--raw/--no-raw",
    "raw",
    default=None,
    help="Keep observations, for rejudge. [default: with --profile nightly]",
)
@click.option("--dask", metavar="ADDRESS", help="Let the workers of a Dask scheduler do the batches.")
@click.option(
    "--only",
    metavar="NAME,...",
    multiple=True,
    shell_complete=completers.clauses_or_files,
    help="Ask only questions that one of these clauses decides or that have one of these traits ('bit-field'), and only of these targets.",
)
@click.option(
    "--language",
    type=click.Choice(["c99", "c11", "c23", "gnu"]),
    default="gnu",
    show_default=True,
    help="Draw only what this edition of C can say.",
)
@click.option("--corpus", is_flag=True, help="Ask the corpus first. [default: with --profile nightly]")
@click.option(
    "--examples/--no-examples",
    default=None,
    help="Start with the examples of known deviations. [default: with --budget]",
)
@WITNESS
@PAIRS
@click.option(
    "--tours/--no-tours",
    default=None,
    help="Start with signatures that cross every transition of each target's model. [default: from 250 cases on]",
)
@click.option(
    "--complete",
    metavar="K",
    help="Ask the calls that show every deviation of a compiler with at most K hidden states, and nothing else without --cases.",
)
@click.option(
    "--complete-records",
    metavar="N",
    help="Ask every record of up to N members of ten forms, and calls with each, and nothing else without --cases.",
)
@path_option("--resume", "resume", "DIR", "Finish an interrupted run.")
@click.option("--max-failures", metavar="N", help="Begin no batch after N probes that fail in a new way.")
@click.option("--stop-on-new", is_flag=True, help="The same as --max-failures 1.")
@click.option(
    "--triage/--no-triage",
    "reducing",
    default=True,
    help="Reduce new deviations for a few seconds at the end, to find their causes.",
)
@STRICT
@takes_known
@CONFINE
@FORMAT
def run(
    targets: tuple[str, ...],
    subjects: str | None,
    levels: str,
    form: str,
    resume: Path | None,
    *,
    known: Known,
    reducing: bool,
    strict: bool,
    only: tuple[str, ...],
    max_failures: str | None,
    stop_on_new: bool,
    **options: object,
) -> int:
    """Test compilers on random types and prototypes. Each is predicted, compiled, run and compared byte by byte.

    Without TARGET the default targets are tested: riscv64-lp64d, x86_64-sysv and aarch64-aapcs64. For all, every one that has a model is.
    """
    from abiprobe.harness.api.arguments import whole_number
    from abiprobe.harness.cli.commands.run import ReportOptions, start
    from abiprobe.harness.cli.commands.run import resume as resume_command

    given = max_failures or ("1" if stop_on_new else None)
    most = None if given is None else whole_number(given, "--max-failures", 1)
    ending = ReportOptions(form, known, reducing=reducing, strict=strict, most=most)
    if resume is not None:
        return resume_command(resume, options["jobs"], options["budget"], ending)
    return start(targets, subjects, levels, only, ending, options)


@cli.command(cls=InSections)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@SOME_TARGETS
@click.option(
    "--same-on",
    "same_on",
    metavar="T,T[,T]",
    multiple=True,
    callback=listed,
    shell_complete=completers.targets,
    help="Compare the declarations on these targets with each other instead, by the documents; no compiler runs.",
)
@path_option(
    "--except",
    "exceptions",
    "FILE",
    "With --same-on: declarations that may differ, one a line, such as struct s.",
)
@click.option(
    "--binding",
    metavar="FILE",
    help="Hold a binding in Rust, Zig, D or Python, or what Swift imports, against FILE instead.",
)
@SUBJECTS
@LEVELS
@WITNESS
@PAIRS
@STRICT
@takes_known
@reading_options
@path_option(
    "--compile-commands",
    "commands",
    "FILE",
    "Read each FILE as this compile_commands.json, or that in this folder, says.",
)
@baseline_options
@click.option("--verbose", "-v", is_flag=True, help="List every declaration with its result.")
@click.option(
    "--allow-skipped",
    is_flag=True,
    help="Do not exit with 3 because a function cannot be tested.",
)
@CONFINE
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    help="Output format; github: text, then annotations of the files for GitHub Actions.",
)
def check(
    files: tuple[str, ...],
    target: str | None,
    subjects: str | None,
    levels: str,
    witnesses: str | None,
    pairs: str,
    form: str,
    *,
    known: Known,
    strict: bool,
    commands: Path | None,
    compared: Path | None,
    written: Path | None,
    verbose: bool,
    allow_skipped: bool,
    same_on: str | None,
    exceptions: Path | None,
    binding: str | None,
    **reading: Any,
) -> int:
    """Test compilers on the declarations in each FILE, which may be - for standard input."""
    if on_command_line("target", target, None) is not None:
        same_on = on_command_line("same_on", same_on, None)
    if same_on is not None:
        from abiprobe.harness.cli.commands.same_on import check_same_on

        if on_command_line("target", target, None) is not None:
            raise click.UsageError("--same-on names the targets: leave out --target.")
        if form == "github":
            raise click.UsageError("--format github is not for --same-on.")
        refuse_others(
            "--same-on", {*reading, "files", "form", "commands", "exceptions", "allow_skipped", "confine"}
        )
        return check_same_on(
            files, same_on, form, read_options(**reading), commands, exceptions, allow_skipped=allow_skipped
        )
    if on_command_line("exceptions", exceptions, None) is not None:
        raise click.UsageError("--except belongs to --same-on.")
    if target is None:
        raise click.UsageError("Missing option '--target' / '-t'.")
    if binding is not None:
        refuse_others("--binding", {*reading, "files", "target", "subjects", "levels", "form", "confine"})
        from abiprobe.harness.cli.commands.bindings import check_binding

        return check_binding(files, binding, target, subjects, levels, form, read_options(**reading))
    from abiprobe.harness.cli.commands.baselines import Baselines
    from abiprobe.harness.cli.commands.check import check as command

    return command(
        files,
        target,
        subjects,
        levels,
        form,
        witnesses,
        pairs,
        known=known,
        strict=strict,
        how=read_options(**reading),
        commands=commands,
        baselines=Baselines(compared, written),
        verbose=verbose,
        allow_skipped=allow_skipped,
    )


@cli.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@TARGET
@reading_options
@baseline_options
@FORMAT
def predict(
    files: tuple[str, ...],
    target: str,
    form: str,
    *,
    compared: Path | None,
    written: Path | None,
    **reading: Any,
) -> int:
    """Predict layouts and places for the declarations in each FILE. No compiler runs."""
    from abiprobe.harness.cli.commands.baselines import Baselines
    from abiprobe.harness.cli.commands.predict import predict as command

    return command(files, target, form, read_options(**reading), Baselines(compared, written))


@cli.command()
@click.argument(
    "what", metavar="FILE|'C DECLARATION'|CLAUSE|QUIRK", shell_complete=completers.clauses_or_files
)
@SOME_TARGET
@click.option(
    "--as",
    "subject",
    metavar="SUBJECT",
    help="Derive what this compiler does: the text with its dialect and quirks.",
)
@reading_options
@FORMAT
def explain(what: str, target: str | None, form: str, *, subject: str | None, **reading: Any) -> int:
    """Derive a prediction clause by clause, or explain a CLAUSE such as riscv:fp.flatten-zero-width.

    A derivation shows the layout and the map of registers and stack, too. Of a clause it shows where it stands, what it
    says and the known deviations from it; with a target, examples on both sides of its edge. Of a QUIRK, by its name in
    `list known`, it shows who has it and its example.
    """
    from abiprobe.oracles.text.clause import is_clause_name

    if is_clause_name(what):
        from abiprobe.harness.cli.commands.explain_clause import explain_clause

        return explain_clause(what, target, form)
    from abiprobe.harness.cli.commands.explain_quirk import explain_quirk, is_quirk
    from abiprobe.harness.cli.commands.predict import explain as command

    if is_quirk(what):
        return explain_quirk(what, form)
    if target is None:
        raise click.UsageError("Missing option '--target' / '-t'.")
    return command(what, target, form, read_options(**reading), subject)


@cli.command()
@click.argument("names", nargs=-1, metavar="[PACKAGE|DIR|FILE...]")
@TARGET
@subjects_option(
    "Releases, which need not be installed: gcc-12,clang-22. [default: the newest gcc and clang]"
)
@click.option(
    "--by",
    type=click.Choice(["cause", "package", "pair"]),
    default="cause",
    show_default=True,
    help="Which packages meet each known bug, which known bugs each package meets, or what goes wrong if two compilers build both sides.",
)
@click.option("--most", metavar="N", help="The N packages of Debian that most others depend on.")
@click.option("--confirm", is_flag=True, help="Ask compilers that are installed about what meets a bug.")
@click.option("--jobs", "-j", metavar="N", help="Packages at a time. [default: one per core]")
@FORMAT
def exposure(
    names: tuple[str, ...],
    target: str,
    subjects: str | None,
    by: str,
    jobs: str | None,
    form: str,
    *,
    most: str | None,
    confirm: bool,
) -> int:
    """Tell which declarations of headers meet a known bug. The models say so; no compiler is run.

    A PACKAGE is a development package of Debian, which is fetched into the cache with those that it depends on.
    """
    from abiprobe.harness.cli.commands.exposure import exposure as command

    return command(names, target, subjects, by, form, jobs, most=most, confirm=confirm)


@cli.command()
@NAMED_RUN
@FORMAT
def coverage(folder: Path | None, form: str) -> int:
    """Show which clauses a run tested. For the others it gives the reason, and how much of the tours was observed."""
    from abiprobe.harness.cli.commands.coverage import command
    from abiprobe.harness.runs.run_files import named_run

    return command(named_run(folder), form)


@cli.command()
@subjects_option("Toolchains: clang-24, zig, gcc-16, gcc:PROGRAM.")
@drawn_options("20000", "Number of random pairs of an ISA string and an ABI.", "pairs")
@CONFINE
@FORMAT
def march(subjects: str | None, cases: str, seed: str, form: str) -> int:
    """Test RISC-V toolchains on ISA strings and named ABIs. Object headers and code models are tested, too."""
    from abiprobe.harness.cli.commands.march import march as command

    return command(subjects, cases, seed, form)


@cli.command()
@click.argument("words", nargs=-1, metavar="[FILE...] [TARGET|TRIPLE...]", shell_complete=completers.targets)
@reading_options
@subjects_option(
    "Lowerings; the first is compared with each other one: clang-24,clang-24+llvmabi. A compiler alone stands for all of its own."
)
@drawn_options("1000", "Number of random prototypes to lower.", "prototypes")
@reduce_option("60s", "prototypes")
@click.option(
    "--strict",
    is_flag=True,
    help="Exit with 1 also for known differences and for optimization attributes that differ.",
)
@takes_known_of("lowering")
@JOBS
@CONFINE
@FORMAT
def lowerings(
    words: tuple[str, ...],
    subjects: str | None,
    cases: str,
    seed: str,
    budget: str,
    jobs: str | None,
    form: str,
    known: Sequence[KnownLowering],
    *,
    strict: bool,
    **reading: Any,
) -> int:
    """Compare lowerings from C to LLVM IR on random prototypes, or on those that FILEs declare.

    Signatures are compared, for any triple; no code is run.
    """
    from abiprobe.harness.cli.commands.lowerings import Request
    from abiprobe.harness.cli.commands.lowerings import lowerings as command
    from abiprobe.harness.lowerings.declared import is_file

    how, files = read_options(**reading), [word for word in words if is_file(word)]
    if files and (not_default := [name for name in ("cases", "seed") if is_given(name)]):
        raise Problem(f"--{not_default[0]} draws prototypes, and {files[0]} has its own", "leave it out")
    return command(Request.of(words, subjects, cases, seed, budget, jobs, how), known, form, strict=strict)


@cli.command()
@click.argument("places", nargs=-1, metavar="[TARGET...]", shell_complete=completers.targets)
@subjects_option("Compilers: clang-24, gcc-16, gcc:PROGRAM. [default: the newest gcc and clang]")
@levels_option("O1,O2,Os")
@drawn_options("200", "Number of functions.", "functions")
@reduce_option("20s", "function of each cause")
@click.option("--bisect", is_flag=True, help="Ask every installed version of the compiler about each cause.")
@BUNDLES
@STRICT
@takes_known_of("unwinding")
@JOBS
@CONFINE
@FORMAT
def unwind(
    form: str,
    known: Sequence[KnownWay],
    *,
    strict: bool,
    **options: object,
) -> int:
    """Test unwind tables at every instruction. Functions are stepped, and CFA, return address and preserved registers are compared with what they are."""
    from abiprobe.harness.cli.commands.unwind import unwind as command

    return command(options, form, known, strict=strict)


@cli.command("debug-info")
@click.argument("places", nargs=-1, metavar="[TARGET...]", shell_complete=completers.targets)
@subjects_option("Compilers: clang-24, gcc-16, gcc:PROGRAM. [default: the newest gcc and clang]")
@levels_option("O0,O2")
@drawn_options("200", "Number of functions.", "prototypes")
@reduce_option("20s", "prototype of each cause")
@BUNDLES
@STRICT
@takes_known_of("debug_info")
@JOBS
@CONFINE
@FORMAT
def debug_info(
    form: str,
    known: Sequence[KnownWay],
    *,
    strict: bool,
    **options: object,
) -> int:
    """Test debug information of calls. Functions are entered with known values, which are looked for where parameters are said to be."""
    from abiprobe.harness.cli.commands.debug_info import debug_info as command

    return command(options, form, known, strict=strict)


@cli.command()
@click.argument("places", nargs=-1, metavar="[TARGET...]", shell_complete=completers.targets)
@click.option(
    "--debugger",
    "programs",
    metavar="PROGRAM",
    multiple=True,
    default=("gdb",),
    help="The debugger to test: gdb, gdb-multiarch, lldb-19; may be repeated. [default: gdb]",
)
@subjects_option("The compiler of its programs: gcc-16. [default: the newest gcc]")
@drawn_options("200", "Number of functions, of which debuggers are asked about most.", "prototypes")
@reduce_option("20s", "prototype of each cause")
@BUNDLES
@STRICT
@takes_known_of("debugger")
@FORMAT
def debugger(
    places: tuple[str, ...],
    programs: tuple[str, ...],
    subjects: str | None,
    cases: str,
    seed: str,
    budget: str,
    form: str,
    out: Path | None,
    known: Sequence[KnownWay],
    *,
    strict: bool,
) -> int:
    """Test what debuggers show of parameters and results. Functions that they call keep the arguments that are passed."""
    from abiprobe.harness.cli.commands.debugger import debugger as command

    return command(places, programs, subjects, cases, seed, budget, form, out, known, strict=strict)


@cli.command()
@click.argument("names", nargs=-1, metavar="A [B] [TARGET...]", shell_complete=completers.subjects)
@click.option(
    "--as",
    "release",
    metavar="RELEASE",
    help="B, which A is told to do as: --as clang-14 gives A -fclang-abi-compat=14.",
)
@click.option(
    "--matrix",
    "family",
    type=click.Choice(["clang", "gcc"]),
    help="Test all promises of a family about its releases, standards, levels and extensions instead of A and B.",
)
@LEVELS
@click.option(
    "--cases",
    metavar="N",
    default="1000",
    show_default=True,
    help="Prototypes, and as many records and classes.",
)
@click.option("--budget", metavar="TIME", help="Stop after this time: 90s, 10m, 2h.")
@click.option(
    "--seed", metavar="N", help="The same seed draws the same questions. [default: drawn, and printed]"
)
@click.option("--jobs", "-j", metavar="N", help="Batches at a time. [default: one per core]")
@path_option("--out", "out", "DIR", "Folder of the run. [default: .abiprobe/runs/TIME]")
@click.option("--fresh", is_flag=True, help="Run compilers again for questions that earlier runs answered.")
@reduce_option("60s", "examples", "reducing")
@click.option(
    "--first", is_flag=True, help="Ask one batch after the other, none once one shows a difference."
)
@CONFINE
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown", "junit", "html"]),
    default="text",
    help="Output format; markdown is the draft of release notes, html the page of a matrix.",
)
def promise(
    names: tuple[str, ...],
    release: str | None,
    family: str | None,
    levels: str,
    form: str,
    **options: object,
) -> int:
    """Test whether two compilers do the same, as one of them says: a release, a flag, a standard, a level.

    A and B are compilers with their options: 'clang-22 -fclang-abi-compat=14' clang-14. No text decides, so a difference
    counts whoever is right; who follows the text is told. C++ compilers (g++-12, clang++-22) are asked about classes.
    """
    if family is not None:
        from abiprobe.harness.cli.commands.promise_matrix import promise_matrix

        if on_command_line("release", release, None) is not None:
            raise click.UsageError("--matrix has all releases: leave out --as.")
        if options["first"] and not is_configured("first"):
            raise click.UsageError("--matrix tests every promise: leave out --first.")
        return promise_matrix(family, names, levels, form, options)
    if form == "html":
        raise click.UsageError("--format html is the page of a --matrix.")
    from abiprobe.harness.cli.commands.promise import promise as command

    return command(names, release, levels, form, options)


@cli.command(name="object")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE [FILE]")
@FORMAT
def object_(files: tuple[Path, ...], form: str) -> int:
    """Show the ABI facts of ELF files. Of two files it says whether they may be linked together, and why not."""
    from abiprobe.harness.cli.commands.object import object_ as command

    return command(files, form)


for command in (*triage_commands.COMMANDS, *history_commands.COMMANDS, *shell.COMMANDS):
    cli.add_command(command)


@cli.command()
@click.argument("library", required=False, type=click.Path(path_type=Path), metavar="[LIBRARY]")
@FORMAT
def libmvec(library: Path | None, form: str) -> int:
    """Test glibc's vector functions (or LIBRARY), lane by lane. Their names are derived from their prototypes."""
    from abiprobe.harness.cli.commands.libmvec import libmvec as command

    return command(library, form)


@cli.command()
@click.option(
    "--functions",
    metavar="N",
    default="1000",
    show_default=True,
    help="Number of random device functions.",
)
@click.option("--kernels", metavar="N", default="500", show_default=True, help="Number of random kernels.")
@click.option(
    "--arch",
    "arches",
    metavar="SM,...",
    multiple=True,
    default=("sm_75,sm_90",),
    show_default="sm_75,sm_90",
    callback=listed,
    help="GPU architectures to assemble for.",
)
@levels_option("O1,O3", "Optimisation levels of ptxas.")
@click.option(
    "--seed",
    metavar="N",
    default="1",
    show_default=True,
    help="The same seed draws the same functions and kernels.",
)
@click.option(
    "--ptxas",
    "assemblers",
    metavar="PATH,...",
    multiple=True,
    callback=listed,
    help="Releases of ptxas to compare with each other.",
)
@FORMAT
def ptx(
    functions: str, kernels: str, arches: str, levels: str, seed: str, assemblers: str | None, form: str
) -> int:
    """Test ptxas and nvlink on PTX, and a GPU if there is one. Covers registers, stack, kernel offsets and prototypes."""
    from abiprobe.harness.cli.commands.ptx import ptx as command

    return command(functions, kernels, arches, levels, seed, assemblers, form)


add_examples(cli.commands, PROGRAM)


def own_process() -> None:
    """Take care of what is started here, and leave as after Ctrl-C when somebody else ends this process."""
    child.adopt()

    def leave(_number: int, _frame: FrameType | None) -> None:
        for number in ENDINGS:
            signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt

    for number in ENDINGS:
        # Somebody may have told us to ignore it: nohup.
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, leave)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit status; a user's mistake is one line, and so is a fault of the machine."""
    if arguments is None:
        own_process()
    try:
        with scratch(), progress_lines():
            status = cli.main(arguments, prog_name=PROGRAM, standalone_mode=False)
    except click.exceptions.Abort:
        sys.exit(INTERRUPTED)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except Problem as problem:
        click.echo(f"abiprobe: {printable(LINE_BREAKS.sub(' | ', str(problem)))}", err=True)
        sys.exit(USAGE)
    except SheetError as error:
        click.echo(f"abiprobe: {error}", err=True)
        sys.exit(USAGE)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(BROKEN)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is ours, and its status must not read as a deviation
        fault = machine_fault(error)
        if fault is not None:
            click.echo(f"abiprobe: {fault}", err=True)
            sys.exit(USAGE)
        traceback.print_exc()
        sys.exit(BROKEN)
    sys.exit(status if isinstance(status, int) else 0)
