"""D as C++: what the compilers of D do with `extern (C++)`, what D cannot say, and lies in its units that are noticed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import filterfalse, islice

import msgspec
import pytest
from laboratory.jobs import spelled_job

from abiprobe.generators import classes, cxx_calls, entities
from abiprobe.harness.machines.render import cxx_languages
from abiprobe.harness.machines.render.d.questions import declaration, unsayable
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.observers.classes import observing as of_classes
from abiprobe.harness.observers.names import observing as of_names
from abiprobe.harness.runs.question_batches import cxx_languages as languages_of
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.harness.subjects.question_text import in_languages
from abiprobe.oracles.abis.itanium.names.model import MangledName, mangle
from abiprobe.oracles.abis.itanium.names.writing import NamePolicy
from abiprobe.oracles.language.classes import (
    Base,
    Class,
    DataMember,
    Declared,
    Destruction,
    Specials,
    VirtualFunction,
)
from abiprobe.oracles.language.cxx_calls import CxxParam, CxxPrototype
from abiprobe.oracles.language.entities import (
    Builtin,
    Function,
    Named,
    PointerTo,
    Qualified,
    ReferenceTo,
    What,
)
from abiprobe.oracles.language.lang import Kind, Scalar
from abiprobe.oracles.language.question import ProbeKind, Question, Sort
from abiprobe.oracles.language.tables import Tables
from abiprobe.oracles.quirks.extern_cxx import QUIRKS
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

SUBJECTS = ("ldc2++", "gdc++-12")
STREAMS: dict[Sort, tuple[Callable[..., object], int]] = {
    Sort.NAMES: (entities.stream, 50),
    Sort.CLASSES: (classes.stream, 25),
    Sort.CXX_CALLS: (cxx_calls.stream, 20),
}
INT, SHORT, CHAR, DOUBLE = (Scalar(kind) for kind in (Kind.INT, Kind.SHORT, Kind.CHAR, Kind.DOUBLE))
GONE = Specials(destructor=Destruction(Declared.PROVIDED))
ROOT = Class("R", members=(DataMember(INT, "a"), DataMember(CHAR, "b")), virtuals=(VirtualFunction("v"),))
LEAF = Class("L", (Base(ROOT),), (DataMember(CHAR, "c"),), (VirtualFunction("v"), VirtualFunction("w")))
COUNTED = Class("G", members=(DataMember(DOUBLE, "d"),), specials=GONE)


def asked(subject: str, sort: Sort, questions: Sequence[Question], level: str = "O0") -> tuple[Verdict, ...]:
    if build(parse_subject(subject), find_target("x86_64-sysv"), level) is None:
        pytest.skip(f"{subject} is not installed")
    (done,) = run_job(spelled_job("x86_64-sysv", 0, sort, tuple(questions), ((subject, level),)))
    return done.verdicts


def function(*params: object) -> Function:
    return Function(Named(What.FUNCTION, "f", Named(What.NAMESPACE, "N")), params, Builtin("void"))  # type: ignore[arg-type]


def call(*params: Class | Scalar) -> CxxPrototype:
    return CxxPrototype("f", None, tuple(CxxParam(f"p{index}", one) for index, one in enumerate(params)))


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("sort", STREAMS, ids=str)
def test_all_that_compilers_of_d_do_otherwise_is_known(subject: str, sort: Sort) -> None:
    stream, count = STREAMS[sort]
    questions = tuple(islice(filterfalse(unsayable, stream(seed=5)), count))  # type: ignore[call-overload]
    verdicts = asked(subject, sort, questions)
    assert {one.outcome for one in verdicts}.isdisjoint({Outcome.REFUSED, Outcome.CRASHED})
    assert all(one.quirks for one in verdicts if one.verdict is Judgement.DEVIATES)
    assert sum(one.verdict is Judgement.AGREES for one in verdicts) > count // 2


def test_a_name_is_known_by_its_own_cause() -> None:
    of_names = [one for one in QUIRKS if isinstance(one.entity, Function)]
    verdicts = asked(
        "ldc2++", Sort.NAMES, [one.entity for one in of_names if isinstance(one.entity, Function)]
    )
    found = {quirk for one in verdicts for quirk in one.quirks if one.verdict is Judgement.DEVIATES}
    assert [len(one.quirks) for one in verdicts] == [1] * len(of_names)
    assert found == {one.name for one in of_names}


GOLDEN = {
    "written-out": ("_ZN1N1fIiEEvT_", "_ZN1N1fIiEEvi"),
    "no empty packs": ("_Z1fIJEEvv", "_Z1fvv"),
    "numbered abbreviations": ("_Z1fSsSs", "_Z1fSsS_"),
    "arrays first": ("_Z1fPA3_1CS_", "_Z1fPA3_1CS0_"),
    "const pointers": ("_Z1fPKPKiS2_", "_Z1fPKPKiS1_"),
    "specializations as declared": ("_Z1fIiEv1AIT_ES2_", "_Z1fIiEv1AIT_E1AIS1_E"),
}
"""The name by the text and that of D, which dmd's front end writes, for the example of each quirk."""


