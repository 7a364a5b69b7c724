"""`abiprobe report`: what a finished run found."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import msgspec
from rich.text import Text

from abiprobe.harness.cli.commands.console import answers, print_json
from abiprobe.harness.cli.commands.explain_quirk import exposure_json
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.runs.run_files import read_run
from abiprobe.harness.triage.cause_details import example_text, other_languages
from abiprobe.harness.triage.causes import Causes, causes_of
from abiprobe.oracles import registry  # noqa: F401 - loads every clause sheet, for looking clauses up
from abiprobe.oracles.language.question import ProbeKind, probe
from abiprobe.results.causes.cluster import Cluster
from abiprobe.results.causes.fingerprint import OPEN
from abiprobe.results.causes.traits import described
from abiprobe.results.coverage.complete import conformance
from abiprobe.results.coverage.counts import exit_status, rows
from abiprobe.results.coverage.lacking import lacking_lines
from abiprobe.results.coverage.uncompared import coverage
from abiprobe.results.journal.journal import Run
from abiprobe.results.journal.shell_words import shell_word
from abiprobe.results.known.deviations import Known
from abiprobe.results.report.causes_text import Found, beginning, in_full, on_a_screen
from abiprobe.results.report.complete_text import short_lines, size_lines, statement
from abiprobe.results.report.run_json import run_json
from abiprobe.results.report.standins import print_standins
from abiprobe.results.report.summary import Summary
from abiprobe.results.report.terminal import (
    difference_words,
    print_matrices,
    print_table,
    print_text,
    summary_table,
)
from abiprobe.results.report.terminal import report as terminal_report
from abiprobe.results.verdicts.quantity import quantity
from abiprobe.results.verdicts.record import Judgement

MOST_SAID = 4
"""Lines on a first screen about what was not compared."""
LONGEST = 200
"""Characters of a difference on a first screen."""


def report(folder: Path, form: str, known: Known, *, by: str = "cause", strict: bool = False) -> int:
    """Print the report of the run in `folder`, by cause or by clause; an interrupted run is refused."""
    found = read_run(folder)
    causes = causes_of(folder, found, known)
    if by == "clause" and form == "text":
        print_clauses(found)
    else:
        show(found, causes, form, folder)
    return exit_of(found, causes, strict=strict)


def show(found: Run, causes: Causes, form: str, folder: Path, lines: int | None = None) -> None:
    """Print what a run comes to as text, of at most `lines` lines if that is enough, or JSON."""
    if form == "json":
        print_json({**run_json(found), "causes": causes_json(causes)})
    else:
        print_causes(found, causes, folder, lines)


def exit_of(run: Run, causes: Causes, *, strict: bool) -> int:
    """Return the exit status of a run for new deviations, or with `strict` for all."""
    return (exit_status(run.batches, run.header.named) if strict else 0) or causes.status


def print_clauses(found: Run) -> None:
    """Every deviation, by the clause that it breaks."""
    console = answers()
    whole = Summary(found.batches, subjects=found.header.subjects)
    terminal_report(console, whole, declaration)
    for line in coverage(found.batches, whole.comparisons, found.header.named).lines:
        console.print(line, soft_wrap=True, markup=False, highlight=False)
    console.print()
    console.print(closing(found), soft_wrap=True)


def print_causes(found: Run, causes: Causes, folder: Path, lines: int | None = None) -> None:
    """Print new causes, known ones in a line each, the table and the next steps; at most `lines` lines if that is enough."""
    console = answers()
    whole = Summary(found.batches, subjects=found.header.subjects)
    shown = Found(
        causes.new,
        causes.flaky,
        causes.known,
        causes.gone,
        causes.pairs,
        whole.open_clauses,
        lambda item: difference(found, item),
        example_text,
        tuple(map(str, causes.contradictions)),
    )
    table, steps = summary_table(whole.rows), advice(causes, folder)
    suites = conformance(found)
    complete = [*lacking_lines(found.batches), *short_lines(suites)]
    covered = coverage(found.batches, whole.comparisons, found.header.named).lines
    named = shell_word(folder)
    full = f"abiprobe report {named}"
    # The table has a heading; below it stand an empty line and the seed.
    said = beginning([Text(line) for line in covered], len(covered) if lines is None else MOST_SAID, full)
    taken = len(steps) + table.row_count + len(said) + len(complete)
    room = None if lines is None else lines - taken - 3
    screen = in_full(shown, declaration) if room is None else on_a_screen(shown, declaration, room, full)
    print_text(console, screen)
    print_table(console, table)
    print_standins(console, found.batches)
    print_text(console, said)
    print_text(console, complete)
    if room is None:
        print_text(console, (*size_lines(suites), *statement(suites)))
        print_matrices(console, whole.matrices)
    counts = f"{quantity(len(causes.new), 'new cause')}, {quantity(len(causes.known), 'known deviation')}"
    print_text(console, ("", f"{counts}; {closing(found)}", *steps))


def advice(causes: Causes, folder: Path) -> list[str]:
    """The run's folder, and the commands that go on from here."""
    named = shell_word(folder)
    commands = [f"report {named}    # every cause in full"] if len(causes.new) > 1 else []
    if causes.new:
        shown = f"repro {causes.new[0].id} --run {named} --out bundle    # shows it by itself"
        commands += [shown, f"accept {named}    # entries for the known deviations"]
    if not causes.triaged:
        commands.append(f"triage {named}    # every cause, reduced to its smallest example")
    commands.append(f"report {named} --by clause    # every deviation, by clause")
    leads = ("next:", *("     " for _ in commands[1:]))
    return [
        f"run folder: {folder}",
        *(f"{lead} abiprobe {one}" for lead, one in zip(leads, commands, strict=True)),
    ]


