"""The questions that a stand-in can answer for a target, and their wording."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

import msgspec

from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.observers.objects.layouts import LayoutPlan
from abiprobe.oracles.engine.alignments import member_alignments
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Param, Prototype, Record, Type, strip
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.registry import find_model
from abiprobe.oracles.standins import CallRules, StandIn
from abiprobe.oracles.text.place import (
    Assignment,
    Hidden,
    Layout,
    Passed,
    Passing,
    Piece,
    Place,
    Register,
    StackSlot,
)

Places: TypeAlias = tuple[Passing | None, tuple[tuple[int, int, Place], ...]]


def other_types(standin: StandIn, needs: frozenset[str]) -> str:
    """Return the reason why a stand-in cannot be asked about features, or an empty string."""
    others = needs & standin.lacks
    return f"the stand-in has another {', '.join(sorted(others))} than the target" if others else ""


def reworded_layout(standin: StandIn, model: AbiModel, plan: LayoutPlan) -> LayoutPlan | str:
    """Return a record's plan in the stand-in's words, if its family reads GNU C as the model does, or the reason why there is none."""
    types = read_by(model.types, standin.reads)
    try:
        read = types.layout(plan.record)
    except (SilentError, AbsentError):
        return "the stand-in's family has no reading of it"
    if plan.silence is not None or not same_layout(types, plan, read):
        return f"{standin.reads.value} reads GNU C otherwise here"
    record = standin.put(plan.record)
    # In other words the question may be another one: GNU C has its own rules for typedefs that are aligned.
    if not same_layout(types, msgspec.structs.replace(plan, record=record), types.layout(record)):
        return "the words that the stand-in needs mean something else here"
    same = tuple(member_alignments(types, record)) == plan.alignments
    return msgspec.structs.replace(plan, record=record, alignments=plan.alignments if same else ())


@cache
def read_by(types: TypeTable, family: Reading) -> TypeTable:
    """The layouts of a target as a compiler of another family would have them."""
    return TypeTable(types.data, types.text, family, types.options)


def same_layout(types: TypeTable, plan: LayoutPlan, read: Layout) -> bool:
    """Return whether a reading has everything where the plan has it."""
    asked = {(member.path, member.bit_offset, member.bit_width) for member in plan.predicted.members}
    found = {
        (member.path, member.bit_offset, member.bit_width) for member in types.leaves(plan.record, whole=2)
    }
    return asked == found and (plan.predicted.size, plan.predicted.align) == (read.size, read.align)


def reworded_call(standin: StandIn, plan: CallPlan, needs: frozenset[str]) -> CallPlan | str:
    """Return a call's plan in the stand-in's words, if its convention puts everything where the model does, or the reason why not."""
    rules = standin.calls
    if rules is None:
        return "the stand-in is used for layouts only"
    if others := needs & rules.lacks:
        return f"the stand-in passes {', '.join(sorted(others))} otherwise than the target"
    if plan.prototype.variadic:
        return "the stand-in has another rule for variadic functions"
    if rules.scalars and any(isinstance(strip(c_type), Record) for c_type in travelling(plan.prototype)):
        return "the stand-in passes records otherwise"
    followed = find_model(rules.follows).assign(plan.prototype)
    if not isinstance(followed, Assignment) or every_place(followed) != every_place(plan.assignment):
        return "the stand-in has another convention here"
    return hindered(rules, followed) or msgspec.structs.replace(
        plan, prototype=respelled(standin, plan.prototype)
    )


def travelling(prototype: Prototype) -> tuple[Type, ...]:
    """The types of what travels in a call and back."""
    types = tuple(param.type for param in prototype.params)
    return types if prototype.result is None else (*types, prototype.result)


def every_place(answer: Assignment) -> tuple[Places, ...]:
    """The places of all that travels, in order."""
    results = () if answer.result is None else (answer.result,)
    carriers = (*answer.params, *results, *answer.hidden)
    return tuple(
        (
            None if isinstance(carrier, Hidden) else carrier.passing,
            tuple((piece.start, piece.end, piece.place) for piece in carrier.pieces),
        )
        for carrier in carriers
    )


def hindered(rules: CallRules, answer: Assignment) -> str:
    """Return the reason why a stand-in cannot be asked about a call that it makes by these rules, or an empty string."""
    pieces = all_pieces(answer)
    if any(is_without(rules, piece) for piece in pieces):
        return "the stand-in has no such rule"
    if rules.stack is None and any(isinstance(piece.place, StackSlot) for piece in pieces):
        return "the stand-in has another stack"
    return ""


def is_without(rules: CallRules, piece: Piece) -> bool:
    """Return whether a place rests on a rule that the stand-in lacks."""
    file = piece.place.name[0] if isinstance(piece.place, Register) else ""
    return piece.clause in rules.without or f"{piece.clause} {file}" in rules.without


def all_pieces(answer: Assignment) -> tuple[Piece, ...]:
    """Every piece of what travels to the callee."""
    carriers: tuple[Passed, ...] = answer.params
    hidden = tuple(piece for item in answer.hidden for piece in item.pieces)
    return (*hidden, *(piece for passed in carriers for piece in passed.pieces))


def respelled(standin: StandIn, prototype: Prototype) -> Prototype:
    """The prototype in the stand-in's types."""
    return msgspec.structs.replace(
        prototype,
        result=None if prototype.result is None else standin.put_type(prototype.result),
        params=tuple(Param(param.name, standin.put_type(param.type)) for param in prototype.params),
    )
