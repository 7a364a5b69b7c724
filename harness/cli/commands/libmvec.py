"""`abiprobe libmvec`: glibc's vector functions against the vector function ABI."""

from __future__ import annotations

from pathlib import Path

import msgspec
from rich.text import Text

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.commands.console import answers, print_json
from abiprobe.harness.observers.lanes.libmvec import Report, check_library, find_library

DEVIATES = 1
NOTHING = 3


def libmvec(path: Path | None, form: str) -> int:
    """Derive every name that the library exports, call every function behind one, and print what came of it."""
    report = check_library(find_library() if path is None else path)
    if not report.exported:
        raise Problem(f"{report.path} exports no vector functions", "name a libmvec.so")
    if form == "json":
        print_json({"schema": 1, **msgspec.to_builtins(report)})
    else:
        show(report)
    if report.wrong:
        return DEVIATES
    return 0 if any(one.lanes for one in report.checked) else NOTHING


def show(report: Report) -> None:
    """The report for people."""
    console = answers()
    called = [one for one in report.checked if one.lanes]
    skipped = sum(one.skipped for one in report.checked)
    derived = report.exported - len(report.underived)
    console.print(report.path, soft_wrap=True)
    console.print(f"  {report.exported} vector names exported, {derived} derived from prototypes")
    console.print(f"  {report.exported - len(report.unread)} names read back as they are")
    lanes, worst = sum(one.lanes for one in called), max((one.worst for one in called), default=0)
    console.print(
        f"  {len(called)} functions called, {lanes} lanes, at most {worst} units of the last place off"
    )
    if skipped:
        console.print(f"  {skipped} functions not called: no processor here runs them")
    for title, names in (
        ("exported, and of no prototype known", report.underived),
        ("derived, and not exported", report.unexported),
        ("not a name", report.unread),
        ("wrong", tuple(f"{one.symbol}: {one.failed}" for one in report.checked if one.failed)),
    ):
        for name in names:
            console.print(Text.assemble(("  ", ""), (title, "bold red"), f": {name}"), soft_wrap=True)
