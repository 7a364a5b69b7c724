"""Compilers whose tables lie are caught, and blamed on the instruction, the register and the rule."""

from __future__ import annotations

from pathlib import Path

import pytest
from faux.putting import LIE

from abiprobe.generators.frames import Call, Function
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.harness.unwind.exidx import EXIDX
from abiprobe.harness.unwind.sweep import Share, Way, answered
from abiprobe.harness.unwind.wrong import Wrong
from abiprobe.results.verdicts.record import Outcome
from tests.skipping import needs_executor

pytest.importorskip("capstone", reason="capstone is not installed")
pytest.importorskip("unicorn", reason="unicorn is not installed")

SAVES = Function(kept=2)
PUSHES = Function(body=(Call(12),))
OMITTED, KEPT = "-fomit-frame-pointer", "-fno-omit-frame-pointer"
VSP, POP = "arm_unwinding:exidx.vsp", "arm_unwinding:exidx.pop"
SIGNED = "-mbranch-protection=standard"


def told(liar: Path, target: str, option: str, function: Function) -> list[Wrong]:
    """What is wrong by the compiler that tells the lie of the environment, without what follows from it."""
    needs_executor(target)
    way = Way(target, parse_subject(f"clang:{liar}"), "O2", (option,))
    answer = answered(Share(way, (function,)))
    assert answer.outcome is Outcome.OBSERVED, answer.words
    assert answer.stepping.facts
    assert not answer.stepping.ended
    return [one for one in answer.stepping.wrong.values() if not one.sequel]


@pytest.mark.parametrize("target", ["x86_64-sysv", "aarch64-aapcs64"])
@pytest.mark.parametrize("function", [SAVES, PUSHES])
@pytest.mark.parametrize("option", [OMITTED, KEPT])
def test_an_honest_compiler_is_not_blamed(liar: Path, target: str, option: str, function: Function) -> None:
    assert told(liar, target, option, function) == []


@pytest.mark.parametrize(
    ("lie", "target", "option", "function", "expected"),
    [
        ("drops_a_restore", "aarch64-aapcs64", OMITTED, SAVES, [("x19", "*(CFA-8)", "arm_unwinding:inactive.aarch64", "ldp", "ret")]),
        ("shifts_an_offset", "x86_64-sysv", OMITTED, PUSHES, [("rbx", "*(CFA-24)", "dwarf:offset", "pushq", "movq")]),
        ("forgets_to_adjust", "x86_64-sysv", OMITTED, PUSHES, [("CFA", "rsp+16", "dwarf:cfa", "pushq", "pushq")]),
        (
            "names_another_register", "x86_64-sysv", OMITTED, PUSHES,
            [("rbx", "same value", "dwarf:same-value", "movq", "movl"), ("r12", "*(CFA-16)", "dwarf:offset", "pushq", "movq")],
        ),
        ("moves_the_frame", "x86_64-sysv", KEPT, PUSHES, [("CFA", "r11+16", "dwarf:cfa", "movq", "pushq")]),
        (
            "forgets_the_sign", "aarch64-aapcs64", SIGNED, PUSHES,
            [
                ("sign of the return address", "not signed", "arm_unwinding:sign", "paciasp", "sub"),
                ("sign of the return address", "signed", "arm_unwinding:sign", "autiasp", "ret"),
            ],
        ),
        ("has_no_tables", "x86_64-sysv", OMITTED, PUSHES, [("row", "", "dwarf:row", "", "pushq")]),
    ],
)  # fmt: skip
def test_a_lie_is_blamed_on_its_instruction(
    liar: Path,
    monkeypatch: pytest.MonkeyPatch,
    lie: str,
    target: str,
    option: str,
    function: Function,
    expected: list[tuple[str, ...]],
) -> None:
    monkeypatch.setenv(LIE, lie)
    seen = [
        (one.what, one.rule, one.clause, one.behind.partition(" ")[0], one.instruction.partition(" ")[0])
        for one in told(liar, target, option, function)
    ]
    assert sorted(seen) == sorted(expected)


@pytest.mark.parametrize(
    ("lie", "function", "expected"),
    [
        ("tells_the_truth", SAVES, set()),
        (
            "saves_one_less", SAVES,
            {
                ("CFA", ".ARM.exidx sp+12", VSP), ("return address", ".ARM.exidx *(sp+8)", POP),
                ("r4", ".ARM.exidx same value", "arm_unwinding:exidx.unsaved"),
                ("r5", ".ARM.exidx *(sp+0)", POP), ("r6", ".ARM.exidx *(sp+4)", POP),
            },
        ),
        (
            "pads_too_much", PUSHES,
            {
                ("CFA", ".ARM.exidx sp+272", VSP), ("return address", ".ARM.exidx *(sp+268)", POP),
                ("r4", ".ARM.exidx *(sp+256)", POP), ("r5", ".ARM.exidx *(sp+260)", POP), ("r6", ".ARM.exidx *(sp+264)", POP),
            },
        ),
        ("has_no_index", PUSHES, {("row", ".ARM.exidx", "arm_unwinding:exidx.call-site")}),
    ],
)  # fmt: skip
def test_a_lie_of_the_index_of_arm_is_blamed_on_a_call(
    liar: Path, monkeypatch: pytest.MonkeyPatch, lie: str, function: Function, expected: set[tuple[str, ...]]
) -> None:
    monkeypatch.setenv(LIE, lie)
    found = [one for one in told(liar, "arm-aapcs", OMITTED, function) if one.rule.startswith(EXIDX)]
    assert {(one.what, one.rule, one.clause) for one in found} == expected
    assert all(one.instruction.startswith("bl ") for one in found)
