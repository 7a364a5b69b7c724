"""Exposure confirmed: installed compilers are asked about the declarations that meet a known bug of theirs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TypeAlias

from abiprobe.harness.base.progress import counted
from abiprobe.harness.exposure.meeting import Meeting
from abiprobe.harness.exposure.sweep import Exposed
from abiprobe.harness.observers.ask import ask
from abiprobe.harness.runs.answer_cache import cached_answer
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.language.question import CXX_QUESTIONS, WITNESSES, Question
from abiprobe.oracles.model import Target
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement

LEVELS = ("O0", "O2")
OF_CXX = {"gcc": "g++", "clang": "clang++"}
TOGETHER = 200
"""Declarations that a compiler is asked about in one batch."""
Confirmed: TypeAlias = Mapping[Meeting, bool]
"""True for each meeting in which a compiler shows the bug; what no compiler could be asked is not there."""


def confirmed(found: Sequence[Exposed]) -> Confirmed:
    """Ask each compiler that is installed about what its release meets."""
    meetings = dict.fromkeys(meeting for one in found for meeting in one.meetings)
    questions = {probe: question for one in found for probe, question in one.questions.items()}
    mine: dict[tuple[str, str], list[Meeting]] = {}
    for one in meetings:
        mine.setdefault((one.target, compiler(one.subject, questions[one.probe])), []).append(one)
    told: dict[Meeting, bool] = {}
    for (target, subject), asked in counted(sorted(mine.items()), "compilers", len(mine)):
        where = find_target(target)
        if installed(parse_subject(subject), (where,)):
            shown = shown_by(where, subject, {one.probe: questions[one.probe] for one in asked})
            told.update((one, one.cause in shown[one.probe]) for one in asked if one.probe in shown)
    return told


def compiler(subject: str, question: Question) -> str:
    """The compiler to ask: of C++ that of the same release."""
    name, _, version = subject.partition("-")
    return f"{OF_CXX[name]}-{version}" if isinstance(question, CXX_QUESTIONS) else subject


def shown_by(target: Target, subject: str, questions: Mapping[str, Question]) -> dict[str, frozenset[str]]:
    """Return the known bugs that a compiler shows on each question, by the id of its probe; what it was not observed on is not there."""
    found: dict[str, frozenset[str]] = {}
    asked = [(subject, level) for level in LEVELS]
    for some in batches(list(questions.values())):
        for seen in ask(target, some, asked, tuple(WITNESSES.values()), put=cached_answer).values():
            for probe, verdicts in seen.items():
                if any(one.verdict is not Judgement.UNOBSERVED for one in verdicts):
                    names = (name for one in verdicts for name in one.quirks)
                    found[probe] = found.get(probe, frozenset()) | frozenset(names)
    return found


def batches(questions: Sequence[Question]) -> Iterator[tuple[Question, ...]]:
    """Yield questions in batches, each of one kind."""
    of_kind = sorted(questions, key=lambda one: type(one).__name__)
    for _, some in groupby(of_kind, key=type):
        every = tuple(some)
        yield from (every[at : at + TOGETHER] for at in range(0, len(every), TOGETHER))
