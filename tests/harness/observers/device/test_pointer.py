"""Calls through pointers on PTX: their prototypes are those of the functions."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from abiprobe.harness.input import read
from abiprobe.harness.machines.readers.ptx import PtxDeclaration, called_by_pointer, signatures
from abiprobe.harness.observers.attempt import Attempt
from abiprobe.harness.observers.device.declarations import judge_declarations, through_pointer
from abiprobe.harness.observers.device.device_calls import NO_CALLER, ObservedDeviceCall, observe_devices
from abiprobe.harness.observers.device.observer import DeviceObserver
from abiprobe.harness.observers.device.plan import DevicePlan
from abiprobe.harness.observers.device.recording import recorded, replayed
from abiprobe.harness.observers.device.unit import slots, unit
from abiprobe.harness.observers.observer import PredictionKey
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.cuda_tools import Tool
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.oracles.language.question import ProbeKind, probe
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement, Outcome

TARGET = "nvptx64-cuda"
SOURCE = "struct P { double d; } __attribute__((packed, aligned(4))); double f(float a, struct P b);"
DEFINED = ".visible .func (.param .b64 r) f_0(.param .b32 a, .param .align {} .b8 b[8])\n{{ }}\n"
CALL = "prototype_0 : .callprototype (.param .b64 _) _ (.param .b32 _, .param .align {} .b8 _[8]);"


def plan_by(dialect: str) -> DevicePlan:
    question = read(SOURCE, filename="f.h", triple="nvptx64-nvidia-cuda").functions[0]
    (plan,) = DeviceObserver(PredictionKey(find_target(dialect))).prepare((probe(question),)).plans
    assert isinstance(plan, DevicePlan)
    return plan


def seen(defined: int, called: int | None) -> ObservedDeviceCall:
    own = signatures(DEFINED.format(defined))["f_0"]
    pointed = None if called is None else called_by_pointer(CALL.format(called))
    return ObservedDeviceCall(own, None, None, pointed=pointed)  # type: ignore[arg-type]  # only declarations are judged


def test_a_prototype_is_read() -> None:
    found = called_by_pointer(CALL.format(4))
    assert found is not None
    assert found.result is not None
    assert [formal.param.align for formal in (*found.params, found.result)] == [4, 4, 8]
    assert called_by_pointer(".callprototype _ ();") == PtxDeclaration(entry=False, result=None, params=())
    assert called_by_pointer("call f;") is None
    with pytest.raises(ValueError, match="declaration"):
        called_by_pointer(".callprototype _ (nothing);")


@pytest.mark.parametrize(
    ("dialect", "defined", "called", "sides"),
    [
        (TARGET, 4, 4, []),
        (TARGET, 4, None, []),
        (TARGET, 4, 8, ["caller"]),
        (TARGET, 8, 8, ["callee"]),
        (TARGET, 8, 4, ["callee", "caller"]),
        (f"{TARGET}@clang-24", 8, 8, []),
        (f"{TARGET}@clang-24", 8, 4, ["caller"]),
        (f"{TARGET}@clang-22", 8, 4, []),
        (f"{TARGET}@clang-22", 8, 8, ["caller"]),
    ],
)
def test_a_call_through_a_pointer_is_declared_as_the_function(
    dialect: str, defined: int, called: int | None, sides: list[str]
) -> None:
    plan, own = plan_by(dialect), seen(defined, called)
    found = *judge_declarations(plan, own).differences, *through_pointer(plan, own)
    assert [item.side for item in found] == sides


def test_a_recorded_prototype_comes_back() -> None:
    own = replace(seen(4, 8), callee=NO_CALLER, caller=NO_CALLER)
    assert replayed(recorded(own)).pointed == own.pointed


@pytest.mark.parametrize("name", ["clang-19", "clang-22"])
def test_clang_before_23_makes_two_functions_of_one(tmp_path: Path, name: str) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    built = build(parse_subject(name), find_target(TARGET), "O1")
    assert built is not None
    plan = plan_by(TARGET)
    (found,) = observe_devices(Attempt(None, built, tmp_path, Limits()), None, [plan])
    assert isinstance(found[1], ObservedDeviceCall)
    differences = *judge_declarations(plan, found[1]).differences, *through_pointer(plan, found[1])
    assert [(item.side, item.what) for item in differences] == [("callee", "b"), ("caller", "b")]


def test_the_unit_of_several_names_each() -> None:
    observer = DeviceObserver(PredictionKey(find_target(TARGET)))
    plans = observer.prepare(
        [
            probe(one)
            for one in read(
                "int f(int a); int g(char a);", filename="f.h", triple="nvptx64-nvidia-cuda"
            ).functions
        ]
    ).plans
    text = unit([(plan.number, plan.prototype, plan.slots) for plan in plans])
    assert [text.count(f'#line 1 "probe_{number}"') for number in range(3)] == [1, 1, 0]
    assert "#line" not in observer.text(plans[0])


def test_no_function_has_a_functions_address_and_a_complex_number_as_parameters() -> None:
    """nvcc refuses the declaration (P15), and with it a prototype that it takes."""
    function = read("void f(double _Complex a);", filename="f.h", triple="nvptx64-nvidia-cuda").functions[0]
    text = unit([(0, function, slots([(16, 8)], None))])
    assert re.search(r"typedef void abi_f_0\(double _Complex \w+\);", text)
    assert "void p_0(abi_f_0 *abi_f) {" in text


@pytest.mark.parametrize(
    ("name", "dialect", "differences"),
    [
        ("clang-14", TARGET, []),
        ("clang-19", TARGET, ["b"]),
        ("clang-19", f"{TARGET}@clang-19", []),
        pytest.param("clang-23", TARGET, ["b[0]"], marks=pytest.mark.long),
        pytest.param("clang-23", f"{TARGET}@clang-23", [], marks=pytest.mark.long),
    ],
)
def test_the_arguments_of_a_call_through_a_pointer_are_read(
    ptxas: Tool, tmp_path: Path, name: str, dialect: str, differences: list[str]
) -> None:
    """clang 19 puts `b` where the text does, and looks for it elsewhere; clang 23 does both otherwise than the text."""
    if build(parse_subject(name), find_target(TARGET), "O1") is None:
        pytest.skip(f"{name} is not installed")
    observer = DeviceObserver(PredictionKey(find_target(dialect)))
    plan = plan_by(dialect)
    attempt = observer.begin(parse_subject(name), "O1", tmp_path, Limits())
    ((_, own),) = observer.observe(attempt, [plan])
    assert isinstance(own, ObservedDeviceCall)
    verdict = {one.kind: one for one in observer.judge(plan, own)}[ProbeKind.POINTER]
    assert verdict.outcome is Outcome.OBSERVED
    assert [item.what for item in verdict.differences] == differences
    again = observer.replay(plan, observer.record(plan, own), observer.fingerprint(plan))
    assert observer.judge(plan, again) == observer.judge(plan, own)


def test_what_ptxas_refuses_costs_the_call_through_a_pointer_alone(ptxas: Tool, tmp_path: Path) -> None:
    """clang 16 declares the argument otherwise than the prototype of its call."""
    if build(parse_subject("clang-16"), find_target(TARGET), "O1") is None:
        pytest.skip("clang-16 is not installed")
    observer = DeviceObserver(PredictionKey(find_target(f"{TARGET}@clang-16")))
    attempt = observer.begin(parse_subject("clang-16"), "O1", tmp_path, Limits())
    ((plan, own),) = observer.observe(attempt, [plan_by(f"{TARGET}@clang-16")])
    found = {one.kind: one for one in observer.judge(plan, own)}
    assert found[ProbeKind.POINTER].outcome is Outcome.REFUSED
    assert {one.verdict for kind, one in found.items() if kind is not ProbeKind.POINTER} == {Judgement.AGREES}
