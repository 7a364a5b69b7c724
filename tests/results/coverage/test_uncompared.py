"""Of whom nothing was compared in a run, and what of it decides the exit status."""

from __future__ import annotations

import pytest

from abiprobe.oracles.language.question import ProbeKind, Sort
from abiprobe.results.coverage.counts import exit_status
from abiprobe.results.coverage.differing import comparisons
from abiprobe.results.coverage.uncompared import ALONE, coverage
from abiprobe.results.journal.journal import BatchDone, BatchKey, Named, Unusable
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict, unobserved

X, S = "x86_64-sysv", "sparc64"
WELL, BAD = "gcc-12", "gcc:./bad"
AGREES = Verdict("p", ProbeKind.CALLER, Judgement.AGREES)
LAID_OUT = Verdict("l", ProbeKind.LAYOUT, Judgement.AGREES)
KILLED = unobserved("p", ProbeKind.CALLER, Outcome.NOT_RUN, "it was killed")
LACKING = unobserved("p", ProbeKind.CALLER, Outcome.UNSUPPORTED, "the compiler has no _BitInt")
REFUSED = unobserved("p", ProbeKind.CALLER, Outcome.REFUSED, "error: no")
OPEN = Verdict("o", ProbeKind.CALLER, Judgement.UNSPECIFIED, Outcome.OBSERVED, "c", "")
BOTH = Named((X,), (WELL, BAD))


def batch(subject: str, *verdicts: Verdict, target: str = X, level: str = "O0") -> BatchDone:
    return BatchDone(BatchKey(target, subject, level, Sort.PROTOTYPES, 0), len(verdicts), verdicts)


RUNS = [
    ("both compared", (batch(WELL, AGREES), batch(BAD, AGREES)), BOTH, ()),
    (
        "one killed on all",
        (batch(WELL, AGREES), batch(BAD, KILLED)),
        BOTH,
        ("nothing was compared of gcc:./bad -O0 on x86_64-sysv: it was killed",),
    ),
    (
        "at one level",
        (batch(WELL, AGREES), batch(BAD, AGREES), batch(BAD, KILLED, level="O2")),
        BOTH,
        ("nothing was compared of gcc:./bad -O2 on x86_64-sysv: it was killed",),
    ),
    (
        "at both levels, for one reason",
        (batch(WELL, AGREES), batch(BAD, REFUSED), batch(BAD, REFUSED, level="O2")),
        BOTH,
        ("nothing was compared of gcc:./bad -O0 -O2 on x86_64-sysv: refused: error: no",),
    ),
    (
        "its calls only",
        (batch(WELL, AGREES), batch(BAD, LAID_OUT, KILLED)),
        BOTH,
        ("nothing was compared of the calls of gcc:./bad -O0 on x86_64-sysv: it was killed",),
    ),
    ("it could not be asked about calls", (batch(WELL, AGREES), batch(BAD, LAID_OUT, LACKING)), BOTH, ()),
    (
        "an open question that it is asked alone",
        (batch(WELL, AGREES), batch(BAD, OPEN)),
        BOTH,
        (f"nothing was compared of gcc:./bad -O0 on x86_64-sysv: {ALONE}",),
    ),
    (
        "never asked",
        (batch(WELL, AGREES),),
        BOTH,
        ("nothing was compared of gcc:./bad: it was given no question",),
    ),
    (
        "left out before",
        (batch(WELL, AGREES),),
        Named((X,), (WELL, BAD), (Unusable(BAD, "is not installed"),)),
        ("nothing was compared of gcc:./bad: is not installed",),
    ),
    (
        "a target without a compiler",
        (batch(WELL, AGREES),),
        Named((X, S), (WELL,)),
        ("nothing was compared of sparc64: it was given no question",),
    ),
    ("nothing at all", (), Named(), ()),
]


@pytest.mark.parametrize(
    ("batches", "named", "lines"), [row[1:] for row in RUNS], ids=[row[0] for row in RUNS]
)
def test_of_whom_nothing_was_compared(
    batches: tuple[BatchDone, ...], named: Named, lines: tuple[str, ...]
) -> None:
    assert coverage(batches, comparisons(batches), named).lines == lines
    assert exit_status(batches, named) == (3 if lines or not batches else 0)


def test_who_was_not_named_is_told_and_does_not_count() -> None:
    batches = (batch(WELL, AGREES), batch(BAD, KILLED))
    (only,) = coverage(batches, comparisons(batches)).uncompared
    assert not only.named
    assert (coverage(batches, comparisons(batches)).complete, exit_status(batches)) == (True, 0)


def test_a_compiler_that_lacks_what_one_target_needs_counts_where_the_target_is_named() -> None:
    batches = (batch(WELL, AGREES), batch(WELL, LACKING, target=S), batch(BAD, AGREES, target=S))
    assert [
        item.named for item in coverage(batches, comparisons(batches), Named((), (WELL,))).uncompared
    ] == [False]
    assert [
        item.named for item in coverage(batches, comparisons(batches), Named((S, X), (WELL,))).uncompared
    ] == [True]


def test_single_questions_count_where_each_is_a_users_own() -> None:
    other = unobserved("q", ProbeKind.CALLER, Outcome.NOT_RUN, "it was killed")
    batches = (batch(WELL, AGREES, LACKING), batch(BAD, AGREES, other))
    assert coverage(batches, comparisons(batches), BOTH).complete
    found = coverage(batches, comparisons(batches), BOTH, each=True)
    said = "nothing was compared of 1 of the calls of gcc:./bad -O0 on x86_64-sysv: it was killed"
    assert (found.lines, found.complete) == ((said,), False)
