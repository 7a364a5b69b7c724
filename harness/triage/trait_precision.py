"""Estimate how well a cause's traits predict it, over the questions that a run has drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from abiprobe.generators import simd
from abiprobe.generators.pool import POOL_SORTS
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.runs.question_batches import questions
from abiprobe.harness.runs.question_sorts import takes_sort
from abiprobe.oracles.language.question import Question, Sort, probe
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.cluster import Cluster, Support
from abiprobe.results.causes.fingerprint import Symptom
from abiprobe.results.causes.traits import needed, traits
from abiprobe.results.journal.journal import Plan, Run

COUNTED = 1000
"""The first questions of each kind are counted: enough to tell one in two from one in a hundred."""
LAYOUTS = frozenset({Symptom.LAYOUT, Symptom.VALUES, Symptom.DEBUG_INFO})


def trait_precision(run: Run, clusters: Iterable[Cluster]) -> dict[str, Support]:
    """Return, by cluster id, how many drawn questions have its traits and how many of these deviate.

    Empty when another version of abiprobe drew the run's questions.
    """
    plan = run.header.plan
    try:
        pool: dict[Sort, dict[str, Question]] = {
            kind: by_id(questions(plan, kind), plan) for kind in POOL_SORTS
        }
    except Problem:
        # A language of the run is not here.
        return {}
    pool[Sort.VECTOR_FUNCTIONS] = by_id(simd.stream(seed=plan.seed, bounds=simd.EVERYTHING), plan)
    first = (batch for batch in run.batches if batch.key.number == 0 and batch.key.sort in pool)
    if any(kept.probe not in pool[batch.key.sort] for batch in first for kept in batch.kept):
        return {}
    has = {name: traits(question) for some in pool.values() for name, question in some.items()}
    found = {}
    for item in clusters:
        sort = Sort.RECORDS if item.symptom in LAYOUTS else Sort.PROTOTYPES
        if any(takes_sort(find_target(target), Sort.VECTOR_FUNCTIONS) for target in item.targets):
            sort = Sort.VECTOR_FUNCTIONS
        wanted = needed(frozenset(item.traits))
        having = {name for name in pool[sort] if wanted <= has[name]}
        shown = {name for finding in item.findings for name in finding.probes}
        found[item.id] = Support(len(having & shown), len(having))
    return found


def by_id(source: Iterator[Question], plan: Plan) -> dict[str, Question]:
    """Return the first questions of a run of one sort by probe id."""
    return {probe(question).id: question for question in islice(source, min(COUNTED, plan.cases))}
