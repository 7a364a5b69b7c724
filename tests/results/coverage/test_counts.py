"""Counting verdicts, gathering deviations, and the exit status."""

from __future__ import annotations

import pytest
from laboratory import said

from abiprobe.oracles.language.lang import Kind, Member, Record, Scalar
from abiprobe.oracles.language.question import ProbeKind, Sort, probe
from abiprobe.results.coverage.counts import COLUMNS, deviations, exit_status, rows
from abiprobe.results.journal.journal import BatchDone, BatchKey, Kept
from abiprobe.results.verdicts.record import Difference, Judgement, Outcome, Verdict, unobserved

CALLER, CALLEE, RESULT, LAYOUT = (
    ProbeKind.CALLER,
    ProbeKind.CALLEE,
    ProbeKind.RESULT,
    ProbeKind.LAYOUT,
)


def batch(
    *verdicts: Verdict, subject: str = "gcc-12", level: str = "O0", kept: tuple[Kept, ...] = ()
) -> BatchDone:
    key = BatchKey("riscv64-lp64d", subject, level, Sort.PROTOTYPES, 0)
    return BatchDone(key, len({verdict.probe for verdict in verdicts}), verdicts, kept)


def agrees(name: str, kind: ProbeKind = CALLER) -> Verdict:
    return Verdict(name, kind, Judgement.AGREES)


def deviates(name: str, *differences: Difference, kind: ProbeKind = CALLER) -> Verdict:
    clause = differences[0].clause if differences else "c"
    return Verdict(name, kind, Judgement.DEVIATES, Outcome.OBSERVED, clause, "", differences)


def difference(what: str, clause: str, side: str = "caller", *, above: bool = False) -> Difference:
    return said.difference(side, what, "a0", "1", "2", clause, above=above)


UNSPECIFIED = Verdict("u", CALLER, Judgement.UNSPECIFIED, Outcome.OBSERVED, "c")

CASCADES = [
    ("one", [difference("a", "x")], {("x", "caller")}),
    ("those after the first are moved", [difference("a", "x"), difference("b", "y")], {("x", "caller")}),
    (
        "each side has its first",
        [difference("a", "x"), difference("b", "y", "callee"), difference("c", "z", "callee")],
        {("x", "caller"), ("y", "callee")},
    ),
    (
        "an extension moves nothing",
        [difference("a", "extend", above=True), difference("b", "x"), difference("c", "y")],
        {("extend", "caller"), ("x", "caller")},
    ),
    (
        "an extension after a moved value counts",
        [difference("a", "x"), difference("b", "extend", above=True)],
        {("extend", "caller"), ("x", "caller")},
    ),
    (
        "a count follows from a value that the callee looks for elsewhere",
        [difference("vector count", "n"), difference("a", "x", "callee")],
        {("x", "callee")},
    ),
    ("a count alone", [difference("vector count", "n")], {("n", "caller")}),
    (
        "extensions only",
        [difference("a", "e1", above=True), difference("b", "e2", above=True)],
        {("e1", "caller"), ("e2", "caller")},
    ),
]


@pytest.mark.parametrize(
    ("differences", "expected"), [row[1:] for row in CASCADES], ids=[row[0] for row in CASCADES]
)
def test_the_clauses_that_a_deviation_breaks(
    differences: list[Difference], expected: set[tuple[str, str]]
) -> None:
    assert deviates("p", *differences).broken == expected


def test_a_program_that_died_breaks_its_clause() -> None:
    died = Verdict("p", CALLEE, Judgement.DEVIATES, Outcome.DIED, "c", "the program died: SIGSEGV")
    assert died.broken == {("c", "died")}


