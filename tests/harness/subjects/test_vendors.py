"""The vendors' compilers, imitated: found, asked for layouts and calls, and believed no more than any other."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.cli.commands.doctor import findings
from abiprobe.harness.machines.elf_facts.files import read_object
from abiprobe.harness.machines.readers import assembly, elf
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.runs.question_sorts import can_answer
from abiprobe.harness.subjects.find import command, identity, parse_subject
from abiprobe.oracles.language.lang import (
    Array,
    Kind,
    Member,
    Param,
    Pointer,
    Prototype,
    Record,
    Scalar,
    Vector,
)
from abiprobe.oracles.language.question import ProbeKind, Question, Sort
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

CLANG = shutil.which("clang-22") or shutil.which("clang-14") or shutil.which("clang")
FAUX = Path(__file__).parents[2] / "faux" / "vendor.py"
PLACES = "ABIPROBE_TESTS_PLACES"
LONG, UINT, CHAR = Scalar(Kind.LONG), Scalar(Kind.UINT), Scalar(Kind.CHAR)
FIVE = Prototype(
    "f",
    None,
    (
        Param("a", Pointer("int")),
        Param("b", Pointer("int")),
        Param("c", UINT),
        Param("d", LONG),
        Param("e", UINT),
    ),
)
TEN = Prototype("f", None, tuple(Param(f"p{n}", UINT) for n in range(10)))
RECORDS = (
    Record("S", (Member(CHAR, "a"), Member(LONG, "b", 33), Member(CHAR, "", 3), Member(UINT, "c", 20))),
    Record("S", (Member(CHAR, "a"), Member(Scalar(Kind.SHORT), "", 0), Member(Array(LONG, 3), "b"))),
)
FLOATS = Record("S", (Member(CHAR, "a"), Member(Vector(Kind.FLOAT, 8), "b"), Member(UINT, "", 5)))


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Faux vendors, whose features are asked once."""
    if CLANG is None:
        pytest.skip("clang is not installed")
    folder, found = tmp_path_factory.mktemp("vendors"), {}
    for name, which in (("dpu-upmem-dpurte-clang", "dpu"), ("popc", "popc")):
        path = folder / name
        path.write_text(
            f"#!{sys.executable} -IS\nimport sys\nsys.path.insert(0, {str(FAUX.parent)!r})\n"
            f"import vendor\nvendor.main({which!r}, {CLANG!r})\n",
            "utf-8",
        )
        path.chmod(0o755)
        found[name] = path
    return found


