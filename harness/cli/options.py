"""Options that several commands share."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection
from functools import wraps
from pathlib import Path
from typing import TypeVar

import click
from click.core import ParameterSource

from abiprobe.harness.cli import completers

FOLDERS = f"{__name__}.folders"
"""Where the folders of `--subject` are kept until `--cc` is read."""


def listed(_context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]) -> str | None:
    """The names of a list that may be given in parts, `None` without one."""
    return ",".join(given) if given else None


def joined(context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]) -> str | None:
    """The compilers of every `--cc` and `--subject`, `None` without one."""
    named = (*given, *(f"subject:{shlex.quote(str(folder))}" for folder in context.meta.get(FOLDERS, ())))
    return ",".join(named) if named else None


def kept(context: click.Context, _parameter: click.Parameter, given: tuple[Path, ...]) -> None:
    """Keep the folders of `--subject` for `--cc`."""
    context.meta[FOLDERS] = given


FORMAT = click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", help="Output format."
)
Decorator = Callable[[Callable[..., int]], Callable[..., int]]
Given = TypeVar("Given")


def target_option(*, required: bool) -> Decorator:
    """`--target`, for several ones."""
    return click.option(
        "--target",
        "-t",
        "target",
        required=required,
        metavar="T[,T]",
        multiple=True,
        callback=listed,
        shell_complete=completers.targets,
        help="Targets, a dialect after @ (x86_64-sysv@clang).",
    )


TARGET = target_option(required=True)
SOME_TARGETS = target_option(required=False)


def subjects_option(words: str) -> Decorator:
    """`--cc`, which may be repeated, with what it is about."""
    return click.option(
        "--cc",
        "subjects",
        metavar="SUBJECT,...",
        multiple=True,
        callback=joined,
        shell_complete=completers.subjects,
        help=words,
    )


def path_option(flag: str, name: str, metavar: str, words: str) -> Decorator:
    """An option for a file or a folder."""
    return click.option(flag, name, type=click.Path(path_type=Path), metavar=metavar, help=words)


def drawn_options(cases: str, what: str, drawn: str) -> Decorator:
    """`--cases`, with its default and what they are, and `--seed`, with what it draws."""

    def both(command: Callable[..., int]) -> Callable[..., int]:
        seed = click.option(
            "--seed",
            metavar="N",
            default="1",
            show_default=True,
            help=f"The same seed draws the same {drawn}.",
        )
        return click.option("--cases", metavar="N", default=cases, show_default=True, help=what)(
            seed(command)
        )

    return both


def reduce_option(default: str, what: str, name: str = "budget") -> Decorator:
    """`--reduce`, with its default and what is looked for, as the parameter `name`."""
    return click.option(
        "--reduce",
        name,
        metavar="TIME",
        default=default,
        show_default=True,
        help=f"Time to look for the smallest {what}.",
    )


_CC = subjects_option("Compilers: clang-24, gcc-16, zig, gcc:PROGRAM; of other languages rustc, zig-lang.")
_FOLDER = click.option(
    "--subject",
    "languages",
    type=click.Path(path_type=Path),
    metavar="DIR",
    multiple=True,
    is_eager=True,
    expose_value=False,
    callback=kept,
    help="A compiler of another language, by the folder that describes it; may be repeated.",
)


def SUBJECTS(command: Callable[..., int]) -> Callable[..., int]:  # noqa: N802 - an option like the others
    """`--cc` and `--subject`."""
    return _CC(_FOLDER(command))


def levels_option(default: str, words: str = "Optimisation levels.") -> Decorator:
    """`--opt`, which may be repeated, with the levels that are asked without it."""
    return click.option(
        "--opt",
        "levels",
        metavar=default,
        multiple=True,
        default=(default,),
        show_default=default,
        callback=listed,
        help=words,
    )


LEVELS = levels_option("O0,O2")
PAIRS = click.option(
    "--pairs",
    type=click.Choice(["first", "all", "none"]),
    default="first",
    show_default=True,
    help="Pairs that call each other's functions: the first named with each other one, all, or none.",
)
WITNESS = click.option(
    "--witness",
    "witnesses",
    metavar="NAME,...",
    multiple=True,
    callback=listed,
    help="Witnesses of layouts: object (constants), debug (DWARF), values (running code). [default: all; run uses the last two for a sample]",
)
RUN = path_option("--run", "run", "RUN", "Folder of the run. [default: the latest]")
SOME_TARGET = click.option(
    "--target",
    "-t",
    "target",
    metavar="T[,T]",
    multiple=True,
    callback=listed,
    shell_complete=completers.targets,
    help="Only for these targets; needed for a FILE.",
)
KNOWN = click.option(
    "--known",
    "known",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="More known deviations, beside those of `abiprobe list known`; may be repeated.",
)
KNOWN_ONLY = click.option(
    "--known-only",
    "known_only",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="Known deviations instead of those that come with abiprobe; may be repeated.",
)
NO_KNOWN = click.option("--no-known", "no_known", is_flag=True, help="Ignore known deviations: all are new.")


def is_configured(name: str) -> bool:
    """Return whether a configuration alone sets an option, which yields to what the command line says."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.DEFAULT_MAP


