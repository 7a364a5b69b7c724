"""Routines that save and restore registers: their instructions, and functions that call them."""

from __future__ import annotations

import pytest

from abiprobe.generators.frames import Function
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.harness.unwind.instructions import Disassembler
from abiprobe.harness.unwind.routines import placed_routines
from abiprobe.harness.unwind.sweep import Share, Way, answered
from abiprobe.oracles.registry import find_target
from tests.skipping import needs_executor

pytest.importorskip("capstone", reason="capstone is not installed")

AT = 0x1000
SYMBOLS, CODE = placed_routines("ppc64le", AT)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("_savegpr0_14", "std r14, -0x90(r1)"),
        ("_savegpr0_31", "std r31, -8(r1); std r0, 0x10(r1); blr"),
        ("_restgpr0_30", "ld r30, -0x10(r1); ld r31, -8(r1); ld r0, 0x10(r1); mtlr r0; blr"),
        ("_savegpr1_31", "std r31, -8(r12); blr"),
        ("_restgpr1_31", "ld r31, -8(r12); blr"),
        ("_savefpr_31", "stfd f31, -8(r1); std r0, 0x10(r1); blr"),
        ("_restfpr_31", "lfd f31, -8(r1); ld r0, 0x10(r1); mtlr r0; blr"),
    ],
)
def test_the_samples_of_the_text(name: str, text: str) -> None:
    """ELFv2 2.3.3."""
    disassembler = Disassembler("ppc64le")
    start = SYMBOLS[name]
    ends = range(start, start + 4 * len(text.split("; ")), 4)
    assert [disassembler.text(CODE[at - AT : at - AT + 4], at) for at in ends] == text.split("; ")


def routine(name: str, machine: str) -> str:
    symbols, code = placed_routines(machine, AT)
    disassembler, at, texts = Disassembler(machine), symbols[name], list[str]()
    while not texts or not texts[-1].startswith(("ret", "jr", "jalr")):
        texts.append(disassembler.text(code[at - AT : at - AT + 4], at))
        at += 4
    return "; ".join(texts)


@pytest.mark.parametrize(
    ("name", "machine", "text"),
    [
        ("__riscv_save_0", "riscv64", "addi sp, sp, -0x10; sd ra, 8(sp); jr t0"),
        ("__riscv_save_2", "riscv64", "addi sp, sp, -0x20; sd ra, 0x18(sp); sd s0, 0x10(sp); sd s1, 8(sp); jr t0"),
        ("__riscv_restore_1", "riscv64", "ld ra, 8(sp); ld s0, 0(sp); addi sp, sp, 0x10; ret"),
        ("__riscv_restore_3", "riscv32", "lw ra, 0xc(sp); lw s0, 8(sp); lw s1, 4(sp); lw s2, 0(sp); addi sp, sp, 0x10; ret"),
    ],
)  # fmt: skip
def test_the_layouts_of_riscv(name: str, machine: str, text: str) -> None:
    """RISC-V Toolchain Conventions, Save Restore Routine Stack Frame Layouts."""
    assert routine(name, machine) == text


def test_other_machines_have_none() -> None:
    assert placed_routines("s390x", AT) == ({}, b"")


def test_functions_that_call_them_return() -> None:
    target, subject = "powerpc64le-elfv2", parse_subject("gcc-12")
    needs_executor(target)
    if not installed(subject, (find_target(target),)):
        pytest.skip(f"gcc-12 is not installed for {target}")
    share = Share(
        Way(target, subject, "Os", ("-fomit-frame-pointer",)), (Function(kept=3), Function(reals=2))
    )
    found = answered(share)
    assert (found.words, found.stepping.ended, found.stepping.wrong) == ("", [], {})
    assert found.stepping.facts
