"""Compilers of other languages than C, put to the same questions: the honest agree, and a liar is blamed on its language."""

from __future__ import annotations

import json
import re
import shutil
from functools import cache
from pathlib import Path

import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.machines.languages.language import LAYOUTS, built_in, find_language
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.observers.image.observe import NO_CALLEE
from abiprobe.harness.subjects.features import simplest
from abiprobe.harness.subjects.find import build, identity, installed, parse_subject
from abiprobe.harness.subjects.selection import named_subjects
from abiprobe.harness.subjects.trust import distrust
from abiprobe.oracles.language.constructs import needs
from abiprobe.oracles.language.lang import Array, Kind, Member, Param, Pointer, Prototype, Record, Scalar
from abiprobe.oracles.language.question import ProbeKind, Question, Sort, probe
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.answers import Answers
from abiprobe.results.causes.blame import blame
from abiprobe.results.causes.fingerprint import fingerprints
from abiprobe.results.journal.journal import BatchDone, Pairs
from abiprobe.results.verdicts.record import Judgement, Outcome

X86, RISCV = "x86_64-sysv", "riscv64-lp64d"
CHAR, SHORT, INT, LONG = (Scalar(kind) for kind in (Kind.CHAR, Kind.SHORT, Kind.INT, Kind.LONG))
BOOL, FLOAT, DOUBLE = (Scalar(kind) for kind in (Kind.BOOL, Kind.FLOAT, Kind.DOUBLE))
PAIR = Record("S", (Member(FLOAT, "a"), Member(INT, "b")))
TIGHT = Record("P", (Member(CHAR, "a"), Member(Array(PAIR, 2), "b"), Member(Pointer(), "c")), packed=True)
EITHER = Record("U", (Member(DOUBLE, "a"), Member(LONG, "b")), union=True)
MIXED = Prototype("f", PAIR, (Param("a", LONG), Param("b", PAIR), Param("c", DOUBLE), Param("d", TIGHT)))
UNIONS = Prototype("g", EITHER, (Param("a", EITHER), Param("b", Pointer(function=True)), Param("c", LONG)))
PLAIN = Prototype("h", None, (Param("a", INT),))
NARROW = Prototype("n", SHORT, (Param("a", BOOL), Param("b", SHORT), Param("c", CHAR)))
BITS = Prototype("b", None, (Param("a", Record("B", (Member(INT, "x", width=3),))),))
VARIADIC = Prototype("v", INT, (Param("a", INT),), variadic=True, unnamed=(INT,))
DOTS = Prototype("d", LONG, (Param("a", INT),), variadic=True, unnamed=(DOUBLE, LONG, Pointer()))
SIMPLE = Prototype("s", PAIR, (Param("a", PAIR), Param("b", SHORT), Param("c", BOOL), Param("d", DOUBLE)))
CALLS: tuple[Question, ...] = (MIXED, UNIONS, PLAIN, NARROW, SIMPLE)
PACKED = Record("Q", (Member(CHAR, "a"), Member(Array(DOUBLE, 2), "b"), Member(Pointer(), "c")), pack=2)
RECORDS: tuple[Question, ...] = (PAIR, TIGHT, EITHER, PACKED)


RELEASES = {"flang": "flang-22", "gdc": "gdc-12", "gfortran": "gfortran-12", "gnat": "gnat-12"}
"""Cross compilers are called by their release."""


def here(name: str, target: str) -> str:
    """A compiler by its name, or else skip the test."""
    name = RELEASES.get(name, name)
    if not installed(parse_subject(name), (find_target(target),)):
        pytest.skip(f"{name.partition('-')[0]} is not installed")
    return name


def sayable(name: str) -> tuple[Question, ...]:
    """Those of the calls that a language can say: all but for Fortran, Hare and libffi."""
    lacks = find_language(str(built_in()[name])).lacks
    found = tuple(one for one in CALLS if not needs(one) & lacks)
    assert SIMPLE in found
    assert found == CALLS or name in {"flang", "gfortran", "hare", "libffi"}
    return found


@cache
def answers(name: str, target: str, questions: tuple[Question, ...]) -> BatchDone:
    sort = Sort.PROTOTYPES if isinstance(questions[0], Prototype) else Sort.RECORDS
    return run_job(spelled_job(target, 0, sort, questions, ((name, "O0"),)))[0]


def deviating(done: BatchDone) -> set[tuple[str, ProbeKind]]:
    return {(one.probe, one.kind) for one in done.verdicts if one.verdict is Judgement.DEVIATES}


LONG_NAMES = {"hare", "swift"}
"""Compilers that Debian 12 does not have."""


def marked(name: str, *more: str) -> pytest.ParameterSet:
    """A language as a parameter of a test."""
    return pytest.param(name, *more, marks=[pytest.mark.long] * (name in LONG_NAMES))


EVERY = [marked(name) for name in built_in()]
HONEST = [
    marked(name, target)
    for name, folder in built_in().items()
    for target in (X86, RISCV)
    # The releases of ldc before 1.31 have no ABI of RISC-V, nor has flang, Debian 12 has no libffi of it, and Swift extends no result.
    if target in find_language(str(folder)).about.targets
    and (name, target) not in {("ldc2", RISCV), ("flang", RISCV), ("libffi", RISCV), ("swift", RISCV)}
]


