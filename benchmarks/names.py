"""Ask compilers for many names of C++ entities, and count the answers by the quirk that explains them.

    python benchmarks/names.py [TARGET] [SUBJECT,...] [NAMES]

A deviation that no quirk explains is printed in full. The CPU milliseconds a name are those of one compiler.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from itertools import islice

from abiprobe.generators.entities import stream
from abiprobe.generators.pool import BATCH
from abiprobe.harness.observers.batch import Job, run_job
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.harness.subjects.subject import AtLevel
from abiprobe.oracles.language.question import Sort
from abiprobe.oracles.registry import find_target

SEED = 7
DEFAULTS = ("x86_64-sysv", "g++-16,clang++-24", "1000")


def main() -> None:
    """Ask, count and print."""
    given = (*sys.argv[1:], *DEFAULTS[len(sys.argv) - 1 :])
    target, names, count = find_target(given[0]), given[1].split(","), int(given[2])
    at = tuple(AtLevel(parse_subject(one), "O0") for one in names)
    answers: Counter[tuple[str, str]] = Counter()
    tools, began = 0.0, time.process_time()
    questions = stream(seed=SEED)
    for number in range(-(-count // BATCH)):
        some = tuple(islice(questions, min(BATCH, count - number * BATCH)))
        for done in run_job(Job(target, number, Sort.NAMES, some, at)):
            tools += done.compile_seconds
            for verdict in done.verdicts:
                known = " and ".join(verdict.quirks)
                answers[done.key.subject, known or f"{verdict.verdict.value}, {verdict.outcome.value}"] += 1
                if not known and (verdict.differences or verdict.outcome.value != "observed"):
                    print(done.key.subject, verdict.probe, *verdict.differences, verdict.detail)
    own = time.process_time() - began
    for (subject, answer), times in sorted(answers.items()):
        print(f"{subject:12} {times:7} {answer}")
    asked = count * len(names)
    print(f"{asked} names: compilers {tools * 1000 / asked:.2f} ms, ours {own * 1000 / asked:.2f} ms each")


if __name__ == "__main__":
    main()
