"""A bundle fails for who does not leave alone what a call must leave alone, and passes for who does."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from abiprobe.harness.cli.commands.repro import bundled, seen_to_fail, write
from abiprobe.harness.input import read
from abiprobe.harness.observers.ask import ask, on
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.harness.triage.cases import of_verdicts
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom

from .putting import LIE, real_clang

RISCV = "riscv64-lp64d"
REFERENCE, OWN = "riscv:int.aggregate-reference", "riscv:int.preserved"
BIG = "struct Big { long a, b, c; }; void big(struct Big given);"
SMALL = "struct Small { int a, b, c; }; void small(struct Small given);"
OVERWRITTEN = "struct S { float a; long b : 1; }; struct T { int a, b, c; }; struct S f(struct T a);"


@pytest.fixture(autouse=True)
def tools() -> None:
    for tool in ("make", "ld.lld", "qemu-riscv64"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")


def lines_of_bundle(folder: Path, text: str, guilty: str, honest: str, clause: str) -> tuple[str, ...]:
    """What the bundle says of the guilty, for whom alone it must fail: the caller has lost a record of its own."""
    question = read(text, filename="t.h", triple="riscv64-linux-gnu").functions[0]
    seen = on(ask(find_target(RISCV), (question,), ((guilty, "O0"), (honest, "O0"))), question)
    lost = Fingerprint(RISCV, Symptom.KEPT, clause)
    case = next(one for one in of_verdicts("lost", RISCV, question, seen) if one.fingerprint == lost)
    made, files = bundled((msgspec.structs.replace(case, reduced=True),))
    write(folder, files)
    tried = seen_to_fail(folder, made)
    assert tried is not None
    assert len(tried.failed) == 1
    assert tried.as_expected, (folder / "make-output.txt").read_text("utf-8")
    return tried.wrong


@pytest.mark.parametrize(
    ("lie", "text", "clause"),
    [("passes_the_object_itself", BIG, REFERENCE), ("changes_what_it_passed", SMALL, OWN)],
)
def test_a_liar_whose_record_a_call_does_not_leave_alone(
    lie: str, text: str, clause: str, tmp_path: Path, faux: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LIE, lie)
    honest = f"clang:{real_clang()[0]}" if len(real_clang()) == 1 else "zig"
    lines = lines_of_bundle(tmp_path / "bundle", text, f"clang:{faux}", honest, clause)
    assert lines
    assert all("caller: its own given" in line for line in lines)


def test_a_compiler_that_overwrites_a_record_of_the_caller(tmp_path: Path) -> None:
    for name in ("zig", "gcc-12"):
        if not installed(parse_subject(name), (find_target(RISCV),)):
            pytest.skip(f"{name} is not installed for {RISCV}")
    lines = lines_of_bundle(tmp_path / "bundle", OVERWRITTEN, "zig", "gcc-12", OWN)
    assert any("caller: its own a: expected" in line for line in lines)