@pytest.mark.parametrize(("name", "target"), HONEST)
def test_a_language_is_asked_the_questions_of_c(name: str, target: str) -> None:
    asked = sayable(name)
    done = answers(here(name, target), target, asked)
    assert {one.verdict for one in done.verdicts} == {Judgement.AGREES}, [
        one for one in done.verdicts if one.verdict is not Judgement.AGREES
    ]
    # A function without a result has no verdict on one.
    assert len(done.verdicts) == 4 * len(asked) - 1


@pytest.mark.parametrize("name", EVERY)
def test_a_language_tells_layouts(name: str) -> None:
    if not find_language(str(built_in()[name])).has(LAYOUTS):
        done = answers(here(name, X86), X86, (PAIR,))
        assert [one.detail for one in done.verdicts] == ["the language is tested for calls only"]
        return
    asked = tuple(one for one in RECORDS if not needs(one) & find_language(str(built_in()[name])).lacks)
    assert len(asked) >= 2
    done = answers(here(name, X86), X86, asked)
    assert [one.verdict for one in done.verdicts] == [Judgement.AGREES] * len(asked)


@pytest.mark.parametrize("name", EVERY)
def test_what_a_language_cannot_say_is_unsupported_with_the_reason(name: str) -> None:
    done = answers(here(name, X86), X86, (PLAIN, BITS, VARIADIC))
    reasons = {one.probe: one.detail for one in done.verdicts if one.outcome is Outcome.UNSUPPORTED}
    language = find_language(str(built_in()[name]))
    unnamed = (
        NO_CALLEE if "unnamed arguments" in language.about.calls else "the language has no unnamed arguments"
    )
    expected = {probe(VARIADIC).id: unnamed}
    if "bit-field" not in language.says:
        expected[probe(BITS).id] = "the language has no bit-field"
    assert reasons == expected


@pytest.mark.parametrize("target", [X86, RISCV])
@pytest.mark.parametrize("name", ["rustc", "zig-lang", "ldc2", "gdc"])
def test_a_language_calls_what_takes_unnamed_arguments(name: str, target: str) -> None:
    """It cannot define such a function: its callers are asked, also in pairs with the callees of C."""
    here("zig", target)
    # Without optimization zig's own code generator does not tell how many vector registers it uses.
    subjects = (("zig", "O2"), (here(name, target), "O2"))
    done = run_job(spelled_job(target, 0, Sort.PROTOTYPES, (DOTS, PLAIN), subjects, pairs=Pairs.ALL))
    found = {
        (one.probe, one.kind, one.partner): one.verdict
        for one in done[1].verdicts
        if one.probe == probe(DOTS).id
    }
    kinds = (ProbeKind.CALLER, ProbeKind.VARIADIC, ProbeKind.RESULT, ProbeKind.PRESERVATION)
    agree = {(probe(DOTS).id, kind, ""): Judgement.AGREES for kind in kinds}
    agree[probe(DOTS).id, ProbeKind.PAIR, "zig"] = Judgement.AGREES
    assert found == {**agree, (probe(DOTS).id, ProbeKind.CALLEE, ""): Judgement.UNOBSERVED}
    paired = [one.probe for one in done[0].verdicts if one.kind is ProbeKind.PAIR]
    assert paired == [probe(PLAIN).id]


@pytest.mark.parametrize("name", EVERY)
def test_c_and_another_language_call_each_other(name: str) -> None:
    here("zig", X86)
    subjects = (("zig", "O0"), (here(name, X86), "O0"))
    asked = sayable(name)
    done = run_job(spelled_job(X86, 0, Sort.PROTOTYPES, asked, subjects, pairs=Pairs.ALL))
    pairs = [
        (one.partner, one.verdict) for each in done for one in each.verdicts if one.kind is ProbeKind.PAIR
    ]
    wanted = [(subjects[1][0], Judgement.AGREES)] * len(asked) + [("zig", Judgement.AGREES)] * len(asked)
    assert pairs == wanted


def liar(folder: Path, file: str, old: str, new: str) -> str:
    """A subject that is asked in zig with one template changed."""
    copy = folder / "liar"
    shutil.copytree(built_in()["zig-lang"], copy)
    text = (copy / file).read_text("utf-8")
    assert old in text
    (copy / file).write_text(text.replace(old, new), "utf-8")
    return f"subject:{copy}"


def liar_about(name: str, kind: Kind, other: Kind, folder: Path) -> str:
    """A subject that is asked in a language that takes one type for another.

    With the release where the program has it in its name.
    """
    home = built_in()[name]
    shutil.copytree(home.parent, folder / "languages")
    about = find_language(str(home)).about
    path = folder / "languages" / home.name / about.templates / "subject.toml"
    text = path.read_text("utf-8")
    lie = re.sub(rf"(?m)^{kind.value} = .*$", f"{kind.value} = {json.dumps(about.types[other.value])}", text)
    assert lie != text
    path.write_text(lie, "utf-8")
    own = folder / "languages" / home.name / "subject.toml"
    if not shutil.which(name):
        text = own.read_text("utf-8")
        own.write_text(
            text.replace(f'programs = ["{name}"]', f'programs = ["{RELEASES.get(name, name)}"]'), "utf-8"
        )
    return f"subject:{own.parent}"


