"""The options by which compilers say to do as an earlier release does, and the promises of a family."""

from __future__ import annotations

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.harness.subjects.promises import Kind, as_release, matrix, releases, with_own_level
from abiprobe.oracles.registry import find_target

TARGET = find_target("x86_64-sysv")


@pytest.mark.parametrize(
    ("subject", "release", "spelled"),
    [
        ("clang-22", "clang-14", "clang-22 -fclang-abi-compat=14"),
        ("clang++-22 -std=c++20", "clang++-16", "clang++-22 -std=c++20 -fclang-abi-compat=16"),
        ("g++-16", "g++-12", "g++-16 -fabi-version=17"),
    ],
)
def test_the_option_of_the_family_is_written(subject: str, release: str, spelled: str) -> None:
    assert as_release(parse_subject(subject), parse_subject(release)).spelling == spelled


@pytest.mark.parametrize(
    ("subject", "release"),
    [("clang-22", "gcc-12"), ("gcc-16", "gcc-12"), ("clang-22", "clang"), ("g++-16", "g++-9")],
)
def test_where_there_is_no_such_option_it_is_said_in_a_line(subject: str, release: str) -> None:
    with pytest.raises(Problem) as raised:
        as_release(parse_subject(subject), parse_subject(release))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "spelled", "level"),
    [
        ("clang-22", "clang-22", ""),
        ("clang-22 -O2 -g", "clang-22 -g", "O2"),
        ("gcc-12 -O1 -Os", "gcc-12", "Os"),
        ("gcc-12 -Ofast", "gcc-12", "Ofast"),
    ],
)
def test_a_level_among_the_options_is_the_subjects_own(text: str, spelled: str, level: str) -> None:
    subject, own = with_own_level(parse_subject(text))
    assert (subject.spelling, own) == (spelled, level)


def test_the_matrix_has_every_release_and_its_neighbour() -> None:
    every = releases("clang", (TARGET,))
    if len(every) < 2:
        pytest.skip("clang-22 and another release are not installed")
    found = matrix("clang", (TARGET,))
    newest = every[-1].spelling
    compat = {
        one.other for kind, one in found if kind is Kind.RELEASE and one.subject.startswith(f"{newest} ")
    }
    assert compat == {one.spelling for one in every[:-1]}
    neighbours = [(one.other, one.subject) for kind, one in found if kind is Kind.NEIGHBOURS]
    assert (every[0].spelling, every[1].spelling) in neighbours
    standards = {one.other for kind, one in found if kind is Kind.STANDARDS}
    assert {f"{one.spelling} -std=gnu99" for one in every} <= standards
    assert {one.level for kind, one in found if kind is Kind.LEVELS} == {"O1", "O2", "O3", "Os"}
    assert len(set(found)) == len(found)


def test_a_matrix_needs_two_releases() -> None:
    target = find_target("mips64el-n64")
    if installed(parse_subject("gcc-14"), (target,)):
        pytest.skip("two releases are installed")
    with pytest.raises(Problem):
        matrix("gcc", (target,))
