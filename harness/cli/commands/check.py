"""`abiprobe check`: test compilers on the declarations in a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.api.arguments import level_names, named_targets, witness_names
from abiprobe.harness.api.asking import Settings, ask
from abiprobe.harness.base.cache import warn_once
from abiprobe.harness.base.progress import counted
from abiprobe.harness.cli.commands.baselines import (
    NO_BASELINES,
    Baselines,
    change_lines,
    compared,
    of_target,
    read_baseline,
    status_with,
)
from abiprobe.harness.cli.commands.check_report import as_json, print_checked
from abiprobe.harness.cli.commands.console import answers, asides, print_json, print_lines
from abiprobe.harness.input import STRICT, Classes, ReadOptions
from abiprobe.harness.input.declared import by_target, classes_of, declared_in_files, reading_of
from abiprobe.harness.subjects.selection import named_subjects
from abiprobe.oracles.language.question import WITNESSES
from abiprobe.results.journal.journal import Pairs
from abiprobe.results.known.deviations import Known


def check(
    files: Sequence[str],
    target: str,
    subjects: str | None,
    levels: str,
    form: str,
    witnesses: str | None = None,
    pairs: str = "first",
    *,
    known: Known,
    strict: bool = False,
    how: ReadOptions = STRICT,
    commands: Path | None = None,
    baselines: Baselines = NO_BASELINES,
    verbose: bool = False,
    allow_skipped: bool = False,
) -> int:
    """Test the subjects of each target on every record and prototype in `files`, and print the verdicts.

    Known deviations are printed in a line each and do not affect the exit status, unless `strict`. `commands` is a
    compilation database, from which the files are read. A function that cannot be tested counts as nothing compared, unless
    `allow_skipped`.
    """
    warn_once()
    settings = Settings(
        level_names(levels),
        tuple(WITNESSES.values()) if witnesses is None else witness_names(witnesses),
        Pairs(pairs),
        observe=form == "json",
        strict=strict,
        allow_skipped=allow_skipped,
    )
    targets = named_targets(target)
    kept = read_baseline(baselines.compared, tuple(map(str, targets)))
    named = None if subjects is None else named_subjects(subjects)
    classes = classes_of([subject.of_cxx for subject in named or ()], files)
    how = msgspec.structs.replace(how, interface=baselines.wanted, classes=classes)
    reading = reading_of(files, how, commands)
    reads = counted(targets, "reading for each target", len(targets))
    read = [declared_in_files(files, one, reading) for one in reads]
    placed = by_target(read)
    done = ask(placed, named, known, settings, tell, cxx=classes is not Classes.NONE)
    since = compared(kept, read, baselines)
    if form == "json":
        values = [
            as_json(item, batches, done) | of_target(item.target.spelling, since)
            for item, batches in done.answers
        ]
        print_json(values[0] if len(values) == 1 else values)
    else:
        print_checked(answers(), done, change_lines(since), settings, verbose=verbose)
        if form == "github":
            from abiprobe.harness.cli.commands.annotations import annotation_lines

            print_lines(annotation_lines(files, done, since, strict=strict))
    return status_with(since, done.status)


def tell(line: str) -> None:
    """Print a line on standard error."""
    asides().print(line, soft_wrap=True, markup=False, highlight=False)