OF_OWN_COMPILER = [name for name in built_in() if name != "libffi"]
"""Those whose compiler the folder names."""
OF_LAYOUTS = [name for name in OF_OWN_COMPILER if find_language(str(built_in()[name])).has(LAYOUTS)]


@pytest.mark.parametrize("name", [marked(name) for name in OF_OWN_COMPILER])
def test_a_liar_about_a_type_is_caught_and_not_the_c_that_it_calls(name: str, tmp_path: Path) -> None:
    """It takes an integer beside a real for a real, so that the record goes in another register."""
    here("zig", X86)
    here(name, X86)
    lying = here(liar_about(name, Kind.INT, Kind.FLOAT, tmp_path), X86)
    subjects = (("zig", "O0"), (lying, "O0"))
    honest, other = run_job(spelled_job(X86, 0, Sort.PROTOTYPES, (SIMPLE,), subjects, pairs=Pairs.NONE))
    assert not deviating(honest)
    kinds = (ProbeKind.CALLER, ProbeKind.CALLEE, ProbeKind.RESULT)
    assert deviating(other) == {(probe(SIMPLE).id, kind) for kind in kinds}
    seen = dict(zip(subjects, (honest.verdicts, other.verdicts), strict=True))
    found = [blame(one, Answers(X86, "", seen)) for one in fingerprints(X86, other.verdicts)]
    assert found
    assert {(one.deviating, one.agreeing) for one in found} == {((lying,), ("zig",))}


@pytest.mark.parametrize("name", [marked(name) for name in OF_LAYOUTS])
def test_a_liar_about_the_width_of_a_member_is_caught(name: str, tmp_path: Path) -> None:
    here(name, X86)
    records = answers(here(liar_about(name, Kind.FLOAT, Kind.DOUBLE, tmp_path), X86), X86, (PAIR,))
    assert deviating(records) == {(probe(PAIR).id, ProbeKind.LAYOUT)}


def test_a_liar_about_layouts_is_caught_and_blamed_on_its_language(tmp_path: Path) -> None:
    """Its packed records are not packed."""
    here("zig-lang", X86)
    name = liar(tmp_path, "record.j2", "align({{ field.align or 1 }})", "")
    records = answers(name, X86, RECORDS)
    assert deviating(records) == {(probe(TIGHT).id, ProbeKind.LAYOUT)}
    assert not deviating(answers("zig-lang", X86, RECORDS))


def test_a_liar_about_extension_is_caught_and_not_the_c_that_it_calls(tmp_path: Path) -> None:
    """It takes a `short` for an unsigned one, which RISC-V extends otherwise."""
    here("zig", RISCV)
    name = liar(tmp_path, "subject.toml", 'short = "c_short"', 'short = "c_ushort"')
    subjects = (("zig", "O0"), (here(name, RISCV), "O0"))
    honest, lying = run_job(spelled_job(RISCV, 0, Sort.PROTOTYPES, (NARROW, PLAIN), subjects))
    assert not deviating(honest)
    assert deviating(lying) == {(probe(NARROW).id, kind) for kind in (ProbeKind.CALLER, ProbeKind.RESULT)}


def test_the_folder_is_part_of_what_a_compiler_is(tmp_path: Path) -> None:
    here("zig-lang", X86)
    name = liar(tmp_path, "callee.j2", "return", "return ")
    honest, other = (build(parse_subject(one), find_target(X86), "O0") for one in ("zig-lang", name))
    assert honest is not None
    assert other is not None
    assert identity(honest.command).sure
    assert identity(honest.command).version == identity(other.command).version
    assert identity(honest.command).digest != identity(other.command).digest
    assert "abi_in" in simplest(other)


def test_a_run_starts_no_compiler_by_a_folder_that_nobody_here_has_named(tmp_path: Path) -> None:
    here("zig-lang", X86)
    name = liar(tmp_path, "callee.j2", "return", "return ")
    assert "named by the run only" in distrust(parse_subject(name))
    named_subjects(name)
    assert not distrust(parse_subject(name))


def test_rust_is_called_by_its_types_on_webassembly() -> None:
    """Its functions are in a table of another file, which has the types that they have."""
    here("zig", "wasm32")
    subjects = (("zig", "O0"), (here("rustc", "wasm32"), "O0"))
    done = run_job(spelled_job("wasm32", 0, Sort.PROTOTYPES, (PLAIN,), subjects, pairs=Pairs.ALL))
    verdicts = {one.verdict for each in done for one in each.verdicts if one.kind is not ProbeKind.DEBUG_INFO}
    assert verdicts == {Judgement.AGREES}
    pairs = [one.partner for each in done for one in each.verdicts if one.kind is ProbeKind.PAIR]
    assert pairs == ["rustc", "zig"]
