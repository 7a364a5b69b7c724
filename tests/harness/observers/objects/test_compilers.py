"""Real compilers with every witness: constants, DWARF and running code say the same, but for known bugs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from laboratory.jobs import spelled_job

from abiprobe.generators.pool import draw
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.readers.unread import UnreadError
from abiprobe.harness.machines.workbench import Bench
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.subjects.find import build, identity, installed, parse_subject
from abiprobe.oracles.language.question import ProbeKind, Question, Sort, probe
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import BatchDone
from abiprobe.results.known.deviations import concerning, resemblances, shipped
from abiprobe.results.verdicts.record import Difference, Judgement, Outcome
from abiprobe.results.verdicts.wording import note_text

from .conftest import WITNESSES, put, records

RISCV, X86 = "riscv64-lp64d", "x86_64-sysv"
SUBJECTS = [
    (X86, "gcc-12"),
    (X86, "gcc-12 -gdwarf-4"),
    (X86, "clang-14"),
    (X86, "clang-22"),
    (X86, "clang-22 -gdwarf-2"),
    (X86, "zig -O2"),
    (RISCV, "gcc-12"),
    (RISCV, "clang-22"),
    (RISCV, "zig -gdwarf-4"),
]
DRAWN: tuple[Question, ...] = draw(seed=20, kind=Sort.RECORDS, start=0, count=200)
OLD = {"clang-14"}
"""Their DWARF has two known bugs, see `test_the_bugs_of_old_dwarf`."""


def asked(target: str, subject: str, questions: tuple[Question, ...]) -> BatchDone:
    if not installed(parse_subject(subject), (find_target(target),)):
        pytest.skip(f"{subject.partition(' ')[0]} is not installed for {target}")
    (done,) = run_job(
        spelled_job(target, 0, Sort.RECORDS, questions, ((subject, "O0"),), witnesses=WITNESSES)
    )
    return done


def contradictions(done: BatchDone) -> Iterator[tuple[ProbeKind, Difference]]:
    return ((verdict.kind, item) for verdict in done.verdicts for item in verdict.differences if item.note)


def unknown(done: BatchDone, target: str, subject: str) -> Iterator[tuple[str, Difference]]:
    """The contradictions that no known deviation of the compiler explains, with their probes."""
    built = build(parse_subject(subject), find_target(target), "O0")
    assert built is not None
    entries = concerning(shipped().entries, target, subject, identity(built.command).version)
    questions = {probe(question).id: question for question in DRAWN}
    for verdict in done.verdicts:
        told = [item for item in verdict.differences if item.note and not verdict.quirks]
        like = resemblances(entries, target, questions[verdict.probe], (verdict,)) if told else ()
        yield from ((verdict.probe, item) for item in told if not all(one.entry for one in like))


@pytest.mark.parametrize(("target", "subject"), SUBJECTS)
def test_the_witnesses_of_a_compiler_agree(target: str, subject: str) -> None:
    done = asked(target, subject, DRAWN)
    found = [(kind, item) for kind, item in contradictions(done)]
    if subject in OLD:
        assert {kind for kind, _ in found} <= {ProbeKind.DEBUG_INFO}
        assert {item.side for _, item in found} <= {"debug info"}
    else:
        assert {probe for probe, _ in unknown(done, target, subject)} == set(), found
    told = dict.fromkeys(WITNESSES, 0)
    for verdict in done.verdicts:
        told[verdict.kind] += verdict.outcome is Outcome.OBSERVED
    assert told[ProbeKind.LAYOUT] == told[ProbeKind.DEBUG_INFO] == told[ProbeKind.VALUES] > len(DRAWN) // 2


def test_the_bugs_of_old_dwarf() -> None:
    """clang until 14 states the alignment asked for, not the one given; until 15 it forgets that a straddling
    bit-field as wide as its type is one."""
    whole = "#pragma pack(push, 1)\nstruct Whole { char a : 7; int b : 32; };\n#pragma pack(pop)\n"
    aligned = "struct Aligned { long a; } __attribute__((aligned(2)));\n"
    text = records(whole + aligned)
    notes = {
        (verdict.probe, item.what): note_text(item.note)
        for verdict in asked(X86, "clang-14", text).verdicts
        for item in verdict.differences
    }
    assert notes == {
        (probe(text[0]).id, "b"): "object says 7:32, DWARF says 0:32, running code says 7:32",
        (probe(text[1]).id, "_Alignof"): "object says 8, DWARF says 2",
    }


def test_every_shape_of_member_is_found() -> None:
    text = records("""
        struct In { char c; int x : 3, y : 9; };
        struct All { char a; struct In in[3]; union { int u; struct { short s; float f; }; }; long l : 40;
                     _Bool flag : 1; double d[2][3]; const struct In *p; void (*g)(void); char flex[]; };
    """)
    for target, subject in ((X86, "zig"), (RISCV, "zig")):
        if not installed(parse_subject(subject), (find_target(target),)):
            pytest.skip("zig is not installed")
        verdicts = put(subject, text, target)
        assert {verdict.verdict for verdict in verdicts.values()} == {Judgement.AGREES}


def test_where_nothing_runs_there_are_two_witnesses(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(_target: str, _vectors: int) -> Bench:
        raise Problem("no executor")

    monkeypatch.setattr("abiprobe.harness.observers.objects.observer.bench", nothing)
    if not installed(parse_subject("zig"), (find_target(X86),)):
        pytest.skip("zig is not installed")
    verdicts = put("zig", records("struct S { char a; long b; };"))
    assert {kind: verdict.outcome for (_, kind), verdict in verdicts.items()} == {
        "layout": Outcome.OBSERVED,
        "debug info": Outcome.OBSERVED,
        "values": Outcome.UNSUPPORTED,
    }


def test_debug_information_that_our_reader_does_not_know_is_no_refusal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unknown(_path: object, _name: str) -> None:
        raise UnreadError("a form that is not known")

    monkeypatch.setattr("abiprobe.harness.observers.objects.debug_info.variable_types", unknown)
    if not installed(parse_subject("zig"), (find_target(X86),)):
        pytest.skip("zig is not installed")
    verdicts = put("zig", records("struct S { char a; long b; };"))
    outcomes = {kind: (verdict.outcome, verdict.detail) for (_, kind), verdict in verdicts.items()}
    assert outcomes["debug info"] == (Outcome.UNDECODED, "a form that is not known")
    assert outcomes["layout"] == (Outcome.OBSERVED, "")
