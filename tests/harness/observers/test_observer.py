"""A new observer is one class and an entry in the registry; all that is done with a batch works for it at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.base import child
from abiprobe.harness.nights.abi_breaks import breaks
from abiprobe.harness.nights.rejudge import rejudge
from abiprobe.harness.nights.reobserve import ask_again
from abiprobe.harness.observers import registry
from abiprobe.harness.observers.attempt import Attempt, Failed, bisected
from abiprobe.harness.observers.batch import Job, run_job
from abiprobe.harness.observers.bundle import Bundle
from abiprobe.harness.observers.observer import OTHERWISE, PairObserver, Prepared
from abiprobe.harness.observers.recording import Plain, packed_digests, unpacked_digests
from abiprobe.harness.runs import answer_cache
from abiprobe.harness.subjects import find
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.subject import Built, Family, Identity, Subject
from abiprobe.harness.triage.maps import maps
from abiprobe.oracles.language.lang import Kind, Member, Record, Scalar
from abiprobe.oracles.language.question import Probe, ProbeKind, Question, Sort, probe
from abiprobe.oracles.registry import find_target
from abiprobe.oracles.text.place import Layout
from abiprobe.results.causes.fingerprint import Fingerprint
from abiprobe.results.journal.journal import (
    SCHEMA,
    BatchDone,
    Header,
    Pairs,
    Plan,
    QuestionBatch,
    Run,
    verdict_digest,
)
from abiprobe.results.verdicts.locations import Named
from abiprobe.results.verdicts.record import (
    Difference,
    Judgement,
    Outcome,
    Verdict,
    from_differences,
    unobserved,
)
from abiprobe.results.verdicts.values import Size

TARGET = "x86_64-sysv"


def chars(count: int) -> Record:
    return Record(f"S{count}", tuple(Member(Scalar(Kind.CHAR), f"m{number}") for number in range(count)))


QUESTIONS: tuple[Question, ...] = (chars(1), chars(3), chars(7))


class Counted(msgspec.Struct, frozen=True):
    """A record of characters, with its size."""

    probe: str
    members: tuple[str, ...]
    size: int
    clause: str


class CountingObserver(PairObserver[Counted, int, Attempt, tuple[int, int]]):
    """Asks a program for the size of a record of characters: it counts the members, a line each."""

    name = "counted"

    def prepare(self, probes: Sequence[Probe]) -> Prepared[Counted]:
        plans, settled = [], []
        for asked in probes:
            said = self.answer(asked)
            if isinstance(said, Layout):
                names = tuple(member.path for member in said.members)
                plans.append(Counted(asked.id, names, said.size, said.clause))
            else:
                settled.append(unobserved(asked.id, ProbeKind.LAYOUT, Outcome.UNSUPPORTED, said.why))
        return Prepared(
            tuple(plans), tuple(settled), dict.fromkeys((one.probe for one in plans), frozenset())
        )

    def says(self, asked: Probe) -> object:
        return self.key.model.layout(asked.question)  # type: ignore[arg-type]

    def kinds(self, plan: Counted) -> tuple[ProbeKind, ...]:
        return (ProbeKind.LAYOUT,)

    def lacks(self, built: Built) -> frozenset[str]:
        return frozenset()

    def begin(self, subject: Subject, level: str, folder: Path, limits: Limits, name: str = "") -> Attempt:
        return Attempt(None, self.built(subject, level), folder, limits)

    def observe(self, attempt: Attempt, plans: Sequence[Counted]) -> Iterator[tuple[Counted, int | Failed]]:
        return bisected(attempt, plans, self.together)

    def together(self, attempt: Attempt, plans: Sequence[Counted], _text: str | None) -> list[int] | Failed:
        found = []
        for plan in plans:
            done = child.run((attempt.built.command[0],), stdin=self.text(plan).encode(), timeout=10)
            attempt.compile_seconds += done.cpu_seconds
            if not done.ok:
                return Failed(Outcome.REFUSED, done.stderr.decode().strip())
            found.append(int(done.stdout))
        return found

    def judge(self, plan: Counted, seen: int | Failed) -> tuple[Verdict, ...]:
        if isinstance(seen, Failed):
            return self.settle(plan, seen.outcome, seen.words)
        return (self.compared(plan, ProbeKind.LAYOUT, seen),)

    def compared(self, plan: Counted, kind: ProbeKind, seen: int) -> Verdict:
        wrong = Difference("object", "sizeof", Named("the count"), Size(plan.size), Size(seen), plan.clause)
        return from_differences(plan.probe, kind, () if seen == plan.size else (wrong,))

    def fingerprint(self, plan: Counted) -> Plain:
        return len(plan.members)

    def record(self, plan: Counted, seen: int) -> Plain:
        return seen

    def replay(self, plan: Counted, recorded: Plain, asked: Plain) -> int | Failed:
        return recorded if asked == self.fingerprint(plan) else Failed(Outcome.ASKED_OTHERWISE, OTHERWISE)

    def clauses(self, asked: Probe, kind: ProbeKind) -> frozenset[str]:
        said = self.answer(asked)
        return frozenset({said.clause}) if isinstance(said, Layout) else frozenset()

    def text(self, plan: Counted) -> str:
        return "".join(f"{name}\n" for name in plan.members)

    def bundle(self, asked: Probe, fingerprint: Fingerprint) -> Bundle:
        return Bundle(self.text(self.prepare((asked,)).plans[0]))

    def pair(self, caller: Attempt, callee: Attempt) -> Iterator[tuple[Counted, tuple[int, int] | Failed]]:
        plans = self.prepare([probe(question) for question in QUESTIONS]).plans
        own, other = (self.together(one, plans, None) for one in (caller, callee))
        assert not isinstance(own, Failed)
        assert not isinstance(other, Failed)
        yield from zip(plans, zip(own, other, strict=True), strict=True)

    def judge_pair(self, plan: Counted, arrived: tuple[int, int] | Failed) -> Verdict:
        if isinstance(arrived, Failed):
            return unobserved(plan.probe, ProbeKind.PAIR, arrived.outcome, arrived.words)
        verdict = self.compared(plan, ProbeKind.PAIR, plan.size + arrived[1] - arrived[0])
        return msgspec.structs.replace(verdict, clause="")

    def record_pair(self, arrived: tuple[int, int]) -> Plain:
        return arrived

    def replay_pair(self, plan: Counted, recorded: Plain, asked: Plain) -> tuple[int, int] | Failed:
        first, second = recorded
        return (first, second)


@pytest.fixture(autouse=True)
def _entered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The observer in the registry, a family that names it, and a cache of its own."""
    family = Family(
        "counter", {TARGET: ()}, (), lambda _name, _target: None, observers=(CountingObserver.name,)
    )
    monkeypatch.setitem(find.FAMILIES, family.name, family)
    observers = {**registry.OBSERVERS, CountingObserver.name: CountingObserver}
    monkeypatch.setattr(registry, "OBSERVERS", observers)
    monkeypatch.setattr(registry, "LAYOUTS", (CountingObserver.name, *registry.LAYOUTS))
    monkeypatch.setenv("ABIPROBE_CACHE", str(tmp_path / "cache"))


