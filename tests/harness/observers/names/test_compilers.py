"""Real C++ compilers on names: what the text says of them, and what each does otherwise."""

from __future__ import annotations

from itertools import islice

import pytest
from laboratory.jobs import spelled_job

from abiprobe.generators.entities import stream
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.oracles.language.entities import AnyEntity, Builtin, Function, Named, What
from abiprobe.oracles.language.question import Sort
from abiprobe.oracles.quirks.names import F_OF_NULL, F_OF_ONE
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

DRAWN = tuple(islice(stream(seed=3), 300))


def asked(subject: str, questions: tuple[AnyEntity, ...], target: str = "x86_64-sysv") -> tuple[Verdict, ...]:
    if build(parse_subject(subject), find_target(target), "O0") is None:
        pytest.skip(f"{subject} is not installed")
    (done,) = run_job(spelled_job(target, 0, Sort.NAMES, questions, ((subject, "O0"),)))
    return done.verdicts


@pytest.mark.parametrize("subject", ["g++-12", "clang++-16", "clang++-22"])
def test_compilers_name_as_the_text_says_but_for_what_is_known(subject: str) -> None:
    verdicts = asked(subject, DRAWN)
    assert len(verdicts) == len(DRAWN)
    assert {one.outcome for one in verdicts} == {Outcome.OBSERVED}
    assert all(one.quirks for one in verdicts if one.verdict is not Judgement.AGREES)
    assert sum(one.verdict is Judgement.AGREES for one in verdicts) > len(verdicts) * 8 // 10


@pytest.mark.parametrize("target", ["aarch64-aapcs64", "s390x", "arm-aapcs-vfp"])
def test_names_are_the_same_on_every_target(target: str) -> None:
    assert all(
        one.quirks for one in asked("clang++-22", DRAWN, target) if one.verdict is not Judgement.AGREES
    )


def test_gcc_writes_a_null_pointer_argument_as_nullptr() -> None:
    """The text says that this is an accident, and which of both is the one."""
    (verdict,) = asked("g++-12", (F_OF_NULL,))
    assert (verdict.verdict, verdict.clause) == (Judgement.DEVIATES, "cxxabi:name.null")
    assert verdict.quirks == ("gcc writes a null pointer argument as nullptr",)
    (difference,) = verdict.differences
    assert str(difference) == "object: name in the symbols: expected _Z1f2NTILDn0EE, saw _Z1f2NTILDnEE"
    (agreeing,) = asked("clang++-22", (F_OF_NULL,))
    assert agreeing.verdict is Judgement.AGREES


def test_clang_declares_a_parameter_that_its_argument_does_not_tell() -> None:
    (verdict,) = asked("clang++-22", (F_OF_ONE,))
    assert (verdict.verdict, verdict.clause) == (Judgement.DEVIATES, "cxxabi:name.literal")
    (older,) = asked("clang++-16", (F_OF_ONE,))
    assert older.verdict is Judgement.AGREES


def test_an_entity_that_is_no_cxx_costs_itself_only() -> None:
    void = Builtin("void")
    broken = Function(Named(What.FUNCTION, "f"), (void, void), void)
    first, second = asked("clang++-22", (broken, F_OF_NULL))
    assert (first.verdict, first.outcome) == (Judgement.UNOBSERVED, Outcome.REFUSED)
    assert second.verdict is Judgement.AGREES


def test_what_no_program_has_is_unsupported() -> None:
    (verdict,) = asked("clang++-22", (Function(Named(What.FUNCTION, "f"), (Builtin("no such type"),)),))
    assert (verdict.verdict, verdict.outcome) == (Judgement.UNOBSERVED, Outcome.UNSUPPORTED)
