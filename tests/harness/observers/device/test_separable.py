"""Functions in which ptxas finds errors are told apart by its line numbers, and by halves where it gives none."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from abiprobe.harness.observers.device.assembled import separable
from abiprobe.harness.observers.device.pruned import functions_at

TEXT = """\
.version 9.0
.target sm_75
.address_size 64
.extern .func (.param .b32 func_retval0) t_1
(
\t.param .b64 t_1_param_0[]
)
;
.visible .func c_1()
{
\tret;
}
.extern .func t_2
(
\t.param .b32 t_2_param_0
)
;
.visible .func c_2()
{
\tret;
}
.visible .func c_3()
{
\tret;
}
"""


def line_of(words: str) -> int:
    return next(number for number, line in enumerate(TEXT.splitlines(), 1) if words in line)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("func_retval0", "t_1"),
        ("t_1_param_0", "t_1"),
        ("c_1()", "c_1"),
        ("t_2_param_0", "t_2"),
        ("c_3()", "c_3"),
    ],
)
def test_a_line_belongs_to_the_function_that_it_is_in(words: str, name: str) -> None:
    assert functions_at(TEXT, [line_of(words)]) == {name}


def test_a_line_before_all_functions_belongs_to_none() -> None:
    assert functions_at(TEXT, [line_of(".version"), line_of(".address_size")]) == frozenset()


@pytest.mark.parametrize(
    ("lines", "parts"),
    [
        (["t_1_param_0"], [[2, 3], [1]]),
        (["t_1_param_0", "c_1()"], [[2, 3], [1]]),
        (["t_1_param_0", "c_3()"], [[2], [1], [3]]),
        (["c_1()", "c_2()", "c_3()"], [[1], [2], [3]]),
        ([".version"], [[1], [2, 3]]),
        ([], [[1], [2, 3]]),
    ],
)
def test_each_function_with_an_error_is_assembled_by_itself(
    lines: Sequence[str], parts: list[list[int]]
) -> None:
    found = [list(some) for some in separable(TEXT, [line_of(words) for words in lines], [1, 2, 3])]
    assert found == parts
