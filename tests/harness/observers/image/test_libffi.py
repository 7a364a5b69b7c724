"""libffi of several targets in the image: its calls and closures are judged as those of compilers, and a liar is caught."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from abiprobe.harness.input import read
from abiprobe.harness.machines.languages.language import built_in
from abiprobe.harness.observers.batch import Job, run_job
from abiprobe.harness.observers.registry import means
from abiprobe.harness.subjects.families import languages, libffi
from abiprobe.harness.subjects.find import build, identity, installed, parse_subject
from abiprobe.oracles.question import Question
from abiprobe.results.record import Judgement, Verdict

X86 = "x86_64-sysv"
# The libraries of other machines are packages of foreign architectures, which CI does not install.
TARGETS = [
    X86,
    *(pytest.param(one, marks=pytest.mark.long) for one in sorted(libffi.ARCHITECTURES.keys() - {X86})),
]
NATURAL = """\
struct In { short a; double b; }; struct S { char a; struct In in[2]; }; struct F { float a, b; };
int f(char a, struct F b, long long c, struct S d);
struct F g(double a, float b, unsigned short c);
struct S h(void *a, struct In b);
_Bool i(long a, _Bool b, signed char c, double d, double e);
"""


def asked(source: str, target: str, subject: str = "libffi") -> tuple[Verdict, ...]:
    if not installed(parse_subject("libffi"), (target,)):
        pytest.skip("libffi is not installed")
    if not means(target).runs:
        pytest.skip("nothing runs programs of the target")
    functions: tuple[Question, ...] = read(source, filename="t.c", triple="x86_64-linux-gnu").functions
    (answer,) = run_job(Job(target, 0, "prototypes", functions, ((subject, "O2"),)))
    return answer.verdicts


@pytest.mark.parametrize("target", TARGETS)
def test_calls_and_closures_follow_the_text(target: str) -> None:
    verdicts = asked(NATURAL, target)
    assert len(verdicts) == 16
    assert {one.verdict for one in verdicts} == {Judgement.AGREES}, verdicts


def test_a_liar_about_calls_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It tells libffi that a `float` is an `int`."""
    shutil.copytree(built_in()["libffi"], tmp_path / "liar")
    unit = tmp_path / "liar" / "unit.j2"
    text = unit.read_text("utf-8")
    assert "#define type_float ffi_type_float\n" in text
    unit.write_text(
        text.replace("#define type_float ffi_type_float\n", "#define type_float ffi_type_sint32\n")
    )
    # A folder of a user's own has no compiler that `families/libffi.py` chooses.
    monkeypatch.setitem(languages.FOUND, languages.DOOR, libffi.find)
    source = "float f(float a, int b);"
    assert {one.verdict for one in asked(source, X86)} == {Judgement.AGREES}
    lied = asked(source, X86, f"subject:{tmp_path / 'liar'}")
    deviating = {one.kind.value for one in lied if one.verdict is Judgement.DEVIATES}
    assert deviating == {"caller", "callee", "result"}


def test_its_version_is_that_of_the_library() -> None:
    if not installed(parse_subject("libffi"), (X86,)):
        pytest.skip("libffi is not installed")
    built = build(parse_subject("libffi"), X86, "O2")
    assert built is not None
    assert identity(built.command).version.startswith("libffi 3.")


def test_targets_without_one_have_no_such_subject() -> None:
    assert libffi.find("libffi", "sparc64") is None
