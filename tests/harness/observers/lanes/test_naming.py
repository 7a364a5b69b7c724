"""The judge of the names of vector variants: names that are missing, other or too many, and reasons of refusals."""

from __future__ import annotations

import pytest

from abiprobe.harness.observers.lanes.naming import judge_names
from abiprobe.oracles.abis.vfabi import VectorModel
from abiprobe.oracles.abis.vfabi.variant import Variants
from abiprobe.oracles.language.lang import Kind, Param, Pointer, Prototype, Scalar
from abiprobe.oracles.language.simd import Branch, Linear, Simd
from abiprobe.oracles.registry import find_model
from abiprobe.results.verdicts.record import Judgement, Verdict

INT = Scalar(Kind.INT)
OWN = ("f", "f")
NOTINBRANCH = Simd(linear=(Linear(("p",), 2),), branch=Branch.NOTINBRANCH)


def predicted(*simd: Simd, result: Kind = Kind.INT) -> Variants:
    model = find_model("x86_64-vfabi")
    assert isinstance(model, VectorModel)
    params = (Param("a", INT), Param("p", Pointer("int", to=INT)))
    answer = model.variants(Prototype("f", Scalar(result), params, simd=simd or (NOTINBRANCH,)))
    assert isinstance(answer, Variants)
    return answer


def verdict(*changes: tuple[str, str], reasons: frozenset[str] | None = None) -> Verdict:
    """The verdict on the right names after `changes`; an empty new name takes one away."""
    expected = predicted()
    names = set(expected.symbols)
    for old, new in changes:
        names -= {old}
        names |= {new} - {""}
    return judge_names("0", expected, frozenset(names), OWN, reasons)


def test_the_right_names_agree() -> None:
    assert verdict().verdict is Judgement.AGREES
    assert verdict(reasons=frozenset()).verdict is Judgement.AGREES


@pytest.mark.parametrize(
    ("old", "new", "clause", "words"),
    [
        ("_ZGVcN4vl8_f", "_ZGVcN8vl8_f", "vfabi:gcc.integer-register", "saw _ZGVcN8vl8_f"),
        ("_ZGVbN4vl8_f", "_ZGVbN4vl2_f", "vfabi:gcc.pointer-step", "saw _ZGVbN4vl2_f"),
        ("_ZGVbN4vl8_f", "_ZGVbN4vl8a16_f", "vfabi:gcc.aligned", "saw _ZGVbN4vl8a16_f"),
        ("_ZGVdN8vl8_f", "", "vfabi:variants.isa", "saw no such variant"),
        ("", "_ZGVbM4vl8_f", "vfabi:variants.mask", "saw _ZGVbM4vl8_f"),
        ("", "_ZGVxN4vl8_f", "vfabi:variants.mask", "saw _ZGVxN4vl8_f"),
    ],
)
def test_a_wrong_name_breaks_the_clause_of_what_is_wrong(old: str, new: str, clause: str, words: str) -> None:
    found = verdict((old, new))
    assert found.verdict is Judgement.DEVIATES
    assert found.clause == clause
    assert words in found.detail


def test_a_refusal_must_be_for_the_reason_of_the_model() -> None:
    expected = predicted(Simd(simdlen=3))
    own = frozenset({"unsupported simdlen 3"})
    assert judge_names("0", expected, frozenset(), OWN, own).verdict is Judgement.AGREES
    for seen, told in ((frozenset[str](), "no warning"), (frozenset({"unsupported simdlen 5"}), "simdlen 5")):
        other = judge_names("0", expected, frozenset(), OWN, seen)
        assert (other.verdict, other.clause) == (Judgement.DEVIATES, "vfabi:length.power-of-two")
        assert told in other.detail


def test_a_warning_where_the_model_refuses_nothing_is_told() -> None:
    found = verdict(reasons=frozenset({"ignoring zero linear step"}))
    assert "expected no such warning, saw ignoring zero linear step" in found.detail


def test_types_are_spelled_by_each_in_its_way() -> None:
    expected = predicted(Simd(), result=Kind.LDOUBLE)
    said = frozenset({"unsupported return type"})
    assert judge_names("0", expected, frozenset(), OWN, said).verdict is Judgement.AGREES
