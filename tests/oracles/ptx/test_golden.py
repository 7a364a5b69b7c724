"""What was measured of ptxas and the compilers, against the models."""

from __future__ import annotations

from typing import Any

import pytest
from laboratory.golden.device_code import measured
from laboratory.golden.machine_code import CHECKS, spelled

from abiprobe.harness.input import read
from abiprobe.oracles.abis.ptx import FAMILIES
from abiprobe.oracles.abis.ptx.calls import variadic_parameter
from abiprobe.oracles.abis.ptx.lowering import Role, lower
from abiprobe.oracles.abis.ptx.parameter import parse_parameter
from abiprobe.oracles.abis.ptx.sass.places import assign
from abiprobe.oracles.abis.ptx.sass.prototypes import prototype_string
from abiprobe.oracles.abis.ptx.text.conformity import expect
from abiprobe.oracles.abis.ptx.text.rules import Enforced
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.registry import TARGETS, find_model
from abiprobe.oracles.text.place import Layout, Unspecified

TRIPLE = "nvptx64-nvidia-cuda"
FACTS = measured()
COMPILERS = {
    "clang-14 C": ("clang-14", Role.PARAM),
    "clang-16 C": ("clang-16", Role.PARAM),
    "clang-22 C": ("clang", Role.PARAM),
    "NVRTC 13.0": ("nvrtc", Role.PARAM),
    "NVRTC 13.0 kernel": ("nvrtc", Role.KERNEL),
}
LAYOUTS = {
    "nvcc 13.0 device": "nvptx64-cuda@nvcc",
    "NVRTC 13.0": "nvptx64-cuda@nvrtc",
    "clang-22 CUDA device": "nvptx64-cuda@clang-reading",
    "g++ 12 x86-64 host": "x86_64-sysv@gcc-reading",
    "gcc 12 x86-64 host": "x86_64-sysv@gcc-reading",
}


def of_kind(kind: str) -> pytest.MarkDecorator:
    """Parametrises a test with the facts of one kind."""
    found = [fact for fact in FACTS if fact["kind"] == kind]
    assert found
    return pytest.mark.parametrize("fact", found, ids=[fact["id"] for fact in found])


@pytest.mark.parametrize(
    "fact", [one for one in FACTS if one["kind"] in CHECKS], ids=lambda fact: str(fact["id"])
)
def test_what_ptxas_and_nvlink_make_of_ptx(fact: dict[str, Any]) -> None:
    assert CHECKS[fact["kind"]](fact)


@of_kind("c_lowering")
def test_declarations_that_compilers_make(fact: dict[str, Any]) -> None:
    declaration = fact["input"]["decl"]
    c_type = (
        read(declaration, filename="f.h", triple=TRIPLE).records[-1] if declaration else Scalar(Kind.LDOUBLE)
    )
    for compiler, expected in fact["expect"].items():
        dialect, role = COMPILERS[compiler]
        types = TARGETS["nvptx64-cuda"].in_dialect(dialect).model().types
        family = FAMILIES[dialect][0]
        for name, own in (("param", role), ("ret", Role.RESULT)):
            if name in expected:
                param = lower(types, family, c_type, own).param
                assert f"{param.typed}{'' if param.length is None else f'[{param.length}]'}" == expected[name]


@of_kind("layout")
def test_layouts(fact: dict[str, Any]) -> None:
    record = read(fact["input"]["decl"], filename="f.h", triple=TRIPLE).records[-1]
    for compiler, expected in fact["expect"].items():
        answer = find_model(LAYOUTS[compiler]).layout(record)
        assert isinstance(answer, Layout)
        assert {"size": answer.size, "align": answer.align} == expected, compiler


@of_kind("physical_mismatch")
def test_variadic_functions(fact: dict[str, Any]) -> None:
    b32 = parse_parameter("b32")
    seen = {"nvcc 13.0": "nvcc", "clang-22 C": "clang"}
    for compiler, dialect in seen.items():
        last = variadic_parameter(FAMILIES[dialect][0])
        expected = fact["expect"][compiler]
        assert prototype_string([b32, last], b32) == expected["prototype"]
        assert expected["location"].startswith(spelled(assign([b32, last], b32).params[-1].spot))
    asked = Prototype("f", Scalar(Kind.INT), (Param("n", Scalar(Kind.INT)),), variadic=True)
    assert isinstance(find_model("nvptx64-cuda").assign(asked), Unspecified)


@of_kind("ptxas_verdict")
def test_what_ptxas_makes_of_texts(fact: dict[str, Any]) -> None:
    found = expect(fact["input"]["ptx"], fact["input"]["options"])
    outcomes = {"ok": {Enforced.ACCEPTED}, "error": {Enforced.REFUSED}, "signal 11": {Enforced.CRASHED}}
    assert found.outcome in outcomes[fact["expect"]["exit"]], found
    if found.outcome is Enforced.REFUSED:
        assert any(message in fact["expect"]["message"] for message in found.messages)
