"""Fingerprints, and who is to blame."""

from __future__ import annotations

import pytest
from laboratory import said
from msgspec.structs import replace

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.quirks.versions import family
from abiprobe.results.causes.answers import Answers
from abiprobe.results.causes.blame import Blame, Stand, blame
from abiprobe.results.causes.fingerprint import (
    Fingerprint,
    Symptom,
    blamed_value,
    by_quirks,
    fingerprints,
    is_telling,
    signature,
)
from abiprobe.results.verdicts.record import Difference, Judgement, Outcome, Verdict, unobserved

TARGET = "riscv64-lp64d"
CALLER, CALLEE, LAYOUT = ProbeKind.CALLER, ProbeKind.CALLEE, ProbeKind.LAYOUT
PLACED = Fingerprint(TARGET, Symptom.MISPLACED, "x")


def difference(what: str, clause: str, side: str = "caller", *, above: bool = False) -> Difference:
    return said.difference(side, what, "a0", "1", "2", clause, above=above)


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
    (
        "a named argument out of place moves the unnamed ones",
        [deviates(difference("a", "x")), deviates(difference("...0", "y"), kind=ProbeKind.VARIADIC)],
        [("misplaced", "x")],
    ),
    (
        "but only on its own side of the call",
        [
            deviates(difference("a", "x")),
            deviates(difference("...0", "y", "callee"), kind=ProbeKind.VARIADIC),
        ],
        [("misplaced", "x"), ("misplaced", "y")],
    ),
    (
        "and bits above a named argument move nothing",
        [
            deviates(difference("a", "e", above=True)),
            deviates(difference("...0", "y"), kind=ProbeKind.VARIADIC),
        ],
        [("misplaced", "y"), ("bits above", "e")],
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


SAME_WORDS = {
    "a front end that died, by whatever driver": (
        "clang: error: clang frontend command failed with exit code 136 (use -v to see invocation)",
        "clang-22: error: clang frontend command failed with exit code 136 (use -v to see invocation)",
        "zig: error: clang frontend command failed with exit code 136 (use -v to see invocation)",
        "clang-13: error: unable to execute command: Floating point exception (core dumped)",
    ),
    "code that cannot be selected": (
        "error in backend: Cannot select: 0x...: v8i16,ch = load<(load (s32) from %ir.1, align 8)> 0x..., undef:i64",
        "fatal error: error in backend: Cannot select: t12: v8i16,ch = load<(load (s16) from %stack.3)> t0, t7:1",
        "LLVM ERROR: Cannot select: 0x55d0c8a3f2b8: v8i16,ch = load<(dereferenceable load (s32))> 0x55d0c8a3f100",
    ),
    "an error of the back end": (
        "error in backend: Cannot implicitly convert a scalable size",
        "fatal error: error in backend: Cannot implicitly convert a scalable size",
    ),
    "an internal error of versions of gcc": (
        "unit1.c:3:5: internal compiler error: in foo, at gcc/calls.c:17",
        "unit12.c:8: internal compiler error: in foo, at ../../src/gcc/calls.cc:1923",
    ),
    "registers and temporary files": (
        "error: cannot save $x10 in /tmp/unit-2d8e84.s",
        "clang-19: error: cannot save $v8m2 in /var/unit-aabbcc.s",
    ),
}


@pytest.mark.parametrize("said", SAME_WORDS.values(), ids=SAME_WORDS)
def test_one_failure_has_the_same_words_across_versions_and_drivers(said: tuple[str, ...]) -> None:
    assert len(set(map(signature, said))) == 1, {signature(one) for one in said}
    assert len({signature(signature(one)) for one in said}) == 1


OTHER_WORDS = [
    "clang: error: clang frontend command failed with exit code 136 (use -v to see invocation)",
    "clang: error: clang frontend command failed with exit code 139 (use -v to see invocation)",
    "error in backend: Cannot select: t12: v8i16,ch = load<(load (s16) from %stack.3)> t0, t7:1",
    "error in backend: Cannot select: t12: v8f16,ch = load<(load (s16) from %stack.3)> t0, t7:1",
    "error in backend: Cannot select: t12: v8i16 = X86ISD::VZEXT_LOAD t1",
    "error in backend: Do not know how to split the result of this operator!",
    "internal compiler error: in foo, at calls.cc:17",
    "internal compiler error: in foo, at expr.cc:17",
    "Assertion `isa<X>(Val)' failed",
    "Assertion `isa<Y>(Val)' failed",
    "crash in clang::CodeGen::CodeGenTypes::arrangeLLVMFunctionInfo",
]


def test_two_failures_have_not_the_same_words() -> None:
    assert len(set(map(signature, OTHER_WORDS))) == len(OTHER_WORDS)


def test_words_that_name_no_place_in_the_tool_tell_nothing() -> None:
    silent = ("SIGSEGV", "exit status 1", "it did not come to an end", OTHER_WORDS[1])
    assert not any(is_telling(signature(one)) for one in silent)
    assert all(is_telling(signature(one)) for one in ("the compiler died (SIGFPE)", *OTHER_WORDS[2:]))


def test_what_a_tool_quotes_of_the_question_is_no_part_of_its_words() -> None:
    said = {
        f'unit.cu(7): error: "void ({types})" contains a vector, which is not supported in device code'
        for types in ("int, Outer_124", "int, int, Outer_3, T_9")
    } | {
        'unit.cu(7): error: "int (int, S_1)" contains a vector, which is not supported in device code',
        'probe_0(4): error: "const Outer_0" contains a vector, which is not supported in device code',
    }
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
    found = blame(
        PLACED, Answers(TARGET, "p", {(subject, "O2"): (verdict,) for subject, verdict in seen.items()})
    )
    assert found.stand is expected
    assert set(found.deviating) == {subject for subject, verdict in seen.items() if verdict is WRONG}
    assert set(found.agreeing) == {subject for subject, verdict in seen.items() if verdict is RIGHT}
    assert set(found.otherwise) == {subject for subject, verdict in seen.items() if verdict is ELSE}
    assert set(found.unobserved) == {subject for subject, verdict in seen.items() if verdict is SILENT}


def test_a_toolchain_whose_sides_differ() -> None:
    inconsistent = (deviates(difference("a", "x", "callee"), kind=CALLEE), agrees())
    both = (deviates(difference("a", "x")), deviates(difference("a", "x", "callee"), kind=CALLEE))
    found = blame(PLACED, Answers(TARGET, "p", {("clang-22", "O2"): inconsistent, ("gcc-12", "O2"): both}))
    assert found.self_inconsistent == ("clang-22",)
    assert "caller and callee of clang-22 disagree" in str(found)


SENTENCES = [
    (
        Blame(Stand.ALONE, ("clang-16", "clang-22"), ("gcc-12",)),
        Symptom.MISPLACED,
        "clang-16 and clang-22 deviate from the text; gcc-12 follows it",
    ),
    (
        Blame(Stand.SPLIT, ("clang-16", "gcc-11", "tcc"), ("gcc-12", "pcc"), ("zig",)),
        Symptom.LAYOUT,
        "clang-16, gcc-11 and tcc deviate from the text; gcc-12 and pcc follow it; zig deviates in another way",
    ),
    (
        Blame(Stand.UNOPPOSED, ("gcc-12",)),
        Symptom.ABOVE,
        "gcc-12 deviates from the text; no other compiler can be compared",
    ),
    (
        Blame(Stand.MODEL, ("clang-22", "gcc-12")),
        Symptom.LAYOUT,
        "clang-22 and gcc-12 deviate from the model, and no compiler follows it",
    ),
    (Blame(Stand.ALONE, ("clang-22",), ("gcc-12",)), Symptom.CRASHED, "clang-22 crashed; gcc-12 compiles it"),
    (
        Blame(Stand.SPLIT, (), ("gcc-12",), ("clang-19",)),
        Symptom.MISPLACED,
        "no compiler shows it again; gcc-12 follows the text; clang-19 deviates in another way",
    ),
    (Blame(Stand.UNDECIDED, ()), Symptom.DIFFERS, "no compiler shows it again"),
    (
        Blame(Stand.DEBUG_INFO, ("clang-14",)),
        Symptom.DEBUG_INFO,
        "the debug information of clang-14 contradicts its own code",
    ),
]


@pytest.mark.parametrize(("found", "symptom", "words"), SENTENCES)
def test_blame_in_a_sentence(found: Blame, symptom: Symptom, words: str) -> None:
    assert found.describe(symptom) == words


def test_a_compiler_against_its_own_debug_information() -> None:
    verdict = deviates(difference("m", "x"), kind=ProbeKind.DEBUG_INFO)
    found = blame(
        Fingerprint(TARGET, Symptom.DEBUG_INFO, "x"), Answers(TARGET, "p", {("clang-14", "O0"): (verdict,)})
    )
    assert found == Blame(Stand.DEBUG_INFO, ("clang-14",), levels=("O0",))


def test_levels_at_which_it_shows() -> None:
    seen = {("clang-22", "O0"): (RIGHT,), ("clang-22", "O2"): (WRONG,), ("gcc-12", "O2"): (RIGHT,)}
    assert blame(PLACED, Answers(TARGET, "p", seen)).levels == ("O2",)


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
    others = (
        "zig-lang",
        "zig-lang -fno-llvm",
        "rustc-1.85",
        "rustc:/opt/rustc",
        "subject:/home/d",
        "subject:/home/e",
    )
    assert [family(name) for name in others] == [
        "zig-lang",
        "zig-lang",
        "rustc",
        "rustc",
        "subject:/home/d",
        "subject:/home/e",
    ]


def test_what_is_not_kept_and_what_is_not_named() -> None:
    kept = Verdict("p", ProbeKind.PRESERVATION, Judgement.DEVIATES, clause="x86_64:stack.preserved")
    names = Verdict("p", ProbeKind.VARIANTS, Judgement.DEVIATES, clause="vfabi:variants.isa")
    pair = Verdict("p", ProbeKind.PAIR, Judgement.DEVIATES, clause="x86_64:pass.sse", partner="gcc-12")
    moved = Verdict("p", ProbeKind.CALLER, Judgement.DEVIATES, clause="x86_64:pass.sse")
    told = [(item.symptom, item.clause) for item in fingerprints("x86_64-sysv", [kept, names, pair])]
    assert told == [(Symptom.KEPT, kept.clause), (Symptom.NAMES, names.clause)]
    assert [item.symptom for item in fingerprints("x86_64-sysv", [moved, kept])] == [Symptom.MISPLACED]


def test_a_deviation_is_put_down_to_the_quirk_that_its_verdicts_share() -> None:
    both = replace(deviates(difference("a", "x", "callee"), kind=CALLEE), quirks=("a relies", "b widens"))
    alone = replace(deviates(difference("a", "x")), quirks=("b widens",))
    for verdicts in ((both, alone), (alone, both)):
        assert by_quirks(TARGET, verdicts)[PLACED] == ("b widens", "a relies")
