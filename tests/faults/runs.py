"""A small run as commands read it."""

from __future__ import annotations

from pathlib import Path

from laboratory import said

from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.language.question import ProbeKind, Sort, probe
from abiprobe.results.journal.journal import (
    BatchDone,
    BatchKey,
    Footer,
    Header,
    Kept,
    Plan,
    QuestionBatch,
    SubjectInfo,
    Writer,
    verdict_digest,
)
from abiprobe.results.verdicts.record import Verdict, from_differences

TARGET = "x86_64-sysv"
QUESTION = Prototype("f", None, (Param("a", Scalar(Kind.INT)),))
FORMATS = ("json", "html", "markdown", "junit", "sarif", "card")
"""Of a report, beside text."""


def batch(subject: str, clause: str) -> BatchDone:
    identity = probe(QUESTION).id
    wrong = said.difference("callee", "a", "edi", "10 11 12 13", "00 00 00 00", clause)
    verdicts: tuple[Verdict, ...] = (
        from_differences(identity, ProbeKind.CALLER, ()),
        from_differences(identity, ProbeKind.CALLEE, (wrong,) if clause else ()),
    )
    key = BatchKey(TARGET, subject, "O0", Sort.PROTOTYPES, 0)
    return BatchDone(key, 1, verdicts, (Kept(identity, QUESTION),) if clause else ())


def deviating(folder: Path) -> Path:
    """A run of two compilers, one of which deviates; in a folder that has none."""
    plan = Plan(1, 1, (TARGET,), ("clang-16", "gcc-12"), ("O0",))
    infos = tuple(SubjectInfo(TARGET, name, f"{name} 1.0", "digest") for name in plan.subjects)
    batches = (batch("clang-16", "x86_64:pass.integer"), batch("gcc-12", ""))
    writer = Writer.create(folder, Header(1, "1.0", "2026-01-01T00:00:00+00:00", plan, infos))
    writer.write(QuestionBatch.of(Sort.PROTOTYPES, 0, (QUESTION,)))
    for one in batches:
        writer.write(one)
    writer.write(Footer(2, 4, verdict_digest(batches), "complete", 1.0))
    writer.close()
    return folder