def counter(folder: Path, name: str, does: str = "wc -l") -> str:
    """A program that counts lines, and each time that it is asked."""
    path = folder / name
    path.write_text(f"#!/bin/sh\necho >> {folder}/calls\n{does}\n")
    path.chmod(0o755)
    return f"counter:{path}"


LIE = 'echo "$(($(wc -l) + 1))"'
PICKY = 'n=$(wc -l); [ "$n" != 3 ] || { echo "no three" >&2; exit 1; }; echo "$n"'


def job(*names: str, pairs: Pairs = Pairs.NONE) -> Job:
    return spelled_job(
        TARGET, 0, Sort.RECORDS, QUESTIONS, tuple((name, "O0") for name in names), pairs=pairs, keep=True
    )


def asked(folder: Path) -> int:
    return len((folder / "calls").read_text())


def run_of(*names: str) -> Run:
    plan = Plan(0, len(QUESTIONS), (TARGET,), names, ("O0",))
    batches = tuple(run_job(job(*names)))
    return Run(
        Header(SCHEMA, "", "", plan, ()), batches, None, (QuestionBatch.of(Sort.RECORDS, 0, QUESTIONS),)
    )


def judgements(done: BatchDone) -> list[Judgement]:
    return [verdict.verdict for verdict in done.verdicts]


