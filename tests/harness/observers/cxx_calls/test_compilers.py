"""Real C++ compilers on calls: what the texts say of them, what each does otherwise, and lies that are noticed."""

from __future__ import annotations

from itertools import islice

import pytest
from laboratory.jobs import spelled_job
from msgspec.structs import replace

from abiprobe.generators.cxx_calls import stream
from abiprobe.harness.machines.render import cxx_calls as render
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.observers.cxx_calls import observer
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.oracles.language.classes import (
    Base,
    Class,
    CxxArray,
    CxxType,
    DataMember,
    Declared,
    Destruction,
    Reference,
    Specials,
    VirtualFunction,
)
from abiprobe.oracles.language.cxx_calls import CxxParam, CxxPrototype
from abiprobe.oracles.language.lang import Kind, Scalar
from abiprobe.oracles.language.question import ProbeKind, Sort
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

DRAWN = tuple(islice(stream(seed=3), 100))
CHAR, INT, LONG, DOUBLE = (Scalar(kind) for kind in (Kind.CHAR, Kind.INT, Kind.LONG, Kind.DOUBLE))
EMPTY, ALIGNED = Class("E"), Class("A", alignas=32)
GONE = Class(
    "G",
    members=(DataMember(DOUBLE, "d"), DataMember(INT, "i")),
    specials=Specials(destructor=Destruction(Declared.PROVIDED)),
)
DYNAMIC = Class("D", members=(DataMember(INT, "i"),), virtuals=(VirtualFunction("v"),))
UNKNOWN = {Judgement.DEVIATES, Judgement.DIFFERS}


def function(result: CxxType | None, *params: CxxType, this: Class | None = None) -> CxxPrototype:
    named = tuple(CxxParam(f"p{index}", c_type) for index, c_type in enumerate(params))
    return CxxPrototype("f", result, named, this=this)


def asked(
    subject: str, questions: tuple[CxxPrototype, ...], target: str = "x86_64-sysv", level: str = "O1"
) -> tuple[Verdict, ...]:
    if build(parse_subject(subject), find_target(target), level) is None:
        pytest.skip(f"{subject} is not installed")
    (done,) = run_job(spelled_job(target, 0, Sort.CXX_CALLS, questions, ((subject, level),)))
    return done.verdicts


def deviating(verdicts: tuple[Verdict, ...]) -> dict[ProbeKind, str]:
    return {one.kind: one.clause for one in verdicts if one.verdict is Judgement.DEVIATES}


@pytest.mark.parametrize("subject", ["g++-12", "clang++-22"])
@pytest.mark.parametrize(("target", "level"), [("x86_64-sysv", "O2"), ("i386-sysv", "O0")])
def test_compilers_call_as_the_text_says_but_for_what_is_known(subject: str, target: str, level: str) -> None:
    verdicts = asked(subject, DRAWN, target, level)
    assert not [one for one in verdicts if one.verdict in UNKNOWN and not one.quirks]
    unasked = {Outcome.UNSUPPORTED} if subject.startswith("clang") else set()
    assert {one.outcome for one in verdicts} <= {Outcome.OBSERVED, Outcome.DIED, Outcome.NOTHING, *unasked}
    assert sum(one.verdict is Judgement.AGREES for one in verdicts) > len(verdicts) * 6 // 10


@pytest.mark.parametrize(
    "target", ["aarch64-aapcs64", "arm-aapcs-vfp", "riscv64-lp64d", "s390x", "powerpc64le-elfv2"]
)
def test_clang_does_so_on_other_machines(target: str) -> None:
    verdicts = asked("clang++-22", DRAWN[:50], target)
    assert not [one for one in verdicts if one.verdict in UNKNOWN and not one.quirks]
    assert any(one.verdict is Judgement.AGREES for one in verdicts)


def test_gcc_does_so_on_risc_v() -> None:
    verdicts = asked("g++-12", DRAWN[:50], "riscv64-lp64d")
    assert not [one for one in verdicts if one.verdict in UNKNOWN and not one.quirks]
    assert any(one.verdict is Judgement.AGREES for one in verdicts)


def test_clang_returns_an_over_aligned_empty_class_in_memory() -> None:
    found = asked("clang++-22", (function(ALIGNED, INT),))
    assert deviating(found)[ProbeKind.CALLER] == "cxxabi:calls.empty-result"
    assert not deviating(asked("g++-12", (function(ALIGNED, INT),)))


def test_clang_passes_nothing_for_an_empty_class_on_i386() -> None:
    """llvm#53061."""
    found = asked("clang++-22", (function(None, INT, EMPTY, INT),), "i386-sysv")
    assert deviating(found) == dict.fromkeys((ProbeKind.CALLER, ProbeKind.CALLEE), "cxxabi:calls.empty")
    assert {quirk for one in found for quirk in one.quirks} == {"clang passes nothing for an empty class"}
    assert not deviating(asked("g++-12", (function(None, INT, EMPTY, INT),), "i386-sysv"))


