"""Draw the numbered batches of questions that a run's seed determines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import filterfalse, islice

from abiprobe.generators import classes, cxx_calls, entities, simd, tables, wide_vectors
from abiprobe.generators.pool import POOL_SORTS, PoolSort, stream
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.stopwatch import stage
from abiprobe.harness.machines.languages.language import LAYOUTS, find_language
from abiprobe.harness.machines.render.cxx_languages import CxxLanguage, cxx_language
from abiprobe.harness.runs.focus import focused, wanted_by
from abiprobe.harness.runs.question_sorts import (
    SORTS,
    batch_size,
    drawn,
    is_asked,
    subjects_of,
)
from abiprobe.harness.subjects.subject import Subject
from abiprobe.oracles.language.constructs import needs
from abiprobe.oracles.language.iso_c import FEATURES, Edition, says
from abiprobe.oracles.language.question import Question, Sort
from abiprobe.oracles.model import Target
from abiprobe.results.journal.journal import Plan

BARREN = 20_000
"""After so many questions none of which a language can say no further one is drawn."""


def questions(plan: Plan, kind: PoolSort) -> Iterator[Question]:
    """The questions of a run's pool, one by one.

    What the run's edition of C cannot say is left out and, where no subject is a compiler of C, what none of them can say.
    """
    found = in_edition(plan, kind)
    languages = tuple(languages_of(plan, kind))
    return sayable(found, languages) if languages else found


def in_edition(plan: Plan, kind: PoolSort) -> Iterator[Question]:
    """The questions of a pool that a run's edition of C can say; all of them in GNU C."""
    edition = Edition(plan.language)
    if edition is Edition.GNU:
        return stream(seed=plan.seed, kind=kind)
    drawn = stream(seed=plan.seed, kind=kind, features=FEATURES[edition])
    return focused(drawn, lambda question: says(edition, question))


def languages_of(plan: Plan, kind: PoolSort) -> Iterator[tuple[str, frozenset[str]]]:
    """The languages and libraries of a plan that are asked such questions, each with what it cannot say.

    There are none if one of its subjects can say whatever C can.
    """
    families = [subject.family for subject in subjects_of(plan)]
    if any(not family.language and not family.lacks for family in families):
        return
    calls = kind is Sort.PROTOTYPES
    for family in families:
        language = find_language(family.language) if family.language else None
        if language is None:
            yield family.name, family.lacks | family.lacks_in_calls if calls else family.lacks
        elif calls or language.has(LAYOUTS):
            yield language.name, language.lacks


def cxx_languages(subjects: Sequence[Subject]) -> list[CxxLanguage]:
    """Return the languages in which all compilers that are asked about C++ are asked; none if one is of C++ itself."""
    folders = dict.fromkeys(one.family.language for one in subjects if one.of_cxx)
    return [] if "" in folders else [cxx_language(folder) for folder in folders]


def unsayable(languages: Sequence[CxxLanguage], question: Question) -> bool:
    """Return whether a question about C++ can be asked in none of these languages."""
    return all(one.unsayable(question) for one in languages)


def sayable(found: Iterator[Question], languages: Sequence[tuple[str, frozenset[str]]]) -> Iterator[Question]:
    """Yield the questions that at least one of the languages can express; raises `Problem` if there are none."""
    barren = 0
    for question in found:
        needed = needs(question)
        barren += 1
        if any(not needed & lacks for _, lacks in languages):
            barren = 0
            yield question
        elif barren == BARREN:
            names = ", ".join(dict.fromkeys(name for name, _ in languages))
            raise Problem(f"of {BARREN} questions {names} can say none", "see docs/how-to/language.md")


class QuestionBatches:
    """Batches of questions by number; each is drawn once and dropped after the last target has taken it, of those with their subjects."""

    def __init__(self, plan: Plan, subjects: Mapping[Target, Sequence[Subject]]) -> None:
        self._plan = plan
        self._takers = {
            sort: sum(is_asked(target, sort, some) for target, some in subjects.items()) for sort in SORTS
        }
        self._streams: dict[Sort, Iterator[Question]] = {kind: questions(plan, kind) for kind in POOL_SORTS}
        self._streams[Sort.VECTOR_FUNCTIONS] = simd.stream(seed=plan.seed, bounds=simd.EVERYTHING)
        self._streams[Sort.CLASSES] = classes.stream(seed=plan.seed)
        self._streams[Sort.CXX_CALLS] = cxx_calls.stream(seed=plan.seed)
        self._streams[Sort.NAMES] = entities.stream(seed=plan.seed)
        self._streams[Sort.TABLES] = tables.stream(seed=plan.seed)
        if others := cxx_languages(subjects_of(plan)):
            # Of a thousand names D has a third, of classes a tenth.
            for sort in (Sort.CLASSES, Sort.CXX_CALLS, Sort.NAMES):
                self._streams[sort] = filterfalse(partial(unsayable, others), self._streams[sort])
        for sort, isa in wide_vectors.SORTS.items():
            self._streams[sort] = wide_vectors.stream(seed=plan.seed, isa=isa)
        if plan.language != Edition.GNU.value:
            # The other sorts are C++, or have attributes and pragmas that no edition of C has.
            self._streams = {
                sort: self._streams[sort] if sort in POOL_SORTS else iter(()) for sort in self._streams
            }
        if plan.only:
            wanted = wanted_by(plan.only, tuple(subjects))
            self._streams = {sort: focused(found, wanted) for sort, found in self._streams.items()}
        self._next = dict.fromkeys(SORTS, 0)
        self._kept: dict[tuple[Sort, int], tuple[tuple[Question, ...], int]] = {}

    def take(self, sort: Sort, number: int) -> tuple[Question, ...]:
        """Return the questions of batch `number`, none behind the last; call once for each target for which it is asked."""
        while self._next[sort] <= number:
            at = self._next[sort]
            size = batch_size(self._plan, sort)
            count = max(0, min(size, drawn(self._plan, sort) - at * size))
            with stage("draw"):
                questions = tuple(islice(self._streams[sort], count))
            self._kept[sort, at] = questions, self._takers[sort]
            self._next[sort] += 1
        questions, left = self._kept[sort, number]
        if left > 1:
            self._kept[sort, number] = questions, left - 1
        else:
            del self._kept[sort, number]
        return questions
