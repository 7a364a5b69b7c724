"""Stand-ins witness what they should, catch a model that is wrong, and are not asked the rest."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from laboratory.jobs import spelled_job

from abiprobe.generators.pool import PoolSort, draw
from abiprobe.harness.observers import observer
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.runs.question_sorts import can_answer
from abiprobe.harness.subjects.families.standin import LINES
from abiprobe.harness.subjects.features import EVERYTHING
from abiprobe.harness.subjects.find import command, identity, parse_subject
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Atomic, Kind, Member, Param, Pointer, Prototype, Record, Scalar
from abiprobe.oracles.language.question import ProbeKind, Question, Sort
from abiprobe.oracles.model import AbiModel, Model
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.oracles.standins import stand_ins
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

WITNESSES = [
    (name, target)
    for name, standin in stand_ins().items()
    for target in (standin.targets[-1], f"{standin.targets[0]}@compiler")
]
INT, LONG = Scalar(Kind.INT), Scalar(Kind.LONG)
UNNAMED = Record("S", (Member(Scalar(Kind.CHAR), "a"), Member(INT, "", 5)))


@cache
def questions(kind: PoolSort, count: int) -> tuple[Question, ...]:
    return draw(seed=11, kind=kind, start=0, count=count)


def put(name: str, target: str, asked: tuple[Question, ...], level: str = "O1") -> tuple[Verdict, ...]:
    if command(parse_subject(name), find_target(target)) is None:
        pytest.skip(f"{name} is not installed")
    sort = Sort.RECORDS if isinstance(asked[0], Record) else Sort.PROTOTYPES
    (done,) = run_job(spelled_job(target, 0, sort, asked, ((name, level),)))
    return done.verdicts


def test_every_stand_in_has_a_command() -> None:
    assert stand_ins().keys() == LINES.keys()


@pytest.mark.parametrize(("name", "target"), WITNESSES)
def test_a_stand_in_agrees_on_all_that_it_is_asked(name: str, target: str) -> None:
    for kind, count in ((Sort.RECORDS, 60), (Sort.PROTOTYPES, 60)):
        if can_answer(parse_subject(name), find_target(target), kind):
            counted = Counter(verdict.verdict for verdict in put(name, target, questions(kind, count)))
            assert counted[Judgement.DEVIATES] == 0
            rules = stand_ins()[name].calls
            # Few random calls are of scalars alone; another test puts some to those that are asked nothing else.
            assert counted[Judgement.AGREES] > 0 or (rules is not None and rules.scalars)


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("standin-arc", "colossus-ipu"),
        ("standin-arm-gcc", "colossus-ipu"),
        ("standin-spirv32", "upmem-dpu"),
        ("standin-riscv32-gcc", "upmem-dpu"),
    ],
)
def test_a_wrong_bit_field_rule_is_caught(name: str, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = misled(find_model(target))
    monkeypatch.setattr(observer.PredictionKey, "model", wrong)
    verdicts = put(name, target, questions(Sort.RECORDS, 500))
    caught = [verdict for verdict in verdicts if verdict.verdict is Judgement.DEVIATES]
    assert caught
    assert {verdict.clause.partition(":")[2] for verdict in caught} & {
        "bits.unnamed",
        "bits.zero-width",
        "bits.packing",
        "record.struct",
        "record.union",
    }


def misled(model: AbiModel) -> AbiModel:
    """The model with the other rule for bit-fields without a name."""
    types = model.types
    text = replace(types.text, unnamed_align=not types.text.unnamed_align)
    return Model(TypeTable(types.data, text, types.reading, types.options))


def test_a_rule_that_the_stand_in_lacks_is_not_asked() -> None:
    back_fill = Prototype(
        "f", None, (Param("a", INT), Param("b", LONG), Param("c", INT))
    )  # c fills the register behind a
    caller, *_ = put("standin-powerpc", "upmem-dpu", (back_fill,))
    assert caller.outcome is Outcome.UNSUPPORTED
    assert caller.detail == "the stand-in has no such rule"


def test_a_pair_is_witnessed() -> None:
    function = Prototype("f", LONG, (Param("a", Pointer()), Param("b", LONG)))
    by_kind = {verdict.kind: verdict for verdict in put("standin-powerpc", "upmem-dpu", (function,))}
    assert by_kind[ProbeKind.CALLER].verdict is Judgement.AGREES
    assert by_kind[ProbeKind.RESULT].verdict is Judgement.AGREES
    assert by_kind[ProbeKind.CALLEE].outcome is Outcome.UNSUPPORTED


def test_a_wrong_model_of_calls_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    # The text's pairs against XCore's loose words, as if the compiler dialect had them.
    pairs, loose = find_model("colossus-ipu-supervisor"), find_model("colossus-ipu-supervisor@compiler")
    monkeypatch.setattr(observer.PredictionKey, "model", pairs)
    monkeypatch.setattr("abiprobe.harness.observers.assembly.expressible.find_model", lambda *_: pairs)
    function = Prototype("f", None, (Param("a", INT), Param("b", Scalar(Kind.DOUBLE))))
    assert pairs.assign(function) != loose.assign(function)
    caller, *_ = put("standin-xcore", "colossus-ipu-supervisor", (function,))
    assert caller.verdict is Judgement.DEVIATES
    assert caller.clause == "ipu:pass.pair"


def test_the_extension_of_narrow_atomics_is_not_witnessed() -> None:
    function = Prototype("f", None, (Param("a", Atomic(Scalar(Kind.CHAR))),))
    caller, *_ = put("standin-xcore", "colossus-ipu-supervisor@compiler", (function,))
    assert caller.detail == "the stand-in passes _Atomic otherwise than the target"


def test_a_family_is_not_asked_where_it_reads_gnu_c_otherwise() -> None:
    contested = Record(
        "S", (Member(INT, "a", 3), Member(Scalar(Kind.BOOL), "b", 1, align=4), Member(INT, "c", 28, align=1))
    )
    compiler = find_model("upmem-dpu@compiler")
    assert compiler.types.reading is Reading.CLANG
    (verdict,) = put("standin-riscv32-gcc", "upmem-dpu@compiler", (contested,))
    assert verdict.outcome is Outcome.UNSUPPORTED
    assert verdict.detail == "gcc reads GNU C otherwise here"


def program(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("text", "outcome", "detail"),
    [
        ("echo 'error: no such thing' >&2; exit 1", Outcome.REFUSED, "error: no such thing"),
        ("kill -SEGV $$", Outcome.CRASHED, "SIGSEGV"),
        ("exit 0", Outcome.REFUSED, ""),
    ],
)
def test_a_compiler_that_breaks_on_its_way_through_ir(
    tmp_path: Path, text: str, outcome: Outcome, detail: str
) -> None:
    faux = program(tmp_path / "cc", text)
    (verdict,) = put(f"standin-arc:{faux}", "colossus-ipu", (UNNAMED,))
    assert verdict.outcome in {outcome, Outcome.UNSUPPORTED}
    assert detail in verdict.detail or EVERYTHING in verdict.detail


def test_the_compiler_behind_a_stand_in_is_the_one_that_is_named(tmp_path: Path) -> None:
    faux = program(tmp_path / "cc", "echo faux 1.0")
    words = command(parse_subject(f"standin-arc:{faux}"), find_target("colossus-ipu"))
    assert words is not None
    assert identity(words).version == "faux 1.0"


def test_pairs_and_back_filling_of_reals_are_witnessed() -> None:
    real, double, wide = Scalar(Kind.FLOAT), Scalar(Kind.DOUBLE), Scalar(Kind.LLONG)
    params = (Param("a", real), Param("b", double), Param("c", real), Param("d", INT), Param("e", wide))
    verdicts = put("standin-armhf", "colossus-ipu", (Prototype("f", double, params),))
    by_kind = {verdict.kind: verdict.verdict for verdict in verdicts}
    assert by_kind[ProbeKind.CALLER] is Judgement.AGREES
    assert by_kind[ProbeKind.RESULT] is Judgement.AGREES
