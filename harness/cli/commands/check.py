"""`abiprobe check`: test compilers on the declarations in a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from abiprobe.harness.api.arguments import level_names, named_targets, witness_names
from abiprobe.harness.api.asking import Checked, Settings, ask, languages, names_of, reading_for
from abiprobe.harness.api.predicting import asked_of
from abiprobe.harness.base.cache import warn_once
from abiprobe.harness.base.progress import counted
from abiprobe.harness.cli.commands.baselines import (
    NO_BASELINES,
    Baselines,
    Comparison,
    change_lines,
    compared,
    of_target,
    read_baseline,
    status_with,
)
from abiprobe.harness.cli.commands.console import answers, asides, print_json, print_lines
from abiprobe.harness.input import STRICT, ReadOptions
from abiprobe.harness.input.declared import Declared, by_target, declared_in_files, reading_of
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.subjects.selection import named_subjects
from abiprobe.oracles.language.question import WITNESSES, ProbeKind
from abiprobe.results.coverage.counts import subject_verdicts
from abiprobe.results.coverage.differing import comparisons
from abiprobe.results.journal.journal import BatchDone, Pairs
from abiprobe.results.known.deviations import Known
from abiprobe.results.report.causes_text import print_known
from abiprobe.results.report.input_summary import (
    input_json,
    input_lines,
    lines_by_target,
    skipped_lines,
    unsupported_lines,
    verdict_lines,
)
from abiprobe.results.report.json_form import differences_json, verdict_json
from abiprobe.results.report.prediction import prediction
from abiprobe.results.report.run_json import comparison_json
from abiprobe.results.report.summary import Summary
from abiprobe.results.report.terminal import report
from abiprobe.results.report.uncompared_json import uncompared_json
from abiprobe.results.verdicts.record import Judgement


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
    cxx = languages(named or (), files)
    how = reading_for(cxx, msgspec.structs.replace(how, interface=baselines.wanted))
    reading = reading_of(files, how, commands)
    reads = counted(targets, "reading for each target", len(targets))
    read = [declared_in_files(files, one, reading) for one in reads]
    placed = by_target(read)
    done = ask(placed, named, cxx, known, settings, tell)
    since = compared(kept, read, baselines)
    if form == "json":
        values = [
            as_json(item, batches, done) | of_target(item.target.spelling, since)
            for item, batches in done.answers
        ]
        print_json(values[0] if len(values) == 1 else values)
    else:
        print_checked(done, since, settings, verbose=verbose)
    return status_with(since, done.status)


def tell(line: str) -> None:
    """Print a line on standard error."""
    asides().print(line, soft_wrap=True, markup=False, highlight=False)


def print_checked(done: Checked, since: Comparison | None, how: Settings, *, verbose: bool) -> None:
    """Print what was asked and every deviation, known ones in a line each; with `verbose` each declaration, too.

    Then follows what has changed `since` a baseline was kept.
    """
    before = lines_by_target([(item.target.spelling, asked_lines(item)) for item in done.declared])
    unsupported = unsupported_lines(done.batches)
    skipped = skipped_lines(done.skipped, allowed=how.allow_skipped)
    each = [verdict_lines(item.target.spelling, item.by_probe, batches) for item, batches in done.answers]
    console = answers()
    print_lines(before)
    report(console, Summary(done.batches, None if how.strict else done.found.news()), declaration)
    print_lines(unsupported)
    print_known(console, done.found.recurrences())
    print_lines(map(str, done.otherwise))
    for lines in each if verbose else ():
        print_lines(lines)
    print_lines(change_lines(since))
    print_lines(done.covered.lines)
    print_lines(skipped)


def asked_lines(item: Declared) -> list[str]:
    """Return the number of declarations tested for one target, and the reasons why others are not."""
    counts = len(item.records), len(item.functions)
    return list(input_lines(*counts, item.skipped, item.elsewhere, len(item.classes)))


def as_json(declared: Declared, batches: Sequence[BatchDone], done: Checked) -> dict[str, Any]:
    """Return the prediction, observations and verdicts as plain values, with the names of matching entries."""
    known = done.found.names()
    names = names_of(declared)
    value = prediction(*asked_of(declared))
    value |= input_json(declared.skipped, declared.elsewhere)
    value["observations"] = [
        {
            "subject": batch.key.subject,
            "opt": batch.key.level,
            "name": names[note.probe],
            **msgspec.to_builtins(note),
        }
        for batch in batches
        for note in batch.observed
    ]
    value["verdicts"] = [
        {
            "subject": batch.key.subject,
            "opt": batch.key.level,
            "name": names[verdict.probe],
            "clause": "",
            "detail": "",
            **verdict_json(verdict),
            **(
                {"known": list(names_known)}
                if verdict.verdict is Judgement.DEVIATES
                and (names_known := known.get((batch.key.target, batch.key.subject, verdict.probe)))
                else {}
            ),
        }
        for batch in batches
        for verdict in subject_verdicts(batch)
    ]
    # Neither of two is to blame, so what they do together belongs to neither.
    value["pairs"] = [
        {
            "caller": batch.key.subject,
            "callee": verdict.partner,
            "opt": batch.key.level,
            "name": names[verdict.probe],
            "verdict": verdict.verdict.value,
            "outcome": verdict.outcome.value,
            "detail": verdict.detail,
            "differences": differences_json(verdict.differences),
        }
        for batch in batches
        for verdict in batch.verdicts
        if verdict.kind is ProbeKind.PAIR
    ]
    value["open"] = [{"name": names[item.probe], **comparison_json(item)} for item in comparisons(batches)]
    value["contradicts_itself"] = [
        {"subject": one.subject, "opt": one.level, "names": [names[probe] for probe in one.probes]}
        for one in done.otherwise
        if one.target == declared.target.spelling
    ]
    value["uncompared"] = uncompared_json(done.covered, declared.target.spelling)
    return value
