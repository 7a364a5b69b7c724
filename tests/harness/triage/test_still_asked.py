"""Whether a question of an earlier run is still decided, or still open, under the options of those who deviated."""

from __future__ import annotations

import pytest

from abiprobe.harness.subjects.find import parse_subject
from abiprobe.harness.triage.group_reduction import still_asked
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Vector
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom

WIDE = Prototype("f", None, (Param("a", Vector(Kind.FLOAT, 32)),))
"""What the psABI says of a vector of 32 bytes depends on whether there are registers of that size."""
OPEN = Fingerprint("x86_64-sysv", Symptom.DIFFERS, "x86_64:class.sseup")
DECIDED = Fingerprint("x86_64-sysv", Symptom.MISPLACED, "x86_64:class.sseup")
CRASHED = Fingerprint("x86_64-sysv", Symptom.CRASHED, "", "crash in llvm::Value::setNameImpl")


@pytest.mark.parametrize(
    ("subjects", "ways"),
    [
        ((), {OPEN}),
        (("gcc-12",), {OPEN}),
        (("gcc-12 -mavx",), {DECIDED}),
        (("gcc-12", "gcc-12 -mavx"), {OPEN, DECIDED}),
    ],
)
def test_the_options_of_a_subject_decide(subjects: tuple[str, ...], ways: set[Fingerprint]) -> None:
    found = {shown for shown in (OPEN, DECIDED) if still_asked(shown, WIDE, map(parse_subject, subjects))}
    assert found == ways


def test_a_crash_is_one_whatever_the_model_says() -> None:
    narrow = Prototype("f", None, (Param("a", Vector(Kind.FLOAT, 16)),))
    assert still_asked(CRASHED, WIDE, ())
    assert still_asked(CRASHED, narrow, ())
