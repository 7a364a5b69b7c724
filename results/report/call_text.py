"""A call as text: a derivation from the written ABI, then a map of registers and stack."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from abiprobe.oracles.engine.cxx_call import CxxAnswer, CxxCall
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.cxx_calls import CxxPrototype, call_title
from abiprobe.oracles.language.declaration import prototype
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.model import AbiModel, of_processor
from abiprobe.oracles.text.clause import find_clause
from abiprobe.oracles.text.place import Assignment, Files
from abiprobe.results.report.call_map import MapRow, entry_map, return_map
from abiprobe.results.report.call_steps import (
    DerivationStep,
    DerivedValue,
    cited,
    cxx_derivation,
    derivation,
    undefined,
)
from abiprobe.results.report.layout_rows import plural
from abiprobe.results.report.layout_text import CLAUSE_STYLE, PLACE_STYLE
from abiprobe.results.report.no_answer import print_no_answer
from abiprobe.results.report.wrap import print_hanging


def print_call(console: Console, model: AbiModel, function: Prototype, files: Files) -> tuple[str, ...]:
    """Print how a call of `function` is made, or why there is no answer; returns the clauses cited, in order.

    `files` are those of the registers.
    """
    print_hanging(console, Text(prototype(function), style="bold"), indent=4)
    answer = model.assign(function)
    if not isinstance(answer, Assignment):
        return print_no_answer(console, function.name, answer)
    types = of_processor(model, function).types
    print_derivation(console, tuple(derivation(types, function, answer)))
    print_maps(console, types, function, answer, files)
    return cited(answer, function)


def print_cxx_call(console: Console, asked: CxxPrototype, answer: CxxAnswer, files: Files) -> tuple[str, ...]:
    """Print how a call of a C++ function is made, or why there is no answer; returns the clauses cited, in order."""
    print_hanging(console, Text(call_title(asked), style="bold"), indent=4)
    if not isinstance(answer, CxxCall):
        return print_no_answer(console, asked.name, answer)
    print_derivation(console, tuple(cxx_derivation(answer)))
    print_maps(console, answer.types, answer.prototype, answer.assignment, files)
    clauses = cited(answer.assignment, answer.prototype)
    if not (answer.destroyed or answer.destroyed_in_callee):
        return clauses
    said = Text(destroyed_text(answer)).append(f" [{answer.destroyed_by}]", CLAUSE_STYLE)
    print_hanging(console, said)
    return (*clauses, answer.destroyed_by)


def destroyed_text(answer: CxxCall) -> str:
    """The objects of which either side runs a destructor that a user provides, in words."""
    sides = {"caller": answer.destroyed, "called function": answer.destroyed_in_callee}
    return " ".join(
        f"The {side} runs {plural(n, 'destructor')} of a user's." for side, n in sides.items() if n
    )


def print_maps(
    console: Console, types: TypeTable, function: Prototype, answer: Assignment, files: Files
) -> None:
    """Print what each register and each word of the stack holds, with notes on what that leaves out."""
    print_map(console, "on entry", entry_map(types, function, answer, files))
    print_map(console, "on return", return_map(types, function, answer))
    print_notes(console, answer, function)


def print_notes(console: Console, answer: Assignment, function: Prototype) -> None:
    """Print the clauses that leave bits undefined, and the size of the stack argument area, which the maps leave out."""
    console.print()
    silent = undefined(answer, function)
    if silent:
        print_hanging(console, Text("Undefined bits: ").append(", ".join(silent), CLAUSE_STYLE))
    size = answer.stack_bytes
    words = f"{size} bytes of stack arguments; stack+N is N bytes above the stack pointer at callee entry."
    print_hanging(console, Text(words if size else "No stack arguments."))


def print_derivation(console: Console, values: tuple[DerivedValue, ...]) -> None:
    """Each value with the clauses that decided its places; a clause is written out where it first decides."""
    first: dict[str, str] = {}
    if values:
        console.print()
    for value in values:
        head = Text.assemble((value.name, "bold"), f"  {value.type}")
        steps = [step_text(step, first.get(step.clause)) for step in value.steps]
        if all(step.clause in first for step in value.steps):
            print_hanging(console, head.append(": ").append(Text("; ").join(steps)), first="  ", indent=6)
        else:
            print_hanging(console, head, first="  ", indent=6)
            for text in steps:
                print_hanging(console, text, first=" " * 4, indent=6)
        first.update({step.clause: value.name for step in value.steps if step.clause not in first})


def step_text(step: DerivationStep, before: str | None) -> Text:
    """Return the clause's rule, or the value for which it decided before, and its result."""
    says = find_clause(step.clause).says if before is None else f"as for {before}"
    text = Text.assemble(says, " ", (f"[{step.clause}]", CLAUSE_STYLE))
    return text.append(" -> ").append(step.outcome, PLACE_STYLE) if step.outcome else text


def print_map(console: Console, title: str, rows: tuple[MapRow, ...]) -> None:
    """A table of places, without columns that are empty. It is ASCII, so that it can be pasted anywhere."""
    if not rows:
        return
    columns = {
        title: [Text(row.place, PLACE_STYLE) for row in rows],
        "holds": [Text(row.holds) for row in rows],
        "members": [Text(row.members) for row in rows],
        "bits above": [Text(row.above, "yellow") for row in rows],
    }
    shown = {name: cells for name, cells in columns.items() if any(cells)}
    table = Table(*shown, box=box.ASCII, header_style="bold")
    for cells in zip(*shown.values(), strict=True):
        table.add_row(*cells)
    console.print()
    console.print(table)
