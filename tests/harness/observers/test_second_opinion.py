"""What is known of a deviation changes no verdict, and a second observation must repeat the first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

import pytest
from laboratory.jobs import spelled_job

from abiprobe.generators.pool import POOL_SORTS, stream
from abiprobe.harness.input.declared import declared_in_each
from abiprobe.harness.observers import second_opinion
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.observers.image.observe import ObservedCall
from abiprobe.harness.observers.image.observer import ProgramObserver
from abiprobe.harness.observers.observer import PredictionKey
from abiprobe.harness.observers.registry import AnyObserver
from abiprobe.harness.observers.second_opinion import SecondOpinion, laid_apart
from abiprobe.harness.observers.side_answers import Explanation
from abiprobe.harness.observers.subject_dialects import SubjectDialects
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.harness.subjects.subject import AtLevel
from abiprobe.oracles.language.lang import Kind, Member, Param, Prototype, Record, Scalar, Vector
from abiprobe.oracles.language.question import Probe, ProbeKind, Sort
from abiprobe.oracles.quirks.in_force import QUIRKS
from abiprobe.oracles.quirks.quirk import Quirk, Side
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import BatchDone, verdict_digest
from abiprobe.results.verdicts.readings import CRASHED_AGAIN
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict
from tests.skipping import needs_executor

TARGET, CASES = "x86_64-sysv", 40


def asked(subject: str, kind: str) -> BatchDone:
    questions = tuple(islice(stream(seed=3, kind=kind), CASES))
    sort = Sort.PROTOTYPES if isinstance(questions[0], Prototype) else Sort.RECORDS
    (done,) = run_job(spelled_job(TARGET, 0, sort, questions, ((subject, "O0"),), Limits()))
    return done


@pytest.mark.parametrize("kind", POOL_SORTS)
@pytest.mark.parametrize("subject", ["clang-22", "gcc-12", "zig"])
def test_verdicts_are_the_same_without_any_quirk(
    subject: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not installed(parse_subject(subject), (find_target(TARGET),)):
        pytest.skip(f"{subject} is not installed for {TARGET}")
    needs_executor(TARGET)
    known = asked(subject, kind)
    monkeypatch.setattr(second_opinion, "in_force", lambda *_: ())
    plain = asked(subject, kind)
    assert not any(verdict.quirks for verdict in plain.verdicts)
    assert [verdict.by_text for verdict in known.verdicts] == list(plain.verdicts)
    assert verdict_digest([known]) == verdict_digest([plain])
    assert all(verdict.verdict is not Judgement.AGREES for verdict in known.verdicts if verdict.quirks)


def deviating_in(text: str, target: str, subject: str) -> list[Verdict]:
    """The deviations of a subject on the functions of some C, by their verdicts."""
    if not installed(parse_subject(subject), (find_target(target),)):
        pytest.skip(f"{subject} is not installed for {target}")
    needs_executor(target)
    (declared,) = declared_in_each([text], find_target(target))
    job = spelled_job(target, 0, Sort.PROTOTYPES, declared.functions, ((subject, "O0"),), Limits())
    (done,) = run_job(job)
    return [one for one in done.verdicts if one.verdict is Judgement.DEVIATES]


DEAD_CALLEE = """
    struct E { long a[0]; long double b[0]; long c[]; };
    struct F { float z; __int128 b; };
    long f(struct E d, struct E e, unsigned long k, ...);
    static void calls_f(void) { f(*(struct E *)0, *(struct E *)0, 1UL, *(struct E *)0, *(struct F *)0); }
"""


def test_a_callee_that_dies_of_a_quirk_of_its_own_hides_no_quirk_of_its_caller() -> None:
    """Clang's callers pass a word for such a record, of which its `va_arg` knows nothing: it takes another address."""
    deviating = deviating_in(DEAD_CALLEE, "riscv64-lp64d", "clang-22")
    assert Outcome.DIED in {one.outcome for one in deviating}
    assert all(one.quirks for one in deviating)


ZERO_WIDTH = """
    struct S { float a; int :0; float b; };
    float f(struct S s);
"""


