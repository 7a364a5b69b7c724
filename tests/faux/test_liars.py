"""Compilers that misbehave in one way each: each is caught, by its clause, and costs the probes concerned only."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from abiprobe.generators.pool import POOL_SORTS, PoolSort, draw
from abiprobe.harness.input import read
from abiprobe.harness.subjects.compile import WORDS, Limits
from abiprobe.oracles.language.lang import Record, Type, components
from abiprobe.oracles.language.question import Question
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict
from abiprobe.results.verdicts.wording import note_text, where_text

from .putting import Ask, Honest, Verdicts, put

RISCV, X86 = "riscv64-lp64d", "x86_64-sysv"
PATIENT, HASTY = Limits(), Limits(base_seconds=2.0, probe_seconds=0.0)

RECORDS: tuple[Question, ...] = read(
    """
    struct Two { int a; long b; };
    union Number { int i; float f; };
    struct Bits { int a : 3; int late : 7; long c; };
    struct Odd { char odd; short b; };
    """,
    filename="records.h",
    triple="x86_64-linux-gnu",
).records
CALLS: tuple[Question, ...] = read(
    """
    union Number { int i; float f; };
    struct Two { int a; long b; };
    int plain(int a, double b);
    long longs(long a, long b, double c);
    short narrow(short a, int b);
    struct Two strange(long odd, double b);
    double number(union Number a);
    void wide(__int128 a);
    double _Complex complex(float _Complex a);
    void nothing(void);
    """,
    filename="calls.h",
    triple="x86_64-linux-gnu",
).functions
FEW = CALLS[1:4:2]
KINDS = ("caller", "callee", "result")
WITNESSES = ("layout", *KINDS)


def told(verdicts: Verdicts) -> dict[str, str]:
    """Verdicts on one line each: `strange caller` died, or deviates from a clause.

    What other witnesses of the same layouts and calls say is left out, so long as it concerns the same questions.
    """
    kept = {key: said(verdict) for key, verdict in verdicts.items() if key[1] in WITNESSES}
    assert {name for name, _ in verdicts} == {name for name, _ in kept}
    return {" ".join(key): words for key, words in kept.items()}


def said(verdict: Verdict) -> str:
    if verdict.outcome is not Outcome.OBSERVED:
        return f"{verdict.verdict.value}, {verdict.outcome.value}"
    return f"{verdict.verdict.value} {verdict.clause}"


DEVIATIONS = [
    ("swaps_parameters", RISCV, CALLS, {"longs callee": "riscv:int.scalar"}),
    ("swaps_parameters", X86, CALLS, {"longs callee": "x86_64:pass.integer"}),
    ("swaps_arguments", RISCV, CALLS, {"longs caller": "riscv:int.scalar"}),
    ("swaps_arguments", X86, CALLS, {"longs caller": "x86_64:pass.integer"}),
    ("drops_sign_extension", RISCV, CALLS, {"narrow caller": "riscv:int.extend"}),
    (
        "drops_sign_extension_of_results",
        RISCV,
        CALLS,
        {"plain result": "riscv:int.extend", "narrow result": "riscv:int.extend"},
    ),
    ("misplaces_a_member", RISCV, RECORDS, {"Two layout": "riscv:type.record"}),
    ("misplaces_a_bit_field", X86, RECORDS, {"Bits layout": "x86_64:bits.storage-unit"}),
    ("inflates_a_record", RISCV, RECORDS, {"Two layout": "riscv:type.record"}),
]


@pytest.mark.parametrize(("lie", "target", "questions", "clauses"), DEVIATIONS)
def test_a_lie_is_caught_by_its_clause(
    lied: Ask, lie: str, target: str, questions: tuple[Question, ...], clauses: dict[str, str]
) -> None:
    expected = {name: f"deviates {clause}" for name, clause in clauses.items()}
    assert told(lied(lie, target, questions, PATIENT)) == expected


def test_a_swapped_argument_is_found_where_it_went(lied: Ask) -> None:
    verdict = lied("swaps_arguments", RISCV, CALLS, PATIENT)["longs", "caller"]
    assert [(item.what, where_text(item.place), note_text(item.note)) for item in verdict.differences] == [
        ("a", "a0", "found in a1"),
        ("b", "a1", "found in a0"),
    ]


def test_a_dropped_extension_is_told_from_a_misplaced_value(lied: Ask) -> None:
    verdict = lied("drops_sign_extension", RISCV, CALLS, PATIENT)["narrow", "caller"]
    assert [(item.what, item.above) for item in verdict.differences] == [("a", True)]


TOOLS = [
    ("refuses", Outcome.REFUSED, "t.c:1:1: error: odd is not a name that I like"),
    ("shouts", Outcome.REFUSED, "error: too much"),
    ("crashes_without_a_word", Outcome.CRASHED, "SIGSEGV"),
    ("ignores_its_input", Outcome.REFUSED, "no object file"),
    ("writes_garbage", Outcome.REFUSED, ""),
    ("writes_nothing", Outcome.REFUSED, ""),
    ("truncates_its_output", Outcome.REFUSED, ""),
]


@pytest.mark.parametrize(("lie", "outcome", "words"), TOOLS)
def test_a_tool_that_fails_on_one_probe_costs_that_probe(
    lied: Ask, lie: str, outcome: Outcome, words: str
) -> None:
    layouts, calls = lied(lie, X86, RECORDS, PATIENT), lied(lie, X86, CALLS, PATIENT)
    assert set(told(layouts)) == {"Odd layout"}
    assert set(told(calls)) == {f"strange {kind}" for kind in KINDS}
    for verdict in (*layouts.values(), *calls.values()):
        assert (verdict.verdict, verdict.outcome) == (Judgement.UNOBSERVED, outcome)
        assert words in verdict.detail
        assert verdict.detail
        assert len(verdict.detail) <= WORDS + 100


@pytest.mark.parametrize("lie", ["forgets_its_constants", "halves_its_constants"])
def test_constants_that_cannot_be_read_cost_their_probe(lied: Ask, lie: str) -> None:
    assert told(lied(lie, X86, RECORDS, PATIENT)) == {"Two layout": "unobserved, refused"}


@pytest.mark.parametrize("lie", ["refuses", "writes_garbage"])
def test_the_words_of_a_tool_do_not_depend_on_where_it_worked(faux: Path, honest: Honest, lie: str) -> None:
    honest(X86, FEW)
    first, second = (put(faux, lie, X86, FEW, PATIENT) for _ in range(2))
    assert first == second


def test_a_crash_costs_the_unions(lied: Ask) -> None:
    crashed = "unobserved, crashed"
    assert told(lied("crashes_on_unions", X86, RECORDS, PATIENT)) == {"Number layout": crashed}
    calls = lied("crashes_on_unions", RISCV, CALLS, PATIENT)
    assert told(calls) == {f"number {kind}": crashed for kind in KINDS}


def test_a_compiler_that_hangs_is_ended(lied: Ask) -> None:
    verdicts = lied("hangs", X86, FEW, HASTY)
    assert told(verdicts) == {f"strange {kind}": "unobserved, timed out" for kind in KINDS}
    assert all(verdict.detail for verdict in verdicts.values())


def test_a_missing_type_is_unsupported_and_named(lied: Ask) -> None:
    verdicts = lied("refuses_int128", X86, CALLS, PATIENT)
    assert told(verdicts) == {f"wide {kind}": "unobserved, unsupported" for kind in ("caller", "callee")}
    assert {verdict.detail for verdict in verdicts.values()} == {"the compiler has no __int128"}


def test_a_crash_on_a_type_does_not_count_as_a_missing_type(lied: Ask) -> None:
    verdicts = lied("crashes_on_complex", X86, CALLS, PATIENT)
    assert told(verdicts) == {f"complex {kind}": "unobserved, crashed" for kind in KINDS}


PROGRAMS = [
    ("follows_a_wild_pointer", RISCV, PATIENT, "SIGSEGV"),
    ("follows_a_wild_pointer", X86, PATIENT, "SIGSEGV"),
    ("loops", X86, HASTY, "timed out"),
    ("writes_without_end", X86, PATIENT, ""),
    ("writes_noughts", X86, PATIENT, ""),
    ("asks_the_kernel", X86, PATIENT, ""),
    ("writes_records", X86, PATIENT, ""),
]


@pytest.mark.parametrize(("lie", "target", "limits", "words"), PROGRAMS)
def test_a_program_that_dies_on_one_probe_deviates_there(
    lied: Ask, lie: str, target: str, limits: Limits, words: str
) -> None:
    verdicts = lied(lie, target, CALLS, limits)
    assert told(verdicts) == {f"strange {kind}": "deviates, died" for kind in ("callee", "result")}
    for (_, kind), verdict in verdicts.items():
        assert words in verdict.detail
        # Whoever dies keeps nothing, which is no second deviation.
        assert bool(verdict.clause) is (kind != "preservation")


def test_a_function_called_twice_is_a_deviation_of_its_caller(lied: Ask) -> None:
    verdicts = lied("calls_twice", RISCV, CALLS, PATIENT)
    assert told(verdicts) == {f"strange {kind}": "deviates, died" for kind in ("caller", "result")}


@pytest.mark.parametrize("kind", POOL_SORTS)
def test_among_random_questions_only_those_with_unions_crash(
    lied: Ask, honest: Honest, kind: PoolSort
) -> None:
    drawn = draw(seed=7, kind=kind, start=0, count=25)
    questions = tuple(named(question, number) for number, question in enumerate(drawn))
    verdicts = lied("crashes_on_unions", RISCV, questions, PATIENT)
    assert {verdict.outcome for verdict in verdicts.values()} == {Outcome.CRASHED}
    asked = {f"q{number}" for number, question in enumerate(questions) if has_union(question)}
    compiled = {name for (name, _), verdict in honest(RISCV, questions).items() if was_compiled(verdict)}
    assert {name for name, _ in verdicts} == asked & compiled
    assert verdicts


def was_compiled(verdict: Verdict) -> bool:
    """Return whether a compiler was asked, whatever came of it."""
    settled = {Outcome.UNSUPPORTED, Outcome.TOO_LARGE}
    return verdict.verdict is not Judgement.UNSPECIFIED and verdict.outcome not in settled


def named(question: Question, number: int) -> Question:
    """A question under a name of its own."""
    if isinstance(question, Record):
        return msgspec.structs.replace(question, tag=f"q{number}")
    return msgspec.structs.replace(question, name=f"q{number}")


def has_union(question: Question) -> bool:
    """Return whether the C of a question says `union`."""

    def inside(c_type: Type) -> bool:
        return (isinstance(c_type, Record) and c_type.union) or any(map(inside, components(c_type)))

    if isinstance(question, Record):
        return inside(question)
    used = (question.result, *(argument.type for argument in question.arguments))
    return any(inside(c_type) for c_type in used if c_type)
