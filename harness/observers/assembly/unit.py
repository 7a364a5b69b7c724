"""Translation units whose assembly tells calls: callers with constant arguments, callees with constant results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abiprobe.harness.machines.render.c import declare, definitions, prototype
from abiprobe.harness.observers.assembly.constants import constant
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Type
from abiprobe.oracles.text.place import Passing


def unit(types: TypeTable, plans: Sequence[CallPlan]) -> str:
    """The C text: for each plan, a caller and (for a direct result) a callee for each turn."""
    return "\n".join(line for index, plan in enumerate(plans) for line in lines(types, plan, index)) + "\n"


def lines(types: TypeTable, plan: CallPlan, index: int) -> Iterator[str]:
    """Yield the lines that test one plan."""
    function, suffix = plan.prototype, f"_{index}"
    used = tuple(c_type for c_type in (function.result, *(param.type for param in function.params)) if c_type)
    yield definitions(used, suffix)
    yield prototype(function, suffix, target(index)) + ";"
    objects = [
        (number, param.type)
        for number, param in enumerate(function.params)
        if plan.assignment.params[number].passing is not Passing.DIRECT
        or constant(param.type, plan.turns[0].values[number], signed=False) is None
    ]
    for number, c_type in objects:
        yield f"extern {declare(c_type, object_name(index, number), suffix)};"
    for turn, asked in enumerate(plan.turns):
        arguments = ", ".join(
            object_name(index, number)
            if (number, param.type) in objects
            else literal(types, param.type, asked.values[number])
            for number, param in enumerate(function.params)
        )
        yield f"void {caller(index, turn)}(void) {{ {target(index)}({arguments}); }}"
        result = plan.assignment.result
        if result is not None and result.passing is Passing.DIRECT and function.result is not None:
            value = literal(types, function.result, asked.result or b"")
            yield f"{declare(function.result, callee(index, turn) + '(void)', suffix)} {{ return {value}; }}"


def literal(types: TypeTable, c_type: Type, value: bytes) -> str:
    """A scalar as a constant."""
    text = constant(c_type, value, signed=types.is_signed(c_type))
    assert text is not None, "only what has constants travels by itself"
    return text


def target(index: int) -> str:
    """The function that caller number `index` calls."""
    return f"target_{index}"


def caller(index: int, turn: int) -> str:
    """The function that makes the call of one turn."""
    return f"caller_{index}_{turn}"


def callee(index: int, turn: int) -> str:
    """The function that returns the result of one turn."""
    return f"callee_{index}_{turn}"


def object_name(index: int, number: int) -> str:
    """Return the name of the object that is passed where no constant can be."""
    return f"object_{index}_{number}"
