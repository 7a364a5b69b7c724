"""Every quirk against the installed compilers: its example deviates by the text and agrees by the dialect, in its versions alone."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TypeGuard

import pytest

from abiprobe.harness.observers.ask import ask
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.harness.triage.quirk_examples import declared
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.oracles.language.question import WITNESSES, ProbeKind, Question, probe
from abiprobe.oracles.quirks.in_force import QUIRKS
from abiprobe.oracles.quirks.quirk import Quirk
from abiprobe.oracles.quirks.versions import Range
from abiprobe.oracles.registry import TARGETS, find_target
from abiprobe.results.verdicts.record import Judgement, Verdict

from .quirk_examples import (
    LANGUAGES,
    LEVELS,
    examples,
    pairs,
    version_of,
)


@cache
def seen(target: str, subject: str) -> dict[str, list[Verdict]]:
    """The verdicts of a compiler, at all levels, on every example for a target, by probe."""
    questions = {probe(one).id: one for found in examples(target).values() for one in found}
    found: dict[str, list[Verdict]] = {}
    for sort in (Class,) if parse_subject(subject).of_cxx else (Record, Prototype):
        some = [one for one in questions.values() if isinstance(one, sort)]
        if some:
            asked = [(subject, level) for level in LEVELS]
            for verdicts in ask(find_target(target), some, asked, tuple(WITNESSES.values())).values():
                for identity_, mine in verdicts.items():
                    found.setdefault(identity_, []).extend(mine)
    return found


@pytest.mark.parametrize(("target", "subject"), pairs())
def test_an_example_deviates_by_the_text_and_agrees_by_the_dialect(target: str, subject: str) -> None:
    version = version_of(target, subject)
    wrong = []
    for name, questions in examples(target).items():
        if QUIRKS[name].cxx != parse_subject(subject).of_cxx:
            continue
        has_it = QUIRKS[name].has(target, subject, version)
        for question in questions:
            verdicts = seen(target, subject).get(probe(question).id, [])
            deviating = [one for one in verdicts if one.verdict is Judgement.DEVIATES]
            if has_it and any(one.verdict is Judgement.AGREES for one in verdicts) | bool(deviating):
                wrong += [f"{name}: {question} is new: {one.detail}" for one in deviating if not one.quirks]
                if not any(name in one.quirks for one in deviating):
                    wrong.append(f"{name}: {question} does not show it")
            elif not has_it and subject not in LANGUAGES:
                # What is overwritten is no place of a value, and any store beyond an object may do so.
                placed = [one for one in deviating if one.kind is not ProbeKind.PRESERVATION]
                wrong += [f"{name}: {question} shows it" for one in placed if not one.quirks]
    assert wrong == []


@pytest.mark.parametrize("quirk", QUIRKS.values(), ids=lambda quirk: quirk.name)
def test_a_quirk_changes_an_answer_on_every_target_that_it_names(quirk: Quirk) -> None:
    """A target on which it changes nothing is none of its own."""
    idle = [name for name in TARGETS if quirk.reaches(name) and not examples(name)[quirk.name]]
    assert idle == []


@pytest.mark.parametrize("quirk", QUIRKS.values(), ids=lambda quirk: quirk.name)
def test_a_quirk_changes_an_answer_to_every_function_of_its_example(quirk: Quirk) -> None:
    """What it changes nothing of is no example of it; a function that has a body only calls others."""
    reached = [name for name in TARGETS if quirk.reaches(name)]
    every = {one.name for name in reached for one in declared(quirk, find_target(name)) if is_function(one)}
    shown = {one.name for name in reached for one in examples(name)[quirk.name] if is_function(one)}
    assert {name for name in every if not name.startswith("calls")} <= shown


def is_function(question: Question) -> TypeGuard[Prototype]:
    return isinstance(question, Prototype)


@pytest.mark.parametrize("quirk", QUIRKS.values(), ids=lambda quirk: quirk.name)
def test_every_pattern_and_range_of_a_quirk_names_something(quirk: Quirk) -> None:
    for pattern in quirk.targets:
        assert any(map(replace(quirk, targets=(pattern,)).reaches, TARGETS)), pattern
    for text in quirk.subjects:
        Range.read(text)
