"""A tool that names probes of a unit is believed as far as that goes: they are tried apart, and the rest together."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abiprobe.harness.machines.render.probe_markers import marker, parts, suspects
from abiprobe.harness.observers.attempt import Attempt, Failed, bisected
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.subject import Built
from abiprobe.results.verdicts.record import Outcome


@pytest.mark.parametrize(
    ("said", "named"),
    [
        (b"probe_17:3:5: error: no such type", (17,)),
        (b"ld.lld: error: undefined symbol: __truncsfbf2\n>>> referenced by unit1.o:(callee_4)\n", (4,)),
        (b"2.\tprobe_3:7:1: Generating code for declaration 'callee_3'\n probe_12:1:1: error", (3, 12)),
        (b"error: something else, at probe_x and recall_7", ()),
        (b"probe_5: error\n" + b"x" * (1 << 20) + b"\nprobe_6: error\n", (5, 6)),
    ],
)
def test_what_a_tool_names(said: bytes, named: tuple[int, ...]) -> None:
    assert suspects(said) == named


def test_a_marker_makes_diagnostics_name_the_probe() -> None:
    assert suspects(marker(8).split()[-1].encode()) == (8,)


@given(st.integers(2, 50), st.sets(st.integers(0, 60)))
def test_parts_are_smaller_and_have_everyone_once(count: int, named: set[int]) -> None:
    found = parts(count, tuple(sorted(named)))
    assert sorted(i for part in found for i in part) == list(range(count))
    assert all(0 < len(part) < count for part in found)


class Tool:
    """Fails when it is given one of the `bad`; names those of `bad` that it is not silent about, or a wrong one."""

    def __init__(self, bad: set[int], silent: set[int], lies: set[int]) -> None:
        self.bad, self.silent, self.lies, self.runs = bad, silent, lies, 0

    def __call__(self, _attempt: Attempt, plans: object, _text: str | None) -> list[int] | Failed:
        self.runs += 1
        asked = list(plans)  # type: ignore[call-overload]
        wrong = [i for i, plan in enumerate(asked) if plan in self.bad]
        if not wrong:
            return [plan * 10 for plan in asked]
        named = [i for i in wrong if asked[i] not in self.silent] + list(self.lies)
        return Failed(Outcome.REFUSED, "no", tuple(sorted(named)))


@given(
    st.integers(1, 40), st.sets(st.integers(0, 39)), st.sets(st.integers(0, 39)), st.sets(st.integers(0, 45))
)
def test_only_the_bad_fail_whatever_is_said_of_whom(
    count: int, bad: set[int], silent: set[int], lies: set[int]
) -> None:
    attempt = Attempt(None, Built(("cc",)), Path("unused"), Limits())
    answers = list(bisected(attempt, range(count), Tool(bad, silent, lies)))
    assert [plan for plan, _ in answers] == list(range(count))
    assert all(isinstance(seen, Failed) == (plan in bad) for plan, seen in answers)
    assert all(seen == plan * 10 for plan, seen in answers if not isinstance(seen, Failed))


def test_those_named_cost_one_more_run_each() -> None:
    attempt = Attempt(None, Built(("cc",)), Path("unused"), Limits())
    tool = Tool({3, 77, 200}, set(), set())
    assert len(list(bisected(attempt, range(250), tool))) == 250
    assert tool.runs == 1 + 3 + 1
