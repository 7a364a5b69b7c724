"""Every wrong model of an ABI package on trial, each in a process of its own, and the score."""

from __future__ import annotations

import importlib.util
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from abiprobe.generators import simd
from abiprobe.generators.pairwise import covering
from abiprobe.generators.pool import draw
from abiprobe.harness.nights.corpus import declared
from abiprobe.harness.runs import clause_edges, tours
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.harness.subjects.options import subject_options
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import Question, Sort
from abiprobe.oracles.registry import find_target
from abiprobe.oracles.text.options import LayoutOptions
from laboratory import hunting
from laboratory.confirmed import confirm
from laboratory.families import FAMILIES, Family
from laboratory.fate import RANK, Fate, Outcome
from laboratory.forking import forked
from laboratory.menu import Mutant, mutants
from laboratory.recording import record
from laboratory.trial import Evidence, trial

LEVEL = "O0"
UNTOLD = frozenset({Fate.SAME, Fate.SURVIVED})
"""The fates of mutants for which questions are hunted."""


@dataclass(frozen=True)
class Tried:
    """One mutant and what became of it."""

    mutant: Mutant
    outcome: Outcome


@dataclass(frozen=True)
class Score:
    """What became of all mutants of a family; `hunted` questions were asked because they tell some of them."""

    evidence: Evidence
    hunted: int
    tried: tuple[Tried, ...]


def evidence(family: Family, asked: Callable[[str], Sequence[Question]], folder: Path) -> Evidence:
    """What golden vectors say, and what the subjects of a family that are installed make of what each target is asked."""
    folder.mkdir()
    asked_of = [(target, subject, asked(target)) for target, subject in here(family.recorded)]
    asked_of += [(target, subject, records(asked(target))) for target, subject in here(family.laid_out)]
    recorded = tuple(
        record(target, subject, LEVEL, asked_here, folder / str(number))
        for number, (target, subject, asked_here) in enumerate(asked_of)
    )
    read = tuple(confirm(target, subject, LEVEL, asked(target)) for target, subject in here(family.read))
    return Evidence(family.facts(), recorded, read)


def records(asked: Sequence[Question]) -> tuple[Question, ...]:
    """The questions about records."""
    return tuple(one for one in asked if not isinstance(one, Prototype))


def here(wanted: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Targets with subjects that are installed for them; those of golden vectors may do without."""
    return [
        (target, name) for target, name in wanted if installed(parse_subject(name), (find_target(target),))
    ]


def questions(target: str, cases: int, seed: int) -> tuple[Question, ...]:
    """What is declared for a target in the corpus, its tour, the edges of its clauses, pairs of features, and random questions of both sorts."""
    base = find_target(target).in_dialect("")
    if base.vectors:
        return tuple(islice(simd.stream(seed=seed), 2 * cases))
    found: list[Question] = [
        *declared(base),
        *tours.questions(base),
        *clause_edges.questions(base),
        *covering(),
    ]
    found += draw(seed=seed, kind=Sort.PROTOTYPES, start=0, count=cases)
    found += draw(seed=seed, kind=Sort.RECORDS, start=0, count=2 * cases)
    return tuple(dict.fromkeys(found))


def wrong_models(family: Family) -> Iterator[Mutant]:
    """Every mutant of a family's modules."""
    for name in family.modules:
        module = family.module(name)
        spec = importlib.util.find_spec(module)
        assert spec is not None
        assert spec.origin is not None
        yield from mutants(module, Path(spec.origin).read_text("utf-8"))


def tried(family: Family, found: Evidence, chosen: Sequence[Mutant], jobs: int) -> Iterator[Tried]:
    """Every mutant on trial, at most `jobs` at a time."""

    def work(mutant: Mutant) -> Outcome:
        return trial(family.packages, mutant, found)

    for mutant, answer in forked(work, chosen, jobs):
        yield Tried(mutant, answer if isinstance(answer, Outcome) else Outcome(Fate.BROKEN, answer))


def hunted(family: Family, chosen: Sequence[Mutant], jobs: int) -> dict[str, list[Question]]:
    """Questions that tell mutants which no recorded probe told, by target: directed draws."""
    wanted = dict.fromkeys((target, options_of(name)) for target, name in here(family.subjects))
    for target, options in wanted:
        hunting.answers(target, options)

    def work(mutant: Mutant) -> tuple[hunting.Found, ...]:
        return hunting.hunt(family.packages, mutant, wanted)

    found: dict[str, list[Question]] = {}
    for _, answer in forked(work, chosen, jobs):
        for target, question in answer if isinstance(answer, tuple) else ():
            if question not in found.setdefault(target, []):
                found[target].append(question)
    return found


def options_of(subject: str) -> LayoutOptions:
    """The options that a subject's model follows."""
    parsed = parse_subject(subject)
    return subject_options(parsed)


Watch = Callable[[Iterable[Tried], int], Iterable[Tried]]


def unwatched(items: Iterable[Tried], _: int) -> Iterable[Tried]:
    """Trials whose progress nobody follows."""
    return items


def score(name: str, cases: int, seed: int, jobs: int, watch: Watch = unwatched) -> Score:
    """All trials of one family, by its name: against everybody's questions, and then against those that were hunted.

    `watch` is given the trials, and their number, and passes them on.
    """
    family = FAMILIES[name]
    with tempfile.TemporaryDirectory(prefix="abiprobe-") as folder:
        found = evidence(family, lambda target: questions(target, cases, seed), Path(folder, "drawn"))
        wrong = list(wrong_models(family))
        outcomes = {one.mutant.name: one for one in watch(tried(family, found, wrong, jobs), len(wrong))}
        left = [one.mutant for one in outcomes.values() if one.outcome.fate in UNTOLD]
        directed = hunted(family, left, jobs)
        aimed = evidence(family, lambda target: tuple(directed.get(target, ())), Path(folder, "hunted"))
        for one in watch(tried(family, aimed, left, jobs), len(left)):
            before = outcomes[one.mutant.name]
            if RANK.index(one.outcome.fate) > RANK.index(before.outcome.fate):
                outcomes[one.mutant.name] = one
        return Score(found, sum(map(len, directed.values())), tuple(outcomes.values()))