def test_a_lone_real_is_passed_by_value_on_powerpc() -> None:
    lone = Class("L", members=(DataMember(DOUBLE, "d"),), specials=GONE.specials)
    found = deviating(asked("clang++-22", (function(None, lone, DOUBLE),), "powerpc64le-elfv2"))
    assert ProbeKind.CALLER in found


TRIVIAL = replace(GONE, tag="T", trivial_abi=True)


def test_clang_follows_its_own_words_on_trivial_abi() -> None:
    """The class travels as its bytes, and the called function destroys it; gcc does not know the attribute."""
    found = asked("clang++-22", (function(TRIVIAL, TRIVIAL, INT),), "x86_64-sysv@clang-reading")
    assert {one.verdict for one in found} == {Judgement.AGREES}
    assert ProbeKind.CALLER in deviating(
        asked("g++-12", (function(TRIVIAL, TRIVIAL, INT),), "x86_64-sysv@clang-reading")
    )
    (open_one, *_) = asked("clang++-22", (function(TRIVIAL, TRIVIAL, INT),))
    assert (open_one.verdict, open_one.clause) == (Judgement.UNSPECIFIED, "cxxabi:calls.trivial-abi")


@pytest.mark.parametrize("subject", ["g++-12", "clang++-22"])
def test_objects_with_virtual_bases_travel_by_their_address(subject: str) -> None:
    inner = Class("V", members=(DataMember(INT, "v"),))
    left, right = (Class(tag, (Base(inner, virtual=True),), (DataMember(INT, tag.lower()),)) for tag in "LR")
    copied = Specials(Declared.PROVIDED, Declared.PROVIDED, destructor=GONE.specials.destructor)
    both = Class("D", (Base(left), Base(right)), (DataMember(DOUBLE, "d"),), specials=copied)
    found = asked(subject, (function(both, both, INT), function(INT, both, this=both)))
    assert {one.verdict for one in found} == {Judgement.AGREES}


def test_a_class_that_is_no_cxx_costs_itself_only() -> None:
    broken = Class("B", (Base(GONE), Base(GONE)))
    found = asked("clang++-22", (function(None, INT, this=broken), function(INT, INT)))
    assert {one.outcome for one in found if one.probe == found[0].probe} == {Outcome.REFUSED}
    assert {one.verdict for one in found if one.probe != found[0].probe} == {Judgement.AGREES}


LIES = {
    "the called function destroys its argument": (
        function(None, GONE),
        ("memcpy(abi_out + 0, (const void *)&p0", "p0.~G(); memcpy(abi_out + 0, (const void *)&p0"),
        ("", ""),
        {ProbeKind.PRESERVATION: "cxxabi:calls.destroy"},
    ),
    "nobody destroys": (
        function(None, GONE),
        ("", ""),
        ("++*(volatile", "*(volatile"),
        {ProbeKind.PRESERVATION: "cxxabi:calls.destroy"},
    ),
    "a non-trivial class is passed by value": (
        function(None, GONE),
        ("~G();", "static void gone();"),
        ("G::~G()", "void G::gone()"),
        {
            ProbeKind.CALLER: "cxxabi:calls.parameter",
            ProbeKind.CALLEE: "cxxabi:calls.parameter",
            ProbeKind.PRESERVATION: "cxxabi:calls.destroy",
        },
    ),
    "a pointer to a member does not move the object": (
        function(None, INT, this=DYNAMIC),
        ("ABI_ADJUSTMENT(-64)", "0"),
        ("", ""),
        {ProbeKind.CALLER: "cxxabi:calls.this"},
    ),
    "a reference is a copy": (
        function(None, Reference(INT), INT),
        ("int &p0", "int p0"),
        ("", ""),
        {ProbeKind.CALLER: "cxxabi:calls.reference", ProbeKind.CALLEE: "cxxabi:calls.reference"},
    ),
}
"""What a compiler does otherwise, as it makes of the text of a unit another one, and the clauses that it then breaks."""


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_noticed(lie: str, monkeypatch: pytest.MonkeyPatch) -> None:
    question, first, second, broken = LIES[lie]

    def told(*asked: object) -> str:
        text = render.cxx_functions_of(*asked)  # type: ignore[arg-type]
        for old, new in (first, second):
            assert old in text
            text = text.replace(old, new)
        return text

    monkeypatch.setattr(observer, "cxx_functions_of", told)
    assert deviating(asked("g++-12", (question,))) == broken