def is_given(name: str) -> bool:
    """Return whether the command line sets an option."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def on_command_line(name: str, given: Given, without: Given) -> Given:
    """The value of an option, or that `without` it if a configuration alone sets it."""
    return without if is_configured(name) else given


def refuse_others(option: str, taken: Collection[str]) -> None:
    """Raise `UsageError` for an option on the command line that does nothing beside `option`, by the names of those it has use for."""
    for parameter in click.get_current_context().command.params:
        others = parameter.opts[0] != option and parameter.name not in taken
        if others and is_given(parameter.name):
            raise click.UsageError(f"{parameter.opts[0]} is not for {option}.")


def takes_known_of(table: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a command `--known`, `--known-only` and `--no-known`, and call it with the entries of a table as `known`."""

    def decorator(command: Callable[..., int]) -> Callable[..., int]:
        @KNOWN
        @KNOWN_ONLY
        @NO_KNOWN
        @wraps(command)
        def reads(
            *args: object,
            known: tuple[Path, ...],
            known_only: tuple[Path, ...],
            no_known: bool,
            **others: object,
        ) -> int:
            from abiprobe.harness.triage.known_files import READERS

            if no_known:
                known = on_command_line("known", known, ())
                known_only = on_command_line("known_only", known_only, ())
            return command(*args, known=READERS[table](known, known_only, none=no_known), **others)

        return reads

    return decorator


takes_known = takes_known_of("deviation")


STRICT = click.option(
    "--strict", is_flag=True, help="Known deviations count, too: the exit status is 1 for any deviation."
)
BUNDLES = path_option(
    "--out", "out", "DIR", "Write a bundle for each cause: its function, a script for the debugger, an issue."
)
NAMED_RUN = click.argument("folder", required=False, type=click.Path(path_type=Path), metavar="[RUN]")


def begin_confinement(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 - click's
    """Confine whatever is started from now on, until the command ends."""
    if not wanted:
        return
    from abiprobe.harness.base import child
    from abiprobe.harness.base.confinement import Confinement

    child.confine(Confinement.here())
    context.call_on_close(child.unconfine)


def baseline_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command `--baseline` and `--write-baseline`, as `compared` and `written`."""
    reads = path_option(
        "--baseline",
        "compared",
        "FILE",
        "Report changes since FILE was written; exit with 1 if they break programs built before.",
    )
    writes = path_option(
        "--write-baseline",
        "written",
        "FILE",
        "Write types, layouts and places of all declarations to FILE, for --baseline.",
    )
    return reads(writes(command))


CONFINE = click.option(
    "--confine",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=begin_confinement,
    help="Run compilers and what they compile without network, homes and the right to write elsewhere (needs bubblewrap).",
)
JOBS = click.option("--jobs", "-j", metavar="N", help="Compilers at a time. [default: one per core]")
