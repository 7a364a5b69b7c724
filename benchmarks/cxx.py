"""Ask compilers for many classes, calls, names or tables of C++, and count the answers by the quirk that explains them.

    python benchmarks/cxx.py classes|calls|names|tables [TARGET] [SUBJECT,...] [COUNT] [--seed N] [--behind N] [--table FILE]

Of each deviation that no quirk explains the question and the first difference are printed. The CPU milliseconds a question are
those of one compiler, its programs among them. A table gets a row for each subject and
answer (docs/findings/cxx-counted.tsv); a verdict with two quirks counts for both. `--behind N` goes on where so many questions were asked.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from abiprobe.generators import classes, cxx_calls, entities, tables
from abiprobe.generators.pool import BATCH
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.observers.batch import Job, run_job
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.harness.subjects.subject import AtLevel
from abiprobe.oracles.language.question import ProbeKind, Question, Sort, by_probe
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import Pairs
from abiprobe.results.verdicts.record import Judgement, Verdict

COLUMNS = ("sort", "target", "asked", "compiler", "level", "answer", "verdicts", "compiler ms", "our ms")
UNEXPLAINED, FAILED = "unexplained", "calls between two compilers that fail"
ASKED: dict[str, tuple[Sort, Callable[..., Iterator[Question]], str, Pairs]] = {
    "classes": (Sort.CLASSES, classes.stream, "O0", Pairs.NONE),
    "calls": (Sort.CXX_CALLS, cxx_calls.stream, "O1", Pairs.ALL),
    "names": (Sort.NAMES, entities.stream, "O0", Pairs.NONE),
    "tables": (Sort.TABLES, tables.stream, "O1", Pairs.NONE),
}


def main() -> None:
    """Ask, count and print."""
    given = arguments()
    sort, stream, level, pairs = ASKED[given.sort]
    target = find_target(given.target)
    at = tuple(AtLevel(parse_subject(one), level) for one in given.subjects.split(","))
    answers: Counter[tuple[str, str]] = Counter()
    tools, began = 0.0, time.process_time()
    questions = islice(stream(seed=given.seed), given.behind, None)
    for number in range(-(-given.count // BATCH)):
        some = tuple(islice(questions, min(BATCH, given.count - number * BATCH)))
        asked = by_probe(some)
        for done in run_job(Job(target, number, sort, some, at, pairs=pairs)):
            tools += done.compile_seconds + done.link_seconds + done.run_seconds
            for verdict in done.verdicts:
                told = answered(verdict)
                answers.update((done.key.subject, one) for one in told)
                if told == [UNEXPLAINED]:
                    shown = (*verdict.differences[:1], verdict.detail)
                    print(done.key.subject, verdict.probe, verdict.kind.value, *shown)
                    print(declaration(asked[verdict.probe]), flush=True)
    calls = given.count * len(at)
    cost = [f"{seconds * 1000 / calls:.2f}" for seconds in (tools, time.process_time() - began)]
    rows = [
        (given.sort, target.name, str(given.count), subject, level, answer, str(times), *cost)
        for (subject, answer), times in sorted(answers.items())
    ]
    for row in rows:
        print(*row, sep="\t")
    if given.table:
        fresh = not given.table.exists()
        with given.table.open("a", encoding="utf-8") as file:
            file.writelines("\t".join(row) + "\n" for row in ([COLUMNS, *rows] if fresh else rows))


def answered(verdict: Verdict) -> list[str]:
    """The quirks by which a verdict is explained, or what it is otherwise."""
    if verdict.quirks:
        return list(verdict.quirks)
    if verdict.verdict is not Judgement.DEVIATES:
        return [verdict.verdict.value]
    return [FAILED if verdict.kind is ProbeKind.PAIR else UNEXPLAINED]


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sort", choices=ASKED)
    parser.add_argument("target", nargs="?", default="x86_64-sysv")
    parser.add_argument("subjects", nargs="?", default="g++-16,clang++-24")
    parser.add_argument("count", nargs="?", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--behind", type=int, default=0)
    parser.add_argument("--table", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
