"""Rules for the arguments and results of calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from abiprobe.oracles.abis.ptx.parameter import BYTES, Parameter, Space
from abiprobe.oracles.abis.ptx.sass.places import RESULT_LIMIT
from abiprobe.oracles.abis.ptx.text import rules
from abiprobe.oracles.abis.ptx.text.flow import ScopedStatement, call_of, is_constant, steps
from abiprobe.oracles.abis.ptx.text.module import Formal, Function, Instruction, Prototype, Variable
from abiprobe.oracles.abis.ptx.text.rules import Breach, Rule
from abiprobe.oracles.text.clause import load_sheet

implements = load_sheet("abiprobe.oracles.abis.ptx").implements


def call_breaches(function: Function, known: Mapping[str, Function]) -> Iterator[Breach]:
    """Every rule about calls that a function breaks; `known` are the functions declared so far, itself included."""
    for step in steps(function):
        own = step.statement
        if not isinstance(own, Instruction) or own.name != "call":
            continue
        call = call_of(own)
        signature = target(step, call.target, call.prototype, known)
        if isinstance(signature, Rule):
            yield Breach(signature, function.name, call.target)
            continue
        results, params = signature
        bare = not call.arguments and not function.params
        if bare and any(result.param.size > RESULT_LIMIT for result in results):
            yield Breach(rules.LARGE_RESULT, function.name, call.target)
        yield from counted(function, call.arguments, params, call.results, results)
        for formal, text in zip(params, call.arguments, strict=False):
            yield from argument(function, step, formal, text)
        for formal, text in zip(results, call.results, strict=False):
            yield from argument(function, step, formal, text)


@implements("func.declared")
def target(
    step: ScopedStatement, name: str, prototype: str, known: Mapping[str, Function]
) -> tuple[Sequence[Formal], Sequence[Formal]] | Rule:
    """Results and parameters of what is called, or the rule that a call without them breaks."""
    callee = known.get(name)
    if callee is not None:
        return callee.results, callee.params
    if step.find(name) is None:
        return rules.UNDECLARED
    declared = step.scope.get(prototype)
    return (declared.results, declared.params) if isinstance(declared, Prototype) else rules.INDIRECT


@implements("arg.type")
def counted(
    function: Function,
    arguments: Sequence[str],
    params: Sequence[Formal],
    taken: Sequence[str],
    results: Sequence[Formal],
) -> Iterator[Breach]:
    """There is an argument for each parameter, but for an array without a size; results may be taken or left."""
    least = len(params) - (bool(params) and params[-1].param.is_unsized)
    if not least <= len(arguments) <= len(params) or len(taken) not in {0, len(results)}:
        yield Breach(rules.COUNT, function.name)


def argument(function: Function, step: ScopedStatement, formal: Formal, text: str) -> Iterator[Breach]:
    """One argument, or one variable that takes a result."""
    where = f"{function.name}: {formal.name}"
    own = {item.name for item in (*function.params, *function.results) if item.param.space is Space.PARAM}
    if text in own and step.find(text) is None:
        yield Breach(rules.FORMAL_AS_ACTUAL, where, text)
    elif is_constant(text):
        yield from constant(where, formal.param, text)
    elif (actual := step.find(text)) is not None:
        given = array_argument if formal.param.is_array else scalar_argument
        yield from given(where, formal.param, actual)


@implements("arg.array", "arg.local")
def array_argument(where: str, formal: Parameter, actual: Variable) -> Iterator[Breach]:
    """The argument for an array is a local .param array of the same type, size and alignment."""
    # [ptx:arg.local]
    if actual.space != "param":
        yield Breach(rules.ARRAY_SPACE, where)
        return
    # [ptx:arg.array]
    if actual.param.align != formal.align:
        yield Breach(rules.ARRAY_ALIGN, where)
    if formal.is_unsized:
        return
    if actual.param.size != formal.size or not actual.param.is_array:
        yield Breach(rules.ARRAY_SIZE, where)
    elif actual.param.type != formal.type:
        yield Breach(rules.ARRAY_TYPE, where)


@implements("arg.param-scalar", "arg.reg")
def scalar_argument(where: str, formal: Parameter, actual: Variable) -> Iterator[Breach]:
    """The argument for a scalar or vector has its size, and its type unless one of the two is untyped."""
    # [ptx:arg.param-scalar] [ptx:arg.reg]
    own = rules.REG_TYPE if formal.space is Space.REG else rules.PARAM_TYPE
    if (
        actual.param.is_array
        or actual.param.natural != formal.natural
        or not agree(formal.type, actual.param.type)
    ):
        yield Breach(own, where)


def agree(one: str, other: str) -> bool:
    """Return whether two fundamental types of one size are interchangeable."""
    if "pred" in {one, other}:
        return one == other
    kinds = {one[0], other[0]} - {"b"}
    return kinds <= {"u", "s"} or len(kinds) == 1


@implements("arg.constant")
def constant(where: str, formal: Parameter, text: str) -> Iterator[Breach]:
    """A constant can be represented in the type of the parameter."""
    if formal.is_array:
        yield Breach(rules.ARRAY_SIZE, where)
        return
    digits = text.replace(" ", "").rstrip("U")
    floating = digits[:2].lower() in {"0f", "0d"} or "." in digits
    if floating:
        if formal.type[0] in "us":
            yield Breach(rules.CONSTANT_TYPE, where)
        return
    value, bits = int(digits, 0), BYTES[formal.type] * 8
    least = 0 if formal.type[0] == "u" else -(1 << bits - 1)
    most = (1 << bits - 1) - 1 if formal.type[0] == "s" else (1 << bits) - 1
    if not least <= value <= most:
        yield Breach(rules.CONSTANT, where, text)