def test_names_by_each_habit_are_those_of_the_compilers() -> None:
    found = {}
    for quirk in QUIRKS:
        if isinstance(quirk.entity, Function):
            (habit,) = quirk.policies["names"]  # type: ignore[misc]
            policies = (NamePolicy(), NamePolicy(habits=frozenset({habit})))
            names = [mangle(quirk.entity, policy) for policy in policies]
            found[habit.value] = tuple(one.text for one in names if isinstance(one, MangledName))
    assert sorted(found.values()) == sorted(GOLDEN.values())


REASONS: list[tuple[Question, str]] = [
    (function(Builtin("wchar_t")), "D has no wchar_t"),
    (function(ReferenceTo(Builtin("int"), rvalue=True)), "D has no rvalue references"),
    (
        function(PointerTo(Qualified(Builtin("int"), volatile=True))),
        "D has no volatile, and no qualifiers but const",
    ),
    (
        function(PointerTo(Qualified(PointerTo(Builtin("int")), const=True))),
        "D has no const pointer to what is not const",
    ),
    (Class("S", members=(DataMember(INT, "b", 3),)), "D has no bit-fields"),
    (Class("S", (Base(Class("B")),)), "D has no base classes of structs"),
    (Class("S", (Base(ROOT, virtual=True),)), "D has no virtual bases"),
    (call(ROOT), "D has no members, elements and parameters of classes with virtual functions"),
    (
        call(Class("S", specials=Specials(move=Declared.PROVIDED))),
        "D has no values of a type that is moved and not copied",
    ),
    (Tables(ROOT), "D has tables and type information under names of its own only"),
    (call(COUNTED), ""),
    (LEAF, ""),
]


@pytest.mark.parametrize(("question", "why"), REASONS, ids=lambda one: one if isinstance(one, str) else "")
def test_what_d_cannot_say_has_a_reason(question: Question, why: str) -> None:
    assert unsayable(question) == why


def test_what_d_cannot_say_is_never_right() -> None:
    (verdict,) = asked("ldc2++", Sort.NAMES, (function(Builtin("wchar_t")),))
    assert (verdict.verdict, verdict.outcome) == (Judgement.UNOBSERVED, Outcome.UNSUPPORTED)
    assert verdict.detail == "D has no wchar_t"


def test_a_class_is_read_in_d() -> None:
    target = find_target("x86_64-sysv")
    assert in_languages(LEAF, target, ["g++-12", "ldc2++"]) == {"d": declaration(LEAF)}
    lines = [" ".join(line.split()) for line in declaration(LEAF).splitlines()]
    assert lines == [
        "class R { int a; char b; void v() ; }",
        "class L : R { char c; override void v() ; void w() ; }",
    ]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_wrong_type_in_a_name_is_noticed(subject: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write = of_names.in_d
    monkeypatch.setattr(of_names, "in_d", lambda asked: write(asked).replace("uint", "int"))
    (verdict,) = asked(subject, Sort.NAMES, (function(Builtin("unsigned int")),))
    assert (verdict.verdict, verdict.quirks) == (Judgement.DEVIATES, ())


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_wrong_member_is_noticed(subject: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write = of_classes.classes_in_d
    monkeypatch.setattr(of_classes, "classes_in_d", lambda asked: write(asked).replace("int a", "short a"))
    (verdict,) = asked(subject, Sort.CLASSES, (LEAF,))
    assert (verdict.verdict, verdict.quirks) == (Judgement.DEVIATES, ())


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_destructor_that_does_not_run_is_noticed(subject: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = cxx_languages.BY_NAME["d"]
    lying = msgspec.structs.replace(
        plain, functions=lambda *asked: plain.functions(*asked).replace("++*", "auto x = *")
    )
    monkeypatch.setitem(cxx_languages.BY_NAME, "d", lying)  # type: ignore[arg-type]
    verdicts = {one.kind: one for one in asked(subject, Sort.CXX_CALLS, (call(COUNTED),))}
    assert verdicts[ProbeKind.PRESERVATION].verdict is Judgement.DEVIATES
    assert verdicts[ProbeKind.CALLER].verdict is Judgement.AGREES


def test_a_compiler_of_d_is_asked_as_c_or_as_cxx_by_its_name() -> None:
    plain, cxx, gxx = map(parse_subject, ("ldc2", "ldc2++", "g++-12"))
    assert [one.of_cxx for one in (plain, cxx, gxx)] == [False, True, True]
    assert [len(languages_of(one)) for one in ([plain, cxx], [cxx, gxx], [plain])] == [1, 0, 0]
