"""How compilers part on the questions that a document leaves open: of many drawn ones, how many, by clause.

    python benchmarks/silence.py TARGET SUBJECT,SUBJECT[;SUBJECT,SUBJECT...] [QUESTIONS [SEED]] [--table docs/findings/silence.tsv]

Draws as many prototypes and as many records (of x86_64-vfabi: vector functions; of functions with a `target` attribute a
sixteenth, as a run has them), puts those to the subjects (at -O2) about which the model of the target is silent, and prints for each clause how many there were, on how many of those that
were compared the subjects of each group part, on how many others one of them contradicts itself (`self`), the smallest
example, and on how many nobody was compared, with the reason. In the end it names the silent clauses of the target's
documents that left none of the drawn questions open. `--table` puts the rows of the target into a file of all targets.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from abiprobe.generators import simd, wide_vectors
from abiprobe.generators.pool import BATCH, POOL_SORTS, stream
from abiprobe.harness.base.table_file import Row, put
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.observers.batch import Job, run_job
from abiprobe.harness.runs.question_sorts import SORTS, takes_sort
from abiprobe.harness.subjects.find import at_level, installed, parse_subject
from abiprobe.oracles.abis.vfabi import VectorModel
from abiprobe.oracles.abis.vfabi.variant import Variants
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.oracles.language.question import Question, Sort, probe
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.registry import find_model, find_target, is_followed
from abiprobe.oracles.text.clause import sheets
from abiprobe.oracles.text.place import Unspecified
from abiprobe.results.coverage.differing import Comparison, comparisons
from abiprobe.results.journal.journal import BatchDone
from abiprobe.results.verdicts.record import Outcome, Verdict

SEED = 2026
UNDRAWN = "none drawn"
LEVEL = "O2"
REMARK = "Made by `python benchmarks/silence.py TARGET 'gcc-12,clang-22;gcc-16,clang-24' 20000 --table docs/findings/silence.tsv`."


def silent_clause(model: AbiModel, question: Question) -> str:
    """The clause that leaves a question open, empty where none does."""
    if isinstance(model, VectorModel) and isinstance(question, Prototype):
        named = model.variants(question)
        if isinstance(named, Unspecified):
            return named.clause
        of_each = (one.places for one in named.variants) if isinstance(named, Variants) else ()
        return next((places.clause for places in of_each if isinstance(places, Unspecified)), "")
    if isinstance(question, Record):
        answer = model.layout(question)
        return answer.clause if isinstance(answer, Unspecified) else ""
    assert isinstance(question, Prototype), "questions of C are asked here"
    said = model.assign(question)
    if isinstance(said, Unspecified):
        return said.clause
    try:
        for c_type in (question.result, *(one.type for one in question.arguments)):
            if c_type is not None:
                model.types.mask(c_type)
    except SilentError as silence:
        return silence.clause
    except AbsentError:
        return ""
    return ""


def drawn_of(sort: Sort, seed: int) -> Iterator[Question]:
    """The questions of one sort, without end."""
    if sort == Sort.VECTOR_FUNCTIONS:
        return simd.stream(seed=seed, bounds=simd.EVERYTHING)
    if sort in wide_vectors.SORTS:
        return wide_vectors.stream(seed=seed, isa=wide_vectors.SORTS[sort])
    (kind,) = (one for one in POOL_SORTS if one is sort)
    return stream(seed=seed, kind=kind)


def reason(verdicts: Sequence[Verdict]) -> str:
    """Why a question is not compared, by what those say who were asked."""
    outcomes = {one.outcome for one in verdicts}
    found = next((outcome.value for outcome in Outcome if outcome in outcomes - {Outcome.OBSERVED}), "")
    return found or "nothing to follow"


def uncompared(
    done: Sequence[BatchDone], compared: Collection[str], clauses: Mapping[str, str]
) -> Counter[tuple[str, str]]:
    """On how many questions of each clause nobody is compared, by the reason."""
    said: dict[str, list[Verdict]] = {}
    for batch in done:
        for verdict in batch.verdicts:
            if verdict.probe in clauses and verdict.probe not in compared:
                said.setdefault(verdict.probe, []).append(verdict)
    return Counter((clauses[name], reason(found)) for name, found in said.items())


def answers(
    target: str, sort: Sort, questions: tuple[Question, ...], subjects: tuple[str, ...]
) -> Iterator[BatchDone]:
    """The answers of the subjects, a batch at a time."""
    named = tuple(at_level((subject, LEVEL)) for subject in subjects)
    for number, start in enumerate(range(0, len(questions), BATCH)):
        yield from run_job(Job(find_target(target), number, sort, questions[start : start + BATCH], named))


def smallest(found: list[Comparison], questions: dict[str, Question]) -> str:
    """The smallest question on which subjects part, in C, and where each has what they part on."""
    first = min(found, key=lambda item: len(str(questions[item.probe])))
    return f"`{' '.join(declaration(questions[first.probe]).split())}` {first}"


def rows_of(
    target: str, drawn: int, seed: int, groups: tuple[tuple[str, ...], ...], sort: Sort
) -> Iterator[tuple[str, Row]]:
    """Ask about the open ones among the drawn questions of one sort: a row for each clause."""
    model = find_model(target)
    clauses: dict[str, str] = {}
    questions: dict[str, Question] = {}
    for question in islice(drawn_of(sort, seed), drawn):
        clause = silent_clause(model, question)
        if clause:
            clauses[probe(question).id], questions[probe(question).id] = clause, question
    subjects = tuple(dict.fromkeys(one for group in groups for one in group))
    done = tuple(answers(target, sort, tuple(questions.values()), subjects))
    rows, without = [], []
    for group in groups:
        of_group = [batch for batch in done if batch.key.subject in group]
        rows.append([item for item in comparisons(of_group) if item.compared or item.differs])
        without.append(uncompared(of_group, {item.probe for item in rows[-1]}, clauses))
    for clause, count in Counter(clauses.values()).most_common():
        counted = {}
        example = ""
        for group, found in zip(groups, rows, strict=True):
            compared = [item for item in found if clauses[item.probe] == clause]
            differing = [item for item in compared if item.subjects_differ]
            inconsistent = [item for item in compared if item.contradictory and not item.subjects_differ]
            counted[column(group)] = f"{len(differing)} of {len(compared)}" + (
                f", {len(inconsistent)} self" if inconsistent else ""
            )
            example = example or (
                smallest(differing or inconsistent, questions) if differing or inconsistent else ""
            )
        why = (
            ", ".join(f"{number} {words}" for (of, words), number in sorted(counts.items()) if of == clause)
            for counts in without
        )
        row = {
            "questions": sort,
            "clause": f"`{clause}`",
            "open": f"{count:,}",
            **counted,
            "smallest": example,
        }
        yield clause, {**row, "not compared": "; ".join(one or "none" for one in why)}


def column(group: tuple[str, ...]) -> str:
    """The name of the column of a group: `gcc 12, clang 22`."""
    return ", ".join(one.replace("-", " ", 1) for one in group)


def silent_clauses(target: str) -> frozenset[str]:
    """The clauses of a target's documents that say why they leave something open."""
    base = find_target(target).name
    followed = (sheet for sheet in sheets() if is_followed(sheet.name, base))
    return frozenset(one.id for sheet in followed for one in sheet.clauses.values() if one.silent)


