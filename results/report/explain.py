"""`abiprobe explain`: the derivation of declarations from a written ABI, for people."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.text.place import Files
from abiprobe.results.report.call_text import print_call, print_cxx_call
from abiprobe.results.report.class_text import print_class
from abiprobe.results.report.frame import print_frame
from abiprobe.results.report.layout_text import print_layout
from abiprobe.results.report.legend import print_legend
from abiprobe.results.report.prediction import PredictedClasses, PredictedCxxCalls
from abiprobe.results.report.supplement import print_supplement


def explain(
    console: Console,
    target: str,
    model: AbiModel,
    records: Sequence[Record],
    functions: Sequence[Prototype],
    files: Files,
    classes: PredictedClasses = (),
    cxx_calls: PredictedCxxCalls = (),
) -> tuple[str, ...]:
    """Print the layout of every record and class, the places of every call, and each clause they rest on once.

    `files` are those of the target's registers. Returns the ids of the clauses.
    """
    console.print(Text(target, style="bold"))
    cited: list[str] = []
    for asked, answer in classes:
        console.print()
        cited += print_class(console, asked, answer)
    for record in records:
        console.print()
        cited += print_layout(console, model, record)
    for function in functions:
        console.print()
        cited += print_call(console, model, function, files)
        cited += print_supplement(console, model, function)
    for called, places in cxx_calls:
        console.print()
        cited += print_cxx_call(console, called, places, files)
    cited += print_frame(console, target, functions)
    print_legend(console, cited)
    return tuple(dict.fromkeys(cited))
