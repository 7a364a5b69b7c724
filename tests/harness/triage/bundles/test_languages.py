"""The bundle of a deviation of a compiler of another language: its unit beside that of C, and a Makefile that shows it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from abiprobe.harness.machines.languages.language import built_in
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.harness.subjects.selection import named_subjects
from abiprobe.harness.triage.bundles import bundle
from abiprobe.harness.triage.cases import Case
from abiprobe.oracles.language.lang import Kind, Member, Param, Prototype, Record, Scalar
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom

TARGET, UNDECIDED = "x86_64-sysv", "mips64el-n64"
LONG, DOUBLE = Scalar(Kind.LONG), Scalar(Kind.DOUBLE)
FUNCTION = Prototype("f", LONG, (Param("a", LONG), Param("b", DOUBLE), Param("c", LONG)))
RECORD = Record("S", (Member(Scalar(Kind.CHAR), "a"), Member(LONG, "b")), packed=True)


def liar(folder: Path) -> str:
    """Zig whose callees take parameters backwards, and whose records are not packed."""
    shutil.copytree(built_in()["zig-lang"], folder / "liar")
    for name, old, new in (
        (
            "callee.j2",
            "{%- for value in params %}{{ value.name }}:",
            "{%- for value in params | reverse %}{{ value.name }}:",
        ),
        ("record.j2", "align({{ field.align or 1 }})", ""),
    ):
        path = folder / "liar" / name
        text = path.read_text("utf-8")
        assert text.count(old) == 1
        path.write_text(text.replace(old, new), "utf-8")
    (subject,) = named_subjects(f"subject:{folder / 'liar'}")
    return subject.spelling


def mistaken(folder: Path) -> str:
    """Zig whose callers and callees alike take a `long` for a `double`."""
    shutil.copytree(built_in()["zig-lang"], folder / "mistaken")
    path = folder / "mistaken" / "subject.toml"
    text = path.read_text("utf-8")
    assert 'long = "c_long"' in text
    path.write_text(text.replace('\nlong = "c_long"', '\nlong = "f64"'), "utf-8")
    (subject,) = named_subjects(f"subject:{folder / 'mistaken'}")
    return subject.spelling


def case(question: Question, symptom: Symptom, about: str) -> Case:
    honest = (("zig", "O0"), ("zig-lang", "O0"))
    what = Fingerprint(TARGET, "", symptom)
    return Case("c", question, what, ((about, "O0"),), honest, (*honest, (about, "O0")))


@pytest.mark.parametrize(("question", "symptom"), [(FUNCTION, Symptom.MISPLACED), (RECORD, Symptom.LAYOUT)])
def test_make_fails_for_the_liar_alone(tmp_path: Path, question: Question, symptom: Symptom) -> None:
    for tool in ("make", "ld.lld"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    if not installed(parse_subject("zig-lang"), (find_target(TARGET),)):
        pytest.skip("zig is not installed")
    one = case(question, symptom, liar(tmp_path))
    texts = bundle.sources(one, "a lie")
    assert {"probe.c", "zig_lang-O0.zig", "driver.c", "values.h", "Makefile"} <= set(texts)
    assert ("table.c" in texts) == isinstance(question, Prototype)
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    rules = [each.rule for each in bundle.compilers(one)]
    done = {
        rule: subprocess.run(["make", rule], cwd=tmp_path, capture_output=True, check=False) for rule in rules
    }
    assert [done[rule].returncode == 0 for rule in rules] == [True, True, False], done
    assert b"WRONG" in done[rules[-1]].stdout


def test_the_bundle_looks_at_the_number_of_vector_registers(tmp_path: Path) -> None:
    """The text bounds `al` at a call with unnamed arguments; the backend of zig's own leaves anything there."""
    for tool in ("make", "ld.lld"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    if not installed(parse_subject("zig-lang"), (find_target(TARGET),)):
        pytest.skip("zig is not installed")
    question = Prototype("d", LONG, (Param("a", LONG),), variadic=True, unnamed=(DOUBLE,))
    what = Fingerprint(TARGET, "x86_64:pass.vector-count", Symptom.MISPLACED)
    guilty, honest = ("zig-lang", "O0"), ("zig", "O0")
    one = Case("c", question, what, (guilty,), (honest,), (honest, guilty))
    for name, text in bundle.sources(one, "al").items():
        (tmp_path / name).write_text(text, "utf-8")
    done = [
        subprocess.run(["make", each.rule], cwd=tmp_path, capture_output=True, check=False)
        for each in bundle.compilers(one)
    ]
    assert [one.returncode == 0 for one in done] == [True, False], done
    assert b"ok     caller: vector count in rax: from 1 to 8, seen 1\n" in done[0].stdout
    assert b"WRONG  caller: vector count in rax: from 1 to 8" in done[1].stdout


def test_where_no_text_decides_make_tells_who_does_not_go_with_whom(tmp_path: Path) -> None:
    """A language is linked with C and with itself, by a table of functions of its own."""
    for tool in ("make", "ld.lld", "qemu-mips64el"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    for name in ("zig", "zig-lang"):
        if not installed(parse_subject(name), (find_target(UNDECIDED),)):
            pytest.skip("zig is not installed")
    everyone = tuple((name, "O0") for name in ("zig", "zig-lang", mistaken(tmp_path)))
    one = Case("c", FUNCTION, Fingerprint(UNDECIDED, Symptom.DIFFERS, ""), everyone, (), everyone)
    for name, text in bundle.sources(one, "a lie").items():
        (tmp_path / name).write_text(text, "utf-8")
    incompatible = {pair.rule: pair.incompatible for pair in bundle.case_pairings(one)}
    done = {
        rule: subprocess.run(["make", rule], cwd=tmp_path, capture_output=True, check=False)
        for rule in incompatible
    }
    assert sorted(incompatible.values()) == [False, False, True, True]
    assert {rule: each.returncode != 0 for rule, each in done.items()} == incompatible, done
