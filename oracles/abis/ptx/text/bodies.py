"""Rules for what a function does with .param variables: accesses, their place before and after calls, alloca."""

from __future__ import annotations

import re
from collections.abc import Iterator

from abiprobe.oracles.abis.ptx.parameter import BYTES, Space
from abiprobe.oracles.abis.ptx.text import rules
from abiprobe.oracles.abis.ptx.text.flow import ScopedStatement, accesses, call_of, is_constant, steps
from abiprobe.oracles.abis.ptx.text.module import Function, Instruction, Module, Variable
from abiprobe.oracles.abis.ptx.text.rules import Breach
from abiprobe.oracles.text.clause import load_sheet

implements = load_sheet("abiprobe.oracles.abis.ptx").implements
ALLOCA_VERSION, ALLOCA_TARGET = (7, 3), 52


def body_breaches(module: Module, function: Function) -> Iterator[Breach]:
    """Every rule about accesses that a function breaks."""
    sequence = steps(function)
    yield from access_rules(function, sequence)
    yield from adjacency(function, sequence)
    for step in sequence:
        own = step.statement
        if isinstance(own, Instruction):
            yield from addresses(function, step, own)
            yield from alloca(module, function, own)


@implements("access.unpredicated", "access.aligned", "access.inside", "input.read-only")
def access_rules(function: Function, sequence: tuple[ScopedStatement, ...]) -> Iterator[Breach]:
    """Accesses are unpredicated, aligned and inside, and inputs are only read."""
    inputs = {formal.name: formal.param for formal in function.params}
    formals = inputs | {formal.name: formal.param for formal in function.results}
    for step, own, name, offset in accesses(sequence):
        local = step.find(name)
        param = local.param if local is not None else formals.get(name)
        if param is None:
            continue
        # [ptx:access.unpredicated]
        if own.predicate and local is not None:
            yield Breach(rules.PREDICATED, function.name, name)
        # [ptx:input.read-only]
        if local is None and name in inputs and own.name == "st.param":
            yield Breach(rules.WRITE_INPUT, function.name, name)
        width = access_bytes(own.opcode)
        if offset < 0:
            yield Breach(rules.BEFORE, function.name, f"{name}{offset}")
        elif param.space is Space.PARAM and not param.is_unsized and offset + width > param.size:
            yield Breach(rules.OUTSIDE, function.name, f"{name}+{offset}")
        # [ptx:access.aligned]
        if offset % width or width > max(param.align, 1):
            yield Breach(rules.MISALIGNED, function.name, f"{name}+{offset}")


def access_bytes(opcode: str) -> int:
    """The bytes that `st.param.v2.b32` accesses."""
    words = opcode.split(".")
    vector = next((int(word[1:]) for word in words if re.fullmatch(r"v\d", word)), 1)
    return BYTES.get(words[-1], 4) * vector


@implements("store.adjacent", "load.adjacent", "arg.initialised")
def adjacency(function: Function, sequence: tuple[ScopedStatement, ...]) -> Iterator[Breach]:
    """Arguments are stored immediately before their call, and results loaded immediately after it."""
    stored: dict[int, list[int]] = {}
    loaded: dict[int, list[int]] = {}
    for step, own, name, _ in accesses(sequence):
        local = step.find(name)
        if local is not None:
            (stored if own.name == "st.param" else loaded).setdefault(id(local), []).append(step.index)
    for step in sequence:
        instruction = step.statement
        if not isinstance(instruction, Instruction) or instruction.name != "call":
            continue
        call = call_of(instruction)
        first = block_before(sequence, step.index)
        for local in params(step, call.arguments):
            stores = [index for index in stored.get(id(local), ()) if index < step.index]
            # [ptx:arg.initialised]
            if not stores:
                yield Breach(rules.UNSET, function.name, local.name)
            # [ptx:store.adjacent]
            elif stores[0] < first:
                yield Breach(rules.STORE_GAP, function.name, local.name)
            if any(index < step.index for index in loaded.get(id(local), ())):
                yield Breach(rules.LOAD_BEFORE, function.name, local.name)
        last = block_after(sequence, step.index)
        for local in params(step, call.results):
            if any(index > last for index in loaded.get(id(local), ())):
                yield Breach(rules.LOAD_GAP, function.name, local.name)


def params(step: ScopedStatement, names: tuple[str, ...]) -> Iterator[Variable]:
    """Those of `names` that are local .param variables, and no array of size zero."""
    for name in names:
        local = step.find(name)
        if local is not None and local.space == "param" and local.param.size:
            yield local


def block_before(sequence: tuple[ScopedStatement, ...], call: int) -> int:
    """The index of the first of the st.param that stand together before a call."""
    first = call
    while first and is_access(sequence[first - 1], "st.param"):
        first -= 1
    return first


def block_after(sequence: tuple[ScopedStatement, ...], call: int) -> int:
    """The index of the last of the ld.param that stand together behind a call."""
    last = call
    while last + 1 < len(sequence) and is_access(sequence[last + 1], "ld.param"):
        last += 1
    return last


def is_access(step: ScopedStatement, name: str) -> bool:
    """Return whether a step is an access of that name."""
    return isinstance(step.statement, Instruction) and step.statement.name == name


@implements("access.no-address")
def addresses(function: Function, step: ScopedStatement, own: Instruction) -> Iterator[Breach]:
    """A .param variable of a call has no address."""
    if own.name not in {"mov", "cvta"}:
        return
    for operand in own.operands[1:]:
        local = step.find(operand)
        if local is not None and local.space == "param":
            yield Breach(rules.ADDRESS, function.name, local.name)


@implements("alloca.version", "alloca.align")
def alloca(module: Module, function: Function, own: Instruction) -> Iterator[Breach]:
    """Storage on the stack, from version 7.3 and sm_52 on."""
    if own.name not in {"alloca", "stacksave", "stackrestore"}:
        return
    # [ptx:alloca.version]
    if module.version < ALLOCA_VERSION:
        yield Breach(rules.ALLOCA_VERSION, function.name)
    elif module.target < ALLOCA_TARGET:
        yield Breach(rules.ALLOCA_TARGET, function.name)
    if own.name == "alloca" and len(own.operands) > 2 and is_constant(own.operands[2]):
        align = int(own.operands[2], 0)
        # [ptx:alloca.align]
        if align & (align - 1):
            yield Breach(rules.ALLOCA_ALIGN, function.name)
