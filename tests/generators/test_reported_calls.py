"""Calls that users have reported because two compilers part: each is a deviation, or both places are told."""

from __future__ import annotations

from importlib import resources

import pytest

from abiprobe.harness.input.declared import declared_in_ours
from abiprobe.harness.machines.executors import find as executors
from abiprobe.harness.machines.workbench import XMM_BYTES
from abiprobe.harness.observers.ask import ask, on
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.harness.subjects.options import layout_options
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.registry import find_target
from abiprobe.results.coverage.differing import compare
from abiprobe.results.verdicts.record import Judgement, Verdict

X86, I386 = "x86_64-sysv", "i386-sysv"
WIDE = " -mavx512f"
FILES = {X86: "x86_64-sysv.h", I386: "i386.h"}


def declared(target: str, name: str) -> Question:
    text = resources.files("abiprobe.generators.corpus").joinpath(FILES[target]).read_text("utf-8")
    found = declared_in_ours(text, find_target(target))
    by_name: dict[str, Question] = {one.name: one for one in found.functions}
    by_name |= {one.tag: one for one in found.records}
    return by_name[name]


def answers(target: str, name: str, subjects: tuple[str, ...]) -> dict[str, tuple[Verdict, ...]]:
    """The verdicts on one declaration at -O2, by subject."""
    for subject in subjects:
        if not installed(parse_subject(subject), (find_target(target),)):
            pytest.skip(f"{subject} is not installed")
        vectors = layout_options(parse_subject(subject).options).vectors
        if not executors.find(target.partition("-")[0], vectors if vectors > XMM_BYTES else 0):
            pytest.skip(f"nothing runs {target} programs with vector registers of {vectors} bytes")
    question = declared(target, name)
    seen = on(ask(find_target(target), (question,), tuple((subject, "O2") for subject in subjects)), question)
    return {subject: verdicts for (subject, _), verdicts in seen.items()}


DISAGREEMENTS = [
    (X86, "unnamed_bits", ("gcc-12", "clang-22"), "a [0..4)", {"rdi", "xmm0"}),
    pytest.param(
        X86, "unnamed_bits", ("gcc-16", "clang-23"), "a [0..4)", {"rdi", "xmm0"}, marks=pytest.mark.long
    ),
    (X86, "vector_of_128_bytes", (f"gcc-12{WIDE}", f"clang-22{WIDE}"), "p [0..4)", {"rsi", "rdi"}),
    pytest.param(
        X86,
        "vector_of_128_bytes",
        (f"gcc-16{WIDE}", f"clang-24{WIDE}"),
        "p [0..4)",
        {"rsi", "rdi"},
        marks=pytest.mark.long,
    ),
    (I386, "fastcall_char", ("gcc-12", "clang-22"), "b [0..1)", {"stack+12", "ecx"}),
    pytest.param(
        I386, "fastcall_char", ("gcc-16", "clang-24"), "b [0..1)", {"stack+12", "ecx"}, marks=pytest.mark.long
    ),
    pytest.param(
        I386,
        "BitInt64",
        ("gcc-16", "clang-24"),
        "__alignof__ of the type of b",
        {"8 bytes", "4 bytes"},
        marks=pytest.mark.long,
    ),
]


@pytest.mark.parametrize(("target", "name", "subjects", "what", "places"), DISAGREEMENTS)
def test_where_the_text_is_silent_both_places_are_told(
    target: str, name: str, subjects: tuple[str, ...], what: str, places: set[str]
) -> None:
    seen = answers(target, name, subjects)
    assert all(any(one.verdict is Judgement.DIFFERS for one in verdicts) for verdicts in seen.values())
    found = compare(target, "", {(subject, "O2"): verdicts for subject, verdicts in seen.items()})
    assert found is not None
    assert found.what == what
    assert {group.place for group in found.groups} == places


DECIDED = [
    pytest.param(X86, "only_flexible", "gcc-16", "clang-24", "x86_64:pass.whole", marks=pytest.mark.long),
    (X86, "union_of_vectors", f"gcc-12{WIDE}", f"clang-22{WIDE}", "x86_64:result.memory"),
    pytest.param(
        X86,
        "union_of_vectors",
        f"gcc-16{WIDE}",
        f"clang-24{WIDE}",
        "x86_64:result.memory",
        marks=pytest.mark.long,
    ),
]


@pytest.mark.parametrize(("target", "name", "right", "wrong", "clause"), DECIDED)
def test_where_the_text_decides_one_deviates(
    target: str, name: str, right: str, wrong: str, clause: str
) -> None:
    seen = answers(target, name, (right, wrong))
    assert all(one.verdict is Judgement.AGREES for one in seen[right])
    assert clause in {one.clause for one in seen[wrong] if one.verdict is Judgement.DEVIATES}
