"""Every rule of PTX on both sides of a real ptxas, and our own checker where ptxas says nothing."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from abiprobe.generators.ptx_texts import CHANGES, broken, table
from abiprobe.harness.observers.device.assembler.assemble import Assembler
from abiprobe.harness.ptxas.rules import rule_on
from abiprobe.harness.subjects.cuda_tools import Tool
from abiprobe.oracles.abis.ptx.text.conformity import expect
from abiprobe.oracles.abis.ptx.text.rules import Enforced

MakeFaux = Callable[[str], Assembler]


def test_ptxas_takes_and_refuses_what_the_model_says(ptxas: Tool) -> None:
    found = list(rule_on(ptxas, [*table(), *broken(5, 40)]))
    assert len(found) > 100
    assert [(one.text, one.expected, one.seen, one.words) for one in found if not one.agrees] == []


def test_the_checker_finds_what_ptxas_lets_pass() -> None:
    silent = {
        one.name
        for one in table()
        if not expect(one.ptx, one.options).conforms
        and expect(one.ptx, one.options).outcome is Enforced.ACCEPTED
    }
    assert silent >= {
        "st.param.b32 at 2",
        "st.param.b64 at 8 of 12",
        "no st.param",
        "a branch between st.param and call",
        "a call between st.param and call",
        "constant 4294967296 for .s32",
        "array of .b32",
        ".reg .b16 parameter",
    }


@given(st.integers(0, 2**32))
def test_one_change_breaks_one_rule(seed: int) -> None:
    (one,) = broken(seed, 1)
    found = {breach.rule.name for breach in expect(one.ptx, one.options).breaches}
    if one.name == "nothing changed":
        assert found == set()
    else:
        assert found
    assert one.name in {name for name, _ in CHANGES}


def test_a_ptxas_that_accepts_everything_is_caught(faux: MakeFaux) -> None:
    lenient = faux('for f; do case $f in *.cubin) echo x > "$f";; esac; done').tool
    found = list(rule_on(lenient, list(table())))
    assert {one.text for one in found if not one.agrees} >= {".align 3 of a function", "predicated st.param"}


def test_a_text_for_a_newer_architecture_is_put_as_one_for_an_older(faux: MakeFaux) -> None:
    old = faux(
        """
        case "$*" in *sm_90*) echo "ptxas fatal : Value 'sm_90' is not defined for option 'gpu-name'" >&2; exit 1;; esac
        for f; do case $f in *.cubin) echo x > "$f";; esac; done
        """
    ).tool
    valid = [one for one in table() if "sm_90" in one.ptx and expect(one.ptx, one.options).conforms]
    assert valid
    assert all(one.seen is Enforced.ACCEPTED for one in rule_on(old, valid))


def test_the_crash_on_a_large_result_went_with_13_2() -> None:
    (one,) = (one for one in table() if one.name == "call without arguments that returns 52 bytes")
    seen = [expect(one.ptx, one.options, release).outcome for release in ((11, 8), (13, 1), (13, 2), (13, 5))]
    assert seen == [Enforced.CRASHED, Enforced.CRASHED, Enforced.ACCEPTED, Enforced.ACCEPTED]
