"""`abiprobe repro --as`: a deviation as the test that a compiler project's own suite takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from abiprobe.harness.api.arguments import level_names, named_targets
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.commands.console import answers, asides, print_json
from abiprobe.harness.cli.commands.repro import smallest, title_of, write
from abiprobe.harness.triage.cases import Case, find_cases, of_those_here
from abiprobe.harness.triage.exports.forms import Form, export
from abiprobe.harness.triage.exports.trying import require_shown, tried
from abiprobe.results.report.json_form import SCHEMA


def export_command(
    name: str,
    out: Path,
    run: Path | None,
    target: str | None,
    subjects: str | None,
    levels: str,
    form: Form,
    answer: str = "text",
) -> int:
    """Write the test for one deviation to `out`, and see for whom it fails as far as that needs no suite."""
    found = find_cases(name, run, named_targets(target) if target else (), subjects, level_names(levels))
    cases = tuple(map(of_those_here, found))
    case, files = first_exported(cases, form)
    if len(cases) > 1:
        asides().print(f"{name} deviates in {len(cases)} ways; this is one of them", markup=False)
    title = title_of(case)
    write(out, files)
    seen = tried(case, form, out)
    try:
        require_shown(case, form, seen)
    except Problem:
        for one in files:
            (out / one).unlink()
        raise
    right = as_blamed(case, seen)
    if answer == "json":
        about = {
            "schema": SCHEMA,
            "title": title,
            "folder": str(out),
            "files": sorted(files),
            "form": form.value,
        }
        print_json(about | {"fails": seen, "as_expected": right})
    else:
        answers().print(f"{title}\n{', '.join(sorted(files))} in {out}", markup=False, soft_wrap=True)
        print_tried(seen)
    return 0 if right else 1


def first_exported(cases: Sequence[Case], form: Form) -> tuple[Case, dict[str, str]]:
    """The first case that a test of this form can show, and its files; raises `Problem` when there is none."""
    for case in cases[:-1]:
        with suppress(Problem):
            return reduced(case, form)
    return reduced(cases[-1], form)


def reduced(case: Case, form: Form) -> tuple[Case, dict[str, str]]:
    """A case with its smallest question, and the test for it."""
    small = smallest(case)
    return small, export(small, form)


def as_blamed(case: Case, seen: Mapping[str, bool]) -> bool:
    """Return whether a test that was tried fails for the compilers to blame and for no other."""
    guilty = {name for asked in case.deviating for name in (asked[0], f"{asked[0]} -{asked[1]}")}
    return all(fails == (name in guilty) for name, fails in seen.items())


def print_tried(seen: Mapping[str, bool]) -> None:
    """Print the compilers for which a test fails."""
    for verb, asked in (("fails", True), ("passes", False)):
        if names := [name for name, fails in seen.items() if fails is asked]:
            answers().print(f"{verb} for {', '.join(names)}", markup=False, soft_wrap=True)
