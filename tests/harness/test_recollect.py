"""The known deviations that come with abiprobe: every example is a question that the model answers."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest

from abiprobe.harness.recollect import example
from abiprobe.oracles.clause import find_clause
from abiprobe.oracles.lang import Record
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.place import Assignment, Layout
from abiprobe.oracles.question import Question
from abiprobe.oracles.registry import TARGETS, find_model
from abiprobe.oracles.vfabi.model import VectorModel
from abiprobe.oracles.vfabi.variant import Variants
from abiprobe.results.known import Entry, Known, shipped
from abiprobe.results.traits import traits

TRIED = (
    "x86_64-sysv",
    "x86_64-ms",
    "i386-sysv",
    "riscv64-lp64d",
    "riscv32-ilp32d",
    "riscv32-ilp32e",
    "riscv64-lp64e",
    "riscv64-lp64d-vector",
    "x86_64-vfabi",
    "nvptx64-cuda",
)


@pytest.fixture(params=shipped().entries, ids=lambda entry: entry.name)
def entry(request: pytest.FixtureRequest) -> Entry:
    assert isinstance(request.param, Entry)
    return request.param


def test_an_example_is_a_question_that_has_an_answer(entry: Entry) -> None:
    targets = [name for name in TRIED if any(fnmatchcase(name, pattern) for pattern in entry.targets)]
    answers = []
    for target in targets:
        question, model = example(entry, target), find_model(target)
        answers.append(answer(model, question))
        assert set(entry.traits) <= traits(question)
    assert any(isinstance(found, (Assignment, Layout, Variants)) for found in answers)


def answer(model: AbiModel, question: Question) -> object:
    if isinstance(question, Record):
        return model.layout(question)
    return (
        model.variants(question)
        if question.simd and isinstance(model, VectorModel)
        else model.assign(question)
    )


def test_an_entry_speaks_of_targets_and_clauses_that_there_are(entry: Entry) -> None:
    assert all(any(fnmatchcase(name, pattern) for name in targets()) for pattern in entry.targets)
    assert all(find_clause(clause).id == clause for clause in entry.clauses)


def targets() -> set[str]:
    dialects = {(name, dialect) for name, target in TARGETS.items() for dialect in target.dialects}
    return {f"{name}@{dialect}" if dialect else name for name, dialect in dialects}


def test_nothing_is_known_of_nothing() -> None:
    assert Known().entries == ()
