"""Reals that compilers widen by a function of their library, which the runtime has where no instruction does it."""

from __future__ import annotations

import pytest

from abiprobe.harness.input import read
from abiprobe.harness.observers.ask import ask, on
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement
from tests.skipping import needs_executor

LP64F = "loongarch64-lp64f"
CLANG = "clang-22"
MANY = 16
"""Of so many functions some read their parameter as a `double`."""


def test_a_float_of_lp64f_is_read_as_a_double() -> None:
    needs_executor(LP64F)
    if not installed(parse_subject(CLANG), (find_target(LP64F),)):
        pytest.skip(f"{CLANG} is not installed for {LP64F}")
    functions = read(
        "".join(f"void f{many}(float a{', int' * many});" for many in range(MANY)),
        filename="floats.h",
        triple="loongarch64-linux-gnu",
    ).functions
    seen = ask(find_target(LP64F), functions, ((CLANG, "O0"),))
    verdicts = [one for each in functions for found in on(seen, each).values() for one in found]
    assert len(verdicts) > MANY
    assert [one for one in verdicts if one.verdict is not Judgement.AGREES] == []
