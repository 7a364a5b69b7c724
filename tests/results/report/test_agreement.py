"""One line stands for the table only where it says everything that the table does."""

from __future__ import annotations

import pytest

from abiprobe.oracles.language.question import ProbeKind, Sort
from abiprobe.results.journal.journal import BatchDone, BatchKey
from abiprobe.results.report.agreement import agreement_line
from abiprobe.results.report.summary import Summary
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict, unobserved

X, R = "x86_64-sysv", "riscv64-lp64d"
CLANG, GCC = "clang-22", "gcc-12"
AGREES = Verdict("p", ProbeKind.CALLER, Judgement.AGREES)
DEVIATES = Verdict("q", ProbeKind.CALLER, Judgement.DEVIATES, Outcome.OBSERVED, "c")
OPEN = Verdict("q", ProbeKind.CALLER, Judgement.UNSPECIFIED, Outcome.OBSERVED, "c")
LACKING = unobserved("q", ProbeKind.CALLER, Outcome.UNSUPPORTED, "the compiler has no _BitInt")
ARRIVES = Verdict("p", ProbeKind.PAIR, Judgement.AGREES, partner=CLANG)
LOST = Verdict("p", ProbeKind.PAIR, Judgement.DEVIATES, Outcome.OBSERVED, "c", partner=CLANG)


def batch(target: str, subject: str, *verdicts: Verdict, level: str = "O0") -> BatchDone:
    return BatchDone(BatchKey(target, subject, level, Sort.PROTOTYPES, 0), 1, verdicts)


BOTH = [batch(X, CLANG, AGREES), batch(X, GCC, AGREES, ARRIVES)]


def test_one_compiler_does_as_the_documents_say() -> None:
    found = Summary([batch(X, CLANG, AGREES)])
    assert agreement_line(found) == "as the documents say: clang-22 at -O0 on x86_64-sysv"


def test_several_do_the_same_and_their_calls_arrive() -> None:
    more = [batch(R, CLANG, AGREES), batch(R, GCC, AGREES, ARRIVES)]
    assert agreement_line(Summary([*BOTH, *more])) == (
        "the same, and as the documents say: clang-22 and gcc-12 at -O0 on riscv64-lp64d and x86_64-sysv; "
        "2 calls between them arrive"
    )


def test_many_are_counted() -> None:
    found = Summary([batch(X, f"gcc-{version}", AGREES, level="O2") for version in range(11, 16)])
    assert agreement_line(found) == "the same, and as the documents say: 5 compilers at -O2 on x86_64-sysv"


@pytest.mark.parametrize(
    "more",
    [
        batch(X, GCC, DEVIATES),
        batch(X, GCC, OPEN),
        batch(X, GCC, LACKING),
        batch(X, GCC, LOST),
        batch(R, GCC, AGREES),
        batch(X, GCC, AGREES, level="O2"),
        batch(X, "tcc", level="O0"),
    ],
)
def test_anything_else_takes_the_table(more: BatchDone) -> None:
    assert agreement_line(Summary([*BOTH, more])) is None


def test_nothing_asked_is_no_agreement() -> None:
    assert agreement_line(Summary([])) is None


def test_what_stands_in_for_another_compiler_is_told() -> None:
    assert agreement_line(Summary([batch(X, "standin-arc", AGREES)])) is None
