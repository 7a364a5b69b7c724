"""Rules for what a module declares: variables at module scope, formal parameters, results, kernels."""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.oracles.abis.ptx.parameter import Parameter, Space
from abiprobe.oracles.abis.ptx.sass import kernels
from abiprobe.oracles.abis.ptx.sass.kernels import LARGE_LIMIT, LARGE_TARGET, LARGE_VERSION, SMALL_LIMIT
from abiprobe.oracles.abis.ptx.text import rules
from abiprobe.oracles.abis.ptx.text.module import Function, Module
from abiprobe.oracles.abis.ptx.text.rules import Breach
from abiprobe.oracles.text.clause import load_sheet

implements = load_sheet("abiprobe.oracles.abis.ptx").implements
TYPED = ("u8", "s8", "u16", "s16", "pred")
NARROW = 4
UNSIZED_VERSION, UNSIZED_TARGET = (6, 0), 30
ABI_VERSION, RELOCATABLE_VERSION = (3, 0), (3, 1)
WRITTEN_ALIGN, LARGEST_ALIGN = 16, 128


def header_breaches(module: Module, *, relocatable: bool) -> Iterator[Breach]:
    """Every rule about declarations that a module breaks; `relocatable` is ptxas's `-c`."""
    yield from module_scope(module, relocatable=relocatable)
    known: dict[str, Function] = {}
    for function in module.functions:
        earlier = known.setdefault(function.name, function)
        if shape(earlier) != shape(function):
            yield Breach(rules.PROTOTYPES, function.name)
        yield from results(function, relocatable=relocatable)
        for formal in function.results:
            yield from widths(function, formal.name, formal.param, result=True)
        for formal in function.params:
            yield from widths(function, formal.name, formal.param, result=False)
            yield from alignment(function, formal.name, formal.param)
        yield from unsized(module, function)
        if function.entry:
            yield from space(module, function)


def shape(function: Function) -> tuple[object, ...]:
    """Return the attributes in which two declarations of a function must agree."""
    return function.entry, *(
        tuple(
            (
                formal.param.space,
                formal.param.type,
                formal.param.vector,
                formal.param.length,
                formal.param.align,
            )
            for formal in side
        )
        for side in (function.results, function.params)
    )


@implements("module.reg", "arg.local")
def module_scope(module: Module, *, relocatable: bool) -> Iterator[Breach]:
    """Yield the breaches of declarations that module scope does not allow."""
    if relocatable and module.version < RELOCATABLE_VERSION:
        yield Breach(rules.MODULE_REG_OLD_C, "module")
    for variable in module.variables:
        # [ptx:arg.local]
        if variable.space == "param":
            yield Breach(rules.MODULE_PARAM, variable.name)
        elif variable.space in {"reg", "local"}:
            old = module.version < ABI_VERSION
            yield Breach(rules.MODULE_REG_OLD if old else rules.MODULE_REG, variable.name)


@implements("result.single")
def results(function: Function, *, relocatable: bool) -> Iterator[Breach]:
    """A function has one result at most."""
    if len(function.results) > 1:
        if any(formal.param.space is Space.PARAM for formal in function.results):
            yield Breach(rules.TWO_PARAM_RESULTS, function.name)
        else:
            whole = rules.TWO_REG_RESULTS_WHOLE
            yield Breach(rules.TWO_REG_RESULTS if relocatable else whole, function.name)


@implements("reg.width")
def widths(function: Function, name: str, param: Parameter, *, result: bool) -> Iterator[Breach]:
    """A parameter in .reg space has 32 bits; ptxas asks the same of typed .param scalars, not of untyped ones."""
    if function.entry:
        return
    register = param.space is Space.REG
    if register and param.is_array:
        yield Breach(rules.REG_ARRAY, name)
    if param.is_array or param.size >= NARROW:
        return
    if param.type in TYPED:
        in_register = rules.NARROW_RESULT if result else rules.NARROW_REG
        in_memory = rules.NARROW_PARAM_RESULT if result else rules.NARROW_PARAM
        yield Breach(in_register if register else in_memory, name)
    elif register:
        yield Breach(rules.NARROW_UNTYPED, name)


@implements("param.align")
def alignment(function: Function, name: str, param: Parameter) -> Iterator[Breach]:
    """Alignments are powers of two; those of device functions end at 16 by the document, at 128 by the guide."""
    align = param.declared
    if align is None:
        return
    if align < 1 or align & (align - 1):
        yield Breach(rules.ODD_ALIGN, name, str(align))
    elif not function.entry and align > LARGEST_ALIGN:
        yield Breach(rules.LARGE_ALIGN, name, str(align))
    elif not function.entry and align > WRITTEN_ALIGN:
        yield Breach(rules.WIDE_ALIGN, name, str(align))


@implements("variadic.unsized", "variadic.unsized-place")
def unsized(module: Module, function: Function) -> Iterator[Breach]:
    """An array without a size is the last parameter of a device function."""
    for formal in function.results:
        if formal.param.is_unsized:
            yield Breach(rules.UNSIZED_RESULT, formal.name)
    for index, formal in enumerate(function.params):
        if not formal.param.is_unsized:
            continue
        # [ptx:variadic.unsized-place]
        if function.entry:
            yield Breach(rules.UNSIZED_KERNEL, formal.name)
        elif index + 1 < len(function.params):
            yield Breach(rules.UNSIZED_EARLY, formal.name)
        # [ptx:variadic.unsized]
        if module.version < UNSIZED_VERSION:
            yield Breach(rules.UNSIZED_VERSION, formal.name)
        if module.target < UNSIZED_TARGET:
            yield Breach(rules.UNSIZED_TARGET, formal.name)


def space(module: Module, function: Function) -> Iterator[Breach]:
    """All parameters of a kernel fit the parameter space."""
    used = kernels.offsets_from([formal.param for formal in function.params], 0)[1]
    if used <= kernels.limit(module.version, module.target):
        return
    able = module.version >= LARGE_VERSION and module.target >= LARGE_TARGET
    if able or used > LARGE_LIMIT or module.version < (1, 5):
        yield Breach(rules.KERNEL_SPACE, function.name, f"{used} bytes")
    elif used > SMALL_LIMIT:
        yield Breach(rules.KERNEL_SPACE_VERSION, function.name, f"{used} bytes")
