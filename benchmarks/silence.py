"""How compilers part on the questions that a document leaves open: of many drawn ones, how many, by clause.

    python benchmarks/silence.py TARGET SUBJECT,SUBJECT[;SUBJECT,SUBJECT...] [QUESTIONS [SEED]]

Draws as many prototypes and as many records, puts those to the subjects (at -O2) about which the model of the target is
silent, and prints for each clause how many there were, on how many of those that were compared the subjects of each
group part, on how many others one of them contradicts itself (`self`), and the smallest example.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from abiprobe.generators.pool import BATCH, PoolKind, stream
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.observers.batch import Job, run_job
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.place import Unspecified
from abiprobe.oracles.question import Question, probe
from abiprobe.oracles.registry import find_model
from abiprobe.results.differing import Comparison, comparisons
from abiprobe.results.journal import BatchDone

SEED = "2026"
LEVEL = "O2"


def silent_clause(model: AbiModel, question: Question) -> str:
    """The clause that leaves a question open, empty where none does."""
    if not isinstance(question, Prototype):
        answer = model.layout(question)
        return answer.clause if isinstance(answer, Unspecified) else ""
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


def asked(
    target: str, kind: PoolKind, questions: tuple[Question, ...], subjects: tuple[str, ...]
) -> Iterator[BatchDone]:
    """What the subjects answer, a batch at a time."""
    named = tuple((subject, LEVEL) for subject in subjects)
    for number, start in enumerate(range(0, len(questions), BATCH)):
        yield from run_job(Job(target, number, kind.value, questions[start : start + BATCH], named))


def smallest(found: list[Comparison], questions: dict[str, Question]) -> str:
    """The smallest question on which subjects part, in C, and where each has what they part on."""
    first = min(found, key=lambda item: len(str(questions[item.probe])))
    return f"`{' '.join(declaration(questions[first.probe]).split())}` {first}"


def report(target: str, drawn: int, seed: int, groups: tuple[tuple[str, ...], ...], kind: PoolKind) -> None:
    """Ask about the open ones among the drawn questions of one kind, and print a row for each clause."""
    model = find_model(target)
    clauses: dict[str, str] = {}
    questions: dict[str, Question] = {}
    for question in islice(stream(seed=seed, kind=kind), drawn):
        clause = silent_clause(model, question)
        if clause:
            clauses[probe(question).id], questions[probe(question).id] = clause, question
    subjects = tuple(dict.fromkeys(one for group in groups for one in group))
    done = tuple(asked(target, kind, tuple(questions.values()), subjects))
    counts = Counter(clauses.values())
    rows = []
    for group in groups:
        of_group = [batch for batch in done if batch.key.subject in group]
        rows.append([item for item in comparisons(of_group) if item.compared])
    for clause, count in counts.most_common():
        cells = [f"{target}", kind.value, clause, str(count)]
        example = ""
        for found in rows:
            compared = [item for item in found if clauses[item.probe] == clause]
            parted = [item for item in compared if item.parted]
            torn = [item for item in compared if item.torn and not item.parted]
            cells.append(f"{len(parted)} of {len(compared)}" + (f", {len(torn)} self" if torn else ""))
            example = example or (smallest(parted or torn, questions) if parted or torn else "")
        print(f"| {' | '.join((*cells, example))} |", flush=True)


def main() -> None:
    """Ask about both kinds."""
    defaults = ("x86_64-sysv", "gcc-12,clang-22", "20000", SEED)
    target, named, drawn, seed = (*sys.argv[1:], *defaults[len(sys.argv) - 1 :])
    groups = tuple(tuple(group.split(",")) for group in named.split(";"))
    for kind in PoolKind:
        report(target, int(drawn), int(seed), groups, kind)


if __name__ == "__main__":
    main()
