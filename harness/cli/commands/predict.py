"""`abiprobe predict` and `abiprobe explain`: the model alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from abiprobe.harness.api.arguments import named_targets
from abiprobe.harness.api.predicting import asked_of
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
from abiprobe.harness.cli.commands.console import answers, print_json, print_lines
from abiprobe.harness.cli.commands.explain_quirk import departures, in_dialects
from abiprobe.harness.input import Classes, ReadOptions
from abiprobe.harness.input.declared import (
    Declared,
    by_target,
    declared_in,
    declared_in_file,
    declared_in_files,
)
from abiprobe.harness.machines.register_files import listed_files
from abiprobe.results.report.explain import explain as explain_text
from abiprobe.results.report.input_summary import input_json, input_lines
from abiprobe.results.report.predict_text import predict_lines
from abiprobe.results.report.prediction import prediction


def predict(
    files: Sequence[str], target: str, form: str, how: ReadOptions, baselines: Baselines = NO_BASELINES
) -> int:
    """Print what the model of each target says about the declarations in `files`, and what has changed since a baseline."""
    targets = named_targets(target)
    kept = read_baseline(baselines.compared, tuple(map(str, targets)))
    reading = dict.fromkeys(
        files, msgspec.structs.replace(how, interface=baselines.wanted, classes=Classes.AS_NAMED)
    )

    def show(item: Declared) -> None:
        target, model, records, functions, classes, calls = asked_of(item)
        files = listed_files(item.target)
        print_lines(predict_lines(target, model, records, functions, files, classes, calls))

    read = [declared_in_files(files, one, reading) for one in targets]
    since = compared(kept, read, baselines)
    print_predictions(by_target(read), form, show, since)
    if form != "json":
        print_lines(change_lines(since))
    return status_with(since, 0)


def explain(declaration: str, target: str, form: str, how: ReadOptions, subject: str | None = None) -> int:
    """Print the derivation for a file, or for declarations written on the command line, by the text or as a `subject` has them."""
    # What no file is called: a declaration has a brace, a parenthesis or ends in a semicolon.
    written = bool(re.search(r"[;{}(]", declaration))
    read = declared_in if written else declared_in_file

    def show(item: Declared) -> None:
        target, model, records, functions, classes, calls = asked_of(item)
        files = listed_files(item.target)
        explain_text(answers(), target, model, records, functions, files, classes, calls)

    how = msgspec.structs.replace(how, classes=Classes.AS_NAMED)
    found = by_target([read(declaration, one, how) for one in named_targets(target)])
    if subject is None:
        print_predictions(found, form, show)
        return 0
    for item in found:
        for title, own in in_dialects(item, subject):
            print_lines((title,) if form == "text" else ())
            print_predictions([own], form, show)
        print_lines(departures(item, subject) if form == "text" else ())
    return 0


def print_predictions(
    found: Sequence[Declared], form: str, show: Callable[[Declared], None], since: Comparison | None = None
) -> None:
    """Print what the models say of declarations, as JSON (with what has changed `since` a baseline) or as `show` does."""
    if form == "json":
        show_json(found, since)
        return
    for item in found:
        if not item.target.modelled:
            print_lines((no_model(item.target.spelling),))
            continue
        show(item)
        print_lines(notes(item))


def no_model(target: str) -> str:
    """The one line about a target whose compilers can only be compared with each other."""
    return (
        f"{target}: no model, so nothing is predicted; abiprobe check compares its compilers with each other"
    )


def show_json(found: Sequence[Declared], since: Comparison | None) -> None:
    """Print predictions as JSON: an object, or a list for several targets."""
    values: list[dict[str, Any]] = [
        prediction(*asked_of(item))
        | input_json(item.skipped, item.elsewhere)
        | of_target(item.target.spelling, since)
        for item in found
    ]
    print_json(values[0] if len(values) == 1 else values)


def notes(item: Declared) -> Iterator[str]:
    """Yield remarks on declarations that were left out, if there are any."""
    if item.skipped or any(item.elsewhere) or item.umbrellas:
        yield ""
        counts = len(item.records), len(item.functions)
        yield from input_lines(
            *counts, item.skipped, item.elsewhere, len(item.classes), len(item.calls), item.umbrellas
        )
