"""The examples of causes in the languages of the compilers that show them."""

from __future__ import annotations

from abiprobe.harness.triage.cause_details import example_text
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.results.causes.blame import Blame, Stand
from abiprobe.results.causes.cluster import Cluster, Finding
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom

QUESTION = Prototype("f", None, (Param("a", Scalar(Kind.SHORT)),))


def cause(subject: str) -> Cluster:
    shown = Finding(
        Fingerprint("x86_64-sysv", Symptom.ABOVE, "x86_64:pass.narrow"),
        QUESTION,
        1,
        frozenset(),
        Blame(Stand.ALONE, (subject,), ("gcc-12",)),
        "O2",
        "confirmed by 3 fresh runs",
        steady=True,
        probes=("p",),
        subjects={subject: 1},
    )
    return Cluster(f"c-{subject}", (), Symptom.ABOVE, (shown,), 1, {subject: 1})


def test_causes_that_share_an_example_are_each_in_the_language_of_who_shows_them() -> None:
    texts = [example_text(one) for one in map(cause, ("zig-lang", "rustc", "gcc-12"))]
    assert [[line for line in text.splitlines() if line.startswith("in ")] for text in texts] == [
        ["in zig:"],
        ["in rust:"],
        [],
    ]
