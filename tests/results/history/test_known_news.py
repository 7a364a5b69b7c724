"""What a comparison of runs tells as news where entries know a part of a cause."""

from __future__ import annotations

from laboratory import said

from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.language.question import ProbeKind, Question, Sort, probe
from abiprobe.results.causes.blame import Blame, Stand
from abiprobe.results.causes.cluster import Cluster, Finding, cluster
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom
from abiprobe.results.history.compare import News
from abiprobe.results.history.diff import Diff, diff
from abiprobe.results.journal.journal import BatchDone, BatchKey, Header, Kept, Plan, Run, SubjectInfo
from abiprobe.results.known.deviations import parse
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict
from tests.results.known.planted import WIDE_ENTRY

TARGET, CLANG, CLAUSE = "x86_64-sysv", "clang-22", "t:wide"
STEADY = True
ENTRIES = parse(WIDE_ENTRY, "known.toml").entries
WIDE, PLAIN = (Prototype("f", None, (Param("a", Scalar(kind)),)) for kind in (Kind.INT128, Kind.LONG))
QUESTIONS = (WIDE, PLAIN)


def verdict(question: Question, judgement: Judgement) -> Verdict:
    """A caller that agrees, or one that passes the argument elsewhere."""
    if judgement is Judgement.AGREES:
        return Verdict(probe(question).id, ProbeKind.CALLER, judgement)
    seen = (said.difference("caller", "a", "rdi", "1", "2", CLAUSE),)
    return Verdict(probe(question).id, ProbeKind.CALLER, judgement, Outcome.OBSERVED, CLAUSE, "", seen)


def run(judgement: Judgement) -> Run:
    """A run in which both questions are judged alike."""
    key = BatchKey(TARGET, CLANG, "O0", Sort.PROTOTYPES, 0)
    kept = tuple(Kept(probe(one).id, one) for one in QUESTIONS)
    done = BatchDone(key, len(kept), tuple(verdict(one, judgement) for one in QUESTIONS), kept)
    infos = (SubjectInfo(TARGET, CLANG, "clang version 22.1.8", "digest"),)
    plan = Plan(1, 1, (TARGET,), (CLANG,), ("O0",))
    return Run(Header(1, "1.0", "2026-01-01T00:00:00+00:00", plan, infos), (done,), None)


def reduced_together() -> Cluster:
    """A cause whose smallest example no entry knows, and to which triage attributed both questions."""
    shown = Fingerprint(TARGET, Symptom.MISPLACED, CLAUSE)
    probes = tuple(probe(one).id for one in QUESTIONS)
    blame = Blame(Stand.UNOPPOSED, (CLANG,))
    (made,) = cluster(
        [Finding(shown, PLAIN, 1, frozenset(), blame, "O0", "", STEADY, probes, {CLANG: len(probes)})]
    )
    return made


def compared(*clusters: Cluster) -> Diff:
    before, after = run(Judgement.AGREES), run(Judgement.DEVIATES)
    return diff(before, after, names={}, targets={}, clusters=((), clusters), entries=ENTRIES)


def test_what_the_verdicts_tell_to_be_known_is_no_news_though_reduced_with_what_is_new() -> None:
    for found in (compared(), compared(reduced_together())):
        assert [(one.news, one.probes, one.probe) for one in found.causes] == [(News.NEW, 1, probe(PLAIN).id)]
        assert [(one.entry.name, one.probes) for one in found.known] == [("wide", 1)]
        assert found.status == 1
