"""`abiprobe check --same-on`: which declarations of files are not the same on several targets. No compiler runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import msgspec

from abiprobe.harness.api.arguments import named_targets
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.progress import counted
from abiprobe.harness.cli.commands.baselines import asked_there
from abiprobe.harness.cli.commands.console import print_json, print_lines
from abiprobe.harness.input import ReadOptions
from abiprobe.harness.input.declared import declared_in_files, reading_of
from abiprobe.results.coverage.uncompared import NOTHING_COMPARED
from abiprobe.results.history.baseline.across import Across, SameOn, same_on
from abiprobe.results.history.baseline.keep import baseline
from abiprobe.results.report.json_form import SCHEMA
from abiprobe.results.verdicts.quantity import quantity

NAMED = 3
"""Reasons and unneeded exceptions that are named."""


def check_same_on(
    files: Sequence[str],
    targets: str,
    form: str,
    how: ReadOptions,
    commands: Path | None = None,
    exceptions: Path | None = None,
    *,
    allow_skipped: bool = False,
) -> int:
    """Print the declarations of files that differ between targets; 1 if one does that is no exception, 3 if one was not compared."""
    named = named_targets(targets)
    if len(named) < 2:
        raise Problem("--same-on compares two targets or more", "for example --same-on x86_64-sysv,i386-sysv")
    excepted = read_exceptions(exceptions)
    reading = reading_of(files, msgspec.structs.replace(how, interface=True), commands)
    read = [
        declared_in_files(files, one, reading)
        for one in counted(named, "reading for each target", len(named))
    ]
    found = same_on(
        baseline(((one.target.spelling, one.target.model(), one.interfaces) for one in read), asked_there)
    )
    new = tuple(one for one in found.differing if not any(is_meant(name, one) for name in excepted))
    if form == "json":
        print_json(as_json(found, new))
    else:
        print_lines(lines(found, new, excepted))
    if new:
        return 1
    return NOTHING_COMPARED if found.uncompared and not allow_skipped else 0


def read_exceptions(path: Path | None) -> tuple[str, ...]:
    """The names in a file of exceptions, one a line, with `*` and `?`; what is behind `#` says why. Raises `Problem`."""
    if path is None:
        return ()
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Problem(f"{path} cannot be read ({error})", "it has a declaration a line: struct s") from error
    return tuple(name for line in text.splitlines() if (name := line.partition("#")[0].strip()))


def is_meant(name: str, one: Across) -> bool:
    """Return whether an exception is about a declaration."""
    return fnmatchcase(one.declaration, name)


def lines(found: SameOn, new: Sequence[Across], excepted: Iterable[str]) -> Iterator[str]:
    """Yield a line for each declaration that differs, those without a pointer and a `long` first; then what is not compared, and the numbers."""
    first, *others = found.targets
    for number, target in enumerate(others):
        mine = [one for one in new if one.target == target]
        if len(others) > 1:
            yield f"{'' if not number else chr(10)}{first} against {target}:"
        yield from (one.line for one in mine if one.plain)
        words = [one.line for one in mine if not one.plain]
        if words and len(words) < len(mine):
            yield "with a pointer or a long:"
        yield from words
    if found.aligned:
        yield f"in alignment alone, which shows in what contains them: {shortened(found.aligned)}"
    if found.order:
        yield found.order
    idle = [name for name in excepted if not any(is_meant(name, one) for one in found.differing)]
    if idle:
        yield f"no longer needed as {'exceptions' if idle[1:] else 'an exception'}: {shortened(idle)}"
    if found.uncompared:
        whys = list(dict.fromkeys(f"{one.declaration}: {one.why}" for one in found.uncompared))
        yield f"not compared: {shortened(whys)}"
    yield summary(found, new)


def shortened(texts: Sequence[str]) -> str:
    """The first of some texts, and how many more there are."""
    rest = f"; and {len(texts) - NAMED} more" if texts[NAMED:] else ""
    return "; ".join(texts[:NAMED]) + rest


def summary(found: SameOn, new: Sequence[Across]) -> str:
    """Return the numbers of what was compared, and of what differs, in words."""
    plain = len({one.declaration for one in new if one.plain})
    words = len({one.declaration for one in new}) - plain
    meant = len(found.differing) - len(new)
    what = f"{quantity(found.records, 'record')} and {quantity(found.functions, 'function')} on {', '.join(found.targets)}"
    parts = [f"{plain} differ without a pointer or a long", f"{words} with one"]
    parts += [quantity(meant, "exception")] if meant else []
    parts += [f"{len(found.uncompared)} not compared"] if found.uncompared else []
    return f"{what}: {', '.join(parts)}" if new or meant or found.uncompared else f"{what}: all the same"


def as_json(found: SameOn, new: Sequence[Across]) -> dict[str, Any]:
    """The comparison as plain values."""
    return {
        "schema": SCHEMA,
        "targets": list(found.targets),
        "records": found.records,
        "functions": found.functions,
        "aligned": list(found.aligned),
        "byte_order": found.order,
        "differing": [msgspec.to_builtins(one) | {"excepted": one not in new} for one in found.differing],
        "uncompared": [msgspec.to_builtins(one) for one in found.uncompared],
    }
