"""Targets as they are stepped: the registers that a function preserves, and where its argument is."""

from __future__ import annotations

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.unwind.machines import stepped
from abiprobe.oracles.registry import find_target
from abiprobe.oracles.text.place import Register, StackSlot

pytest.importorskip("unicorn", reason="unicorn is not installed")


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("x86_64-sysv", {"rbx": 8, "rbp": 8, "r12": 8, "r13": 8, "r14": 8, "r15": 8}),
        ("i386-sysv", {"ebx": 4, "esi": 4, "edi": 4, "ebp": 4}),
        ("aarch64-aapcs64", {**{f"x{n}": 8 for n in range(19, 30)}, **{f"v{n}": 8 for n in range(8, 16)}}),
        ("arm-aapcs", {**{f"r{n}": 4 for n in range(4, 12)}, **{f"d{n}": 8 for n in range(8, 16)}}),
        ("riscv64-lp64", {f"s{n}": 8 for n in range(12)}),
        ("riscv64-lp64f", {**{f"s{n}": 8 for n in range(12)}, **{f"fs{n}": 4 for n in range(12)}}),
        ("riscv32-ilp32d", {**{f"s{n}": 4 for n in range(12)}, **{f"fs{n}": 8 for n in range(12)}}),
        ("s390x", {**{f"r{n}": 8 for n in range(6, 14)}, **{f"f{n}": 8 for n in range(8, 16)}}),
        ("powerpc64le-elfv2", {f"{kind}{n}": 8 for kind in "rf" for n in range(14, 32)}),
    ],
)
def test_preserved_registers_with_their_bytes(target: str, expected: dict[str, int]) -> None:
    about = stepped(find_target(target))
    assert {about.names[number]: size for number, size in about.preserved.items()} == expected
    assert about.identities.keys() == about.unwinding.numbers.keys()
    assert about.changed
    assert not set(about.changed) & {*expected, about.machine.sp, about.unwinding.link}


@pytest.mark.parametrize(
    ("target", "place"),
    [
        ("x86_64-sysv", Register("rdi")),
        ("i386-sysv", StackSlot(4)),
        ("aarch64-aapcs64", Register("x0")),
        ("arm-aapcs", Register("r0")),
        ("riscv64-lp64d", Register("a0")),
        ("s390x", Register("r2")),
        ("powerpc64le-elfv2", Register("r3")),
    ],
)
def test_the_place_of_the_argument(target: str, place: Register | StackSlot) -> None:
    assert stepped(find_target(target)).argument == place


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("powerpc-sysv", "unwinding is not tested on powerpc-sysv"),
        ("colossus-ipu", "no functions of colossus-ipu run"),
    ],
)
def test_other_targets_are_refused(target: str, words: str) -> None:
    with pytest.raises(Problem, match=words):
        stepped(find_target(target))
