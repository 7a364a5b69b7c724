"""The parts of a triage, and the order in which causes are told."""

from __future__ import annotations

from msgspec.structs import replace

from abiprobe.oracles.lang import Kind, Param, Prototype, Scalar
from abiprobe.results.blame import Blame, Stand
from abiprobe.results.cluster import Cluster, Finding, cluster
from abiprobe.results.fingerprint import Fingerprint, Symptom
from abiprobe.results.parts import Part, in_order, part_of

EXAMPLE = Prototype("f", None, (Param("a", Scalar(Kind.INT)),))
BLAME = Blame(Stand.ALONE, ("clang-22",), ("gcc-12",))
FOUND = Finding(
    Fingerprint("x86_64-sysv", Symptom.MISPLACED, "x86_64:pass.sse"),
    EXAMPLE,
    10,
    frozenset({"vector"}),
    BLAME,
    "O0",
    "confirmed",
    steady=True,
    probes=("p", "q"),
    subjects={"clang-22": 2},
)


def one(finding: Finding) -> Cluster:
    (found,) = cluster([finding])
    return found


TEXT = one(FOUND)
RARE = one(replace(FOUND, traits=frozenset({"union"}), probes=("p",)))
MODEL = one(replace(FOUND, blame=Blame(Stand.MODEL, ("clang-22", "gcc-12"))))
FLAKY = one(replace(FOUND, steady=False, traits=frozenset({"long double"})))
TOOL = one(
    replace(
        FOUND,
        fingerprint=Fingerprint("x86_64-sysv", Symptom.CRASHED, "", "internal compiler error"),
        probes=("p",),
    )
)


def test_each_cause_has_its_part() -> None:
    parts = [part_of(item) for item in (TEXT, MODEL, TOOL, RARE, FLAKY)]
    assert parts == list(Part)


def test_what_is_new_comes_first_and_nothing_is_left_out() -> None:
    everything = [FLAKY, RARE, TOOL, MODEL, TEXT]
    assert in_order(everything, ()) == everything[::-1]
    assert in_order(everything, {TEXT.id, TOOL.id}) == [MODEL, RARE, FLAKY, TEXT, TOOL]
