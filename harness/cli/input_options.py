"""Options of commands that read a user's C: compiler options (`-I`, `-D`, ...) and which included files to test."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from abiprobe.harness.input import ReadOptions

FOLDER_OPTIONS = ("-I", "-isystem", "-idirafter")


def option(flag: str, name: str, metavar: str, text: str) -> Callable[[Any], Any]:
    """An option that may be given several times, as compilers spell it."""
    return click.option(flag, name, multiple=True, metavar=metavar, help=text)


OPTIONS = (
    option("-I", "folders", "DIR", "Search DIR for headers, as a compiler does; likewise:"),
    option("-isystem", "system", "DIR", "... after those of -I"),
    option("-idirafter", "after", "DIR", "... after all others"),
    option("-D", "defined", "NAME[=TEXT]", "Define a macro."),
    option("-U", "undefined", "NAME", "Undefine a macro."),
    option("-include", "forced", "FILE", "Include FILE first."),
    option("-m", "machine", "WORD", "An option of the processor: -mfpu=neon, -mavx."),
    option("--pkg", "packages", "NAME", "Take the options that pkg-config has for NAME."),
    click.option("-std", "standard", metavar="STANDARD", help="-std=c99, -std=c++20: the language of FILE."),
    click.option("--sysroot", metavar="DIR", help="Root folder of the target's C library. [default: found]"),
    click.option("--included", is_flag=True, help="Test the declarations of all included files, too."),
    option(
        "--from",
        "patterns",
        "PATTERN",
        "Test the declarations of included files of this name, too: 'bits/*.h'.",
    ),
)


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options; it takes them as keywords, for `read_options`."""
    for each in reversed(OPTIONS):
        command = each(command)
    return command


def read_options(
    *,
    folders: tuple[str, ...],
    system: tuple[str, ...],
    after: tuple[str, ...],
    defined: tuple[str, ...],
    undefined: tuple[str, ...],
    forced: tuple[str, ...],
    machine: tuple[str, ...],
    packages: tuple[str, ...],
    standard: str | None,
    sysroot: str | None,
    included: bool,
    patterns: tuple[str, ...],
) -> ReadOptions:
    """Return the reading options of a file; what cannot be expressed is skipped. Raises `Problem` for a package that is not there."""
    from abiprobe.harness.input import ReadOptions
    from abiprobe.harness.input.pkg_config import options_of

    pairs = (
        *(("-I", folder) for folder in folders),
        *(("-isystem", folder) for folder in system),
        *(("-idirafter", folder) for folder in after),
        *(("-D", macro) for macro in defined),
        *(("-U", macro) for macro in undefined),
        *(("-include", file) for file in forced),
    )
    options = [word for pair in pairs for word in pair]
    options += [f"-m{word}" for word in machine]
    if standard is not None:
        options.append(f"-std={standard}")
    options += options_of(packages)
    return ReadOptions(tuple(options), sysroot or "", ("*",) if included else patterns, strict=False)