COLUMN_OF = [
    ((agrees("p"), agrees("p", CALLEE)), "agrees"),
    ((agrees("p"), deviates("p", kind=CALLEE)), "deviates"),
    ((agrees("p"), unobserved("p", RESULT, Outcome.NOTHING)), "agrees"),
    ((unobserved("p", CALLER, Outcome.NOTHING), unobserved("p", CALLEE, Outcome.NOTHING)), "unobserved"),
    ((Verdict("p", CALLER, Judgement.UNSPECIFIED), unobserved("p", CALLEE, Outcome.NOTHING)), "unspecified"),
    ((unobserved("p", CALLER, Outcome.UNSUPPORTED),), "unobserved"),
    ((unobserved("p", CALLER, Outcome.TOO_LARGE),), "unobserved"),
    ((unobserved("p", CALLER, Outcome.REFUSED), unobserved("p", CALLEE, Outcome.REFUSED)), "refused"),
    ((unobserved("p", CALLER, Outcome.CRASHED),), "crashed"),
    ((unobserved("p", CALLER, Outcome.TIMED_OUT),), "crashed"),
]


@pytest.mark.parametrize(("verdicts", "column"), COLUMN_OF)
def test_a_probe_counts_once_whatever_its_kinds(verdicts: tuple[Verdict, ...], column: str) -> None:
    (row,) = rows([batch(*verdicts)])
    assert row.counts == {name: int(name in {"probes", column}) for name in COLUMNS}


def test_rows_add_batches_of_the_same_subject_and_level() -> None:
    batches = [
        batch(agrees("p"), subject="zig"),
        batch(agrees("p"), deviates("q")),
        batch(agrees("r")),
        batch(agrees("p"), level="O2"),
    ]
    counted = [
        (row.subject, row.level, row.counts["probes"], row.counts["deviates"]) for row in rows(batches)
    ]
    assert counted == [("gcc-12", "O0", 3, 1), ("gcc-12", "O2", 1, 0), ("zig", "O0", 1, 0)]


def test_the_columns_of_a_row_add_up_to_its_probes() -> None:
    verdicts = [verdict for verdicts, _ in COLUMN_OF for verdict in verdicts]
    (row,) = rows([batch(*verdicts, UNSPECIFIED, deviates("q"), agrees("r"))])
    assert sum(row.counts[name] for name in COLUMNS if name != "probes") == row.counts["probes"]


def test_deviations_are_gathered_by_clause_most_frequent_first() -> None:
    often, seldom = difference("a", "often"), difference("a", "seldom")
    batches = [
        batch(deviates("p", often), deviates("q", often), deviates("r", seldom)),
        batch(deviates("p", often), subject="zig"),
        batch(deviates("p", often), level="O2"),
    ]
    found = deviations(batches)
    assert [(item.clause, item.probes) for item in found] == [("often", 2), ("seldom", 1)]
    assert found[0].subjects == {"gcc-12 -O0": 2, "gcc-12 -O2": 1, "zig -O0": 1}


def test_the_example_is_the_smallest_question_that_was_kept() -> None:
    small = probe(Record("S", (Member(Scalar(Kind.INT), "a"),)))
    large = probe(Record("S", (Member(Scalar(Kind.INT), "a"), Member(Scalar(Kind.INT), "b"))))
    kept = tuple(Kept(one.id, one.question) for one in (large, small))
    verdicts = [deviates(name, kind=LAYOUT) for name in (large.id, "unknown", small.id)]
    (item,) = deviations([batch(*verdicts, kept=kept)])
    assert item.example.question == small.question


CRASHED = unobserved("p", CALLER, Outcome.CRASHED)
STATUSES = [
    ((agrees("p"),), 0),
    ((agrees("p"), UNSPECIFIED, unobserved("q", CALLER, Outcome.REFUSED)), 0),
    ((agrees("p"), deviates("q")), 1),
    ((deviates("q"), CRASHED), 1),
    ((), 3),
    ((UNSPECIFIED,), 3),
    ((unobserved("p", CALLER, Outcome.NOTHING),), 3),
    ((unobserved("p", CALLER, Outcome.UNSUPPORTED), unobserved("q", CALLER, Outcome.REFUSED)), 3),
    ((agrees("p"), CRASHED), 4),
    ((agrees("p"), unobserved("q", CALLER, Outcome.TIMED_OUT)), 4),
]


@pytest.mark.parametrize(("verdicts", "status"), STATUSES)
def test_the_exit_status(verdicts: tuple[Verdict, ...], status: int) -> None:
    assert exit_status([batch(*verdicts)]) == status
