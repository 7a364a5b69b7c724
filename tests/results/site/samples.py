"""Triaged runs of a few causes, as no compiler wrote them."""

from __future__ import annotations

from collections.abc import Sequence

from laboratory import said
from msgspec.structs import replace

from abiprobe.oracles.language.lang import Kind, Member, Param, Prototype, Record, Scalar
from abiprobe.oracles.language.question import ProbeKind, Question, Sort, probe
from abiprobe.results.causes.blame import Blame, Stand
from abiprobe.results.causes.cluster import Cluster, Finding, cluster
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom
from abiprobe.results.causes.traits import traits
from abiprobe.results.coverage.differing import Group
from abiprobe.results.journal.journal import (
    SCHEMA,
    BatchDone,
    BatchKey,
    Footer,
    Header,
    Plan,
    Run,
    SubjectInfo,
    verdict_digest,
)
from abiprobe.results.report.maps import Map, MapRow
from abiprobe.results.site.sightings import Triaged
from abiprobe.results.verdicts.record import Judgement, Verdict
from abiprobe.results.verdicts.values import Words

RISCV, X86 = "riscv64-lp64d", "x86_64-sysv"
FLATTEN, ALIGN, OPEN = "riscv:fp.flatten-zero-width", "x86_64:pass.memory", "x86_64:class.nested-cleanup"
VERSIONS = {
    "clang-9": "clang version 9.0.1",
    "clang-16": "Debian clang version 16.0.6 (15~deb12u1)",
    "clang-22": "Debian clang version 22.1.8 (1~deb12u1)",
    "gcc-12": "gcc-12 (Debian 12.2.0-14) 12.2.0",
    "zig": "clang version 22.1.8 <&>",
}
HOSTILE = "</script><script>alert(1)</script> & \"'\u202e\x1b[31m"
"""Words that a tool said, which must not become a part of a page."""
INT, FLOAT = Scalar(Kind.INT), Scalar(Kind.FLOAT)


def taking(*members: Member) -> Prototype:
    """A function that takes a record of these members."""
    return Prototype("f", None, (Param("a", Record("S", members)),))


ZERO_WIDTH = taking(Member(FLOAT, "a"), Member(INT, "", 0), Member(FLOAT, "b"))
UNNAMED = taking(Member(FLOAT, "a"), Member(INT, "", 8))
LARGE = taking(*(Member(Scalar(Kind.LONG), name) for name in "abc"))


def finding(
    target: str,
    clause: str,
    example: Question,
    deviating: Sequence[str],
    agreeing: Sequence[str] = (),
    symptom: Symptom = Symptom.MISPLACED,
    words: str = "",
) -> Finding:
    """A finding as a triage has it."""
    return Finding(
        Fingerprint(target, symptom, clause, words),
        example,
        3,
        traits(example),
        Blame(Stand.ALONE, tuple(sorted(deviating)), tuple(sorted(agreeing)), levels=("O0",)),
        "O0",
        "confirmed by 3 fresh runs",
        steady=True,
        probes=(probe(example).id,),
        subjects=dict.fromkeys(sorted(deviating), 1),
    )


def disagreement(target: str, clause: str, example: Question, groups: Sequence[Sequence[str]]) -> Finding:
    """A finding about which no text decides."""
    names = [name for group in groups for name in group]
    places = [Group(tuple((name, "O0") for name in group), (Words(f"place {group[0]}"),)) for group in groups]
    made = finding(target, clause, example, names, symptom=Symptom.DIFFERS)
    blame = Blame(Stand.UNDECIDED, tuple(sorted(names)), what="a [0..4)", groups=tuple(places))
    return replace(made, blame=blame)


def triaged(
    name: str, started: str, findings: Sequence[Finding], subjects: dict[str, Sequence[str]]
) -> Triaged:
    """A run that found this, by the targets that it asked and their compilers."""
    clusters = cluster(findings)
    infos = [
        SubjectInfo(target, one, VERSIONS[one], "d1") for target, names in subjects.items() for one in names
    ]
    every = tuple(dict.fromkeys(info.subject for info in infos))
    plan = Plan(7, 10, tuple(subjects), every, ("O0",))
    batches = tuple(batch(info, clusters) for info in infos)
    footer = Footer(len(batches), len(batches), verdict_digest(batches), "complete", 2.0)
    return Triaged(name, Run(Header(SCHEMA, "1", started, plan, tuple(infos)), batches, footer), clusters)


def batch(info: SubjectInfo, clusters: Sequence[Cluster]) -> BatchDone:
    """What a subject showed: its deviations, and one agreement."""
    mine = [
        item
        for one in clusters
        for item in one.findings
        if item.fingerprint.target == info.target and info.subject in item.subjects
    ]
    shown = tuple(
        Verdict(
            item.probes[0],
            ProbeKind.CALLER,
            Judgement.DEVIATES,
            clause=item.fingerprint.clause,
            differences=(
                said.difference(
                    "caller", "a", "fa0", "10 11", "2c 11", item.fingerprint.clause, "found in a0"
                ),
            ),
        )
        for item in mine
        if item.fingerprint.symptom is Symptom.MISPLACED
    )
    agrees = Verdict("0" * 12, ProbeKind.CALLER, Judgement.AGREES)
    clauses = {one.clause: (1, 1) for one in shown}
    return BatchDone(
        BatchKey(info.target, info.subject, "O0", Sort.PROTOTYPES, 0),
        len(shown) + 1,
        (*shown, agrees),
        clauses=clauses,
    )


CLANGS = ("clang-9", "clang-16", "clang-22")
FIRST = triaged(
    "first",
    "2026-01-02T03:04:05+00:00",
    (
        finding(RISCV, FLATTEN, ZERO_WIDTH, ("clang-9", "clang-16"), ("clang-22", "gcc-12")),
        finding(X86, ALIGN, LARGE, ("gcc-12",), ("clang-16",)),
    ),
    {RISCV: (*CLANGS, "gcc-12"), X86: ("clang-16", "gcc-12")},
)
SECOND = triaged(
    "second",
    "2026-02-03T04:05:06+00:00",
    (
        finding(RISCV, FLATTEN, ZERO_WIDTH, ("clang-9", "zig"), ("clang-16", "clang-22", "gcc-12")),
        disagreement(X86, OPEN, UNNAMED, (("clang-16", "clang-22"), ("gcc-12",))),
        finding(X86, "", LARGE, ("zig",), ("gcc-12",), Symptom.CRASHED, HOSTILE),
    ),
    {RISCV: (*CLANGS, "gcc-12", "zig"), X86: ("clang-16", "clang-22", "gcc-12", "zig")},
)
FLAT = next(one.id for one in FIRST.clusters if FLATTEN in one.clauses)
BIG = next(one.id for one in FIRST.clusters if ALIGN in one.clauses)
MAP = Map(
    "caller",
    ("clang-9 -O0", "gcc-12 -O0"),
    (MapRow("a in fa0", ("10", "11", ".."), (("2c", "11", "ff"), ("10", "11", "00"))),),
)