@pytest.fixture
def vendor(programs: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """Faux vendors on PATH, behind what a test has in its folder."""
    folder = programs["popc"].parent
    monkeypatch.setenv("PATH", f"{tmp_path}:{folder}:{Path(sys.executable).parent}:/usr/bin:/bin")
    return programs


def put(name: str, target: str, *asked: Question) -> dict[tuple[str, ProbeKind], Verdict]:
    sort = Sort.RECORDS if isinstance(asked[0], Record) else Sort.PROTOTYPES
    assert can_answer(parse_subject(name), find_target(target), sort)
    (done,) = run_job(spelled_job(target, 0, sort, asked, ((name, "O1"),)))
    return {(verdict.probe, verdict.kind): verdict for verdict in done.verdicts}


def test_vendors_are_found(vendor: dict[str, Path]) -> None:
    for name, target in (("dpu-upmem-dpurte-clang", "upmem-dpu"), ("popc", "colossus-ipu-supervisor")):
        words = command(parse_subject(name), find_target(target))
        assert words is not None
        assert str(vendor[name]) in words
        assert identity(words).version.startswith("faux ")


def test_doctor_tells_of_them(vendor: dict[str, Path], tmp_path: Path) -> None:
    found = {item["target"]: item for item in findings()["targets"]}
    assert "dpu-upmem-dpurte-clang" in found["upmem-dpu"]["compilers"]
    assert "popc" in found["colossus-ipu"]["compilers"]
    assert found["upmem-dpu"]["executors"] == []
    debugger = tmp_path / "dpu-lldb"
    debugger.write_text("#!/bin/sh\n")
    debugger.chmod(0o755)
    again = findings()
    assert {item["target"]: item for item in again["targets"]}["upmem-dpu"]["executors"] == ["dpu-lldb"]
    assert not {"popc", "dpu-upmem-dpurte-clang"} & {item["what"] for item in again["missing"]}


def test_doctor_misses_them() -> None:
    if shutil.which("popc") is None:
        assert "popc" in {item["what"] for item in findings()["missing"]}


def test_layouts_from_dpu_objects(vendor: dict[str, Path]) -> None:
    for verdict in put("dpu-upmem-dpurte-clang", "upmem-dpu", *RECORDS).values():
        assert verdict.verdict is Judgement.AGREES


def test_layouts_from_the_assembly_of_popc(vendor: dict[str, Path]) -> None:
    for verdict in put("popc", "colossus-ipu", FLOATS, RECORDS[1]).values():
        assert verdict.verdict is Judgement.AGREES


RIGHT = ["r0", "r1", "r2", "r4:r5", "r3"]


@pytest.mark.parametrize(
    ("places", "clause"),
    [
        (RIGHT, ""),
        (["r0", "r1", "r2", "r4:r5", "r6"], "dpu:pass.back-fill"),
        (["r0", "r1", "r2", "r5:r4", "r3"], "dpu:pass.double-word"),
        (["r1", "r0", "r2", "r4:r5", "r3"], "dpu:pass.word"),
    ],
)
def test_calls_from_dpu_assembly(
    vendor: dict[str, Path], monkeypatch: pytest.MonkeyPatch, places: list[str], clause: str
) -> None:
    monkeypatch.setenv(PLACES, json.dumps(places))
    by_kind = {
        kind: verdict for (_, kind), verdict in put("dpu-upmem-dpurte-clang", "upmem-dpu", FIVE).items()
    }
    caller = by_kind[ProbeKind.CALLER]
    assert caller.verdict is (Judgement.DEVIATES if clause else Judgement.AGREES)
    assert caller.clause == clause
    assert by_kind[ProbeKind.CALLEE].outcome is Outcome.UNSUPPORTED


@pytest.mark.parametrize(("first", "wanted"), [(-12, Judgement.AGREES), (-16, Judgement.DEVIATES)])
def test_stack_arguments_from_dpu_assembly(
    vendor: dict[str, Path], monkeypatch: pytest.MonkeyPatch, first: int, wanted: Judgement
) -> None:
    monkeypatch.setenv(PLACES, json.dumps([*(f"r{n}" for n in range(8)), first, first - 4]))
    verdicts = put("dpu-upmem-dpurte-clang", "upmem-dpu", TEN)
    assert {verdict.verdict for (_, kind), verdict in verdicts.items() if kind is ProbeKind.CALLER} == {
        wanted
    }


def test_objects_of_the_vendor_are_dpu_objects(vendor: dict[str, Path], tmp_path: Path) -> None:
    words = command(parse_subject("dpu-upmem-dpurte-clang"), find_target("upmem-dpu"))
    assert words is not None
    source, output = tmp_path / "a.c", tmp_path / "a.o"
    source.write_text("const int x = 1;\n")
    subprocess.run([*words, "-c", str(source), "-o", str(output)], check=True)
    assert read_object(output).machine == 0xF5


def test_assembly_and_object_tell_the_same_constants(tmp_path: Path) -> None:
    if CLANG is None:
        pytest.skip("clang is not installed")
    source = tmp_path / "a.c"
    source.write_text(
        "struct S { char a; short b; int c : 5; double d; char e[7]; };\n"
        'const struct S one = { \'x\', -2, -1, 1.5, "a\\001\\"\\n" };\n'
        "const long long abi_layout[] = { -1, 0x123456789, 3 };\n"
        "const char some[] = { 0, 0, 7, 0, 0 };\n"
    )
    for suffix, mode in ((".o", "-c"), (".s", "-S")):
        output = source.with_suffix(suffix)
        words = [CLANG, "--target=armv7-none-eabi", "-w", mode, str(source), "-o", str(output)]
        subprocess.run(words, check=True)
    told = assembly.constants(source.with_suffix(".s").read_bytes())
    assert assembly.is_assembly(source.with_suffix(".s").read_bytes())
    for name, content in elf.constants(source.with_suffix(".o").read_bytes()).items():
        assert told[name] == content
