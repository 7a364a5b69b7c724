"""`abiprobe report --format html|markdown|junit|sarif|card`: a run for browsers, CI and other programs."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from abiprobe.harness.nights.telling import Draw, past, tell, undrawn
from abiprobe.harness.problem import Problem
from abiprobe.harness.runs import triage_of
from abiprobe.oracles import registry  # noqa: F401 - loads every clause sheet, for looking clauses up
from abiprobe.results.journal import JournalError, read_complete
from abiprobe.results.known import Known
from abiprobe.results.report.junit import junit
from abiprobe.results.report.markdown import card, markdown
from abiprobe.results.report.page import page
from abiprobe.results.report.run_json import run_json
from abiprobe.results.report.sarif import sarif
from abiprobe.results.summary import exit_status


def reports(folder: Path, form: str, out: Path | None, known: Known, *, maps: bool) -> int:
    """Write a report in one form; an interrupted run is refused."""
    try:
        run = read_complete(folder)
    except JournalError as error:
        raise Problem(str(error)) from error
    if form == "text":
        raise Problem("the report as text goes to the terminal", "redirect it, or choose another --format")
    clusters = triage_of(folder, run)
    story = tell(run, clusters or (), known, drawings() if maps and form == "html" else undrawn)
    match form:
        case "html":
            text = page(story, past(folder, clusters or ()), triaged=clusters is not None)
        case "markdown":
            text = markdown(story)
        case "junit":
            text = junit(story)
        case "sarif":
            text = formatted(sarif(story))
        case "card":
            text = card(story)
        case _:
            text = formatted(run_json(run))
    write(text, out)
    return exit_status(run.batches)


def drawings() -> Draw:
    """What asks compilers for drawings, and is loaded only for that."""
    from abiprobe.harness.nights.drawing import drawn

    return drawn


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