def test_a_batch_is_judged_and_its_clauses_are_counted(tmp_path: Path) -> None:
    honest, liar = run_job(job(counter(tmp_path, "wc"), counter(tmp_path, "liar", LIE)))
    assert judgements(honest) == [Judgement.AGREES] * 3
    assert judgements(liar) == [Judgement.DEVIATES] * 3
    ((clause, counts),) = honest.clauses.items()
    assert counts == (3, 0)
    assert liar.clauses == {clause: (0, 3)}
    assert len(liar.kept) == 3


def test_what_breaks_a_tool_costs_itself_only(tmp_path: Path) -> None:
    (done,) = run_job(job(counter(tmp_path, "picky", PICKY)))
    outcomes = {verdict.probe: verdict.outcome for verdict in done.verdicts}
    assert outcomes == {
        probe(question).id: Outcome.REFUSED if question == chars(3) else Outcome.OBSERVED
        for question in QUESTIONS
    }


def test_pairs_are_judged(tmp_path: Path) -> None:
    names = counter(tmp_path, "wc"), counter(tmp_path, "liar", LIE)
    first, second = run_job(job(*names, pairs=Pairs.FIRST))
    for done, partner in ((first, names[1]), (second, names[0])):
        pairs = [verdict for verdict in done.verdicts if verdict.kind is ProbeKind.PAIR]
        assert [(one.partner, one.verdict) for one in pairs] == [(partner, Judgement.DEVIATES)] * 3


def test_answers_are_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A script is never known by its file; this one stands for a program that is.
    monkeypatch.setattr(
        answer_cache, "identity", lambda _command: Identity("counter 1.0", "digest", sure=True)
    )
    put = job(counter(tmp_path, "wc"))
    first = answer_cache.cached_answer(put)
    before = asked(tmp_path)
    second = answer_cache.cached_answer(put)
    assert asked(tmp_path) == before
    assert verdict_digest(first) == verdict_digest(second)


def test_the_same_model_changes_nothing(tmp_path: Path) -> None:
    run = run_of(counter(tmp_path, "liar", LIE))
    (item,) = rejudge(run, {})
    assert (item.probes, item.stale) == (frozenset(), ())
    assert item.batch.verdicts == run.batches[0].verdicts


def test_what_was_recorded_is_judged_anew(tmp_path: Path) -> None:
    run = run_of(counter(tmp_path, "liar", LIE))
    before = asked(tmp_path)
    (done,) = run.batches
    forgotten = packed_digests(dict.fromkeys(unpacked_digests(done.predicted), b"?"))
    batch = msgspec.structs.replace(done, predicted=forgotten, verdicts=done.verdicts[::-1])
    (item,) = rejudge(msgspec.structs.replace(run, batches=(batch,)), {})
    assert len(item.probes) == 3
    assert set(item.batch.verdicts) == set(done.verdicts)
    assert item.batch.clauses == done.clauses
    assert asked(tmp_path) == before


def test_what_was_asked_otherwise_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of(counter(tmp_path, "wc"))
    monkeypatch.setattr(CountingObserver, "fingerprint", lambda _self, plan: plan.size + 1)
    monkeypatch.setattr(CountingObserver, "prediction", lambda _self, _asked: b"another")
    found = list(rejudge(run, {}))
    assert {verdict.outcome for verdict in found[0].batch.verdicts} == {Outcome.ASKED_OTHERWISE}
    (again,) = ask_again(run.header.plan, found)
    assert judgements(again) == [Judgement.AGREES] * 3


def test_compilers_are_held_against_each_other(tmp_path: Path) -> None:
    honest, liar = counter(tmp_path, "wc"), counter(tmp_path, "liar", LIE)
    run = run_of(honest, liar)
    assert not any(side.breaks for side in breaks(run, run, {}).sides)
    (side,) = breaks(run, run, {honest: liar}).sides
    assert [(one.what, one.before, one.after) for one in side.breaks] == [
        (f"sizeof {count}", str(count), str(count + 1)) for count in (1, 3, 7)
    ]


def test_maps_show_where_somebody_differs(tmp_path: Path) -> None:
    names = counter(tmp_path, "wc"), counter(tmp_path, "liar", LIE)
    (shown,) = maps(find_target(TARGET), chars(3), [(name, "O0") for name in names])
    assert [(row.model, row.seen) for row in shown.rows] == [(("3",), (("3",), ("4",)))]
