"""Calls between three compilers, one of Rust: some fail because Rust's deviates, one although neither does."""

from __future__ import annotations

from abiprobe.oracles.language.question import ProbeKind, Sort
from abiprobe.results.journal.journal import BatchDone, BatchKey, SubjectInfo
from abiprobe.results.verdicts.record import Judgement, Verdict

X86 = "x86_64-sysv"
ROW = ("gcc-12", "clang-22", "rustc")
INFOS = tuple(SubjectInfo(X86, name, f"{name} 1.0", "d1", "rust" if name == "rustc" else "") for name in ROW)


def alone(probe: str, judgement: Judgement) -> Verdict:
    """What a subject shows by itself."""
    return Verdict(probe, ProbeKind.CALLEE, judgement)


def called(probe: str, callee: str, judgement: Judgement) -> Verdict:
    """What a call of another subject's function comes to."""
    return Verdict(probe, ProbeKind.PAIR, judgement, partner=callee)


def batch(subject: str, level: str, *verdicts: Verdict) -> BatchDone:
    """The verdicts on a subject."""
    return BatchDone(BatchKey(X86, subject, level, Sort.PROTOTYPES, 0), len(verdicts), verdicts)


AGREES, DEVIATES, UNOBSERVED = Judgement.AGREES, Judgement.DEVIATES, Judgement.UNOBSERVED
BATCHES = (
    batch(
        "gcc-12",
        "O0",
        alone("a", AGREES),
        called("a", "rustc", AGREES),
        called("b", "rustc", DEVIATES),
        called("c", "rustc", UNOBSERVED),
        called("a", "clang-22", AGREES),
    ),
    batch("gcc-12", "O2", called("c", "rustc", AGREES)),
    batch("clang-22", "O0", alone("a", AGREES), called("a", "gcc-12", DEVIATES)),
    batch("rustc", "O0", alone("a", AGREES), alone("b", DEVIATES), called("a", "gcc-12", AGREES)),
)
