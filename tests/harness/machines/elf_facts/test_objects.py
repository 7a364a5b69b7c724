"""Object files: facts, what a document does not allow, and which two go together."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.main import main
from abiprobe.harness.machines.elf_facts.files import read_object
from abiprobe.harness.machines.elf_facts.machines import MACHINES, compared, machine_of
from abiprobe.harness.machines.elf_facts.machines import facts as facts_of
from abiprobe.oracles.abis.dpu import elf

from .handmade import DPU_FLAGS, Made, attributes, properties, write

RIGHT = Made()


def made(folder: Path, name: str, what: Made) -> Any:
    return read_object(write(folder / name, what))


def facts(found: Any) -> dict[str, list[str]]:
    told: dict[str, list[str]] = {}
    for fact in machine_of(found).facts(found):
        told.setdefault(fact.name, []).append(fact.value)
    return told


def troubles(found: Any) -> list[str]:
    return [trouble.why for trouble in machine_of(found).troubles(found)]


def test_a_right_dpu_object(tmp_path: Path) -> None:
    symbols = (0x10, 0x80000000, 0x08000000, 0xF0000000)
    found = made(tmp_path, "a.o", RIGHT._replace(relocations=(1, 1, 145), symbols=symbols))
    assert facts(found) == {
        "ABI version": ["2"],
        "relocations": ["2 R_DPU_32 (1)", "1 R_DPU_IMM32_DUS_RB (145)"],
        "instructions": [".text: 2 instructions, 16 bytes here, 12 in the IRAM"],
        "symbols": [
            "1 in the address range of IRAM",
            "1 in the address range of MRAM",
            "1 in the address range of WRAM",
            "1 in the address range of atomic",
        ],
    }
    assert troubles(found) == []


TROUBLES = [
    (Made(flags=0x03800000), "its ABI version is 3, the current one is 2"),
    (Made(flags=0x02000000), "bit 23 of e_flags is clear: the file gives no ABI version"),
    (Made(os_abi=3), "EI_OSABI is 3, not 0"),
    (Made(elf_class=64), "it is a 64-bit little-endian ELF file"),
    (Made(big=True), "it is a 32-bit big-endian ELF file"),
    (Made(relocations=(5,)), "no relocation has the number 5"),
    (Made(relocations=(146,)), "no relocation has the number 146"),
    (Made(code=12), ".text has 12 bytes, no whole number of instructions"),
    (
        Made(code=8 * 3969),
        "its 3969 instructions do not fit the IRAM of a v1B, which holds 3968",
    ),
]


@pytest.mark.parametrize(("what", "why"), TROUBLES, ids=[why for _, why in TROUBLES])
def test_what_the_dpu_document_does_not_allow(tmp_path: Path, what: Made, why: str) -> None:
    assert troubles(made(tmp_path, "a.o", what)) == [why]


def test_more_than_any_iram_holds(tmp_path: Path) -> None:
    assert len(troubles(made(tmp_path, "a.o", Made(code=8 * 4097)))) == 2


def test_every_relocation_of_the_document_is_known() -> None:
    assert list(elf.RELOCATIONS) == [*range(5), *range(128, 146)]
    assert len(set(elf.RELOCATIONS.values())) == 23


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (RIGHT, []),
        (Made(flags=0x01800000), ["ABI version: 2 and 1"]),
        (Made(flags=0), ["ABI version: 2 and none"]),
        (Made(machine=62, elf_class=64, flags=0), ["machine: UPMEM DPU and AMD x86-64", "class: ELF32 and ELF64"]),
        (Made(machine=248), ["machine: UPMEM DPU and Graphcore IPU"]),
    ],
)  # fmt: skip
def test_linking_with_a_right_dpu_object(tmp_path: Path, other: Made, why: list[str]) -> None:
    one, two = made(tmp_path, "a.o", RIGHT), made(tmp_path, "b.o", other)
    assert [finding.why for finding in compared(one, two).findings] == why
    assert bool(compared(two, one).findings) == bool(why)


@pytest.mark.parametrize(
    ("flags", "name"),
    [(0x0, "lp64"), (0x2, "lp64f"), (0x4, "lp64d"), (0x5, "lp64d"), (0x6, "lp64q"), (0x8, "lp64e")],
)
def test_riscv_abis(tmp_path: Path, flags: int, name: str) -> None:
    found = made(tmp_path, "a.o", Made(machine=243, elf_class=64, flags=flags))
    assert facts(found)["ABI"] == [name]
    assert troubles(found) == []
    hard = made(tmp_path, "b.o", Made(machine=243, elf_class=64, flags=0x4))
    assert bool(compared(found, hard).findings) == (name != "lp64d")


def test_a_real_riscv_object(tmp_path: Path) -> None:
    program = shutil.which("riscv64-linux-gnu-gcc")
    if program is None:
        pytest.skip("riscv64-linux-gnu-gcc is not installed")
    source, output = tmp_path / "a.c", tmp_path / "a.o"
    source.write_text("void f(void) {}\n")
    subprocess.run([program, "-c", str(source), "-o", str(output)], check=True)
    found = read_object(output)
    assert MACHINES[found.machine].targets(found) == "riscv64-lp64d"
    assert ("stack alignment in bytes", "16") in [(fact.name, fact.value) for fact in facts_of(found)]


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["object", *arguments])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_the_command_refuses_a_wrong_version(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right, wrong = write(tmp_path / "a.o", RIGHT), write(tmp_path / "b.o", Made(flags=0x01800000))
    assert run(str(right)) == 0
    assert run(str(right), str(right)) == 0
    assert "they may be linked together" in capsys.readouterr().out
    assert run(str(right), str(wrong)) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert "they may not be linked together ABI version: 2 and 1." in told
    assert "[dpu:object.link]" in told


def test_the_command_as_json(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    right, wrong = write(tmp_path / "a.o", RIGHT), write(tmp_path / "b.o", Made(flags=0))
    assert run(str(right), str(wrong), "--format", "json") == 1
    told = json.loads(capfdbinary.readouterr().out)
    assert told["linkable"] is False
    assert told["answer"] == "refused"
    assert told["findings"] == [
        {"answer": "refused", "why": "ABI version: 2 and none", "clause": "dpu:object.link"}
    ]
    assert [item["flags"] for item in told["files"]] == [DPU_FLAGS, 0]


@pytest.mark.parametrize("text", [b"", b"not ELF", b"\x7fELF", b"\x7fELF" + bytes(60)])
def test_what_is_no_elf_file_is_a_usage_error(
    tmp_path: Path, text: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.o"
    path.write_bytes(text)
    assert run(str(path)) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_other_mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(tmp_path / "none.o")) == 2
    assert run(str(tmp_path)) == 2
    right = str(write(tmp_path / "a.o", RIGHT))
    assert run(right, right, right) == 2
    assert len(capsys.readouterr().err.splitlines()) == 3


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_damaged_file_is_a_problem_and_never_a_crash(tmp_path: Path, data: st.DataObject) -> None:
    machine = data.draw(st.sampled_from((0xF5, 3, 8, 20, 21, 22, 40, 43, 62, 183, 243, 258)))
    arm = attributes("aeabi", (6, 10), (67, "2.09"), (66, 1), (28, 1))
    parts = (
        *(((".ARM.attributes", arm),) if machine != 183 else ()),
        (".gnu.attributes", attributes("gnu", (4, 13), (32, 1))),
        (".note.gnu.property", properties((0xC0000002, b"\3\0\0\0"))),
        (".MIPS.abiflags", bytes(24)),
    )
    path = write(tmp_path / "a.o", Made(machine, relocations=(1, 128), symbols=(0x80000000,), sections=parts))
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(4, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content[: data.draw(st.integers(5, len(content)))])
    try:
        found = read_object(path)
    except Problem:
        return
    list(facts_of(found))
    troubles(found)
    assert found.machine != 83 or compared(found, found).findings
