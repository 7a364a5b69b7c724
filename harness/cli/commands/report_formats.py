"""`abiprobe report --format html|markdown|junit|sarif|card|json`: reports for browsers, CI and other programs."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.commands.report import causes_json, exit_of
from abiprobe.harness.nights.command_lines import cause_lines, diff_line, run_line, triage_line
from abiprobe.harness.nights.report_data import Draw, build_report, earlier_runs, no_maps
from abiprobe.harness.runs.run_files import read_run
from abiprobe.harness.triage.causes import causes_of
from abiprobe.oracles import registry  # noqa: F401 - loads every clause sheet, for looking clauses up
from abiprobe.results.journal.journal import Run
from abiprobe.results.journal.printable import in_json, printable
from abiprobe.results.known.deviations import Known
from abiprobe.results.report.junit import junit
from abiprobe.results.report.markdown import card, markdown
from abiprobe.results.report.page import Lines, Past, page
from abiprobe.results.report.run_json import run_json
from abiprobe.results.report.run_report import RunReport
from abiprobe.results.report.sarif import sarif


def write_report(
    folder: Path, form: str, out: Path | None, known: Known, *, maps: bool, strict: bool = False
) -> int:
    """Write a report in one form; an interrupted run is refused."""
    run = read_run(folder)
    if form == "text":
        raise Problem("the report as text goes to the terminal", "redirect it, or choose another --format")
    causes = causes_of(folder, run, known)
    draw = drawings(run) if maps and form == "html" else no_maps
    story = build_report(run, causes.clusters, causes.recognised, known, draw)
    match form:
        case "html":
            beside = earlier_runs(folder, run.header, causes.clusters)
            text = printable(page(story, beside, lines(folder, story, beside), triaged=causes.triaged))
        case "markdown":
            text = markdown(story)
        case "junit":
            text = junit(story)
        case "sarif":
            text = in_json(formatted(sarif(story)))
        case "card":
            text = card(story)
        case _:
            text = in_json(formatted({**run_json(run), "causes": causes_json(causes)}))
    write(text, out)
    return exit_of(run, causes, strict=strict)


def lines(folder: Path, story: RunReport, beside: Past) -> Lines:
    """Return the command lines that the HTML page offers to copy."""
    run = story.run
    return Lines(
        run_line(run.header.plan, run.footer),
        triage_line(folder),
        diff_line(beside.since.folder, folder) if beside.since is not None else "",
        {item.cluster.id: cause_lines(item.cluster, item.example, folder) for item in story.causes},
    )


def drawings(run: Run) -> Draw:
    """Return the function that draws maps by running compilers; imported only when needed."""
    from abiprobe.harness.cli.commands.triage import print_missing
    from abiprobe.harness.runs.availability import availability_of
    from abiprobe.harness.triage.cause_details import cluster_maps, compilers_to_compare

    near = availability_of(run)
    print_missing(near)
    return lambda cluster: cluster_maps(cluster, compilers_to_compare(cluster, near))


def formatted(value: object) -> str:
    """A value as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"


def write(text: str, out: Path | None) -> None:
    """Write a text to a file, or print it; raises `Problem` when it cannot be written."""
    if out is None:
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
        return
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text, "utf-8")
    except OSError as error:
        raise Problem(f"cannot write {out} ({error.strerror})") from error
