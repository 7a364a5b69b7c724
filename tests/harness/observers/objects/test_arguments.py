"""Which witnesses are heard: on the command line, in a plan, in a run."""

from __future__ import annotations

import msgspec
import pytest

from abiprobe.harness.api.arguments import witness_names
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.runs.schedule import jobs
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import Plan

from .conftest import WITNESSES, X86

OBJECT = (ProbeKind.LAYOUT,)
PLAN = Plan(seed=1, cases=600, targets=(X86,), subjects=("zig",), levels=("O0",))


def test_witnesses_by_name() -> None:
    assert witness_names("values, object") == (ProbeKind.LAYOUT, ProbeKind.VALUES)
    assert witness_names("object,debug,values") == WITNESSES


@pytest.mark.parametrize("text", ["", ",", "dwarf", "object,Debug"])
def test_an_unknown_witness_is_a_problem(text: str) -> None:
    with pytest.raises(Problem, match="known are object, debug, values"):
        witness_names(text)


def test_an_old_plan_has_one_witness() -> None:
    old = msgspec.json.encode(
        {"seed": 1, "cases": 2, "targets": [X86], "subjects": ["zig"], "levels": ["O0"]}
    )
    plan = msgspec.json.decode(old, type=Plan)
    assert (plan.witnesses, plan.sampled) == (OBJECT, ())


@pytest.mark.parametrize(
    ("witnesses", "sampled", "expected"),
    [
        (OBJECT, (), [OBJECT] * 3),
        (OBJECT, WITNESSES, [WITNESSES, OBJECT, OBJECT]),
        (WITNESSES, (), [WITNESSES] * 3),
    ],
)
def test_a_sample_is_the_first_batch(
    witnesses: tuple[ProbeKind, ...], sampled: tuple[ProbeKind, ...], expected: list[tuple[ProbeKind, ...]]
) -> None:
    if not installed(parse_subject("zig"), (find_target(X86),)):
        pytest.skip("zig is not installed")
    plan = msgspec.structs.replace(PLAN, witnesses=witnesses, sampled=sampled)
    made = jobs(plan, frozenset(), 1, Limits())
    assert [job.witnesses for job in made if job.sort == "records"] == expected
