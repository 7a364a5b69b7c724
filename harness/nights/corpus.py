"""The corpus: questions that are asked every night, so that nights can be compared.

It has what users kept, the declarations that come with abiprobe, the examples of the known deviations, what lies on both
sides of the edges of each clause of a target, every pair of features of types, for each clause the smallest question that
needs it, and a sample that never changes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources
from itertools import islice
from pathlib import Path

import msgspec

from abiprobe.generators import classes, simd
from abiprobe.generators.pairwise import covering
from abiprobe.generators.pool import BATCH, POOL_SORTS, stream
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input.declared import declared_in_ours
from abiprobe.harness.observers.registry import observer_of
from abiprobe.harness.runs import clause_edges
from abiprobe.harness.runs.question_sorts import SORTS, sort_of, takes_sort, targets_of
from abiprobe.harness.runs.schedule import Corpus
from abiprobe.harness.triage.quirk_examples import examples as quirk_examples
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.question import Question, Sort, decode, encode, probe
from abiprobe.oracles.model import Target
from abiprobe.oracles.registry import cxx_model, find_target
from abiprobe.oracles.unmodelled.opened import with_text
from abiprobe.results.journal.journal import Run
from abiprobe.results.known.deviations import shipped

FOLDER = Path(".abiprobe", "corpus")
SEED = 0
"""The seed of the sample that never changes."""
SEARCHED = 2 * BATCH
"""Questions of each sort among which witnesses of clauses are looked for."""


def corpus(targets: Iterable[Target], folder: Path = FOLDER) -> Corpus:
    """The questions of the corpus for each target, by sort; raises `Problem` for a kept question that cannot be read."""
    own = tuple(question for _, question in kept(folder))
    return {target: by_sort(target, (*own, *of_target(target))) for target in targets}


def regressions(targets: Iterable[Target]) -> Corpus:
    """The part of the corpus that tells at once which known deviations are still there: their examples."""
    return {target: by_sort(target, examples(target)) for target in targets}


def promised(targets: Iterable[Target], seed: int) -> Corpus:
    """The questions on which promises are broken first: those of `regressions`, and classes on which editions of C++ disagree."""
    return {target: by_sort(target, (*examples(target), *of_editions(target, seed))) for target in targets}


def of_editions(target: Target, seed: int) -> tuple[Class, ...]:
    """Classes on which editions of C++ disagree, where compilers of C++ are asked about a target."""
    if not takes_sort(target, Sort.CLASSES):
        return ()
    return classes.of_editions(cxx_model(with_text(target)), seed=seed)


def corpus_digest(asked: Corpus) -> str:
    """A digest of all questions of a corpus, empty where there are none."""
    if not asked:
        return ""
    ids = [
        (target.spelling, sort, [probe(question).id for question in questions])
        for target, parts in asked.items()
        for sort, questions in parts.items()
    ]
    return hashlib.sha256(msgspec.json.encode(ids)).hexdigest()[:16]


def corpus_of(run: Run) -> Corpus:
    """The corpus of a run that is in its journal, as far as it got there."""
    found: dict[Target, dict[Sort, tuple[Question, ...]]] = {
        target: {sort: () for sort in SORTS if takes_sort(target, sort)}
        for target in targets_of(run.header.plan)
    }
    for item in sorted(run.asked, key=lambda one: one.number):
        if item.number < 0:
            mine = found[find_target(item.target)]
            mine[item.sort] = (*mine[item.sort], *item.read())
    return found


def by_sort(target: Target, questions: Iterable[Question]) -> dict[Sort, tuple[Question, ...]]:
    """Questions by the sort that they belong to, each once, as far as the target is asked them."""
    found: dict[Sort, dict[str, Question]] = {sort: {} for sort in SORTS if takes_sort(target, sort)}
    for question in questions:
        sort = sort_of(question)
        if sort in found:
            found[sort].setdefault(probe(question).id, question)
    return {sort: tuple(part.values()) for sort, part in found.items()}


def of_target(target: Target) -> Iterator[Question]:
    """Yield the questions that come with abiprobe for a target, those that find most first."""
    yield from examples(target)
    yield from declared(target)
    yield from clause_edges.questions(target)
    yield from covering()
    sample = sampled(vectors=takes_sort(target, Sort.VECTOR_FUNCTIONS))
    yield from witnesses(target, sample)
    yield from (question for part in sample for question in part[:BATCH])


def examples(target: Target) -> Iterator[Question]:
    """The examples of the known deviations of a target, those of quirks first."""
    target = with_text(target)
    yield from (question for found in quirk_examples(target).values() for question in found)
    for entry in shipped().entries:
        if entry.is_about(target.spelling):
            found = declared_in_ours(entry.example, target)
            yield from found.functions
            yield from found.records


def declared(target: Target) -> Iterator[Question]:
    """The declarations of the files that come with abiprobe; the name of a file begins the names of its targets."""
    for path in resources.files("abiprobe.generators.corpus").iterdir():
        if path.name.endswith(".h") and target.name.startswith(path.name.removesuffix(".h")):
            found = declared_in_ours(path.read_text("utf-8"), target)
            yield from found.functions
            yield from found.records


@cache
def sampled(*, vectors: bool) -> tuple[tuple[Question, ...], ...]:
    """The sample that never changes, of each sort; vector functions only where they are asked for."""
    if vectors:
        return (tuple(islice(simd.stream(seed=SEED, bounds=simd.EVERYTHING), SEARCHED)),)
    return tuple(tuple(islice(stream(seed=SEED, kind=kind), SEARCHED)) for kind in POOL_SORTS)


def witnesses(target: Target, sample: tuple[tuple[Question, ...], ...]) -> Iterator[Question]:
    """For each clause that decides anything in the sample, the smallest question in which it does."""
    if takes_sort(target, Sort.VECTOR_FUNCTIONS):
        return
    known: set[str] = set()
    for question in sorted((one for part in sample for one in part), key=lambda one: len(encode(one))):
        decided = observer_of(target, question).cited(probe(question)) - known
        if decided:
            known |= decided
            yield question


def kept(folder: Path = FOLDER) -> Iterator[tuple[Path, Question]]:
    """The questions that users kept; raises `Problem` for one that cannot be read."""
    for path in sorted(folder.glob("*.json")):
        try:
            yield path, decode(path.read_bytes())
        except (OSError, msgspec.DecodeError, RecursionError) as error:
            raise Problem(f"{path} holds no question ({error})", "remove it") from error


def keep(questions: Iterable[Question], folder: Path = FOLDER) -> int:
    """Keep questions, each in a file by its id; the number of those that were not there."""
    added = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for question in questions:
            path = folder / f"{probe(question).id}.json"
            if not path.exists():
                path.write_bytes(encode(question) + b"\n")
                added += 1
    except OSError as error:
        raise Problem(f"cannot write to {folder} ({error.strerror})") from error
    return added
