"""What is kept of a triage holds as long as today's model decides, or leaves open, what the one of then did."""

from __future__ import annotations

import pytest

from abiprobe.harness.input import read
from abiprobe.harness.triage.complete import still_holds
from abiprobe.results.causes.blame import Blame, Stand
from abiprobe.results.causes.cluster import Finding, cluster
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom
from abiprobe.results.causes.traits import traits

TARGET, CLAUSE = "x86_64-sysv", "x86_64:class.unnamed-bit-field"
OPEN = "struct S { float a; int : 8; }; void f(struct S a);"
DECIDED = "struct S { float a; int b; }; void f(struct S a);"


@pytest.mark.parametrize(
    ("text", "symptom", "holds"),
    [
        (OPEN, Symptom.DIFFERS, True),
        (OPEN, Symptom.SELF_INCONSISTENT, True),
        (OPEN, Symptom.MISPLACED, False),
        (DECIDED, Symptom.MISPLACED, True),
        (DECIDED, Symptom.DIFFERS, False),
        (OPEN, Symptom.CRASHED, True),
        (DECIDED, Symptom.CRASHED, True),
    ],
)
def test_a_cause_holds_while_the_text_says_as_much(text: str, symptom: Symptom, *, holds: bool) -> None:
    question = read(text, filename="t.h", triple="x86_64-linux-gnu").functions[0]
    crash = symptom is Symptom.CRASHED
    about = Fingerprint(TARGET, symptom, "", "crash in f") if crash else Fingerprint(TARGET, symptom, CLAUSE)
    blame = Blame(Stand.ALONE, ("clang-22",))
    found = Finding(
        about,
        question,
        1,
        traits(question),
        blame,
        "O2",
        "confirmed",
        steady=True,
        probes=("p",),
        subjects={"clang-22": 1},
    )
    assert [still_holds(item) for item in cluster((found,))] == [holds]
