"""A table of which clauses each release breaks."""

from __future__ import annotations

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.journal.journal import BatchDone, BatchKey, Header, Plan, Run
from abiprobe.results.report.releases import releases_section
from abiprobe.results.verdicts.record import Judgement, Verdict

TARGET = "riscv64-lp64d"


def batch(subject: str, *verdicts: Verdict) -> BatchDone:
    return BatchDone(BatchKey(TARGET, subject, "O0", "prototypes", 0), len(verdicts), verdicts)


def test_a_row_for_each_clause_and_a_column_for_each_subject() -> None:
    bad = Verdict("p", ProbeKind.CALLER, Judgement.DEVIATES, clause="riscv:int.extend")
    again = Verdict("p", ProbeKind.CALLEE, Judgement.DEVIATES, clause="riscv:int.extend")
    good = Verdict("q", ProbeKind.CALLER, Judgement.AGREES)
    header = Header(1, "0", "now", Plan(1, 1, (TARGET,), ("old", "new", "other"), ("O0",)), ())
    run = Run(header, (batch("old", bad, again, good), batch("new", good)), None)
    lines = releases_section([run]).splitlines()
    assert lines[-2:] == [
        f"| {TARGET} | probes compared | 2 | 1 | - |",
        "| | `riscv:int.extend` | 1 |  | - |",
    ]
