"""The examples of quirks, and the targets and compilers that they are put to."""

from __future__ import annotations

from functools import cache

import pytest

from abiprobe.harness.input.declared import declared_in_each
from abiprobe.harness.observers.call_observer import enumerations
from abiprobe.harness.observers.image.marks import asked_mark
from abiprobe.harness.subjects.dialects import differs
from abiprobe.harness.subjects.find import build, identity, parse_subject
from abiprobe.harness.triage.quirk_examples import declared
from abiprobe.oracles.engine.alignments import member_alignments
from abiprobe.oracles.engine.dwarf import described
from abiprobe.oracles.engine.policies import TEXT
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.model import AbiModel, Target
from abiprobe.oracles.quirks.in_force import QUIRKS
from abiprobe.oracles.quirks.quirk import Quirk, under_all
from abiprobe.oracles.quirks.versions import Range, family
from abiprobe.oracles.registry import CXX_TARGETS, TARGETS, find_target
from abiprobe.oracles.text.place import Assignment, Layout, Unspecified, Unsupported

LEVELS = ("O0", "O2")
SUBJECTS = (
    "clang-13", "clang-14", "clang-15", "clang-16", "clang-19", "clang-20", "clang-22", "clang-23", "clang-24",
    "gcc-11", "gcc-12", "gcc-13", "gcc-14", "gcc-15", "gcc-16", "tcc", "pcc",
    "g++-12", "g++-16", "clang++-13", "clang++-15", "clang++-19", "clang++-22", "clang++-24",
)  # fmt: skip
"""The embedded clang is left out: it is a release that is here by its own name."""
LANGUAGES = ("rustc", "zig-lang", "ldc2")
"""Compilers of other languages, which have more deviations than quirks; only the examples of their own ones are asked of them."""
QUICK = {
    (target, subject)
    for target in ("x86_64-sysv", "riscv64-lp64d")
    for subject in ("clang-22", "gcc-12", "g++-12", "clang++-22")
}


def answer(model: AbiModel, question: Question) -> Assignment | Layout | Unspecified | Unsupported:
    if not isinstance(question, Record):
        return model.assign(question)
    layout = model.layout(question)
    try:
        told = tuple(member_alignments(model.types, question))
    except (SilentError, AbsentError):
        told = ()
    in_dwarf = described(model.types, question, layout, 1) if isinstance(layout, Layout) else None
    return layout, told, in_dwarf


def dialects(target: Target, quirk: Quirk) -> list[Target]:
    """The dialects of a target for the families that have a quirk, without any quirk."""
    families = dict.fromkeys(Range.read(one).family for one in quirk.subjects)
    return [(target.in_dialect(one) if one in target.dialects else target).under(TEXT) for one in families]


@cache
def examples(target: str) -> dict[str, tuple[Question, ...]]:
    """By the name of each quirk that reaches a target, the declarations of its example that the quirk makes another question of."""
    mine = [one for one in QUIRKS.values() if one.reaches(target)]
    of_c = [one for one in mine if not one.cxx]
    every = declared_in_each([one.example for one in of_c], find_target(target))
    asked = {quirk.name: found.questions for quirk, found in zip(of_c, every, strict=True)}
    asked |= {one.name: declared(one, find_target(target)) for one in mine if one.cxx}
    return {
        quirk.name: tuple(
            question
            for question in asked[quirk.name]
            if any(is_changed(base, quirk, question) for base in dialects(find_target(target), quirk))
        )
        for quirk in mine
    }


def is_changed(base: Target, quirk: Quirk, question: Question) -> bool:
    changed = base.under(under_all([quirk]))
    if isinstance(question, Class):
        return differs(base, changed, question)
    return told(base, question) != told(changed, question)


def told(target: Target, question: Question) -> tuple[object, ...]:
    """The answer of a model, the signs of enumerations, which are shown widened, and the mark of a function."""
    model = target.model()
    found = answer(model, question)
    if not isinstance(question, Prototype) or not isinstance(found, Assignment):
        return (found,)
    signs = map(model.types.is_signed, enumerations(question))
    return found, asked_mark(model, target.registers, question, found), *signs


def pairs() -> list[object]:
    """Targets with the compilers of a family that a quirk for them names."""
    found: list[object] = []
    for target in TARGETS:
        families = {
            Range.read(text).family
            for quirk in QUIRKS.values()
            if quirk.reaches(target)
            for text in quirk.subjects
        }
        for subject in (*SUBJECTS, *LANGUAGES):
            if family(subject) in families and not ("++" in subject and target not in CXX_TARGETS):
                marks = () if (target, subject) in QUICK else (pytest.mark.long,)
                found.append(pytest.param(target, subject, marks=marks))
    return found


def version_of(target: str, subject: str) -> str:
    """The version line of a compiler, or a skip that names what is missing."""
    built = build(parse_subject(subject), find_target(target), LEVELS[0])
    if built is None:
        pytest.skip(f"{subject} is not installed for {target}")
    return identity(built.command).version
