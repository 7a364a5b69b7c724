"""Calls of devices that no text decides: what compilers declare, and what ptxas says of it."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from abiprobe.harness.input import read
from abiprobe.harness.machines.readers.ptx import signatures
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.device.device_calls import NO_CALLER, ObservedDeviceCall
from abiprobe.harness.observers.device.observer import DeviceObserver
from abiprobe.harness.observers.device.open_calls import placed_in_area
from abiprobe.harness.observers.device.plan import DevicePlan
from abiprobe.harness.observers.device.unnamed import Area
from abiprobe.harness.observers.observer import PredictionKey
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.language.question import probe
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.fingerprint import Symptom, fingerprints
from abiprobe.results.verdicts.locations import AmongUnnamed, Declared, Spot
from abiprobe.results.verdicts.record import Judgement, Outcome, Shown
from abiprobe.results.verdicts.values import Words
from abiprobe.results.verdicts.wording import UNNAMED

TARGET = "nvptx64-cuda"
OBSERVER = DeviceObserver(PredictionKey(find_target(TARGET)))
EMPTY = "struct E {}; int f(struct E a, int b);"
SEEN = Failed(Outcome.UNDECODED, "not read here")
REFUSED = Failed(Outcome.REFUSED, "ptxas: only the last")
ALL = Words("4 bytes aligned to 4")
NONE = "(.param .b32 b)"


def planned(text: str) -> DevicePlan:
    (function,) = read(text, filename="t.h", triple="nvptx64-nvidia-cuda").functions
    (plan,) = OBSERVER.prepare((probe(function),)).plans
    return plan


def seen(defined: str, called: str, failure: Failed = SEEN) -> ObservedDeviceCall:
    text = f".visible .func (.param .b32 r) f_0{defined}\n;\n.extern .func (.param .b32 r) t_0{called}\n;\n"
    return ObservedDeviceCall(
        signatures(text)["f_0"], failure, NO_CALLER, None, signatures(text, "extern")["t_0"]
    )


WITH = "(.param .align 1 .b8 a[1], .param .b32 b)"
SMALL, WORD, LEFT_OUT = Declared(1, 1), Declared(4, 4), Words("no declaration")


def test_an_open_question_is_asked_and_a_decided_one_as_before() -> None:
    plan = planned(EMPTY)
    assert plan.silence is not None
    assert plan.silence.clause == "ptx_guide:pass.empty"
    assert planned("int f(int a);").silence is None


@pytest.mark.parametrize(
    ("defined", "called", "shown"),
    [
        (WITH, WITH, {"a": ((SMALL,), ()), "b": ((WORD,), ()), "result": ((WORD,), ())}),
        (NONE, NONE, {"the parameters": ((ALL,), ()), "result": ((WORD,), ())}),
        (
            WITH,
            NONE,
            {
                "the parameters": ((ALL,), (LEFT_OUT,)),
                "result": ((WORD,), ()),
                "a": ((LEFT_OUT,), (SMALL,)),
                "b": ((LEFT_OUT,), (WORD,)),
            },
        ),
    ],
)
def test_each_value_is_shown_as_it_is_declared(
    defined: str, called: str, shown: dict[str, tuple[tuple[Spot, ...], tuple[Spot, ...]]]
) -> None:
    first, *_ = OBSERVER.judge(planned(EMPTY), seen(defined, called))
    assert first.verdict is Judgement.UNSPECIFIED
    assert first.shown == tuple(Shown(what, *places) for what, places in shown.items())


def test_a_refusal_by_the_assembler_is_a_verdict() -> None:
    verdicts = OBSERVER.judge(planned(EMPTY), seen(NONE, NONE, REFUSED))
    assert {one.outcome for one in verdicts} == {Outcome.OBSERVED, Outcome.REFUSED}
    (fingerprint,) = fingerprints(TARGET, verdicts)
    assert fingerprint.symptom is Symptom.REFUSED


def test_the_family_that_declares_likewise_is_named() -> None:
    plan = planned("struct E {}; void f(struct E a);")
    assert set(plan.readings) <= set(OBSERVER.key.readings)
    first, *_ = OBSERVER.judge(replace(plan, readings={}), seen(NONE, NONE))
    assert first.reading == ""


def test_what_is_declared_otherwise_is_a_break() -> None:
    plan = planned(EMPTY)
    (one,) = OBSERVER.breaks(plan, seen(WITH, WITH), seen("(.param .align 4 .b8 a[4], .param .b32 b)", WITH))
    assert (one.what, one.side) == ("a", "caller")


INT = Scalar(Kind.INT)
VARIADIC = Prototype("f", INT, (Param("a", INT),), variadic=True, unnamed=(Scalar(Kind.DOUBLE),))
TAKEN = "(.param .b32 f_0_param_0, .param .b64 f_0_param_1)"
ADDRESS = Declared(8, 8)
LOCAL, GENERIC = (replace(ADDRESS, space=space) for space in ("local", "generic"))


TORN = Area("", (None,), (((0, 4), (8, 0)),))


@pytest.mark.parametrize(
    ("put", "read", "places"),
    [
        (TORN, Area("", (8,)), {"...0": (4, 8), "...0[8]": (8, 16)}),
        (Area("", (8,)), TORN, {"...0": (8, 4), "...0[8]": (16, 8)}),
        (TORN, TORN, {"...0": (4, 4), "...0[8]": (8, 8)}),
        (TORN, Area("", (None,)), {"...0": (4, 4), "...0[8]": (8, 8)}),
        (Area(), TORN, {"...0": (4, 4), "...0[8]": (8, 8)}),
        (Area("", (None,)), Area("", (None,)), {}),
        # From byte 8 on only.
        (Area("", (None,), (((8, 0),),)), Area("", (8,)), {"...0": (8, 8), "...0[8]": (8, 16)}),
    ],
)
def test_a_torn_argument_contradicts_what_is_taken_whole(
    put: Area, read: Area, places: dict[str, tuple[int, int]]
) -> None:
    found = {one.what: (one.at, one.taken or one.at) for one in placed_in_area(put, read)}
    assert found == {what: ((AmongUnnamed(at),), (AmongUnnamed(by),)) for what, (at, by) in places.items()}


@pytest.mark.parametrize(
    ("put", "read", "shown"),
    [
        (Area(), Area(), Shown(UNNAMED, (ADDRESS,))),
        (Area("local"), Area("local"), Shown(UNNAMED, (LOCAL,))),
        (Area("local"), Area(), Shown(UNNAMED, (LOCAL,))),
        (
            Area("local"),
            Area("generic"),
            Shown(UNNAMED, (LOCAL,), (GENERIC,)),
        ),
        (Area("", (8,)), Area("", (8,)), Shown("...0", (AmongUnnamed(8),))),
        (Area("", (8,)), Area("", (None,)), Shown("...0", (AmongUnnamed(8),))),
        (Area("", (4,)), Area("", (8,)), Shown("...0", (AmongUnnamed(4),), (AmongUnnamed(8),))),
    ],
)
def test_unnamed_arguments_are_shown_by_their_memory(put: Area, read: Area, shown: Shown) -> None:
    (plan,) = OBSERVER.prepare((probe(VARIADIC),)).plans
    assert plan.silence is not None
    assert plan.silence.clause == "ptx:variadic.c"
    first, *_ = OBSERVER.judge(plan, replace(seen(TAKEN, TAKEN), passed=put, taken=read))
    assert shown in first.shown


def test_the_unit_passes_and_takes_unnamed_arguments() -> None:
    text = OBSERVER.text(OBSERVER.prepare((probe(VARIADIC),)).plans[0])
    assert re.search(r"double abi_x0 = __builtin_va_arg\(abi_ap, double\);", text)
    assert re.search(r"double abi_x0;", text)
    assert re.search(r"= t_0\(\w+, abi_x0\);", text)


def test_a_long_double_is_open() -> None:
    plan = planned("long double f(int a);")
    assert plan.silence is not None
    assert plan.silence.clause == "ptx_guide:pass.long-double"
