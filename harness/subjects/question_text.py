"""A question as people read it: in C, and in each other language of the compilers that it is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.languages.language import Language, find_language
from abiprobe.harness.machines.languages.printer import Printer
from abiprobe.harness.machines.render.cxx_languages import of_language
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import AbsentError
from abiprobe.oracles.engine.supposed import supposed
from abiprobe.oracles.language.constructs import needs
from abiprobe.oracles.language.question import CXX_QUESTIONS, Question
from abiprobe.oracles.model import Target


def question_text(question: Question, target: Target, subjects: Iterable[str]) -> str:
    """A question in C, and below it in the languages of `subjects` that can say it, each with its name."""
    texts = [f"in {name}:\n{text}" for name, text in in_languages(question, target, subjects).items()]
    return "\n".join((declaration(question), *texts))


def in_languages(question: Question, target: Target, subjects: Iterable[str]) -> dict[str, str]:
    """A question in each language but C of some subjects, by the name of the language."""
    found: dict[str, str] = {}
    for language in languages_of(subjects):
        name = language.about.language
        if isinstance(question, CXX_QUESTIONS):
            about = of_language(language)
            # Swift reads it in C++.
            if not about.unsayable(question) and (text := about.declaration(question)) != declaration(
                question
            ):
                found[name] = text
        elif name not in found and not needs(question) & language.lacks:
            printer = Printer(language, supposed(target.model().types, Reading.GCC))
            try:
                found[name] = printer.declaration(question)
            except AbsentError:
                continue
    return found


def languages_of(subjects: Iterable[str]) -> Iterator[Language]:
    """The languages but C of some subjects, as far as they are here."""
    for spelling in subjects:
        try:
            folder = parse_subject(spelling).family.language
            if folder:
                yield find_language(folder)
        except Problem:
            continue
