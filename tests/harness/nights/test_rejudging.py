"""What was kept of a run is judged as it was, whatever the model says meanwhile."""

from __future__ import annotations

from itertools import islice

import msgspec
import pytest
from laboratory.jobs import spelled_job

from abiprobe.generators.pool import POOL_SORTS, stream
from abiprobe.harness.input.declared import declared_in
from abiprobe.harness.nights.abi_breaks import breaks
from abiprobe.harness.nights.rejudge import rejudge
from abiprobe.harness.nights.reobserve import ask_again
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.observers.observer import OTHERWISE
from abiprobe.harness.observers.recording import packed, packed_digests, unpacked, unpacked_digests
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.language.question import WITNESSES, ProbeKind, Sort
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import SCHEMA, BatchDone, Header, Pairs, Plan, QuestionBatch, Run
from abiprobe.results.verdicts.record import Outcome, Verdict

TARGET, DIALECT = "x86_64-sysv", "x86_64-sysv@clang-reading"
SUBJECTS = (("gcc-12", "O1"), ("clang-16", "O1"))
COUNT = 60
SPLIT = declared_in(
    "void split(long a, long b, long c, long d, long e, __int128 f);", find_target(TARGET)
).functions[0]
"""What clang before 18 passes otherwise than gcc."""


def need(subjects: tuple[tuple[str, str], ...], target: str) -> None:
    """Skip where one of the compilers is not installed."""
    for name, _ in subjects:
        if not installed(parse_subject(name), (find_target(target),)):
            pytest.skip(f"{name} is not installed")


def recorded(target: str, subjects: tuple[tuple[str, str], ...] = SUBJECTS) -> Run:
    """A run with all that it observed."""
    need(subjects, target)
    asked, batches = [], []
    witnesses = tuple(WITNESSES.values())
    for kind in POOL_SORTS:
        first = (SPLIT,) if kind is Sort.PROTOTYPES else ()
        questions = (*first, *islice(stream(seed=5, kind=kind), COUNT))
        asked.append(QuestionBatch.of(kind, 0, questions))
        pairs = Pairs.FIRST if kind is Sort.PROTOTYPES else Pairs.NONE
        job = spelled_job(target, 0, kind, questions, subjects, witnesses=witnesses, pairs=pairs, keep=True)
        batches += run_job(job)
    names = tuple(name for name, _ in subjects)
    plan = Plan(5, COUNT, (target,), names, ("O1",), witnesses=witnesses, pairs=Pairs.FIRST)
    return Run(Header(SCHEMA, "", "", plan, ()), tuple(batches), None, tuple(asked))


@pytest.fixture(scope="module")
def run() -> Run:
    return recorded(TARGET)


def verdicts(batches: tuple[BatchDone, ...] | list[BatchDone]) -> dict[tuple[str, ...], Verdict]:
    return {
        (batch.key.subject, one.probe, one.kind, one.partner): one
        for batch in batches
        for one in batch.verdicts
    }


def judgements(found: dict[tuple[str, ...], Verdict]) -> dict[tuple[str, ...], tuple[object, ...]]:
    """Without the bytes that were seen: what is left in a register may be an address, which differs from run to run."""
    return {key: (one.verdict, one.outcome, one.clause) for key, one in found.items()}


def test_the_same_model_changes_nothing(run: Run) -> None:
    found = list(rejudge(run, {}))
    assert verdicts([item.batch for item in found]) == verdicts(run.batches)
    assert not any(item.stale for item in found)


def test_without_a_digest_of_the_prediction_only_the_verdicts_tell_of_a_change(run: Run) -> None:
    batch = next(one for one in run.batches if one.raw)
    verdict = batch.verdicts[0]
    digests = {name: one for name, one in unpacked_digests(batch.predicted).items() if name != verdict.probe}
    bare = msgspec.structs.replace(batch, predicted=packed_digests(digests))
    (item,) = rejudge(msgspec.structs.replace(run, batches=(bare,)), {})
    assert not item.probes
    other = msgspec.structs.replace(verdict, clause="riscv:another")
    verdicts = tuple(other if one is verdict else one for one in bare.verdicts)
    changed = msgspec.structs.replace(bare, verdicts=verdicts)
    (item,) = rejudge(msgspec.structs.replace(run, batches=(changed,)), {})
    assert item.probes == {verdict.probe}


