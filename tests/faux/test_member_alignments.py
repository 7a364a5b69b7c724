"""Compilers that tell a wrong alignment of a member or of its type, and are right about all places."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.observers.ask import ask, on
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement

from .test_open_questions import X86, declared, wrapped

TEXT = "struct Two { char a; long b; };"
LIES = [
    ("", ""),
    (r"__alignof__\(\(\(type => 2 * __alignof__(((type", "__alignof__ of a in bytes: expected 1, saw 2"),
    (r"ABI_ALIGNOF\(long, [^)]*\) => 4", "_Alignof of the type of b in bytes: expected 8, saw 4"),
    (r"__alignof__\(\(\(type => 0 * __alignof__(((type", ""),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a faux compiler, which is asked once what it can do."""
    return tmp_path_factory.mktemp("one")


@pytest.mark.parametrize(("lie", "told"), LIES, ids=["honest", "the member", "the type", "tells nothing"])
def test_an_alignment_that_is_told_wrong_deviates(folder: Path, lie: str, told: str) -> None:
    question = declared(X86, TEXT)
    asked = ((wrapped(folder, lie), "O0"),)
    (verdicts,) = on(ask(find_target(X86), (question,), asked), question).values()
    (verdict,) = (one for one in verdicts if one.kind is ProbeKind.LAYOUT)
    assert verdict.verdict is (Judgement.DEVIATES if told else Judgement.AGREES)
    assert told in verdict.detail
