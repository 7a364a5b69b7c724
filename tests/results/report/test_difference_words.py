"""A line of the listing by clause tells of the side that it stands under."""

from __future__ import annotations

import pytest
from laboratory import said

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.report.terminal import difference_words
from abiprobe.results.verdicts.record import Difference, Judgement, Verdict

CLAUSE = "x86_64:result.memory"
OTHER = "x86_64:pass.memory"


def difference(side: str, clause: str = CLAUSE) -> Difference:
    return said.difference(side=side, what="result", place="memory", expected="00", seen="6b", clause=clause)


VERDICT = Verdict(
    "p",
    ProbeKind.RESULT,
    Judgement.DEVIATES,
    clause=CLAUSE,
    detail="all of it",
    differences=(difference("caller", OTHER), difference("callee"), difference("caller")),
)


@pytest.mark.parametrize(
    ("clause", "side", "expected"),
    [
        (CLAUSE, "callee", str(difference("callee"))),
        (CLAUSE, "caller", str(difference("caller"))),
        (CLAUSE, "", str(difference("callee"))),
        (OTHER, "caller", str(difference("caller", OTHER))),
        (OTHER, "callee", "all of it"),
    ],
)
def test_the_difference_of_the_side_is_told(clause: str, side: str, expected: str) -> None:
    assert difference_words(VERDICT, clause, side) == expected
