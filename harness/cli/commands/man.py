"""`abiprobe man`: a manual page for each command, from what its `--help` is made of."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import click

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.version import version
from abiprobe.harness.cli.commands.console import asides, print_json
from abiprobe.harness.cli.topics import by_topic

SECTION = 1
LONG_NAME = re.compile(r"(?<![\w-])--?[a-z][\w-]*")
STATUSES = (
    ("0", "Nothing is new: no deviation, or known ones only."),
    ("1", "A compiler deviates in a way that is not known, or a known deviation no longer occurs."),
    ("2", "A usage error."),
    ("3", "Nothing could be compared."),
    ("4", "A compiler crashed or hung in a way that is not known."),
    ("130", "Interrupted."),
)
FILES = (
    (".abiprobe/runs", "The runs of this folder; commands take the latest where none is named."),
    (".abiprobe/corpus", "The questions that nightly runs ask beside the random ones."),
    ("~/.cache/abiprobe", "Answers and compilers that are kept; ABIPROBE_CACHE names another folder."),
)


def man(root: click.Context, folder: Path | None, form: str) -> int:
    """Write every page to a folder; raises `Problem` when it cannot be written."""
    place = Path(sys.prefix, "share", "man", f"man{SECTION}") if folder is None else folder
    made = {f"{context.command_path.replace(' ', '-')}.{SECTION}": page(context) for context in every(root)}
    try:
        place.mkdir(parents=True, exist_ok=True)
        for name, text in made.items():
            (place / name).write_text(text, "utf-8")
    except OSError as error:
        raise Problem(f"cannot write {place} ({error.strerror})", "name another folder") from error
    if form == "json":
        print_json({"schema": 1, "folder": str(place), "pages": sorted(made)})
    else:
        asides().print(f"{len(made)} pages in {place}", soft_wrap=True, markup=False, highlight=False)
    return 0


def every(context: click.Context) -> Iterator[click.Context]:
    """A command and all commands below it."""
    yield context
    if isinstance(context.command, click.Group):
        for name, command in context.command.commands.items():
            yield from every(click.Context(command, info_name=name, parent=context))


def page(context: click.Context) -> str:
    """The page of a command, in the macros that every `man` knows."""
    parts = (head, description, options, examples, rest)
    return "\n".join((*chain.from_iterable(part(context) for part in parts), ""))


def head(context: click.Context) -> Iterator[str]:
    """Yield the head of the page: its name, the command in a sentence, and its usage."""
    name = context.command_path.replace(" ", "-")
    yield f'.TH {roff(name.upper())} {SECTION} "" "{context.find_root().info_name} {roff(version())}" ""'
    yield ".SH NAME"
    yield f"{roff(name)} \\- {roff(sentence(context.command))}"
    yield ".SH SYNOPSIS"
    pieces = " ".join(context.command.collect_usage_pieces(context))
    yield f"\\fB{roff(context.command_path)}\\fR {roff(pieces)}"


def sentence(command: click.Command) -> str:
    """The first sentence of a command's help, without its full stop."""
    first = " ".join(inspect.cleandoc(command.help or "").split("\n\n")[0].split())
    return re.split(r"[.](?: |$)", first)[0]


def description(context: click.Context) -> Iterator[str]:
    """The help in full."""
    yield ".SH DESCRIPTION"
    for number, paragraph in enumerate(inspect.cleandoc(context.command.help or "").split("\n\n")):
        if number:
            yield ".PP"
        yield roff(" ".join(paragraph.split()))


def options(context: click.Context) -> Iterator[str]:
    """Each option with what it does."""
    every_parameter = context.command.get_params(context)
    records = [one.get_help_record(context) for one in every_parameter if isinstance(one, click.Option)]
    yield ".SH OPTIONS"
    yield from terms(record for record in records if record is not None)


def examples(context: click.Context) -> Iterator[str]:
    """The examples of a command, each a line."""
    lines = (context.command.epilog or "").splitlines()[2:]
    for number, line in enumerate(lines):
        yield ".PP" if number else ".SH EXAMPLES"
        yield f"\\fB{roff(line.strip())}\\fR"


def rest(context: click.Context) -> Iterator[str]:
    """The commands of a group by topic, the exit statuses, and the page above."""
    command = context.command
    if isinstance(command, click.Group):
        names = command.commands
        parts = by_topic(names) if context.parent is None else iter([("Commands", tuple(names))])
        for topic, here in parts:
            yield f".SH {roff(topic.upper())}"
            path = context.command_path.replace(" ", "-")
            yield from terms(
                (f"{path}-{name}({SECTION})", names[name].get_short_help_str(200)) for name in here
            )
    if context.parent is None:
        yield ".SH EXIT STATUS"
        yield from terms(STATUSES)
        yield ".SH FILES"
        yield from terms(FILES)
    else:
        above = context.parent.command_path.replace(" ", "-")
        yield ".SH SEE ALSO"
        yield f"\\fB{roff(above)}\\fR({SECTION})"


def terms(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    """A list of names with what they mean; names of options are bold."""
    for name, words in rows:
        yield ".TP"
        marked = re.sub(LONG_NAME, r"\\fB\g<0>\\fR", roff(name).replace("\\-", "-")).replace("-", "\\-")
        yield marked if "\\fB" in marked else f"\\fB{marked}\\fR"
        yield roff(words)


def roff(text: str) -> str:
    """A text in which nothing commands `man`: no backslash, no hyphen that is typeset, no macro at the beginning."""
    safe = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    return f"\\&{safe}" if safe.startswith((".", "'")) else safe
