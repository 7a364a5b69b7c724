"""Mistakes of a compiler about one clause, where no change of the model's source makes one: answers that are wrong in what the clause decides."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import structs

from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.observers.objects.layouts import LayoutPlan
from abiprobe.oracles.language.lang import Kind, Param, Scalar
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.text.place import (
    Assignment,
    Extension,
    Layout,
    Passed,
    Passing,
    Place,
    Register,
    StackSlot,
)

AWAY = 16
"""So many bytes from its place, or registers from its own, is what a compiler puts elsewhere."""


def mistakes(
    plan: CallPlan | LayoutPlan, model: AbiModel, clause: str
) -> Iterator[tuple[str, Assignment | Layout]]:
    """Each way to be wrong about a clause in the answer to a question, by its name."""
    if isinstance(plan, LayoutPlan):
        yield from (("lays it out elsewhere", one) for one in laid_elsewhere(plan.predicted, clause))
        return
    own = plan.assignment
    yield from (("puts it elsewhere", one) for one in changed(own, lambda value: elsewhere(value, clause)))
    yield from (
        ("relies on bits above it", one) for one in changed(own, lambda value: relying(value, clause))
    )
    yield from (("aligns its copy less", one) for one in changed(own, lambda value: unaligned(value, clause)))
    yield from (("passes a word for it", one) for one in words_for_nothing(plan, model, clause))
    yield from (("leaves noise above an address", one) for one in unextended(own, clause))
    yield "leaves the stack pointer elsewhere", structs.replace(own, pops=own.pops + AWAY)


def laid_elsewhere(layout: Layout, clause: str) -> Iterator[Layout]:
    """A member that the clause places, or that stands behind what it places, and all that follow, are further on."""
    for number, member in enumerate(layout.members):
        if clause in {member.clause, member.behind}:
            moved = (
                structs.replace(one, bit_offset=one.bit_offset + 8 * AWAY) for one in layout.members[number:]
            )
            yield structs.replace(layout, size=layout.size + AWAY, members=(*layout.members[:number], *moved))
            return
    if layout.clause == clause:
        yield structs.replace(layout, align=2 * layout.align)


def changed(assignment: Assignment, change: Callable[[Passed], Passed]) -> Iterator[Assignment]:
    """An assignment of which some values are changed, if any is."""
    params = tuple(map(change, assignment.params))
    result = assignment.result and change(assignment.result)
    if (params, result) != (assignment.params, assignment.result):
        yield structs.replace(assignment, params=params, result=result)


def elsewhere(value: Passed, clause: str) -> Passed:
    """A value of which the pieces that the clause places are elsewhere."""
    pieces = tuple(
        structs.replace(piece, place=away(piece.place)) if piece.clause == clause else piece
        for piece in value.pieces
    )
    return structs.replace(value, pieces=pieces)


def away(place: Place) -> Place:
    """Another place of the same kind."""
    match place:
        case StackSlot(offset):
            return StackSlot(offset + AWAY)
        case Register(name):
            prefix = name.rstrip("0123456789")
            number = name.removeprefix(prefix)
            return Register(f"{prefix}{(int(number) + 3) % 8}" if number else OTHERS.get(name, name))


OTHERS = {
    "rdi": "r11",
    "rsi": "r10",
    "rdx": "r11",
    "rcx": "r10",
    "rax": "r11",
    "eax": "ecx",
    "edx": "ecx",
    "ecx": "eax",
}
"""Registers without numbers, each with one that holds no argument."""


def relying(value: Passed, clause: str) -> Passed:
    """A value whose receiver relies on bits that the clause leaves undefined."""
    pieces = tuple(
        structs.replace(piece, extension=extension)
        if piece.extension_clause == clause and piece.extension is Extension.ANY
        else piece
        for piece in value.pieces
        for extension in (
            Extension.ZERO if "unsigned" in value.type or "_Bool" in value.type else Extension.SIGN,
        )
    )
    return structs.replace(value, pieces=pieces)


def unaligned(value: Passed, clause: str) -> Passed:
    """A value whose copy is aligned less than the clause asks for."""
    less = value.memory_clause == clause and value.memory_align > 1
    return structs.replace(value, memory_align=value.memory_align // 2) if less else value


def unextended(assignment: Assignment, clause: str) -> Iterator[Assignment]:
    """A compiler that leaves anything above an address that the clause extends."""
    hidden = tuple(
        structs.replace(
            one,
            pieces=tuple(
                structs.replace(piece, extension=Extension.ANY) if piece.extension_clause == clause else piece
                for piece in one.pieces
            ),
        )
        for one in assignment.hidden
    )
    if hidden != assignment.hidden:
        yield structs.replace(assignment, hidden=hidden)


def words_for_nothing(plan: CallPlan, model: AbiModel, clause: str) -> Iterator[Assignment]:
    """A compiler that passes a word for a value of which nothing travels, which moves the others."""
    prototype = plan.prototype
    for index, passed in enumerate(plan.assignment.params[: len(prototype.params)]):
        if passed.clause == clause and passed.passing is Passing.IGNORED:
            params = list(prototype.params)
            params[index] = Param(params[index].name, Scalar(Kind.LONG))
            # Something must come behind it to be moved.
            answer = model.assign(structs.replace(prototype, params=tuple(params)))
            if isinstance(answer, Assignment):
                yield structs.replace(
                    answer, params=(*answer.params[:index], passed, *answer.params[index + 1 :])
                )
