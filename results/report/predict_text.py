"""`abiprobe predict` as text: layouts in the manner of pahole, and a line for each place of a call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console

from abiprobe.oracles.engine.cxx_call import CxxAnswer, CxxCall
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.cxx_calls import CxxPrototype, call_title
from abiprobe.oracles.language.declaration import head, prototype
from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.oracles.model import AbiModel, of_processor
from abiprobe.oracles.text.class_layout import ClassLayout
from abiprobe.oracles.text.clause import literal_reading
from abiprobe.oracles.text.place import Assignment, Files, Layout, Unspecified, Unsupported
from abiprobe.results.report.call_map import MapRow, entry_map, return_map
from abiprobe.results.report.call_text import destroyed_text
from abiprobe.results.report.class_rows import class_head, class_rows
from abiprobe.results.report.layout_rows import LayoutRow, layout_rows
from abiprobe.results.report.layout_text import INDENT, code, comment, stands_alone
from abiprobe.results.report.prediction import PredictedClasses, PredictedCxxCalls
from abiprobe.results.report.supplement import print_supplement

WIDTH = 120


def predict_lines(
    target: str,
    model: AbiModel,
    records: Sequence[Record],
    functions: Sequence[Prototype],
    files: Files,
    classes: PredictedClasses = (),
    cxx_calls: PredictedCxxCalls = (),
) -> Iterator[str]:
    """The layout of every record and class and the places of every call, in registers of these files.

    `explain` says why they are so.
    """
    yield target
    for asked, answer in classes:
        yield ""
        if isinstance(answer, ClassLayout):
            yield from in_columns(class_rows(asked, answer))
        else:
            yield no_answer(class_head(asked), answer)
    for record in records:
        yield ""
        yield from layout_lines(model, record)
    for function in functions:
        yield ""
        yield from call_lines(model, function, files)
    for called, places in cxx_calls:
        yield ""
        yield from cxx_call_lines(called, places, files)


def layout_lines(model: AbiModel, record: Record) -> Iterator[str]:
    """One record with offsets, sizes and holes."""
    answer = model.layout(record)
    if not isinstance(answer, Layout):
        yield no_answer(head(record), answer)
        return
    yield from in_columns(layout_rows(model.types, record))


def in_columns(layout: Iterable[LayoutRow]) -> Iterator[str]:
    """The rows of a layout, what is said of places in one column."""
    # Strings, because styled text costs five times as much, and a header may declare thousands of records.
    rows = [(stands_alone(row), row.depth, code(row), comment(row)) for row in layout]
    placed = [(len(text), len(place)) for alone, _, text, place in rows if place and not alone]
    longest, beside = map(max, zip(*placed, strict=True)) if placed else (0, 0)
    column = max(min(longest, WIDTH - beside - 1), 0)
    for alone, depth, text, place in rows:
        if alone:
            yield " " * INDENT * depth + place
        elif not place:
            yield text
        elif len(text) > column:
            yield text
            yield " " * (column + 1) + place
        else:
            yield f"{text:{column + 1}}{place}"


def call_lines(model: AbiModel, function: Prototype, files: Files) -> Iterator[str]:
    """One function, then each register and stack word of its arguments and of its result."""
    yield prototype(function)
    answer = model.assign(function)
    if not isinstance(answer, Assignment):
        yield f"    {no_answer(function.name, answer)}"
        return
    yield from map_lines(of_processor(model, function).types, function, answer, files)
    if function.simd:
        yield from variant_lines(model, function)


def cxx_call_lines(asked: CxxPrototype, answer: CxxAnswer, files: Files) -> Iterator[str]:
    """One function of C++ in the same form, and the number of objects that its caller destroys."""
    yield call_title(asked)
    if not isinstance(answer, CxxCall):
        yield f"    {no_answer(asked.name, answer)}"
        return
    yield from map_lines(answer.types, answer.prototype, answer.assignment, files)
    if answer.destroyed or answer.destroyed_in_callee:
        yield f"    {destroyed_text(answer)}"


def map_lines(types: TypeTable, function: Prototype, answer: Assignment, files: Files) -> Iterator[str]:
    """The places of arguments, then those of the result."""
    yield from place_lines("in", entry_map(types, function, answer, files))
    yield from place_lines("out", return_map(types, function, answer))


def place_lines(direction: str, rows: Sequence[MapRow]) -> Iterator[str]:
    """The rows of a map in columns."""
    if len(rows) == 1:
        yield f"    {direction:4}{'  '.join(filter(None, rows[0]))}"
        return
    columns = [column for column in zip(*rows, strict=True) if any(column)]
    form = f"    {direction:4}" + "  ".join(f"{{:{max(map(len, column))}}}" for column in columns)
    for cells in zip(*columns, strict=True):
        yield form.format(*cells).rstrip()


def variant_lines(model: AbiModel, function: Prototype) -> Iterator[str]:
    """The vector variants of a function."""
    console = Console(width=WIDTH, color_system=None, highlight=False)
    with console.capture() as capture:
        print_supplement(console, model, function)
    yield from capture.get().splitlines()


def no_answer(name: str, answer: Unspecified | Unsupported) -> str:
    """Return the reason why there is no layout or place."""
    match answer:
        case Unspecified(clause, why):
            literal = literal_reading(clause)
            return f"{name} is unspecified: {why} [{clause}]" + (
                f"; read literally: {literal}" if literal else ""
            )
        case Unsupported(why):
            return f"{name} is unsupported: {why}"
