"""Print the report of a run: a table of results, then the deviations by clause."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from abiprobe.oracles.language.question import Question
from abiprobe.results.coverage.counts import COLUMNS, CountRow, Deviations
from abiprobe.results.coverage.differing import ALONE, CONTRADICTS, PARTLY, TOGETHER, Comparison
from abiprobe.results.coverage.open_clauses import OpenClause
from abiprobe.results.coverage.pair_matrix import MARKED, Calls, PairMatrix
from abiprobe.results.coverage.pairs import Pairing
from abiprobe.results.journal.journal import BatchDone
from abiprobe.results.report.open_text import all_places, undecided_lines
from abiprobe.results.report.standins import print_standins
from abiprobe.results.report.summary import Summary
from abiprobe.results.verdicts.quantity import quantity
from abiprobe.results.verdicts.record import Outcome, Verdict

UNLIMITED = 100_000
"""Columns of a table that no terminal limits."""
TOLD = frozenset(
    {
        *(Outcome.REFUSED, Outcome.CRASHED, Outcome.TIMED_OUT),
        *(Outcome.NOT_RUN, Outcome.FAILED, Outcome.TOO_LARGE, Outcome.UNDECODED),
    }
)
"""Outcomes of which a reader wants to know the reason."""
STYLES = {
    "agrees": "green",
    "deviates": "bold red",
    "differs": "bold cyan",
    "refused": "yellow",
    "crashed": "bold magenta",
}
SHOWN_REASONS = 8


def report(console: Console, found: Summary, show: Callable[[Question], str]) -> None:
    """Print the table, the deviations and the reasons for what was not observed; `show` writes a question as C."""
    print_table(console, summary_table(found.rows))
    print_text(console, (line for item in found.deviations for line in deviation_lines(item, show)))
    print_text(console, open_lines(found.open_clauses, show))
    print_standins(console, found.batches)
    print_matrices(console, found.matrices)
    print_text(console, pair_lines(found.pairings, found.matrices, show))
    print_text(console, reason_lines(found.batches))


def print_text(console: Console, lines: Iterable[str | Text]) -> None:
    """Print lines as they are, however long; no character of them is a command."""
    for line in lines:
        console.print(Text(line) if isinstance(line, str) else line, soft_wrap=True)


def print_table(console: Console, table: Table) -> None:
    """Print a table: within the width of a terminal, and into a pipe or file as wide as it is, so that nothing is cut."""
    for column in table.columns:
        column.overflow = "fold"
    if console.is_terminal:
        console.print(table)
        return
    free = console.options.update(width=UNLIMITED, max_width=UNLIMITED)
    before = console.width
    console.width = max(before, Measurement.get(console, free, table).maximum)
    console.print(table)
    console.width = before


def summary_table(rows: Iterable[CountRow]) -> Table:
    """Probes by target and subject, and what they came to."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("target", "subject"):
        table.add_column(name)
    table.add_column("", no_wrap=True)
    for name in COLUMNS:
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        cells = (
            Text(str(row.counts[name]), style=STYLES.get(name, "") if row.counts[name] else "dim")
            for name in COLUMNS
        )
        table.add_row(row.target, row.subject, f"-{row.level}", *cells)
    return table


def deviation_lines(item: Deviations, show: Callable[[Question], str]) -> Iterator[str | Text]:
    """Yield one clause, the subjects that break it, and the smallest probe that shows it."""
    yield ""
    yield Text.assemble(
        (item.clause or "no clause", "bold"),
        f"  {item.target}, {item.kind} probes ({item.side}): {item.probes} deviate",
    )
    if item.clause:
        yield Text(f"  {item.said}", style="dim")
    yield f"  {', '.join(f'{subject}: {count}' for subject, count in item.subjects.items())}"
    words = difference_words(item.example.verdict, item.clause, item.side)
    yield from question_lines(item.example.question, show, f"{item.example.verdict.probe}: {words}")


def difference_words(verdict: Verdict, clause: str, side: str = "") -> str:
    """The difference of a verdict that breaks this clause, on this side if one is named, in words."""
    broken = [item for item in verdict.differences if item.clause == clause]
    return next((str(item) for item in broken if side in {"", item.side}), verdict.detail)


