"""What a small compiler lacks is told in a line."""

from __future__ import annotations

import msgspec
import pytest

from abiprobe.oracles.language.question import ProbeKind, Sort
from abiprobe.results.coverage.lacking import lacking_lines
from abiprobe.results.journal.journal import BatchDone, BatchKey
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

AGREES = Verdict("", ProbeKind.CALLER, Judgement.AGREES)
LACKS = Verdict(
    "",
    ProbeKind.CALLER,
    Judgement.UNOBSERVED,
    Outcome.UNSUPPORTED,
    detail="the compiler has no packed, vector",
)
OTHERWISE = msgspec.structs.replace(LACKS, detail="this target has no regparm")


def batch(*verdicts: Verdict) -> BatchDone:
    """A batch with these verdicts, each on a probe of its own."""
    numbered = tuple(msgspec.structs.replace(one, probe=str(number)) for number, one in enumerate(verdicts))
    return BatchDone(BatchKey("x86_64-sysv", "cc:small", "O0", Sort.PROTOTYPES, 0), len(verdicts), numbered)


@pytest.mark.parametrize(
    ("verdicts", "line"),
    [
        ((LACKS, AGREES), "x86_64-sysv cc:small: 1 of 2 probes not asked, which need packed, vector"),
        ((LACKS, AGREES, AGREES, AGREES), ""),
        ((OTHERWISE, OTHERWISE), ""),
        ((AGREES,), ""),
    ],
)
def test_a_line_for_who_lacks_much(verdicts: tuple[Verdict, ...], line: str) -> None:
    assert "\n".join(lacking_lines([batch(*verdicts)])) == line
