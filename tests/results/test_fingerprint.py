"""Fingerprints, and who is to blame."""

from __future__ import annotations

import pytest

from abiprobe.oracles.question import ProbeKind
from abiprobe.results.blame import Blame, Stand, blame, family
from abiprobe.results.fingerprint import Fingerprint, Symptom, blamed_value, fingerprints, signature
from abiprobe.results.record import Difference, Judgement, Outcome, Verdict, unobserved

TARGET = "riscv64-lp64d"
CALLER, CALLEE, LAYOUT = ProbeKind.CALLER, ProbeKind.CALLEE, ProbeKind.LAYOUT
PLACED = Fingerprint(TARGET, Symptom.MISPLACED, "x")


def difference(what: str, clause: str, side: str = "caller", *, above: bool = False) -> Difference:
    return Difference(side, what, "a0", "1", "2", clause, above=above)


def deviates(
    *differences: Difference, kind: ProbeKind = CALLER, outcome: Outcome = Outcome.OBSERVED
) -> Verdict:
    return Verdict("p", kind, Judgement.DEVIATES, outcome, "x", "", differences)


def agrees(kind: ProbeKind = CALLER) -> Verdict:
    return Verdict("p", kind, Judgement.AGREES)


SHOWN = [
    ("agreement shows nothing", [agrees()], []),
    (
        "the first misplaced value",
        [deviates(difference("a", "x"), difference("b", "y"))],
        [("misplaced", "x")],
    ),
    (
        "both sides of the same rule are one",
        [deviates(difference("a", "x")), deviates(difference("a", "x", "callee"), kind=CALLEE)],
        [("misplaced", "x")],
    ),
    (
        "bits above are another matter",
        [deviates(difference("a", "e", above=True), difference("b", "x"))],
        [("misplaced", "x"), ("bits above", "e")],
    ),
    (
        "but not above what stands where another value should",
        [deviates(difference("a", "x"), difference("b", "e", above=True))],
        [("misplaced", "x")],
    ),
    ("a program that dies looks elsewhere", [deviates(outcome=Outcome.DIED)], [("misplaced", "x")]),
    (
        "running code repeats what the object says",
        [deviates(difference("m", "x"), kind=LAYOUT), deviates(difference("m", "x"), kind=ProbeKind.VALUES)],
        [("layout", "x")],
    ),
    ("a pair says nothing of who is to blame", [deviates(difference("a", "x"), kind=ProbeKind.PAIR)], []),
    ("DWARF", [deviates(difference("m", "x"), kind=ProbeKind.DEBUG_INFO)], [("debug info", "x")]),
]


@pytest.mark.parametrize(("verdicts", "expected"), [row[1:] for row in SHOWN], ids=[row[0] for row in SHOWN])
def test_what_verdicts_show(verdicts: list[Verdict], expected: list[tuple[str, str]]) -> None:
    found = fingerprints(TARGET, verdicts)
    assert [(item.symptom.value, item.clause) for item in found] == expected


def test_a_tool_that_fails_is_known_by_its_words() -> None:
    one, other = (
        fingerprints(TARGET, [unobserved("p", CALLER, Outcome.CRASHED, words)])
        for words in (
            "unit1.c:3: internal compiler error: in foo, at gcc/bar.cc:17 (0xdeadbeef)",
            "unit9.c:12: internal compiler error: in foo, at gcc/bar.cc:17 (0x1234)",
        )
    )
    assert one == other
    assert one[0].symptom is Symptom.CRASHED
    assert "in foo, at bar.cc" in one[0].words


def test_what_a_tool_quotes_of_the_question_is_no_part_of_its_words() -> None:
    said = {
        f'unit.cu(7): error: "void ({types})" contains a vector, which is not supported in device code'
        for types in ("int, Outer_124", "int, int, Outer_3, T_9")
    } | {'unit.cu(7): error: "int (int, S_1)" contains a vector, which is not supported in device code'}
    found = {fingerprints(TARGET, [unobserved("p", CALLER, Outcome.REFUSED, words)]) for words in said}
    assert len(found) == 1


def test_a_signature_is_short_however_much_is_said() -> None:
    assert len(signature("error: " + "too much " * 250_000)) <= 200
    assert signature("SIGSEGV") == "SIGSEGV"


