"""`abiprobe predict` and `abiprobe explain`: the model alone."""

from __future__ import annotations

import re
from typing import Any

from abiprobe.harness.commands.arguments import target_names
from abiprobe.harness.commands.console import answers, print_json
from abiprobe.harness.commands.reading import Declared, declared_in, declared_in_file
from abiprobe.oracles.registry import find_model
from abiprobe.results.report.explain import explain as explain_text
from abiprobe.results.report.prediction import prediction


def predict(file: str, target: str, form: str) -> int:
    """Print what the model of each target says about the declarations in a file."""
    return show([declared_in_file(file, name) for name in target_names(target)], form)


def explain(declaration: str, target: str, form: str) -> int:
    """Print the derivation for a file, or for declarations written on the command line."""
    # What no file is called: a declaration has a brace, a parenthesis or ends in a semicolon.
    written = bool(re.search(r"[;{}(]", declaration))
    names = target_names(target)
    found = [
        declared_in(declaration, name) if written else declared_in_file(declaration, name) for name in names
    ]
    return show(found, form)


def show(found: list[Declared], form: str) -> int:
    """Print predictions as JSON (an object, or a list for several targets) or as text."""
    if form == "json":
        values: list[dict[str, Any]] = [
            prediction(item.target, find_model(item.target), item.records, item.functions) for item in found
        ]
        print_json(values[0] if len(values) == 1 else values)
        return 0
    console = answers()
    for item in found:
        explain_text(console, item.target, find_model(item.target), item.records, item.functions)
    return 0
