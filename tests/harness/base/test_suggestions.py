"""What a user who mistyped a name is told."""

from __future__ import annotations

import pytest

from abiprobe.harness.base.suggestions import FEW, closest_names, either, hint
from abiprobe.oracles.registry import TARGETS

MEANT = [
    ("x86_64-sysV", "x86_64-sysv"),
    ("x86-64-sysv", "x86_64-sysv"),
    ("riscv64_lp64d", "riscv64-lp64d"),
    ("RISCV64-LP64D", "riscv64-lp64d"),
    ("nvptx", "nvptx64-cuda"),
    ("upmem", "upmem-dpu"),
]


@pytest.mark.parametrize(("word", "name"), MEANT)
def test_the_closest_target_comes_first(word: str, name: str) -> None:
    assert closest_names(word, TARGETS)[0] == name


def test_a_name_cut_short_stands_for_all_that_begin_so() -> None:
    assert set(closest_names("x86-64", TARGETS)) == {"x86_64-ms", "x86_64-sysv", "x86_64-x32"}


def test_nothing_is_made_up_for_what_is_like_nothing() -> None:
    assert closest_names("banana", TARGETS) == ()
    assert closest_names("", TARGETS) == ()
    assert hint("banana", ("a", "b")) == "known are a, b"
    assert hint("banana", (str(number) for number in range(FEW + 1)), "see: there") == "see: there"


def test_a_choice_reads_as_people_write_it() -> None:
    assert [either(names) for names in (["a"], ["a", "b"], ["a", "b", "c"])] == ["a", "a or b", "a, b or c"]
