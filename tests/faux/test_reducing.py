"""What misbehaves is reduced to what matters; what cannot be trusted to show again is not reduced at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.input import read
from abiprobe.harness.machines.render.c import definitions, prototype
from abiprobe.harness.observers.ask import ask_about
from abiprobe.harness.triage.reduce import Goal, Reduced, reduce
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom, fingerprints
from abiprobe.results.causes.traits import traits
from abiprobe.results.known.deviations import Entry, parse

from .putting import LIE, program

X86 = "x86_64-sysv"
LARGE = """
    struct Two { int a; long b; };
    union Number { int i; float f; short s[3]; };
    double odd(short a, struct Two b, long c, long d, double e, union Number g, int h);
"""
LONGS = "struct Two { int a; long b; }; double odd(long a, long b, double c, struct Two d, int e);"


def declared(text: str) -> Question:
    return read(text, filename="t.h", triple="x86_64-linux-gnu").functions[-1]


WITHOUT_STRUCT = """
[[deviation]]
name = "parameters are swapped"
targets = ["x86_64-sysv"]
subjects = ["clang"]
shows.misplaced = ["x86_64:pass.integer"]
without = ["struct"]
status = "bug"
reason = "they are the other way round"
link = "unreported"
since = 2026-11-25
example = "void f(long a, long b);"
"""


def reduced(
    path: Path,
    lie: str,
    text: str,
    symptom: Symptom,
    monkeypatch: pytest.MonkeyPatch,
    known: tuple[Entry, ...] = (),
) -> Reduced:
    """The reduction of the first deviation with this symptom that a liar shows; `known` are entries about the liar."""
    monkeypatch.setenv(LIE, "tells_the_truth")
    question, asked = declared(text), (f"clang:{path}", "O0")
    anything = Fingerprint(X86, symptom, "")
    ask_about(find_target(X86), question, (asked,), anything)  # features are asked for while it is honest
    monkeypatch.setenv(LIE, lie)
    verdicts = ask_about(find_target(X86), question, (asked,), anything)[asked]
    found = next(item for item in fingerprints(X86, verdicts) if item.symptom is symptom)
    return reduce(question, Goal(found, (asked,), known={asked[0]: known}), (asked,))


def written(question: Question) -> str:
    assert isinstance(question, Prototype)
    types = (question.result, *(param.type for param in question.params))
    return f"{definitions(tuple(one for one in types if one))} {prototype(question)};".strip()


def test_parameters_that_do_not_matter_are_dropped(faux: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = reduced(faux, "swaps_parameters", LONGS, Symptom.MISPLACED, monkeypatch)
    assert written(found.question) == "void f(long a, long b);"
    assert found.finished
    assert found.confirmation.steady
    assert found.confirmation.blame.self_inconsistent == (f"clang:{faux}",)


def test_what_is_new_is_not_reduced_to_what_is_known(faux: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = parse(WITHOUT_STRUCT, "known.toml").entries
    found = reduced(faux, "swaps_parameters", LONGS, Symptom.MISPLACED, monkeypatch, known)
    assert "struct" in traits(found.question)
    assert len(written(found.question)) < len(LONGS)
    assert found.finished
    assert found.confirmation.steady


CRASHES = [
    ("shouts_about_unions", "Assertion `size > N' failed"),
    ("dies_on_unions_without_a_word", "SIGSEGV"),
    ("crashes_on_unions", "SIGSEGV: PLEASE submit a bug report"),
]


@pytest.mark.parametrize(("lie", "words"), CRASHES)
def test_crashes_are_reduced_by_their_words(
    lie: str, words: str, faux: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = reduced(faux, lie, LARGE, Symptom.CRASHED, monkeypatch)
    assert found.goal.fingerprint.words == words
    # A union without members has no size, and is not in the unit.
    assert written(found.question).count("union") == 2
    assert len(written(found.question)) < 60
    assert found.confirmation.steady


def test_what_shows_one_time_in_three_is_flaky_and_stays_as_it_is(
    tmp_path: Path, faux: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert faux.exists()
    question = declared(LONGS)
    path = program(tmp_path)
    asked = (f"clang:{path}", "O0")
    monkeypatch.setenv(LIE, "tells_the_truth")
    wanted = Fingerprint(X86, Symptom.MISPLACED, "x86_64:pass.integer")
    ask_about(find_target(X86), question, (asked,), wanted)
    monkeypatch.setenv(LIE, "sometimes_swaps_parameters")
    found = reduce(question, Goal(wanted, (asked,)), (asked,))
    assert (found.confirmation.shown, found.confirmation.repeats) == (1, 3)
    assert "flaky" in str(found.confirmation)
    assert found.question == question
    assert found.rounds == 0


def test_what_deviates_in_another_way_each_time_is_not_flaky(
    faux: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = (f"clang:{faux}", "O0")
    monkeypatch.setenv(LIE, "tells_the_truth")
    seen_once = Fingerprint(X86, Symptom.MISPLACED, "x86_64:pass.x87")
    question = declared(LONGS)
    ask_about(find_target(X86), question, (asked,), seen_once)
    monkeypatch.setenv(LIE, "swaps_parameters")
    found = reduce(question, Goal(seen_once, (asked,)), (asked,))
    assert found.goal.fingerprint == Fingerprint(X86, Symptom.MISPLACED, "x86_64:pass.integer")
    assert found.confirmation.steady
    assert found.confirmation.blame.deviating == (f"clang:{faux}",)
    assert written(found.question) == "void f(long a, long b);"
