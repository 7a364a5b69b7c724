"""ctypes as a subject: what it lays out, calls and takes, what it cannot say, and that a liar is caught."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

import pytest

from abiprobe.generators.pool import PoolKind
from abiprobe.harness.input import read
from abiprobe.harness.observers.batch import Job, run_job
from abiprobe.harness.runs.question_batches import questions
from abiprobe.harness.subjects.families import libraries
from abiprobe.harness.subjects.find import build, identity, installed, parse_subject
from abiprobe.oracles.constructs import needs
from abiprobe.oracles.question import Question
from abiprobe.results.journal import Plan
from abiprobe.results.record import Judgement, Outcome, Verdict

TARGET = "x86_64-sysv"


@pytest.fixture(autouse=True)
def _present() -> None:
    if not installed(parse_subject("ctypes"), (TARGET,)):
        pytest.skip("ctypes is not for this machine")


def calls(source: str, subject: str = "ctypes") -> dict[str, Verdict]:
    functions: tuple[Question, ...] = read(source, filename="t.c", triple="x86_64-linux-gnu").functions
    return asked(functions, "prototypes", subject)


def layout(source: str, subject: str = "ctypes") -> Verdict:
    records: tuple[Question, ...] = read(source, filename="t.c", triple="x86_64-linux-gnu").records
    return asked(records[-1:], "records", subject)["layout"]


def asked(about: tuple[Question, ...], sort: str, subject: str) -> dict[str, Verdict]:
    (answer,) = run_job(Job(TARGET, 0, sort, about, ((subject, "O0"),)))
    return {verdict.kind.value: verdict for verdict in answer.verdicts}


@pytest.mark.parametrize(
    "source",
    [
        "int f(int a, char b, double c);",
        "_Bool f(short a, unsigned char b, _Bool c);",
        "struct S { int a; double b; }; void f(struct S a, long b, long double c);",
        "struct S { char a[3]; void (*f)(void); }; void *f(struct S a, float b);",
    ],
)
def test_it_makes_and_takes_calls(source: str) -> None:
    found = calls(source)
    assert {verdict.verdict for verdict in found.values()} == {Judgement.AGREES}, found
    assert {"caller", "callee"} <= found.keys()


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("struct S { int a; float b; }; struct S f(struct S a);", "invalid result type"),
        ("long double f(int);", "no long double"),
        ("int f(int, ...);", "not variadic"),
    ],
)
def test_what_no_callback_can_take_is_asked_of_the_call_alone(source: str, words: str) -> None:
    found = calls(source)
    callee = found.pop("callee")
    assert callee.outcome is Outcome.UNSUPPORTED
    assert words in callee.detail
    assert {verdict.verdict for verdict in found.values()} == {Judgement.AGREES}, found


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("union U { float a; int b; }; void f(union U a);", "the library has no union"),
        ("struct S { int a : 3; }; void f(struct S a);", "the library has no bit-field"),
        ("enum E { A }; void f(enum E a);", "the library has no enum"),
        ("__int128 f(void);", "the library has no __int128"),
    ],
)
def test_what_it_cannot_say_is_unsupported(source: str, words: str) -> None:
    found = calls(source)
    assert {verdict.outcome for verdict in found.values()} == {Outcome.UNSUPPORTED}
    assert all(words in verdict.detail for verdict in found.values())


@pytest.mark.parametrize(
    "source",
    [
        "struct S { char a; long b; double c[2][3]; void (*f)(void); long double d; };",
        "struct S { int a : 3, b : 9; long long c; };",
        "union U { int a; char b[7]; };",
        "struct S { char a; struct { short b; union { int c; char d; }; }; char e[]; };",
        "struct In { char a; int b; }; struct S { char c; struct In in[2]; } __attribute__((packed));",
        "#pragma pack(push, 2)\nstruct S { char a; long b; };\n#pragma pack(pop)",
    ],
)
def test_it_lays_out_plain_records_as_the_text_does(source: str) -> None:
    assert layout(source).verdict is Judgement.AGREES


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="ctypes of Python 3.14 has new bit-fields")
def test_bit_fields_of_two_types_are_misplaced() -> None:
    """cpython#97702: a storage unit of a wider type begins anew."""
    verdict = layout("struct S { int a : 3; char b : 4; long c : 1; };")
    assert verdict.verdict is Judgement.DEVIATES


def test_bit_fields_of_packed_records_are_not_asked() -> None:
    """`_pack_` is Microsoft's pragma, which says otherwise of them."""
    verdict = layout("struct S { char a; int b : 3; } __attribute__((packed));")
    assert verdict.outcome is Outcome.UNSUPPORTED
    assert "Microsoft" in verdict.detail


@pytest.mark.parametrize("kind", [PoolKind.RECORDS, PoolKind.PROTOTYPES])
def test_questions_are_drawn_that_it_can_say(kind: PoolKind) -> None:
    plan = Plan(2026, 50, (TARGET,), ("ctypes",), ("O0",))
    lacks = libraries.CTYPES.lacks | (
        libraries.CTYPES.lacks_in_calls if kind is PoolKind.PROTOTYPES else frozenset()
    )
    drawn = tuple(islice(questions(plan, kind), 50))
    assert len(drawn) == 50
    assert not any(needs(question) & lacks for question in drawn)


def test_its_python_is_its_identity() -> None:
    built = build(parse_subject("ctypes"), TARGET, "O0")
    assert built is not None
    found = identity(built.command)
    assert found.version.startswith("ctypes of Python 3.")
    assert found.sure


def test_it_takes_no_options() -> None:
    verdict = layout("struct S { int a; };", "ctypes -fshort-enums")
    assert (verdict.outcome, verdict.detail) == (Outcome.REFUSED, "error: ctypes takes no options")


LIAR = """#!{python}
import ctypes, sys
class c_short(ctypes.c_int):
    pass
sys.argv[:] = [word for word in sys.argv[1:] if word != "-I"]
ctypes.c_short = c_short if "--version" not in sys.argv else ctypes.c_short
text = open(sys.argv[0]).read()
exec(compile(text, sys.argv[0], "exec"), {{"__name__": "__main__"}})
"""


def test_a_liar_is_caught(tmp_path: Path) -> None:
    """A Python whose `c_short` is an `int`."""
    liar = tmp_path / "python"
    liar.write_text(LIAR.format(python=sys.executable))
    liar.chmod(0o755)
    source = "struct S { short a, b; };"
    assert layout(source).verdict is Judgement.AGREES
    verdict = layout(source, f"ctypes:{liar}")
    assert verdict.verdict is Judgement.DEVIATES
    assert "b in bits: expected 16:16, saw 32:16" in verdict.detail