def open_lines(found: Sequence[OpenClause], show: Callable[[Question], str]) -> Iterator[str | Text]:
    """Yield the clauses that leave open points on which subjects differ, or that one alone shows, and the subjects compared on others."""
    for item in found:
        if item.examples:
            words = f"{item.in_words} of {quantity(item.compared, 'probe')} that the documents leave open"
            yield from clause_lines(item, words)
        for example in item.examples:
            yield from (f"  {line}" for line in difference_lines(example.comparison))
            yield from question_lines(example.question, show, example.comparison.probe)
    for item in found:
        for alone in item.by_verdict.get(ALONE, ()):
            probes = (
                f"nothing was compared on {quantity(alone.probes, 'probe')} that the documents leave open"
            )
            one = f": {alone.subjects[0]} alone shows anything" if len(alone.subjects) == 1 else ""
            yield from clause_lines(item, probes + one)
            yield f"  {all_places(alone.example)}"
            yield from question_lines(alone.question, show, alone.example.probe)
    more = "more" if any(item.differs for item in found) else ""
    lines = list(undecided_lines(found, (TOGETHER, PARTLY), more=more))
    yield from ("", *lines) if lines else ()


def clause_lines(item: OpenClause, words: str) -> Iterator[str | Text]:
    """Yield a clause that leaves questions open, what is said of them, and what the text says."""
    yield ""
    yield Text.assemble((item.clause or "no model", "bold cyan"), f"  {item.target}: {words}")
    if item.clause:
        yield Text(f"  {item.said}", style="dim")


def question_lines(question: Question | None, show: Callable[[Question], str], words: str) -> Iterator[str]:
    """Yield a question as C, if it is kept, and the `words` about it."""
    if question is not None:
        yield "    " + show(question).replace("\n", "\n    ")
    yield f"    {words}"


def difference_lines(example: Comparison) -> Iterator[str]:
    """Yield a part that differs for each division of subjects, contradictions of one subject, and parts that were not compared."""
    for part in example.divided:
        yield f"{part.what}:"
        yield from (f"  {group}" for group in part.groups)
    yield from (f"{CONTRADICTS} {group}" for group in example.contradictory)
    yield from (f"{ALONE}: {gap}" for gap in example.gaps)


def print_matrices(console: Console, matrices: Iterable[PairMatrix]) -> None:
    """Print the matrices of more than two compilers, each below its target."""
    for matrix in matrices:
        if matrix.is_large:
            head = f"calls between compilers on {matrix.target}: failed/compared; {MARKED}"
            print_text(console, ("", head))
            print_table(console, matrix_table(matrix))


def matrix_table(matrix: PairMatrix) -> Table:
    """A row for each compiler that calls, and a column for each that is called."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("caller, callee")
    for name in matrix.names.values():
        table.add_column(Text(name), justify="right", no_wrap=True)
    for caller, name in matrix.names.items():
        cells = (cell_text(matrix.at(caller, callee)) for callee in matrix.subjects)
        table.add_row(Text(name), *cells)
    return table


def cell_text(calls: Calls | None) -> Text:
    """The calls of one direction; empty if there were none."""
    if calls is None:
        return Text()
    style = "bold red" if calls.unexplained else "yellow" if calls.failed else "green"
    return Text(calls.text, style)


def pair_lines(
    found: Sequence[Pairing], matrices: Sequence[PairMatrix], show: Callable[[Question], str]
) -> Iterator[str | Text]:
    """Yield the calls between code of two compilers, and the smallest call that fails.

    Of many compilers, which have a matrix, only the calls that fail although neither side deviates.
    """
    large = {matrix.target for matrix in matrices if matrix.is_large}
    lines = [item for item in found if item.target not in large or item.failed > item.explained]
    yield from ("",) if lines else ()
    for item in lines:
        open_ended = item.failed - item.explained
        words = f"{item.probes} calls, {item.failed} fail"
        if item.failed:
            words += ", " + (
                f"{open_ended} of them although neither deviates" if open_ended else "each explained above"
            )
        head = (f"{item.caller} calls {item.callee}", "bold red" if item.failed else "bold")
        yield Text.assemble(head, f" -{item.level}  {item.target}: {words}")
        if open_ended and item.example is not None and item.example.question is not None:
            verdict = item.example.verdict
            yield from question_lines(item.example.question, show, f"{verdict.probe}: {verdict.detail}")


def reason_lines(batches: Iterable[BatchDone]) -> Iterator[str]:
    """Yield each reason why probes were refused, crashed a tool or were not understood, once; also clauses that decide nothing."""
    reasons: dict[tuple[str, str, str], set[str]] = {}
    for batch in batches:
        for verdict in batch.verdicts:
            if verdict.outcome in TOLD:
                key = (f"{batch.key.target} {batch.key.subject}", verdict.outcome.value, verdict.detail)
                reasons.setdefault(key, set()).add(verdict.probe)
    ordered = sorted(reasons.items(), key=lambda kv: -len(kv[1]))
    for (who, outcome, detail), probes in ordered[:SHOWN_REASONS]:
        yield f"{who}: {len(probes)} {outcome}: {detail} (e.g. {min(probes)})"
    if len(ordered) > SHOWN_REASONS:
        yield f"... and {len(ordered) - SHOWN_REASONS} more reasons"