def main() -> None:
    """Ask about both kinds."""
    parser = argparse.ArgumentParser()
    parser.add_argument("target", nargs="?", default="x86_64-sysv")
    parser.add_argument("subjects", nargs="?", default="gcc-12,clang-22")
    parser.add_argument("questions", nargs="?", type=int, default=20000)
    parser.add_argument("seed", nargs="?", type=int, default=SEED)
    parser.add_argument("--table", type=Path)
    told = parser.parse_args()
    target = told.target
    groups = tuple(tuple(group.split(",")) for group in told.subjects.split(";"))
    for group in groups:
        if not all(installed(parse_subject(one), (target,)) for one in group):
            print(f"{target}: {' and '.join(group)} are not both installed", file=sys.stderr)
    there = tuple(g for g in groups if all(installed(parse_subject(one), (target,)) for one in g))
    asked: set[str] = set()
    rows: list[Row] = []
    for sort in filter(partial(takes_sort, target), (one for one in SORTS if one != Sort.CLASSES)):
        count = told.questions // (wide_vectors.EVERY if sort in wide_vectors.SORTS else 1)
        for clause, row in rows_of(target, count, told.seed, there, sort):
            asked.add(clause)
            rows.append(row)
            print(target, *row.values(), sep="\t", flush=True)
    for clause in sorted(silent_clauses(target) - asked):
        rows.append({"questions": UNDRAWN, "clause": f"`{clause}`"})
        print(target, *rows[-1].values(), sep="\t")
    if told.table:
        put(told.table, REMARK, rows, {"target": target})


if __name__ == "__main__":
    main()
