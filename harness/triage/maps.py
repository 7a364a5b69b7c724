"""The maps of one deviation: what the model says of each place, and what subjects did there."""

from __future__ import annotations

from collections.abc import Sequence

from abiprobe.harness.observers.batch import Job
from abiprobe.harness.observers.registry import observer_of
from abiprobe.harness.runs.answer_cache import cached_answer
from abiprobe.harness.runs.question_sorts import sort_of
from abiprobe.harness.subjects.find import at_level
from abiprobe.oracles.language.question import Question, probe
from abiprobe.oracles.model import Target
from abiprobe.results.causes.blame import Configuration
from abiprobe.results.report.maps import Map


def maps(target: Target, question: Question, asked: Sequence[Configuration]) -> tuple[Map, ...]:
    """Map the model's bytes and those of each configuration, for each side of the call on which one differs."""
    sort = sort_of(question)
    done = [
        cached_answer(Job(target, 0, sort, (question,), (at_level(one),), observe=True))[0] for one in asked
    ]
    subjects = tuple(f"{subject} -{level}" for subject, level in asked)
    return observer_of(target, question).maps(probe(question), subjects, done)
