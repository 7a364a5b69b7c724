"""Where functions are called by their types: what no state block has room for is told, and the rest of a batch is asked."""

from __future__ import annotations

from abiprobe.harness.machines.runtime.wasm import PARAMETERS
from abiprobe.harness.observers.registry import observer_of
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.language.question import Question, probe
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Outcome


def of_many(count: int) -> Question:
    return Prototype("f", None, tuple(Param(f"a{number}", Scalar(Kind.INT)) for number in range(count)))


def test_a_function_of_too_many_parameters_is_too_large() -> None:
    fitting, beyond = probe(of_many(PARAMETERS)), probe(of_many(PARAMETERS + 1))
    prepared = observer_of(find_target("wasm32"), fitting.question).prepare((fitting, beyond))
    assert [plan.probe for plan in prepared.plans] == [fitting.id]
    assert {(one.probe, one.outcome, one.detail) for one in prepared.settled} == {
        (beyond.id, Outcome.TOO_LARGE, "more parameters than the runtime records")
    }


def test_other_machines_have_stacks() -> None:
    asked = probe(of_many(PARAMETERS + 1))
    assert [
        plan.probe for plan in observer_of(find_target("i386-sysv"), asked.question).prepare((asked,)).plans
    ] == [asked.id]
