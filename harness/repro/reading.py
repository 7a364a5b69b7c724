"""Bundles about what is read and not run: layouts anywhere, declarations in PTX, names of vector variants."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from abiprobe.harness.cases import Case
from abiprobe.harness.layouts import LayoutPlan
from abiprobe.harness.prepare import predict
from abiprobe.harness.problem import Problem
from abiprobe.harness.ptx.c_unit import slots, unit
from abiprobe.harness.render.c import definitions
from abiprobe.harness.vectors.plan import plan_batch
from abiprobe.harness.vectors.unit import vectors_unit
from abiprobe.harness.wording import layouts_text
from abiprobe.oracles.lang import Prototype, Record
from abiprobe.oracles.place import Assignment, Passed
from abiprobe.oracles.question import Question, probe
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.oracles.vfabi import VectorModel
from abiprobe.results.fingerprint import CRASHES, Symptom

DECLARATIONS = (
    r"tr '\n' ' ' < $@.out | grep -o '\.func [^{;]*f_0([^)]*)' | head -1 | grep -o '\.param [^,)]*'"
    r" | sed -E 's/^\.param //; s/ [A-Za-z_$$][A-Za-z0-9_$$]*(\[|$$)/\1/; s/ +$$//; s/\.[usf]([0-9]+)/.b\1/'"
)
"""What follows `.param` in the declaration of the callee, without the names that every compiler chooses for itself; types of one
size are the same."""
NAMED = re.compile(r" \w+(\[|$)")
SAME_SIZE = re.compile(r"\.[usf](\d+)")
NAMES = "grep -o '_ZGV[A-Za-z0-9_]*' $@.out | sort -u"


class Reading(msgspec.Struct, frozen=True):
    """A unit, the lines that are expected of what a compiler makes of it, and the commands that read them from it.

    `options` make a compiler write text, `clang` what clang needs beside them. Without commands the unit itself says what
    is wrong, and does not compile.
    """

    text: str
    expected: tuple[str, ...] = ()
    extract: str = ""
    options: str = "-c"
    clang: str = ""


def reading(case: Case) -> Reading:
    """How somebody sees a deviation in what a compiler writes; raises `Problem` where that shows nothing."""
    target, question = case.fingerprint.target, case.question
    if case.fingerprint.symptom in CRASHES:
        return broken(target, question)
    if isinstance(question, Record):
        return layout(target, question)
    if case.fingerprint.symptom is Symptom.NAMES:
        return names(target, question)
    answer = find_model(target).assign(question)
    if not isinstance(answer, Assignment) or case.fingerprint.clause not in declared_by(answer):
        raise Problem(f"no bundle shows what calls for {target} do", "reduce shows what is left of it")
    return declarations(question, answer)


def declared_by(answer: Assignment) -> frozenset[str]:
    """The clauses by which the values of a call are declared, where the ABI is one of declarations."""
    return frozenset(passed.param.clause for passed in values(answer) if passed.param is not None)


def broken(target: str, question: Question) -> Reading:
    """The unit that a tool breaks on."""
    if isinstance(question, Record):
        plan = predict(find_model(target), probe(question))
        if isinstance(plan, LayoutPlan):
            return Reading(layouts_text([plan]))
    elif isinstance(find_model(target), VectorModel):
        return names(target, question)
    elif isinstance(answer := find_model(target).assign(question), Assignment):
        return declarations(question, answer)
    raise Problem(f"the model gives no answer for {target}", "only what it predicts can be shown")


def values(answer: Assignment) -> Iterator[Passed]:
    """The result and the parameters of a call, in the order of a PTX declaration."""
    if answer.result is not None:
        yield answer.result
    yield from answer.params


def layout(target: str, record: Record) -> Reading:
    """Assertions about a record; C has none about bit-fields."""
    plan = predict(find_model(target), probe(record))
    if not isinstance(plan, LayoutPlan) or plan.silence is not None:
        raise Problem(f"the model gives no layout for {target}", "only what it predicts can be shown")
    name, predicted = f"{record.keyword} {record.tag}", plan.predicted
    claims = [(f"sizeof({name})", predicted.size), (f"_Alignof({name})", predicted.align)]
    claims += [
        (f"__builtin_offsetof({name}, {member.path})", member.bit_offset // 8) for member in plan.offsets
    ]
    asserted = (f'_Static_assert({what} == {size}, "WRONG: {what} is not {size}");' for what, size in claims)
    return Reading("\n".join([definitions((record,)), *asserted, ""]))


def names(target: str, function: Prototype) -> Reading:
    """The names of the vector variants of a function."""
    model = find_model(target)
    assert isinstance(model, VectorModel), "only such a model is asked for names"
    plans = plan_batch(model, (function,)).plans
    if not plans:
        raise Problem(f"the model gives no variants for {target}", "only what it predicts can be shown")
    text = vectors_unit(model.types, plans, compute=False)
    return Reading(text, tuple(sorted(plans[0].variants.symbols)), NAMES, "-S", "-emit-llvm")


def declarations(function: Prototype, answer: Assignment) -> Reading:
    """The parameters of a function as PTX declares them, the result first."""
    result = None if answer.result is None else (answer.result.size, answer.result.align)
    places = slots([(passed.size, passed.align) for passed in answer.params], result)
    declared = (passed.param.declaration for passed in values(answer) if passed.param is not None)
    expected = tuple(
        SAME_SIZE.sub(r".b\1", NAMED.sub(r"\1", one)).removeprefix(".param ") for one in declared
    )
    return Reading(unit([(0, function, places)]), expected, DECLARATIONS, "-S")


def is_run(target: str) -> bool:
    """Whether programs of a target are run here or anywhere."""
    about = find_target(target)[0]
    return bool(about.machine) and about.registers is not None
