"""libffi makes and takes calls with registers captured and loaded in between, and a child that dies costs one probe."""

from __future__ import annotations

from pathlib import Path

import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.input import read
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.subjects.families import libraries
from abiprobe.oracles.language.question import Question, Sort
from abiprobe.results.verdicts.locations import Spot
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict
from abiprobe.results.verdicts.wording import spot_text

from .asking import wrapper

TARGET = "x86_64-sysv"


@pytest.fixture(autouse=True)
def _cffi() -> None:
    if libraries.cffi("cffi", TARGET) is None:
        pytest.skip("cffi is not for this machine")


def asked(source: str, subject: str = "cffi") -> tuple[Verdict, ...]:
    functions: tuple[Question, ...] = read(source, filename="t.c", triple="x86_64-linux-gnu").functions
    (answer,) = run_job(spelled_job(TARGET, 0, Sort.PROTOTYPES, functions, ((subject, "O0"),)))
    return answer.verdicts


EXPRESSIBLE = [
    "int f(int a, char b, double c);",
    "signed char f(short a, unsigned char b, _Bool c);",
    "float f(float a, long double b, void *c);",
    "long double f(long a, long b, long c, long d, long e, long g, long h);",
    "struct S { int a; double b; }; struct S f(struct S a, long b);",
    "struct L { long a, b, c; }; struct L f(struct L a, float b);",
    "struct F { float a, b, c; }; struct F f(struct F a, unsigned short b);",
]


def said(at: tuple[Spot, ...]) -> tuple[str, ...]:
    return tuple(map(spot_text, at))


@pytest.mark.parametrize("source", EXPRESSIBLE)
def test_both_sides_follow_the_text(source: str) -> None:
    verdicts = asked(source)
    assert {verdict.verdict for verdict in verdicts} == {Judgement.AGREES}, verdicts
    assert {verdict.kind.value for verdict in verdicts} >= {"caller", "callee", "result"}


@pytest.mark.parametrize(
    "source",
    [
        "__int128 f(void);",
        "void f(int, ...);",
        "void f(_Complex float);",
        "struct E {}; void f(struct E, int);",
        "union U { float a; int b; }; union U f(union U a);",
        "typedef int v __attribute__((vector_size(16))); void f(v);",
    ],
)
def test_what_cffi_cannot_express_is_unsupported_in_its_words(source: str) -> None:
    verdicts = asked(source)
    assert {verdict.outcome for verdict in verdicts} == {Outcome.UNSUPPORTED}
    assert all(verdict.detail for verdict in verdicts)


def test_a_call_that_no_text_decides_is_shown() -> None:
    first, *others = asked("struct S { float a; int : 8; }; struct S f(struct S a, int b);")
    assert {one.verdict for one in (first, *others)} == {Judgement.UNSPECIFIED}
    shown = {one.what: (said(one.at), said(one.taken)) for one in first.shown}
    assert shown["a [0..4)"] == (("xmm0",), ())
    assert shown["b [0..4)"] == (("rdi",), ())
    assert shown["result [0..4)"] == (("xmm0",), ())


def test_libffi_contradicts_itself_on_a_record_of_padding() -> None:
    """The closure counts a register for it, the call does not."""
    first = asked("struct S { int : 7; }; void f(int a, struct S b, int c);")[0]
    assert [(one.what, said(one.at), said(one.taken)) for one in first.shown] == [
        ("a [0..4)", ("rdi",), ()),
        ("c [0..4)", ("rsi",), ("rdx",)),
    ]


LIAR = """
import os, sys
sys.path.insert(0, {folder!r})
import cffi_child
tell = cffi_child.called
def dying(question, library, driver):
    if len(question.slots) == 2:
        return question.ffi.callback(question.type, lambda *_: os.kill(os.getpid(), 9))
    return tell(question, library, driver)
cffi_child.called = dying
cffi_child.main()
"""


def test_a_child_that_dies_costs_the_probe_in_which_it_died(tmp_path: Path) -> None:
    folder = Path(libraries.CFFI.common[-1]).parent
    program = wrapper(tmp_path, LIAR.format(folder=str(folder)), libraries.CFFI)
    verdicts = asked("int f(int); int g(int, int); int h(int, int, int);", f"cffi:{program}")
    died = {verdict.kind.value for verdict in verdicts if verdict.outcome is Outcome.DIED}
    assert "callee" in died
    assert sum(verdict.outcome is Outcome.DIED for verdict in verdicts) <= 4
    assert sum(verdict.verdict is Judgement.AGREES for verdict in verdicts) >= 6
