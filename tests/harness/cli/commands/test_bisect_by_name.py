"""Bisecting a deviation of a compiler that is found by name only: those that the case names are asked."""

from __future__ import annotations

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.commands.bisect import versions
from abiprobe.harness.triage.cases import Case
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom

FUNCTION = Prototype("f", None, (Param("a", Scalar(Kind.SHORT)),))
ASKED = tuple((one, level) for one in ("rustc", "ldc2", "gnat-12") for level in ("O0", "O2"))


def case() -> Case:
    what = Fingerprint("x86_64-sysv", "x86_64:pass.narrow", Symptom.ABOVE)
    return Case("c", FUNCTION, what, (("ldc2", "O2"),), (("rustc", "O2"),), ASKED)


@pytest.mark.parametrize(
    ("about", "asked"), [("ldc2", ("ldc2",)), ("rustc", ("rustc",)), ("gnat", ("gnat-12",))]
)
def test_those_of_the_case_are_asked(about: str, asked: tuple[str, ...]) -> None:
    assert versions(case(), about, None) == asked


def test_a_family_that_nobody_names_is_a_problem() -> None:
    with pytest.raises(Problem, match="no fpc is installed"):
        versions(case(), "fpc", None)
