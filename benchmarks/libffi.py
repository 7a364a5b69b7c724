"""How many calls and callbacks of libffi are judged in a second, and what they show: `python benchmarks/libffi.py [COUNT]`.

Draws prototypes without what cffi has no word for until COUNT (5000) calls and as many callbacks have been judged, and
prints each one that deviates, in C.
"""

from __future__ import annotations

import collections
import sys
import time
from itertools import islice

from abiprobe.generators.pool import stream
from abiprobe.generators.scope import FEATURES
from abiprobe.harness.machines.render.c import definitions, prototype
from abiprobe.harness.observers.batch import Job, run_job
from abiprobe.harness.subjects.find import at_level
from abiprobe.oracles.language.features import CONVENTIONS
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import Sort, probe
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement

INEXPRESSIBLE = CONVENTIONS | {
    "__int128",
    "_Complex",
    "empty record",
    "zero-length array",
    "vector",
    "_BitInt",
    "_Atomic",
    "_Float16",
    "_Float128",
    "__bf16",
    "scalable vector",
}
JUDGED = {Judgement.AGREES, Judgement.DEVIATES}
SEED = 2026
BATCH = 250


def in_c(function: Prototype) -> str:
    """A prototype with the types that it needs, on one line."""
    used = (function.result, *(argument.type for argument in function.arguments))
    types = tuple(c_type for c_type in used if c_type is not None)
    return f"{definitions(types)} {prototype(function)};".replace("\n", " ").strip()


def main() -> None:
    """Put batches to cffi and count what was judged, by side."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    questions = stream(seed=SEED, kind=Sort.PROTOTYPES, features=FEATURES - INEXPRESSIBLE)
    counts: collections.Counter[tuple[str, str]] = collections.Counter()
    refusals: collections.Counter[str] = collections.Counter()
    drawn, started = 0, time.perf_counter()
    while min(counts["caller", "judged"], counts["callee", "judged"]) < wanted:
        batch = tuple(islice(questions, BATCH))
        (answer,) = run_job(
            Job(
                find_target("x86_64-sysv"),
                drawn // BATCH,
                Sort.PROTOTYPES,
                batch,
                (at_level(("cffi", "O0")),),
            )
        )
        drawn += len(batch)
        asked = {probe(question).id: question for question in batch if isinstance(question, Prototype)}
        for verdict in answer.verdicts:
            counts[verdict.kind.value, verdict.verdict.value] += 1
            counts[verdict.kind.value, "judged"] += verdict.verdict in JUDGED
            if verdict.verdict is Judgement.DEVIATES:
                print(
                    f"{verdict.probe} {verdict.kind.value}: {verdict.detail}\n    {in_c(asked[verdict.probe])}"
                )
            if verdict.verdict is Judgement.UNOBSERVED:
                refusals[verdict.detail.partition(":")[0]] += 1
    seconds = time.perf_counter() - started
    for (kind, what), count in sorted(counts.items()):
        print(f"{kind:14} {what:12} {count:7}")
    print(f"{drawn} prototypes, seed {SEED}, {seconds:.0f} s; not judged: {dict(refusals.most_common(8))}")


if __name__ == "__main__":
    main()
