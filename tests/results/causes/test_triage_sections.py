"""The parts of a triage, and the order in which causes are told."""

from __future__ import annotations

import io

from msgspec.structs import replace
from rich.console import Console

from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.results.causes.blame import Blame, Stand
from abiprobe.results.causes.cluster import Cluster, Finding, cluster
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom
from abiprobe.results.causes.triage_sections import Section, reading_order, section_of
from abiprobe.results.report.triage_text import print_rest

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
OPEN = one(
    replace(
        FOUND,
        fingerprint=Fingerprint("x86_64-sysv", Symptom.DIFFERS, "x86_64:class.unnamed-bit-field"),
        blame=Blame(Stand.UNDECIDED, ("clang-22", "gcc-12")),
    )
)
FLAKY = one(replace(FOUND, steady=False, traits=frozenset({"long double"})))
TOOL = one(
    replace(
        FOUND,
        fingerprint=Fingerprint("x86_64-sysv", Symptom.CRASHED, "", "internal compiler error"),
        probes=("p",),
    )
)


def test_each_cause_has_its_part() -> None:
    parts = [section_of(item) for item in (TEXT, MODEL, OPEN, TOOL, RARE, FLAKY)]
    assert parts == list(Section)


def test_what_is_new_comes_first_and_nothing_is_left_out() -> None:
    """Even what one probe alone shows comes before all that is known."""
    everything = [FLAKY, RARE, TOOL, MODEL, TEXT]
    assert reading_order(everything, ()) == everything[::-1]
    assert reading_order(everything, {TEXT.id, TOOL.id}) == [MODEL, RARE, TEXT, TOOL, FLAKY]


def test_headings_and_lines_of_a_listing_are_in_that_order() -> None:
    file = io.StringIO()
    console = Console(file=file, width=200)
    ordered = reading_order([FLAKY, RARE, TOOL, MODEL, TEXT], {TEXT.id, TOOL.id})
    print_rest(console, ordered, {TEXT.id, TOOL.id}, lambda item: "known" if item in (TEXT, TOOL) else "")
    headings = [line.partition(",")[0] for line in file.getvalue().splitlines() if "in short" in line]
    assert headings == [
        f"New: {Section.MODEL.value.partition(',')[0]}",
        f"New: {Section.RARE.value}",
        f"Known: {Section.TEXT.value}",
        f"Known: {Section.TOOL.value.partition(',')[0]}",
        Section.FLAKY.value,
    ]
    assert "1 probe, clang-22; new" in file.getvalue()
    assert "1 probes" not in file.getvalue()
