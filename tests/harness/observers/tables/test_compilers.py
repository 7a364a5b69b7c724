"""Real C++ compilers on the tables of classes: what the text says, what each does otherwise, and lies that are noticed."""

from __future__ import annotations

from itertools import islice

import pytest
from laboratory.jobs import spelled_job

from abiprobe.generators.tables import stream, tables
from abiprobe.harness.input.declared import declared_in
from abiprobe.harness.machines.render import table_units
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.observers.tables import observing
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.oracles.language.question import Sort
from abiprobe.oracles.language.tables import Tables
from abiprobe.oracles.quirks.quirk import Quirk
from abiprobe.oracles.quirks.tables import QUIRKS
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict
from tests.class_rows import CXX
from tests.oracles.golden.tables import CLASSES

DRAWN = tuple(islice(stream(seed=3), 100))


def asked(subject: str, questions: tuple[Tables, ...], target: str = "x86_64-sysv") -> tuple[Verdict, ...]:
    if build(parse_subject(subject), find_target(target), "O2") is None:
        pytest.skip(f"{subject} is not installed")
    (done,) = run_job(spelled_job(target, 0, Sort.TABLES, questions, ((subject, "O2"),)))
    return done.verdicts


def golden(name: str) -> Tables:
    found = tables(CLASSES[name])
    assert found is not None, "classes of rows have tables"
    return found


@pytest.mark.parametrize("subject", ["g++-12", "clang++-22"])
def test_compilers_write_what_the_text_says_but_for_what_is_known(subject: str) -> None:
    verdicts = asked(subject, DRAWN)
    assert not [one for one in verdicts if one.verdict is Judgement.DEVIATES and not one.quirks]
    assert {one.outcome for one in verdicts} == {Outcome.OBSERVED}
    assert sum(one.verdict is Judgement.AGREES for one in verdicts) > len(verdicts) * 6 // 10


NEAR = """
    struct C0 { C0(); };
    struct alignas(16) C1 : virtual C0 { C0 a1; C0 b1; C0 c1; [[no_unique_address]] C0 d1; C1(); };
    struct alignas(32) C2 : C1 { C1 a2; C0 b2[1]; C0 c2; C2(); };
    struct C3 : C0, C2 { C0 a3[3]; C0 b3; [[no_unique_address]] C0 c3[3]; [[no_unique_address]] C1 d3; C3(); };
"""
FAR = "struct alignas(64) Big {}; struct C3 : virtual Big { virtual void v(); };"


def test_a_class_that_others_of_a_unit_change_is_asked_alone() -> None:
    """gcc remembers where empty subobjects are as far as the largest empty class of the unit reaches."""
    target = find_target("x86_64-sysv")
    classes = (declared_in(source, target, CXX).classes[-1] for source in (NEAR, FAR))
    near, far = (found for one in classes if (found := tables(one)) is not None)
    (verdict, _) = asked("g++-12", (near, far))
    assert verdict.verdict is Judgement.DEVIATES
    assert any("empty" in quirk for quirk in verdict.quirks)


@pytest.mark.parametrize(
    "target", ["i386-sysv", "aarch64-aapcs64", "arm-aapcs-vfp", "riscv64-lp64d", "s390x", "powerpc64le-elfv2"]
)
def test_clang_does_so_for_other_machines(target: str) -> None:
    verdicts = asked("clang++-22", DRAWN[:40], target)
    assert not [one for one in verdicts if one.verdict is Judgement.DEVIATES and not one.quirks]
    assert any(one.verdict is Judgement.AGREES for one in verdicts)


@pytest.mark.parametrize("subject", ["g++-12", "clang++-22"])
def test_classes_of_golden_rows_have_these_tables(subject: str) -> None:
    questions = tuple(found for one in CLASSES.values() if (found := tables(one)) is not None)
    assert {one.verdict for one in asked(subject, questions) if not one.quirks} == {Judgement.AGREES}


@pytest.mark.parametrize("quirk", QUIRKS, ids=[one.name for one in QUIRKS])
def test_a_quirk_is_known_by_its_example_and_others_do_not_have_it(quirk: Quirk) -> None:
    assert isinstance(quirk.entity, Tables)
    for subject, family in (("g++-12", "gcc"), ("clang++-22", "clang")):
        (verdict,) = asked(subject, (quirk.entity,))
        assert (quirk.name in verdict.quirks) is (family in quirk.subjects)


LIES = {
    "functions in another order": (
        "A",
        ("virtual void f() {} virtual void g() {}", "virtual void g() {} virtual void f() {}"),
        "tables.functions",
    ),
    "a function more": ("A", ("virtual void g()", "virtual void h() {} virtual void g()"), "tables.order"),
    "bases in another order": ("D : A, B", ("D : A, B", "D : B, A"), "tables.order"),
    "a base that is not virtual": ("D : virtual A", ("D : virtual A", "D : A"), "tables.order"),
    "a private base": ("D : L, R (repeated)", ("D : L, R", "D : private L, R"), "information.bases"),
    "a base less": ("D : A, B", (": A, B", ": B"), "tables.order"),
    "a destructor that is not virtual": ("A with ~A", ("virtual ~A", "~A"), "tables.order"),
    "a larger base": ("D : A, B", ("int a0;", "int a0; long more;"), "tables.top"),
}
"""What a compiler does otherwise, as it makes of the text of a unit another one, and the clause that is broken first."""


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_noticed(lie: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, (old, new), clause = LIES[lie]

    def told(questions: object) -> str:
        text = table_units.unit(questions)  # type: ignore[arg-type]
        assert old in text
        return text.replace(old, new)

    monkeypatch.setattr(observing, "unit", told)
    (verdict,) = asked("g++-12", (golden(name),))
    assert (verdict.verdict, verdict.clause) == (Judgement.DEVIATES, f"cxxabi:{clause}")
