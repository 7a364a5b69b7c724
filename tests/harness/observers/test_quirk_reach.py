"""No quirk reaches further than its examples say: it changes no drawn question that has nothing in common with what they need."""

from __future__ import annotations

from functools import cache
from itertools import islice

import pytest
from msgspec import structs

from abiprobe.generators.pool import POOL_SORTS, stream
from abiprobe.oracles.engine.alignments import member_alignments
from abiprobe.oracles.engine.policies import TEXT
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.model import AbiModel, Target
from abiprobe.oracles.quirks.in_force import QUIRKS
from abiprobe.oracles.quirks.quirk import Quirk, under_all
from abiprobe.oracles.quirks.versions import families_of
from abiprobe.oracles.registry import TARGETS, find_target
from abiprobe.oracles.text.place import Assignment, Extension, Passed
from abiprobe.results.causes.priority import UNRELEASED
from abiprobe.results.causes.traits import alike, needed, traits

from .quirk_examples import examples

CASES = 120
"""Questions of each sort for a target: more than 10,000 for all of them."""
QUICK = ("riscv64-lp64d", "x86_64-sysv")
OF_LLVM_TYPES = {
    "clang declares a result in .param space with the alignment of its LLVM type",
    "clang declares an argument in .param space with the alignment of its LLVM type, where that is greater",
    "clang before 19 declares a result in .param space as an LLVM type that has an integer for each run of bit-fields",
}
"""Quirks that give every record another type: what it has between its members differs for any record."""


@cache
def drawn() -> dict[Record | Prototype, frozenset[str]]:
    """Drawn questions, each with its traits."""
    every = (one for sort in POOL_SORTS for one in islice(stream(seed=48, kind=sort), CASES))
    return {one: named(one) for one in every}


def named(question: Question) -> frozenset[str]:
    """The traits of a question; one with a wide `_BitInt` has a `_BitInt`."""
    found = alike(traits(question))
    return found | {"_BitInt"} if "_BitInt wider than 64 bits" in found else found


def seen(model: AbiModel, question: Record | Prototype) -> object:
    """The layout and the alignments that compilers tell, or the places without what they do not show."""
    if isinstance(question, Record):
        try:
            return model.layout(question), tuple(member_alignments(model.types, question))
        except (SilentError, AbsentError):
            return model.layout(question), ()
    found = model.assign(question)
    if not isinstance(found, Assignment):
        return found
    return structs.replace(
        found,
        params=tuple(map(plain, found.params)),
        result=found.result and plain(found.result),
    )


def plain(passed: Passed) -> Passed:
    """A value without the clauses that say what is above it, where that may be anything."""
    pieces = (
        piece
        if piece.extension in (Extension.SIGN, Extension.ZERO, Extension.NAN_BOX)
        else structs.replace(piece, extension_clause="")
        for piece in passed.pieces
    )
    return structs.replace(passed, pieces=tuple(pieces))


def dialects(target: Target, quirk: Quirk) -> list[Target]:
    """The dialects of a target for the families that have a quirk, without any quirk."""
    families = families_of(quirk.subjects)
    return [(target.in_dialect(one) if one in target.dialects else target).under(TEXT) for one in families]


@cache
def written(base: Target) -> dict[Record | Prototype, object]:
    """The answers of a dialect without any quirk."""
    return {one: seen(base.model(), one) for one in drawn()}


def changed(target: Target, quirk: Quirk) -> list[Record | Prototype]:
    """The drawn questions of which a quirk makes others."""
    bases = [(written(base), base.under(under_all([quirk])).model()) for base in dialects(target, quirk)]
    return [one for one in drawn() if any(text[one] != seen(model, one) for text, model in bases)]


def has_no_releases(quirk: Quirk) -> bool:
    """Return whether only compilers without a release for years have a quirk: theirs are whole sets of rules."""
    return set(families_of(quirk.subjects)) <= UNRELEASED


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in TARGETS]
)
def test_a_quirk_changes_no_question_unlike_its_examples(name: str) -> None:
    target, wrong = find_target(name), []
    for quirk in QUIRKS.values():
        if not quirk.reaches(name) or has_no_releases(quirk) or quirk.name in OF_LLVM_TYPES:
            continue
        needs = [needed(traits(one)) for one in examples(name)[quirk.name]]
        wrong += [
            f"{quirk.name}: {one}"
            for one in changed(target, quirk)
            if not any(not need or need & drawn()[one] for need in needs)
        ]
    assert wrong == []
