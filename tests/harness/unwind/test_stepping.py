"""Stepping of assembly: frames of the same unit, jumps, and runs that do not end."""

from __future__ import annotations

from pathlib import Path

import pytest
from faux.putting import real_clang

from abiprobe.harness.base import child
from abiprobe.harness.unwind.image import CALLED, link, placed
from abiprobe.harness.unwind.machines import stepped
from abiprobe.harness.unwind.stepping import TURNS, Stepper, Stepping
from abiprobe.harness.unwind.tables import read_table
from abiprobe.oracles.registry import find_target
from tests.skipping import needs_executor, trusted_or_skip

pytest.importorskip("capstone", reason="capstone is not installed")
pytest.importorskip("unicorn", reason="unicorn is not installed")

TARGET = "x86_64-sysv"
FUNCTION = ".globl {0}\n.type {0}, @function\n{0}:\n.cfi_startproc\n{1}\n.cfi_endproc\n.size {0}, . - {0}\n"
ADJUSTED = ".cfi_adjust_cfa_offset 8"
CALLS = f"pushq %rbx\n{ADJUSTED}\n.cfi_offset %rbx, -16\nmovq %rdi, %rbx\ncall g\npopq %rbx\n.cfi_def_cfa_offset 8\nret"
OTHER = f"subq $8, %rsp\n{ADJUSTED}\ncall call1\naddq $8, %rsp\n.cfi_def_cfa_offset 8\nret"


def step(folder: Path, **functions: str) -> Stepping:
    """Step `f0` among some functions, given by their instructions."""
    needs_executor(TARGET)
    about = stepped(find_target(TARGET))
    source, unit, image = folder / "f.s", folder / "f.o", folder / "f"
    source.write_text("".join(FUNCTION.format(name, text) for name, text in functions.items()), "utf-8")
    words = (*real_clang(), "--target=x86_64-linux-gnu", "-c", str(source), "-o", str(unit))
    assert child.run(words, timeout=60).ok
    assert link(unit, image, trusted_or_skip(about.machine)).ok
    stepper = Stepper(image, read_table(image), None, about, placed(image))
    stepper.run("f0", CALLED["stop"])
    return stepper.result


def test_a_function_of_the_same_unit_has_a_frame_of_its_own(tmp_path: Path) -> None:
    found = step(tmp_path, f0=CALLS, g=OTHER)
    assert (found.wrong, found.ended) == ({}, [])
    assert found.steps == 9 * len(TURNS)
    assert found.facts == 8 * found.steps
    assert len(found.lengths) == 9


def test_its_rows_are_held_against_its_own_frame(tmp_path: Path) -> None:
    found = step(tmp_path, f0=CALLS, g=OTHER.replace(ADJUSTED, "", 1))
    (one, other) = (one for one in found.wrong.values() if one.what == "CFA")
    assert (one.function, one.at, one.behind, one.sequel) == ("g", 4, "subq $8, %rsp", False)
    assert (other.instruction, other.sequel) == ("addq $8, %rsp", True)
    assert one.found is not None
    assert one.expected - one.found == 8


def test_a_jump_to_another_function_keeps_the_frame(tmp_path: Path) -> None:
    found = step(tmp_path, f0="jmp g", g=OTHER)
    assert (found.wrong, found.ended) == ({}, [])


def test_a_call_that_does_not_return_ends_a_run(tmp_path: Path) -> None:
    found = step(tmp_path, f0=f"pushq %rax\n{ADJUSTED}\ncall stop")
    assert (found.wrong, found.ended, found.steps) == ({}, [], 2 * len(TURNS))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1: jmp 1b", "f0(0): more than 20000 instructions"),
        ("movq (%rax), %rax\nret", "f0(0): Invalid memory read"),
        ("movq %rax, (%rsp)\nret", "f0(0): Invalid memory fetch"),
    ],
)
def test_a_run_that_does_not_end_is_told(tmp_path: Path, text: str, words: str) -> None:
    found = step(tmp_path, f0=text)
    assert len(found.ended) == len(TURNS)
    assert found.ended[0].startswith(words)


def test_what_calls_may_change_is_changed(tmp_path: Path) -> None:
    """A table that has a preserved value in a register that calls change is wrong behind the call alone."""
    moved = "movq %rbx, %r11\n.cfi_register %rbx, %r11\npushq %rax\n.cfi_adjust_cfa_offset 8\ncall call1\npopq %rbx\n.cfi_adjust_cfa_offset -8\nret"
    found = [one for one in step(tmp_path, f0=moved).wrong.values() if one.what == "rbx"]
    assert [(one.instruction, one.behind.split()[0], one.rule, one.clause) for one in found] == [
        ("popq %rbx", "callq", "r11", "dwarf:register"),
        ("retq", "popq", "r11", "dwarf:register"),
    ]