def test_unnamed_arguments_that_run_code_are_passed_by_address_by_gcc_alone() -> None:
    named = (CxxParam("p0", INT),)
    question = CxxPrototype("f", None, named, variadic=True, unnamed=(GONE, INT))
    assert {one.verdict for one in asked("g++-12", (question,))} == {Judgement.AGREES}
    found = asked("clang++-22", (question,))
    assert {(one.outcome, one.detail) for one in found} == {
        (Outcome.UNSUPPORTED, "clang passes no G unnamed")
    }


def test_va_arg_of_clang_takes_the_address_of_what_nothing_can_copy_for_it() -> None:
    deleted = Specials(Declared.PROVIDED, Declared.DELETED, Declared.DELETED, other=True)
    pinned = Class("M", members=(DataMember(DOUBLE, "d"),), specials=deleted)
    question = CxxPrototype("f", None, (CxxParam("p0", INT),), variadic=True, unnamed=(pinned, INT))
    assert not deviating(asked("g++-12", (question,)))
    found = asked("clang++-22", (question,))
    assert deviating(found) == {ProbeKind.VARIADIC: "cxxabi:calls.unnamed"}
    assert {quirk for one in found for quirk in one.quirks} == {
        "clang's va_arg takes a class that nothing can copy by value"
    }


@pytest.mark.parametrize(
    ("subject", "target"),
    [
        ("g++-12", "x86_64-sysv"),
        *(("clang++-22", target) for target in ("x86_64-sysv", "arm-aapcs-vfp", "aarch64-aapcs64")),
    ],
)
def test_virtual_functions_are_called_by_name_and_through_pointers(subject: str, target: str) -> None:
    virtual = tuple(
        replace(function(INT, *types, this=DYNAMIC), virtual=True) for types in ((INT,), (INT, DOUBLE))
    )
    assert {one.verdict for one in asked(subject, virtual, target)} == {Judgement.AGREES}


def test_a_pointer_to_another_virtual_function_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def told(*given: object) -> str:
        text = render.cxx_functions_of(*given)  # type: ignore[arg-type]
        assert "ABI_VIRTUAL(5)" in text
        return text.replace("ABI_VIRTUAL(5)", "ABI_VIRTUAL(4)")

    monkeypatch.setattr(observer, "cxx_functions_of", told)
    found = asked("g++-12", (replace(function(INT, INT, this=DYNAMIC), virtual=True),))
    assert Outcome.DIED in {one.outcome for one in found}


def test_the_pointer_of_a_result_comes_before_that_of_the_object() -> None:
    """A member function that returns a class by value: whoever had the two the other way round would show it."""
    found = asked("g++-12", (function(GONE, INT, this=DYNAMIC),))
    assert {one.verdict for one in found} == {Judgement.AGREES}


OVERLAID = Class("", members=(DataMember(CxxArray(CHAR, 16), "local"), DataMember(LONG, "size")), union=True)
TEXT = Class(
    "S", members=(DataMember(LONG, "p"), DataMember(OVERLAID, "")), specials=Specials(copy=Declared.PROVIDED)
)


NAMESAKE = Class("N", members=(DataMember(INT, "what_"),), virtuals=(VirtualFunction("what"),))


@pytest.mark.parametrize("subject", ["g++-12", "clang++-22"])
def test_what_headers_declare_can_be_said(subject: str) -> None:
    """An anonymous union in a class, names that a unit has itself, `__float128`."""
    questions = (
        function(TEXT, INT),
        replace(function(INT, INT), name="memcpy"),
        replace(function(INT, INT, this=NAMESAKE), name="what"),
        replace(function(None, Reference(TEXT)), name="call"),
        function(Scalar(Kind.FLOAT128), Scalar(Kind.FLOAT128)),
    )
    verdicts = asked(subject, questions)
    assert {one.verdict for one in verdicts if one.outcome is Outcome.OBSERVED} == {Judgement.AGREES}
    assert {one.outcome for one in verdicts} <= {Outcome.OBSERVED, Outcome.NOTHING}


@pytest.mark.parametrize("subject", ["g++-12", "clang++-22"])
def test_a_function_of_a_final_class_is_called_by_its_table(subject: str) -> None:
    final = replace(DYNAMIC, final=True)
    questions = tuple(replace(function(INT, *given, this=final), virtual=True) for given in ((), (INT,)))
    verdicts = asked(subject, questions, level="O2")
    assert {one.verdict for one in verdicts} == {Judgement.AGREES}


def test_an_object_as_small_as_a_pointer_is_the_callers_on_riscv() -> None:
    bare = replace(DYNAMIC, members=())
    verdicts = asked("g++-12", (replace(function(None, INT, INT, this=bare), virtual=True),), "riscv64-lp64d")
    assert ProbeKind.CALLER in {one.kind for one in verdicts if one.verdict is Judgement.AGREES}
    assert not deviating(verdicts)