@pytest.mark.parametrize("repeats", [True, False])
def test_a_compiler_is_started_once_more_only_where_what_it_compiled_does_not_tell(
    *, repeats: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_again: list[str] = []
    again = SecondOpinion.compiled_again

    def compiled_again(self: SecondOpinion, dialect: AnyObserver, plans: Sequence[Any]) -> Any:
        asked_again.extend(plan.probe for plan in plans)
        return again(self, dialect, plans)

    monkeypatch.setattr(SecondOpinion, "compiled_again", compiled_again)
    if not repeats:
        monkeypatch.setattr(ProgramObserver, "observe_compiled", lambda *_: ())
    deviating = deviating_in(ZERO_WIDTH, "riscv64-lp64d", "clang-22")
    assert deviating
    assert all(one.quirks for one in deviating)
    assert bool(asked_again) is not repeats


@pytest.mark.parametrize("side", sorted(Side, key=lambda side: side.value))
def test_one_side_of_a_call_is_judged_by_what_it_shows_itself(side: Side) -> None:
    observer = ProgramObserver(PredictionKey(find_target("riscv64-lp64d")))
    prototype = Prototype("f", Scalar(Kind.INT), (Param("a", Scalar(Kind.INT)),))
    (plan,) = observer.prepare([Probe("p", prototype)]).plans
    ends = {one: (Failed(Outcome.DIED, f"the {one.value} died"),) * 2 for one in Side}
    seen = ObservedCall(ends[Side.CALLER], ends[Side.CALLEE])
    both = (verdict.detail for verdict in observer.judge(plan, seen) if verdict.kind is ProbeKind.RESULT)
    assert "the caller died" in next(both)
    alone = observer.judge(plan, observer.of_one_side(seen, side))
    (result,) = (verdict for verdict in alone if verdict.kind is ProbeKind.RESULT)
    assert f"the {side.value} died" in result.detail


BY_SIZE, CAPPED = (
    QUIRKS["compilers align a vector of RISC-V by its size, not its element"],
    QUIRKS["gcc 16 aligns no vector of RISC-V to more than 16 bytes"],
)
LONG_VECTOR = Prototype(
    "f", Record("S", (Member(Scalar(Kind.CHAR), "a"), Member(Vector(Kind.LONG, 32), "b"))), ()
)


class Subject(SecondOpinion):
    """A subject with these quirks, of which nothing is asked."""

    def __init__(self, *quirks: Quirk) -> None:
        observer = ProgramObserver(PredictionKey(find_target("riscv64-lp64d")))
        self.dialects = SubjectDialects(observer, "gcc")
        self.asked, self.own = AtLevel(parse_subject("gcc-16"), "O0"), quirks

    def quirks(self, _side: Side) -> tuple[Quirk, ...]:
        return self.own


@pytest.mark.parametrize("function", [LONG_VECTOR, Prototype("f", Scalar(Kind.INT), ())])
def test_a_failing_call_is_known_by_quirks_that_lay_out_its_types_in_two_ways(function: Prototype) -> None:
    failed = Verdict("p", ProbeKind.PAIR, Judgement.DEVIATES)
    agreed = Verdict("q", ProbeKind.PAIR, Judgement.AGREES)
    questions = {"p": function, "q": function}
    one, other = Subject(BY_SIZE), Subject(BY_SIZE, CAPPED)
    told = laid_apart([failed, agreed], one, other, questions)
    assert told == ({"p": (BY_SIZE.name, CAPPED.name)} if function is LONG_VECTOR else {})
    assert laid_apart([failed], other, other, questions) == {}


@pytest.mark.parametrize(("outcome", "told"), [(Outcome.CRASHED, (CRASHED_AGAIN,)), (Outcome.REFUSED, ())])
def test_a_compiler_that_dies_when_asked_again_answered_by_chance(
    outcome: Outcome, told: tuple[str, ...]
) -> None:
    deviating = Verdict("p", ProbeKind.CALLER, Judgement.DEVIATES, clause="riscv:zero")
    again = Explanation(Verdict("p", ProbeKind.CALLER, Judgement.UNOBSERVED, outcome))
    answers = {side: {("p", ProbeKind.CALLER): again} for side in Side}
    marked = Subject().marked(deviating, dict.fromkeys(Side, ()), answers)
    assert marked.quirks == told
    assert marked.by_text == deviating
