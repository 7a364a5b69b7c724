"""Compilers that misbehave around a call: unnamed arguments, what a call preserves, pairs."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.input import read
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.subjects.compile import Limits
from abiprobe.oracles.language.lang import Kind, Prototype, Scalar
from abiprobe.oracles.language.question import ProbeKind, Question, Sort, probe
from abiprobe.results.coverage.pairs import pairings
from abiprobe.results.journal.journal import BatchDone, Pairs
from abiprobe.results.verdicts.record import Judgement, Verdict
from abiprobe.results.verdicts.wording import where_text

from .putting import LIE, Ask, real_clang

RISCV, X86 = "riscv64-lp64d", "x86_64-sysv"
PLAIN: tuple[Prototype, ...] = read(
    "long longs(long a, long b); double strange(long odd, double b); void nothing(void); int wordy(int a, ...);",
    filename="calls.h",
    triple="x86_64-linux-gnu",
).functions
WORDY = msgspec.structs.replace(PLAIN[3], unnamed=(Scalar(Kind.DOUBLE),))
CALLS: tuple[Question, ...] = (*PLAIN[:3], WORDY)


def keeper() -> Prototype:
    """A prototype whose caller is asked to keep values over the call."""
    names = (f"keeper{number}" for number in range(1000))
    asked = (Prototype(name, None, ()) for name in names)
    return next(one for one in asked if probe(one).id.endswith("0"))


CASES = [
    ("spoils_a_saved_register", RISCV, "strange preservation", "riscv:int.preserved", "s5"),
    ("spoils_a_saved_register", X86, "strange preservation", "x86_64:stack.preserved", "r14"),
    ("calls_backwards", X86, "strange caller", "x86_64:stack.direction", "rflags"),
    ("leaves_the_flag_set", X86, "strange preservation", "x86_64:stack.direction", "rflags"),
    ("stays_in_mmx", X86, "strange preservation", "x86_64:stack.x87-mode", "x87_tags"),
    ("miscounts_registers", X86, "wordy variadic", "x86_64:pass.vector-count", "rax"),
    ("misaligns_the_stack", X86, "strange caller", "x86_64:stack.alignment", "rsp"),
    ("forgets_the_ellipsis", RISCV, "wordy variadic", "riscv:int.real", "a1"),
    ("reads_one_argument_late", RISCV, "wordy variadic", "riscv:int.real", "a1"),
    ("reads_one_argument_late", X86, "wordy variadic", "", ""),
]


@pytest.mark.parametrize(("lie", "target", "told", "clause", "place"), CASES)
def test_a_lie_is_caught_by_its_kind_of_probe(
    lied: Ask, lie: str, target: str, told: str, clause: str, place: str
) -> None:
    verdicts = lied(lie, target, CALLS, Limits())
    # On x86-64 an int and a double are counted apart: the lie does no harm there.
    assert {" ".join(key): verdict.clause for key, verdict in verdicts.items()} == (
        {told: clause} if clause else {}
    )
    for verdict in verdicts.values():
        assert verdict.verdict is Judgement.DEVIATES
        assert where_text(verdict.differences[0].place) == place


@pytest.mark.parametrize("target", [RISCV, X86])
def test_a_value_lost_over_a_call(lied: Ask, target: str) -> None:
    asked = keeper()
    verdicts = lied("forgets_what_it_kept", target, (*CALLS, asked), Limits())
    assert list(verdicts) == [(asked.name, "preservation")]
    assert [item.what for item in verdicts[asked.name, "preservation"].differences] == [
        "the caller's own word7"
    ]


COPIED: tuple[Prototype, ...] = read(
    "struct Big { long a, b, c; }; void big(struct Big given); void both(struct Big first, struct Big second);",
    filename="copied.h",
    triple="x86_64-linux-gnu",
).functions


def test_a_copy_that_is_none(lied: Ask) -> None:
    verdicts = lied("passes_the_object_itself", RISCV, COPIED, Limits())
    assert list(verdicts) == [("big", "preservation")]
    verdict = verdicts["big", "preservation"]
    assert verdict.clause == "riscv:int.aggregate-reference"
    assert [item.what for item in verdict.differences] == ["the caller's own given"]


def paired(monkeypatch: pytest.MonkeyPatch, faux: Path, lie: str, wanted: Pairs) -> list[BatchDone]:
    monkeypatch.setenv(LIE, lie)
    honest = f"clang:{real_clang()[0]}" if len(real_clang()) == 1 else "zig"
    subjects = ((honest, "O0"), (f"clang:{faux}", "O0"))
    return run_job(spelled_job(RISCV, 0, Sort.PROTOTYPES, CALLS, subjects, pairs=wanted))


def pair_of(batch: BatchDone) -> dict[str, Verdict]:
    names = {probe(question).id: question.name for question in CALLS if isinstance(question, Prototype)}
    return {names[one.probe]: one for one in batch.verdicts if one.kind is ProbeKind.PAIR}


def test_honest_compilers_call_each_other(monkeypatch: pytest.MonkeyPatch, faux: Path) -> None:
    for batch in paired(monkeypatch, faux, "tells_the_truth", Pairs.ALL):
        said = {name: verdict.verdict for name, verdict in pair_of(batch).items()}
        assert said == {
            "longs": Judgement.AGREES,
            "strange": Judgement.AGREES,
            "nothing": Judgement.UNOBSERVED,
            "wordy": Judgement.AGREES,
        }


def test_a_liar_is_not_understood_and_does_not_understand(
    monkeypatch: pytest.MonkeyPatch, faux: Path
) -> None:
    batches = paired(monkeypatch, faux, "swaps_parameters", Pairs.FIRST)
    calls_liar, called_by_liar = map(pair_of, batches)
    assert calls_liar["longs"].verdict is Judgement.DEVIATES
    assert calls_liar["longs"].partner == f"clang:{faux}"
    assert called_by_liar["longs"].verdict is Judgement.AGREES
    first = pairings(batches)[0 if pairings(batches)[0].callee == f"clang:{faux}" else 1]
    assert (first.probes, first.failed, first.explained) == (3, 1, 1)


def test_a_pair_that_dies_deviates(monkeypatch: pytest.MonkeyPatch, faux: Path) -> None:
    calls_liar, _ = map(pair_of, paired(monkeypatch, faux, "follows_a_wild_pointer", Pairs.ALL))
    assert "died" in calls_liar["strange"].detail
    assert calls_liar["strange"].verdict is Judgement.DEVIATES
    assert calls_liar["wordy"].verdict is Judgement.AGREES


def test_nobody_is_paired_unless_asked(monkeypatch: pytest.MonkeyPatch, faux: Path) -> None:
    assert not any(map(pair_of, paired(monkeypatch, faux, "tells_the_truth", Pairs.NONE)))