def test_what_is_judged_anew_comes_to_the_same(run: Run) -> None:
    """With its predictions forgotten, every probe is judged from its observations alone."""
    forgotten = tuple(
        msgspec.structs.replace(
            batch, predicted=packed_digests(dict.fromkeys(unpacked_digests(batch.predicted), b"?"))
        )
        for batch in run.batches
    )
    found = list(rejudge(msgspec.structs.replace(run, batches=forgotten), {}))
    assert verdicts([item.batch for item in found]) == verdicts(run.batches)
    assert sum(len(item.probes) for item in found) > 3 * COUNT
    assert [item.batch.predicted for item in found] == [item.batch.predicted for item in rejudge(run, {})]


def test_another_model_comes_to_what_a_run_with_it_does(run: Run) -> None:
    found = list(rejudge(run, {TARGET: DIALECT}))
    plan = msgspec.structs.replace(run.header.plan, targets=(DIALECT,))
    batches = ask_again(plan, found)
    again, fresh = judgements(verdicts(batches)), recorded(DIALECT).batches
    assert again == judgements(verdicts(fresh))
    assert again != judgements(verdicts(run.batches))
    counted = {batch.key: (batch.clauses, batch.compared) for batch in batches}
    assert counted == {batch.key: (batch.clauses, batch.compared) for batch in fresh}


def test_what_was_asked_otherwise_is_not_believed(run: Run) -> None:
    found = list(rejudge(run, {TARGET: DIALECT}))
    stale = [one for item in found for one in item.batch.verdicts if one.outcome is Outcome.ASKED_OTHERWISE]
    fresh = judgements(verdicts(recorded(DIALECT).batches))
    every = verdicts([item.batch for item in found])
    others = judgements({key: one for key, one in every.items() if one not in stale})
    assert all(one.detail for one in stale)
    assert {one.kind for one in stale if one.detail == OTHERWISE} <= set(ProbeKind) - {ProbeKind.LAYOUT}
    assert all(fresh[key] == one for key, one in others.items())
    assert len(others) > len(stale)


def test_a_tape_survives_packing_and_rubbish_is_refused(run: Run) -> None:
    for batch in run.batches:
        tape = unpacked(batch.raw)
        assert unpacked(packed(tape)) == tape
    for rubbish in (b"", b"rubbish", run.batches[0].raw[:-1]):
        with pytest.raises(ValueError, match="no record of observations"):
            unpacked(rubbish)


def test_a_compiler_breaks_nothing_with_itself_and_something_with_another_reading(run: Run) -> None:
    assert not any(side.breaks for side in breaks(run, run, {}).sides)
    found = breaks(run, run, {"gcc-12": "clang-16"})
    assert found.status == 1
    (side,) = found.sides
    assert (side.was[1], side.side[1]) == ("gcc-12", "clang-16")
    assert {item.probe for item in side.breaks} <= set(found.questions)


def test_a_width_that_nobody_measures_is_that_of_today() -> None:
    """An atomic empty record has no size by the text, and one byte by clang: its width is not in the object."""
    need(SUBJECTS[1:], TARGET)
    text = "struct E { long long : 0; }; struct S { char c; _Atomic(struct E) u; char d; };"
    question = declared_in(text, find_target(TARGET)).records[-1]
    found = {}
    for target in (TARGET, DIALECT):
        (done,) = run_job(spelled_job(target, 0, Sort.RECORDS, (question,), SUBJECTS[1:], keep=True))
        plan = Plan(5, 1, (target,), ("clang-16",), ("O1",))
        asked = (QuestionBatch.of(Sort.RECORDS, 0, (question,)),)
        found[target] = Run(Header(SCHEMA, "", "", plan, ()), (done,), None, asked)
    (item,) = rejudge(found[TARGET], {TARGET: DIALECT})
    assert item.batch.verdicts == found[DIALECT].batches[0].verdicts
    assert item.batch.verdicts[0].verdict is not found[TARGET].batches[0].verdicts[0].verdict
