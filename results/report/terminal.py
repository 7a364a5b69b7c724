"""Print the report of a run: a table of results, then the deviations by clause."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from abiprobe.oracles.language.question import Question
from abiprobe.results.coverage.counts import COLUMNS, CountRow, Deviations
from abiprobe.results.coverage.differing import ALONE, CONTRADICTS, PARTLY, TOGETHER, Comparison
from abiprobe.results.coverage.open_clauses import OpenClause, Undecided
from abiprobe.results.coverage.pair_matrix import PairMatrix
from abiprobe.results.coverage.pairs import Pairing
from abiprobe.results.journal.journal import BatchDone
from abiprobe.results.report.open_text import all_places, undecided_lines
from abiprobe.results.report.standins import print_standins
from abiprobe.results.report.summary import Summary
from abiprobe.results.report.tables import print_matrices, print_table
from abiprobe.results.verdicts.quantity import quantity
from abiprobe.results.verdicts.record import Outcome, Verdict

TOLD = frozenset(
    {
        *(Outcome.REFUSED, Outcome.CRASHED, Outcome.TIMED_OUT),
        *(Outcome.NOT_RUN, Outcome.TOO_LARGE, Outcome.UNDECODED),
    }
)
"""What a reader wants to know the reason of."""
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
    table = summary_table(found.rows)
    print_table(console, table)
    for item in found.deviations:
        console.print()
        print_deviation(console, item, show)
    print_open(console, found.open_clauses, show)
    print_standins(console, found.batches)
    print_matrices(console, found.matrices)
    print_pairs(console, found.pairings, found.matrices, show)
    print_reasons(console, found.batches)


def print_pairs(
    console: Console,
    found: Sequence[Pairing],
    matrices: Sequence[PairMatrix],
    show: Callable[[Question], str],
) -> None:
    """Print the calls between code of two compilers, and the smallest call that fails.

    Of many compilers, which have a matrix, only the calls that fail although neither side deviates.
    """
    large = {matrix.target for matrix in matrices if matrix.is_large}
    lines = [item for item in found if item.target not in large or item.failed > item.explained]
    for number, item in enumerate(lines):
        if not number:
            console.print()
        open_ended = item.failed - item.explained
        words = f"{item.probes} calls, {item.failed} fail"
        if item.failed:
            words += ", " + (
                f"{open_ended} of them although neither deviates" if open_ended else "each explained above"
            )
        head = (f"{item.caller} calls {item.callee}", "bold red" if item.failed else "bold")
        console.print(Text.assemble(head, f" -{item.level}  {item.target}: {words}"), soft_wrap=True)
        if open_ended and item.example is not None and item.example.question is not None:
            text = show(item.example.question).replace("\n", "\n    ")
            console.print(f"    {text}", soft_wrap=True, markup=False, highlight=False)
            example = f"    {item.example.verdict.probe}: {item.example.verdict.detail}"
            console.print(example, soft_wrap=True, markup=False, highlight=False)


def print_open(console: Console, found: Sequence[OpenClause], show: Callable[[Question], str]) -> None:
    """Print the clauses that leave open points on which subjects differ, or that one alone shows, and the subjects compared on others."""
    for item in found:
        if item.examples:
            console.print()
            print_open_clause(console, item, show)
    for item in found:
        for alone in item.by_verdict.get(ALONE, ()):
            console.print()
            print_alone(console, item, alone, show)
    more = "more" if any(item.differs for item in found) else ""
    lines = list(undecided_lines(found, (TOGETHER, PARTLY), more=more))
    if lines:
        console.print()
    for line in lines:
        console.print(line, soft_wrap=True, markup=False, highlight=False)


def print_alone(
    console: Console, clause: OpenClause, item: Undecided, show: Callable[[Question], str]
) -> None:
    """Print the questions of a clause on which no subjects were compared, and the observations of the smallest."""
    probes = f"nothing was compared on {quantity(item.probes, 'probe')} that the documents leave open"
    words = f"{probes}: {item.subjects[0]} alone shows anything" if len(item.subjects) == 1 else probes
    print_clause(console, clause, words)
    console.print(f"  {all_places(item.example)}", soft_wrap=True, markup=False, highlight=False)
    print_question(console, item.example, item.question, show)


def print_open_clause(console: Console, item: OpenClause, show: Callable[[Question], str]) -> None:
    """One clause that leaves questions open, and the smallest on which subjects differ, with the place in each group."""
    print_clause(
        console, item, f"{item.in_words} of {quantity(item.compared, 'probe')} that the documents leave open"
    )
    for example in item.examples:
        for line in difference_lines(example.comparison):
            console.print(f"  {line}", soft_wrap=True, markup=False, highlight=False)
        print_question(console, example.comparison, example.question, show)


def difference_lines(example: Comparison) -> Iterator[str]:
    """Yield a part that differs for each division of subjects, contradictions of one subject, and parts that were not compared."""
    for part in example.divided:
        yield f"{part.what}:"
        yield from (f"  {group}" for group in part.groups)
    yield from (f"{CONTRADICTS} {group}" for group in example.contradictory)
    yield from (f"{ALONE}: {gap}" for gap in example.gaps)


def print_clause(console: Console, item: OpenClause, words: str) -> None:
    """A clause that leaves questions open, what is said of them, and what the text says."""
    console.print(
        Text.assemble((item.clause or "no model", "bold cyan"), f"  {item.target}: {words}"), soft_wrap=True
    )
    if item.clause:
        console.print(Text(f"  {item.said}", style="dim"), soft_wrap=True)


def print_question(
    console: Console, example: Comparison, question: Question | None, show: Callable[[Question], str]
) -> None:
    """A question that no text decides, if it is kept, and its id."""
    if question is not None:
        text = show(question).replace("\n", "\n    ")
        console.print(f"    {text}", soft_wrap=True, markup=False, highlight=False)
    console.print(f"    {example.probe}", soft_wrap=True, markup=False, highlight=False)


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


def print_deviation(console: Console, item: Deviations, show: Callable[[Question], str]) -> None:
    """Print one clause, the subjects that break it, and the smallest probe that shows it."""
    head = Text.assemble(
        (item.clause or "no clause", "bold"),
        f"  {item.target}, {item.kind} probes ({item.side}): {item.probes} deviate",
    )
    console.print(head, soft_wrap=True)
    if item.clause:
        console.print(Text(f"  {item.said}", style="dim"), soft_wrap=True)
    subjects = ", ".join(f"{subject}: {count}" for subject, count in item.subjects.items())
    console.print(f"  {subjects}", soft_wrap=True, markup=False, highlight=False)
    if item.example.question is not None:
        text = show(item.example.question).replace("\n", "\n    ")
        console.print(f"    {text}", soft_wrap=True, markup=False, highlight=False)
    words = difference_words(item.example.verdict, item.clause, item.side)
    console.print(f"    {item.example.verdict.probe}: {words}", soft_wrap=True, markup=False, highlight=False)


def difference_words(verdict: Verdict, clause: str, side: str = "") -> str:
    """The difference of a verdict that breaks this clause, on this side if one is named, in words."""
    broken = [item for item in verdict.differences if item.clause == clause]
    return next((str(item) for item in broken if side in {"", item.side}), verdict.detail)


def print_reasons(console: Console, batches: Iterable[BatchDone]) -> None:
    """Print each reason why probes were refused, crashed a tool or were not understood, once; also clauses that decide nothing."""
    reasons: dict[tuple[str, str, str], set[str]] = {}
    for batch in batches:
        for verdict in batch.verdicts:
            if verdict.outcome in TOLD:
                key = (f"{batch.key.target} {batch.key.subject}", verdict.outcome.value, verdict.detail)
                reasons.setdefault(key, set()).add(verdict.probe)
    for number, ((who, outcome, detail), probes) in enumerate(
        sorted(reasons.items(), key=lambda kv: -len(kv[1]))
    ):
        if number == SHOWN_REASONS:
            console.print(f"... and {len(reasons) - SHOWN_REASONS} more reasons", highlight=False)
            break
        console.print(
            f"{who}: {len(probes)} {outcome}: {detail} (e.g. {min(probes)})",
            soft_wrap=True,
            markup=False,
            highlight=False,
        )
