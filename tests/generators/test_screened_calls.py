"""The calls of the corpus on big-endian machines: who deviates by which clause, and where compilers part because no text decides."""

from __future__ import annotations

from importlib import resources
from typing import TypeAlias

import pytest

from abiprobe.harness.input.declared import declared_in_ours
from abiprobe.harness.observers.ask import ask, on
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.blame import Configuration
from abiprobe.results.coverage.differing import compare
from abiprobe.results.verdicts.record import Judgement, Verdict
from tests.skipping import needs_executor

ELFV1, ELFV2, PPC32, SPARC64, S390X, MIPS = (
    "powerpc64-elfv1",
    "powerpc64le-elfv2",
    "powerpc-sysv",
    "sparc64",
    "s390x",
    "mips64el-n64",
)
GCC, CLANG = "gcc-12", "clang-22"
LEVEL = "O0"


def declared(target: str, file: str) -> dict[str, Question]:
    """The calls of a file, by name."""
    text = resources.files("abiprobe.generators.corpus").joinpath(file).read_text("utf-8")
    return {one.name: one for one in declared_in_ours(text, find_target(target)).functions}


Answers: TypeAlias = "dict[Configuration, tuple[Verdict, ...]]"


def answers_on(target: str, file: str) -> dict[str, Answers]:
    """What both compilers show of the calls of a file, by name."""
    skip_without(target)
    calls = declared(target, file)
    answers = ask(find_target(target), tuple(calls.values()), ((GCC, LEVEL), (CLANG, LEVEL)))
    return {name: on(answers, call) for name, call in calls.items()}


def skip_without(target: str) -> None:
    for subject in (GCC, CLANG):
        if not installed(parse_subject(subject), (find_target(target),)):
            pytest.skip(f"{subject} is not installed")
    needs_executor(target)


DECIDED = [
    (
        ELFV1,
        "powerpc64.h",
        {"union_of_float": "elfv1:wrapped.union", "union_of_vector": "elfv1:wrapped.union"},
    ),
    (ELFV2, "powerpc64.h", {}),
    (
        PPC32,
        "powerpc-sysv.h",
        {
            "complex_float": "ppc32:pass.pair",
            "complex_float_result": "ppc32:result.complex",
            "complex_double": "ppc32:pass.quad",
        },
    ),
    (SPARC64, "sparc64.h", {"union_of_float": "scd:union.general", "union_result": "scd:union.general"}),
    (S390X, "s390x.h", {"flexible_array": "lzsabi:pass.record"}),
]


@pytest.mark.parametrize(("target", "file", "wrong"), DECIDED)
def test_where_a_text_decides_gcc_follows_it_and_clang_deviates(
    target: str, file: str, wrong: dict[str, str]
) -> None:
    found = {}
    for name, seen in answers_on(target, file).items():
        assert not [one for one in seen[GCC, LEVEL] if one.verdict is Judgement.DEVIATES]
        deviating = [one.clause for one in seen[CLANG, LEVEL] if one.verdict is Judgement.DEVIATES]
        if deviating:
            found[name] = deviating[0]
    assert found == wrong


OPEN = [
    (PPC32, "powerpc-sysv.h", {"complex_short": {"r3", "memory at r3"}}),
    (SPARC64, "sparc64.h", {"vector": {"f0", "o0[4]"}, "struct_of_vector": {"f0", "o0"}}),
    (S390X, "s390x.h", {"atomic_bytes": {"memory at r2", "r2[4]"}}),
    (MIPS, "mips64el-n64.h", {"wide": {"a2", "a1"}, "complex_int_result": {"v0[4]", "v1"}}),
]


@pytest.mark.parametrize(("target", "file", "places"), OPEN)
def test_where_no_text_decides_both_places_are_told(
    target: str, file: str, places: dict[str, set[str]]
) -> None:
    found = {}
    for name, seen in answers_on(target, file).items():
        told = compare(target, "", seen)
        if told is not None and told.subjects_differ:
            found[name] = {group.place for group in told.groups}
    assert found == places


def test_gcc_12_contradicts_itself_on_an_over_aligned_scalar_of_mips() -> None:
    told = compare(MIPS, "", answers_on(MIPS, "mips64el-n64.h")["over_aligned"])
    assert told is not None
    assert [(group.subjects, group.place) for group in told.contradictory] == [
        (((GCC, LEVEL),), "b [0..4) a1 or v0, but read from a2")
    ]
