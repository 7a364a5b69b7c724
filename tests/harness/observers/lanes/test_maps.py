"""What triage and doctor say of vector functions."""

from __future__ import annotations

from abiprobe.harness.cli.commands.doctor import target_findings, what_runs
from abiprobe.harness.observers.lanes.workbench import VectorBench
from abiprobe.harness.triage.maps import maps
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.language.simd import Branch, Simd
from abiprobe.oracles.registry import find_target

from .conftest import TARGET, compiler

INT = Scalar(Kind.INT)
FUNCTION = Prototype("f", INT, (Param("a", INT),), simd=(Simd(branch=Branch.NOTINBRANCH),))


def test_a_map_shows_the_names_that_differ() -> None:
    (shown,) = maps(find_target(f"{TARGET}@clang-reading"), FUNCTION, ((compiler(), "O0"),))
    assert shown.side == "variants"
    assert [(row.model, row.seen) for row in shown.rows] == [(("_ZGVcN8v_f",), (("_ZGVcN4v_f",),))]


def test_nothing_is_shown_where_nobody_differs() -> None:
    assert maps(find_target(TARGET), FUNCTION, ((compiler(), "O0"),)) == ()


def test_doctor_knows_what_runs_vector_functions(bench: VectorBench) -> None:
    found = target_findings(TARGET, [{"toolchain": "gcc-12", "targets": [TARGET]}])
    assert what_runs(found) == "yes"
    assert found["executors"] == [bench.executor.name, *(isa.title for isa in bench.isas)]