def test_the_value_that_is_not_as_predicted() -> None:
    verdicts = [deviates(difference("a", "e", above=True), difference("b", "x"))]
    assert blamed_value(PLACED, verdicts) == "b"
    assert blamed_value(Fingerprint(TARGET, Symptom.ABOVE, "e"), verdicts) == "a"
    assert blamed_value(Fingerprint(TARGET, Symptom.LAYOUT, "z"), verdicts) == ""


WRONG, RIGHT = deviates(difference("a", "x")), agrees()
ELSE = deviates(difference("a", "z"))
SILENT = unobserved("p", CALLER, Outcome.UNSUPPORTED)
BLAMED = [
    ("one subject", {"clang-22": WRONG, "gcc-12": RIGHT}, Stand.ALONE),
    ("one family", {"clang-22": WRONG, "zig": WRONG, "gcc-12": RIGHT}, Stand.ALONE),
    ("an older one of the family", {"clang-14": WRONG, "clang-22": RIGHT}, Stand.ALONE),
    ("two camps", {"clang-22": WRONG, "tcc": WRONG, "gcc-12": RIGHT}, Stand.SPLIT),
    ("everybody", {"clang-22": WRONG, "gcc-12": WRONG}, Stand.MODEL),
    ("nobody else", {"clang-22": WRONG, "gcc-12": SILENT}, Stand.UNOPPOSED),
    ("the other deviates otherwise", {"clang-22": WRONG, "gcc-12": ELSE}, Stand.UNOPPOSED),
]


@pytest.mark.parametrize(("seen", "expected"), [row[1:] for row in BLAMED], ids=[row[0] for row in BLAMED])
def test_who_stands_where(seen: dict[str, Verdict], expected: Stand) -> None:
    found = blame(PLACED, {(subject, "O2"): (verdict,) for subject, verdict in seen.items()})
    assert found.stand is expected
    assert set(found.deviating) == {subject for subject, verdict in seen.items() if verdict is WRONG}
    assert set(found.agreeing) == {subject for subject, verdict in seen.items() if verdict is RIGHT}
    assert set(found.otherwise) == {subject for subject, verdict in seen.items() if verdict is ELSE}
    assert set(found.unobserved) == {subject for subject, verdict in seen.items() if verdict is SILENT}


def test_a_toolchain_whose_sides_differ() -> None:
    torn = (deviates(difference("a", "x", "callee"), kind=CALLEE), agrees())
    both = (deviates(difference("a", "x")), deviates(difference("a", "x", "callee"), kind=CALLEE))
    found = blame(PLACED, {("clang-22", "O2"): torn, ("gcc-12", "O2"): both})
    assert found.torn == ("clang-22",)
    assert "caller and callee of clang-22 differ" in str(found)


def test_a_compiler_against_its_own_debug_information() -> None:
    verdict = deviates(difference("m", "x"), kind=ProbeKind.DEBUG_INFO)
    found = blame(Fingerprint(TARGET, Symptom.DEBUG_INFO, "x"), {("clang-14", "O0"): (verdict,)})
    assert found == Blame(Stand.DEBUG_INFO, ("clang-14",), levels=("O0",))


def test_levels_at_which_it_shows() -> None:
    seen = {("clang-22", "O0"): (RIGHT,), ("clang-22", "O2"): (WRONG,), ("gcc-12", "O2"): (RIGHT,)}
    assert blame(PLACED, seen).levels == ("O2",)


def test_families() -> None:
    names = (
        "clang-19",
        "clang:/opt/x/clang",
        "zig",
        "clang-22 -fshort-enums",
        "clang-22@aarch64-linux-gnu",
        "tcc",
    )
    assert [family(name) for name in names] == ["clang"] * 5 + ["tcc"]


def test_what_is_not_kept_and_what_is_not_named() -> None:
    kept = Verdict("p", ProbeKind.PRESERVATION, Judgement.DEVIATES, clause="x86_64:stack.preserved")
    names = Verdict("p", ProbeKind.VARIANTS, Judgement.DEVIATES, clause="vfabi:variants.isa")
    pair = Verdict("p", ProbeKind.PAIR, Judgement.DEVIATES, clause="x86_64:pass.sse", partner="gcc-12")
    moved = Verdict("p", ProbeKind.CALLER, Judgement.DEVIATES, clause="x86_64:pass.sse")
    told = [(item.symptom, item.clause) for item in fingerprints("x86_64-sysv", [kept, names, pair])]
    assert told == [(Symptom.KEPT, kept.clause), (Symptom.NAMES, names.clause)]
    assert [item.symptom for item in fingerprints("x86_64-sysv", [moved, kept])] == [Symptom.MISPLACED]
