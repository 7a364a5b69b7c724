"""libffi of several targets in the image: its calls and closures are judged as those of compilers, and a liar is caught."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.input import read
from abiprobe.harness.machines.languages.language import built_in
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.observers.registry import capabilities
from abiprobe.harness.subjects.families import languages, libffi
from abiprobe.harness.subjects.find import build, identity, installed, parse_subject
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.language.question import Question, Sort
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement, Verdict

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


VARIADIC = Prototype(
    "f",
    Scalar(Kind.INT),
    (Param("a", Scalar(Kind.INT)),),
    variadic=True,
    unnamed=(Scalar(Kind.DOUBLE), Scalar(Kind.LLONG), Scalar(Kind.DOUBLE)),
)


def asked(source: str, target: str, subject: str = "libffi") -> tuple[Verdict, ...]:
    functions = read(source, filename="t.c", triple="x86_64-linux-gnu").functions
    return put(functions, target, subject)


def put(functions: tuple[Question, ...], target: str, subject: str) -> tuple[Verdict, ...]:
    if not installed(parse_subject("libffi"), (find_target(target),)):
        pytest.skip("libffi is not installed")
    if not capabilities(find_target(target)).runs:
        pytest.skip("nothing runs programs of the target")
    (answer,) = run_job(spelled_job(target, 0, Sort.PROTOTYPES, functions, ((subject, "O2"),)))
    return answer.verdicts


@pytest.mark.parametrize("target", TARGETS)
def test_calls_and_closures_follow_the_text(target: str) -> None:
    verdicts = asked(NATURAL, target)
    assert len(verdicts) == 16
    assert {one.verdict for one in verdicts} == {Judgement.AGREES}, verdicts


@pytest.mark.parametrize("target", TARGETS)
def test_unnamed_arguments_follow_the_text(target: str) -> None:
    verdicts = put((VARIADIC,), target, "libffi")
    agreeing = {one.kind.value for one in verdicts if one.verdict is Judgement.AGREES}
    assert agreeing >= {"caller", "variadic"}, verdicts
    assert not any(one.verdict is Judgement.DEVIATES for one in verdicts), verdicts


@pytest.mark.long
def test_a_liar_about_names_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It tells libffi that every argument has a name: RISC-V has those in other registers."""
    shutil.copytree(built_in()["libffi"], tmp_path / "liar")
    caller = tmp_path / "liar" / "caller.j2"
    text = caller.read_text("utf-8")
    for old in ('{{ "ffi_prep_cif_var" if variadic else "ffi_prep_cif" }}', '{{ named ~ ", " if variadic }}'):
        assert text.count(old) == 1
        text = text.replace(old, "ffi_prep_cif" if "prep" in old else "")
    caller.write_text(text, "utf-8")
    monkeypatch.setitem(languages.FOUND, languages.DOOR, libffi.find)
    lied = put((VARIADIC,), "riscv64-lp64d", f"subject:{tmp_path / 'liar'}")
    assert {one.kind.value for one in lied if one.verdict is Judgement.DEVIATES} == {"variadic"}


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
    if not installed(parse_subject("libffi"), (find_target(X86),)):
        pytest.skip("libffi is not installed")
    built = build(parse_subject("libffi"), find_target(X86), "O2")
    assert built is not None
    assert identity(built.command).version.startswith("libffi 3.")


def test_targets_without_one_have_no_such_subject() -> None:
    assert libffi.find("libffi", "sparc64") is None