def difference(run: Run, item: Cluster) -> str:
    """Describe the difference on one probe of a cause; empty where a tool failed."""
    first = item.first
    # What subjects differ on where no text decides is said with who they are.
    if item.symptom in OPEN or first.fingerprint.words or not first.probes:
        return ""
    wanted = probe(first.example).id if probe(first.example).id in first.probes else min(first.probes)
    for batch in run.batches:
        if batch.key.target == first.fingerprint.target and batch.key.subject in first.subjects:
            for verdict in batch.verdicts:
                if (
                    verdict.probe == wanted
                    and verdict.verdict is Judgement.DEVIATES
                    and verdict.kind is not ProbeKind.PAIR
                ):
                    words = difference_words(verdict, first.fingerprint.clause)
                    return f"{wanted}: {textwrap.shorten(words, LONGEST, placeholder=' ...')}"
    return ""


def closing(found: Run) -> str:
    """The seed, the sum of the table, and the digest."""
    plan, footer = found.header.plan, found.footer
    if footer is None:
        return f"seed {plan.seed}, unfinished"
    asked = sum(row.counts["probes"] for row in rows(found.batches))
    ended = "" if footer.ended == "complete" else f", ended by {footer.ended}"
    return f"seed {plan.seed}: {quantity(asked, 'probe')} in {footer.seconds:.1f} s, digest {footer.digest}{ended}"


def causes_json(causes: Causes) -> dict[str, Any]:
    """The causes as plain values."""
    return {
        "new": [cause_json(item) for item in causes.new],
        "flaky": [cause_json(item) for item in causes.flaky],
        "known": [
            {
                "name": item.entry.name,
                "status": item.entry.status.value,
                "link": item.entry.link,
                "probes": item.probes,
                "targets": list(item.targets),
                "subjects": item.subjects,
                "exposure": exposure_json(item.entry.name),
            }
            for item in causes.known
        ],
        "gone": [entry.name for entry in causes.gone],
        "contradictions": [msgspec.to_builtins(one) for one in causes.contradictions],
        "triaged": causes.triaged,
    }


def cause_json(item: Cluster) -> dict[str, Any]:
    """One cause as plain values."""
    return {
        "id": item.id,
        "former": list(item.former),
        "cause": described(item.traits),
        "symptom": item.symptom.value,
        "targets": list(item.targets),
        "clauses": list(item.clauses),
        "probes": item.probes,
        "subjects": item.subjects,
        "example": declaration(item.first.example),
        "in_languages": other_languages(item),
        "confirmed": item.first.confirmed,
    }
