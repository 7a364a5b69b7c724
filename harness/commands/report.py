"""`abiprobe report`: what a finished run found."""

from __future__ import annotations

from pathlib import Path

from abiprobe.harness.commands.console import answers, print_json
from abiprobe.harness.problem import Problem
from abiprobe.harness.render.c import call_of, definitions, prototype
from abiprobe.harness.vectors import render
from abiprobe.oracles import registry  # noqa: F401 - loads every clause sheet, for looking clauses up
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.question import Question
from abiprobe.results.journal import JournalError, Run, read_complete
from abiprobe.results.report.run_json import run_json
from abiprobe.results.report.terminal import report as terminal_report
from abiprobe.results.summary import exit_status


def report(folder: Path, form: str) -> int:
    """Print the report of the run in `folder`; an interrupted run is refused."""
    try:
        found = read_complete(folder)
    except JournalError as error:
        raise Problem(str(error)) from error
    print_report(found, form)
    return exit_status(found.batches)


def print_report(found: Run, form: str) -> None:
    """Print a report as text or JSON."""
    if form == "json":
        print_json(run_json(found))
        return
    console = answers()
    terminal_report(console, found.batches, declaration)
    plan, footer = found.header.plan, found.footer
    if footer is not None:
        console.print()
        console.print(
            f"seed {plan.seed}: {footer.verdicts} verdicts in {footer.seconds:.1f} s, digest {footer.digest}"
            + ("" if footer.ended == "complete" else f", ended by {footer.ended}"),
            soft_wrap=True,
        )


def declaration(question: Question) -> str:
    """A question as the C that asks it."""
    if isinstance(question, Prototype) and question.simd:
        return render.declaration(question)
    if isinstance(question, Prototype):
        used = (question.result, *(argument.type for argument in question.arguments))
        body = definitions(tuple(c_type for c_type in used if c_type is not None))
        return f"{body}\n{prototype(question)};\n{call_of(question)}".strip()
    return definitions((question,))
