"""Wrong rows become causes: grouped by kind, counted by subject, with the smallest function that shows them."""

from __future__ import annotations

import math

import pytest

from abiprobe.generators.frames import Call, Function, Local
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.harness.unwind.causes import Kind, causes, kind, members
from abiprobe.harness.unwind.image import Answer
from abiprobe.harness.unwind.stepping import Stepping
from abiprobe.harness.unwind.sweep import Share, Way, answered
from abiprobe.harness.unwind.wrong import Wrong
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Outcome
from tests.skipping import needs_executor

pytest.importorskip("capstone", reason="capstone is not installed")
pytest.importorskip("unicorn", reason="unicorn is not installed")

TARGET = "x86_64-sysv"
REALIGNED = Function(body=(Call(7), Local(200, 64)), kept=2, parameters=1)


def wrong(
    function: str = "f0", at: int = 4, what: str = "rbx", rule: str = "*(rbp-8)", **more: object
) -> Wrong:
    return Wrong(function, 0, at, "retq", "popq %rbp", what, rule, "dwarf:expression", 1, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (wrong(), Kind("a register", "*(rbp)", "popq")),
        (wrong(what="r12", rule="*(rbp-24)"), Kind("a register", "*(rbp)", "popq")),
        (wrong(what="CFA", rule="rsp+16"), Kind("CFA", "rsp", "popq")),
        (wrong(what="return address", rule="same value"), Kind("a register", "same value", "popq")),
    ],
)
def test_registers_and_offsets_are_of_no_account(one: Wrong, expected: Kind) -> None:
    assert kind(one) == expected


def test_what_follows_is_not_a_cause_of_its_own() -> None:
    way = Way(TARGET, parse_subject("clang"), "O2", ())
    share = Share(way, (Function(), Function(kept=1)))
    found = (wrong(), wrong(at=5, rule="same value", sequel=True), wrong("f1.cold", 9, "CFA", "rsp+8"))
    stepping = Stepping(wrong={(one.at, one.what): one for one in found})
    seen = list(members(share, Answer(Outcome.OBSERVED, stepping=stepping)))
    assert [(str(each), member.function, len(member.wrong)) for each, member in seen] == [
        ("a register (*(rbp)), after popq", Function(), 2),
        ("CFA (rsp), after popq", Function(kept=1), 1),
    ]


def test_the_realigned_epilogue_of_gcc() -> None:
    needs_executor(TARGET)
    compiler = "gcc-12"
    subject = parse_subject(compiler)
    if not installed(subject, (find_target(TARGET),)):
        pytest.skip(f"{compiler} is not installed for {TARGET}")
    share = Share(Way(TARGET, subject, "O2", ("-fomit-frame-pointer",)), (Function(kept=1), REALIGNED))
    (found,) = causes(members(share, answered(share)), math.inf)
    assert (found.target, found.kind) == (TARGET, Kind("a register", "*(rbp)", "popq"))
    assert found.counts == {compiler: 1}
    assert found.reduced
    assert Local(8, 32) in found.function.body
    assert found.function.parameters == 0
    assert {one.function for one in found.wrong} == {"f0"}
    first = found.wrong[0]
    assert (first.behind, first.instruction, first.clause) == (
        "popq %rbp",
        "leaq -8(%r10), %rsp",
        "dwarf:expression",
    )


def test_nothing_is_reduced_without_time() -> None:
    way = Way(TARGET, parse_subject("clang"), "O2", ())
    answer = Answer(Outcome.OBSERVED, stepping=Stepping(wrong={(4, "rbx"): wrong()}))
    (found,) = causes(members(Share(way, (REALIGNED,)), answer), -1)
    assert (found.reduced, found.function) == (False, REALIGNED)
