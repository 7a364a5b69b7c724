"""A machine whose registers nobody has heard of: its description alone tells everybody of which kind they are."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from abiprobe.harness.machines.runtime.description import Machine, filed, numbered, slots
from abiprobe.harness.machines.runtime.machine import RISCV64
from abiprobe.harness.observers.image.parts import ValuePart
from abiprobe.harness.observers.image.tracing import State, addresses, noise, places_holding
from abiprobe.oracles.engine.expect import contents
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.language.question import Sort, probe
from abiprobe.oracles.text.place import Located, Passed, Passing, Piece, Register, RegisterFile
from abiprobe.results.causes.fingerprint import fingerprints
from abiprobe.results.journal.journal import (
    SCHEMA,
    BatchDone,
    BatchKey,
    Footer,
    Header,
    Kept,
    Plan,
    SubjectInfo,
    Writer,
    verdict_digest,
)
from abiprobe.results.known.instead import instead_of
from abiprobe.results.verdicts.judge import judge_caller
from abiprobe.results.verdicts.observations import Frame, ObservedCaller, Turn, View
from abiprobe.results.verdicts.record import Verdict
from abiprobe.results.verdicts.shifting import blame_shifts

from .calling import abiprobe

TARGET, SUBJECT, CLAUSE = "riscv64-lp64d", "gcc-12", "riscv:int.scalar"
"""A run is of a target that there is; the places of its verdicts are those of the machine below."""
WHOLE, KEPT, REAL, WIDE, MODE = (
    numbered("snark", 1, 4),
    "boojum",
    numbered("bandersnatch", 0, 3),
    "jub",
    "tove",
)
VALUES = bytes(range(0x10, 0x18)), bytes(range(0x70, 0x78))
FUNCTION = Prototype("f", None, (Param("a", Scalar(Kind.LONG)),))


@pytest.fixture(scope="module")
def machine() -> Machine:
    """As many bytes as RISC-V has, under other names."""
    return replace(
        RISCV64,
        name="wonderland",
        registers=MappingProxyType(
            {
                **slots(f"{WHOLE} {KEPT} {MODE}", 0, 8, 8),
                **slots(REAL, 64, 8, 8),
                **slots(WIDE, 128, 32, 32),
            }
        ),
        files=filed(
            (RegisterFile.GENERAL, WHOLE),
            (RegisterFile.SAVED, KEPT),
            (RegisterFile.CONTROL, MODE),
            (RegisterFile.FLOATING, REAL),
            (RegisterFile.VECTOR, WIDE),
        ),
        steady=frozenset({MODE}),
    )


def judged(machine: Machine, **held: int) -> Verdict:
    """The verdict on a caller that should have a value in snark1, and has it in these registers, from these bytes on."""
    passed = Passed(
        "a", "long", Passing.DIRECT, (Piece(0, 8, Register("snark1"), CLAUSE),), CLAUSE, 8, 8, b"\xff" * 8
    )
    turns = []
    for number, value in enumerate(VALUES):
        block = bytearray(noise(machine, number))
        for name, at in held.items():
            start = machine.registers[name].offset + at
            block[start : start + 8] = value
        frame = Frame(bytes(block), machine.registers, machine.files, b"", 0)
        view = View(int.from_bytes(value, "little"), (1 << 64) - 1, 8, 0)
        turn = Turn((value,), (contents(passed, value),), (view,), None, (), None)
        turns.append((turn, ObservedCaller(frame, (None,), b"", result_stored=False)))
    return judge_caller(probe(FUNCTION).id, (passed,), tuple(turns))


@pytest.mark.parametrize(
    ("held", "kinds", "words"),
    [
        ({"snark3": 0}, ("general register",), "found in snark3"),
        ({"bandersnatch2": 0}, ("floating-point register",), "found in bandersnatch2"),
        ({"jub": 16}, ("vector register",), "found in jub at byte 16"),
        ({"boojum": 0}, ("nowhere",), "found in boojum"),
        ({"tove": 0}, (), "found in tove"),
        (
            {"snark2": 0, "jub": 8},
            ("general register|vector register",),
            "found in snark2 and in jub at byte 8",
        ),
        ({}, ("nowhere",), "found nowhere else"),
    ],
)
def test_where_a_value_is_instead(
    machine: Machine, held: dict[str, int], kinds: tuple[str, ...], words: str
) -> None:
    verdict = judged(machine, **held)
    assert "a in snark1: expected 10 11 12 13 14 15 16 17" in verdict.detail
    assert verdict.detail.endswith(f"({words})")
    (fingerprint,) = fingerprints(TARGET, (verdict,))
    assert instead_of(fingerprint, (verdict,)) == kinds


@pytest.mark.parametrize(
    ("held", "clause"), [("snark2", "empty"), ("bandersnatch0", CLAUSE), ("boojum", CLAUSE)]
)
def test_only_a_place_of_the_same_kind_is_a_shift(machine: Machine, held: str, clause: str) -> None:
    verdict = judged(machine, **{held: 0})
    empty = Passed("e", "struct {}", Passing.IGNORED, (), "empty", 0, 1, b"")
    (value,) = (
        Passed(
            "a", "long", Passing.DIRECT, (Piece(0, 8, Register("snark1"), CLAUSE),), CLAUSE, 8, 8, b"\xff" * 8
        ),
    )
    assert blame_shifts(verdict, (empty, value), None, (), machine.files).clause == clause


def test_an_open_question_is_traced_in_it(machine: Machine) -> None:
    states = []
    for turn, value in enumerate(VALUES):
        block = bytearray(noise(machine, turn))
        at = machine.registers["jub"].offset + 4
        block[at : at + 8] = value
        states.append(State(bytes(block), b"", {}))
    part = ValuePart(0, 0, 8, (1 << 64) - 1, "a")
    found = places_holding(part, VALUES, tuple(states), machine)
    assert found == (Located(Register("jub"), 4, RegisterFile.VECTOR),)
    names = {one.place.place.name for one in addresses(machine, 0) if isinstance(one.place.place, Register)}
    assert names == {*WHOLE.split(), KEPT}


@pytest.fixture(scope="module")
def store(machine: Machine, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that found a value in another kind of register of this machine."""
    folder = tmp_path_factory.mktemp("store")
    verdict = judged(machine, bandersnatch2=0)
    plan = Plan(1, 1, (TARGET,), (SUBJECT,), ("O0",))
    info = (SubjectInfo(TARGET, SUBJECT, "gcc 12.2.0", "d"),)
    batch = BatchDone(
        BatchKey(TARGET, SUBJECT, "O0", Sort.PROTOTYPES, 0),
        1,
        (verdict,),
        (Kept(verdict.probe, FUNCTION),),
        clauses={CLAUSE: (0, 1)},
    )
    writer = Writer.create(folder, Header(SCHEMA, "0", "2026-01-01T00:00:00+00:00", plan, info))
    for line in (batch, Footer(1, 1, verdict_digest((batch,)), "complete", 1.0)):
        writer.write(line)
    writer.close()
    return folder


@pytest.mark.parametrize("form", ["text", "html"])
def test_reports_tell_the_place(store: Path, form: str) -> None:
    by = ("--by", "clause") if form == "text" else ()
    done = abiprobe("report", str(store), "--format", form, *by, cwd=store)
    assert done.returncode == 1, done.stderr
    assert "snark1" in done.stdout
    assert "found in bandersnatch2" in done.stdout


def test_json_tells_the_place_and_its_file(store: Path) -> None:
    done = abiprobe("report", str(store), "--format", "json", cwd=store)
    (verdict,) = json.loads(done.stdout)["verdicts"]
    (told,) = verdict["differences"]
    assert (told["place"], told["note"]) == ("snark1", "found in bandersnatch2")
    (found,) = told["typed"]["note"]["at"]
    assert (found["place"]["name"], found["file"]) == ("bandersnatch2", "floating-point register")
    assert told["typed"]["place"]["at"][0]["file"] == "general register"
