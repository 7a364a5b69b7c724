"""A subject, a target and a sort are values: what a journal or another process has of one is the same one again."""

from __future__ import annotations

import pickle

import msgspec
import pytest

from abiprobe.harness.subjects.find import at_level, parse_subject
from abiprobe.oracles.language.question import Sort
from abiprobe.oracles.registry import TARGETS, find_target

SPELLINGS = [
    "clang-22",
    "gcc:/opt/a compiler/gcc",
    "clang-24+cir",
    "zig@powerpc64-ibm-aix",
    "gcc-12 -mavx -DNAME='a b'",
    "clang:/usr/bin/clang++@riscv64-linux-gnu -O1",
    "zig-lang",
]
SORTS = (
    *(
        "records",
        "prototypes",
        "prototypes avx",
        "prototypes avx512f",
        "vector functions",
        "classes",
        "calls of C++",
        "names",
        "tables",
    ),
    *("small records", "small scope", "tours", "complete", "complete records"),
)
"""What journals have, which no version may change."""


@pytest.mark.parametrize("text", SPELLINGS)
def test_a_subject_is_what_its_spelling_says(text: str) -> None:
    subject = parse_subject(text)
    again = parse_subject(subject.spelling)
    assert again == subject
    assert hash(again) == hash(subject)
    assert again.family is subject.family
    assert str(subject) == again.spelling


@pytest.mark.parametrize("text", SPELLINGS)
def test_a_subject_travels(text: str) -> None:
    asked = at_level((text, "O2"))
    assert pickle.loads(pickle.dumps(asked)) == asked


def test_subjects_with_other_options_are_others() -> None:
    every = {parse_subject(text) for text in (*SPELLINGS, "gcc-12", "gcc-12 -mavx", "gcc", "clang-22")}
    assert len(every) == len(SPELLINGS) + 3


@pytest.mark.parametrize("target", TARGETS.values(), ids=str)
def test_every_dialect_travels(target: object) -> None:
    found = find_target(str(target))
    for dialect in found.dialects:
        one = found.in_dialect(dialect)
        again = pickle.loads(pickle.dumps(one))
        assert (again, again.dialect, hash(again)) == (one, dialect, hash(one))
        assert again.model() is one.model()
        assert find_target(one.spelling) == one
    assert len({found.in_dialect(dialect) for dialect in found.dialects}) == len(found.dialects)


def test_sorts_are_what_journals_have() -> None:
    assert tuple(Sort) == SORTS
    assert msgspec.json.encode(tuple(Sort)) == msgspec.json.encode(SORTS)
    assert msgspec.json.decode(msgspec.json.encode(SORTS), type=tuple[Sort, ...]) == tuple(Sort)
