"""Ask compilers for many calls of C++, or tables of classes, and count the answers by the quirk that explains them.

    python benchmarks/cxx_calls.py [TARGET] [SUBJECT,...] [COUNT] [LEVEL] [calls|tables]

Of each deviation that no quirk explains the question and the first difference are printed. The CPU milliseconds a question are
those of one compiler, its programs among them.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice

from abiprobe.generators import cxx_calls, tables
from abiprobe.generators.pool import BATCH
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.observers.batch import Job, run_job
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.harness.subjects.subject import AtLevel
from abiprobe.oracles.language.question import Question, Sort, by_probe
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import Pairs

SEED = 7
DEFAULTS = ("x86_64-sysv", "g++-16,clang++-24", "1000", "O1", "calls")
ASKED: dict[str, tuple[Sort, Callable[..., Iterator[Question]], Pairs]] = {
    "calls": (Sort.CXX_CALLS, cxx_calls.stream, Pairs.ALL),
    "tables": (Sort.TABLES, tables.stream, Pairs.NONE),
}


def main() -> None:
    """Ask, count and print."""
    given = (*sys.argv[1:], *DEFAULTS[len(sys.argv) - 1 :])
    target, names, count = find_target(given[0]), given[1].split(","), int(given[2])
    at = tuple(AtLevel(parse_subject(one), given[3]) for one in names)
    answers: Counter[tuple[str, str]] = Counter()
    tools, began = 0.0, time.process_time()
    sort, stream, pairs = ASKED[given[4]]
    questions = stream(seed=SEED)
    for number in range(-(-count // BATCH)):
        some = tuple(islice(questions, min(BATCH, count - number * BATCH)))
        asked = by_probe(some)
        for done in run_job(Job(target, number, sort, some, at, pairs=pairs)):
            tools += done.compile_seconds + done.link_seconds + done.run_seconds
            for verdict in done.verdicts:
                known = " and ".join(verdict.quirks)
                said = f"{verdict.kind.value}: {verdict.verdict.value}, {verdict.outcome.value}"
                answers[done.key.subject, known or said] += 1
                if not known and (verdict.differences or verdict.outcome.value != "observed"):
                    print(
                        done.key.subject,
                        verdict.probe,
                        verdict.kind.value,
                        *verdict.differences[:1],
                        verdict.detail,
                    )
                    print(declaration(asked[verdict.probe]))
    own = time.process_time() - began
    for (subject, answer), times in sorted(answers.items()):
        print(f"{subject:12} {times:7} {answer}")
    calls = count * len(names)
    print(
        f"{calls} {given[4]}: compilers {tools * 1000 / calls:.2f} ms, ours {own * 1000 / calls:.2f} ms each"
    )


if __name__ == "__main__":
    main()
