"""Tests of what no text decides: where not even a size is known, there is one line and no test."""

from __future__ import annotations

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.triage.cases import Case
from abiprobe.harness.triage.exports.forms import Form, export
from abiprobe.oracles.language.lang import Complex, Kind, Param, Prototype
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom


@pytest.mark.parametrize("form", [Form.C, Form.GCC_DG])
def test_a_value_whose_size_no_text_says(form: Form) -> None:
    function = Prototype("f", None, (Param("a", Complex(Kind.INT)),))
    what = Fingerprint("riscv64-lp64d", Symptom.DIFFERS, "gnu:complex-integer")
    asked = (("clang-22", "O0"), ("gcc-12", "O0"))
    with pytest.raises(Problem, match="no text says how large int _Complex is"):
        export(Case("c0000000", function, what, asked, (), asked, reduced=True), form)
