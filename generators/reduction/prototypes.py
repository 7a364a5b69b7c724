"""Simpler prototypes: fewer parameters, or plain ones that keep the state of the registers."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from abiprobe.generators.reduction.chunks import without_chunks
from abiprobe.generators.reduction.pragmas import fitted, simpler_pragmas
from abiprobe.generators.reduction.types import DOUBLE, LONG, PLAIN, simpler
from abiprobe.oracles.language.lang import Array, Param, Prototype, Record, Type, Typedef
from abiprobe.oracles.language.promotion import promoted

MANY = 3
"""Parameters that are not plain; with fewer, the registers are cheaper to keep as they are."""
FILLERS = {LONG: (5, 6, 7, 8, 9), DOUBLE: (7, 8, 9)}
"""How many plain parameters leave one register, none, or one slot of the stack, in the ABIs that have registers."""
FILLER, UNNAMED = "before", "unnamed"


def simpler_prototypes(function: Prototype) -> Iterator[Prototype]:
    """Prototypes to try instead of `function`, the most drastic first."""
    yield from simpler_pragmas(function)
    yield from map(fitted, _simpler_prototypes(function))


def _simpler_prototypes(function: Prototype) -> Iterator[Prototype]:
    if function.result is not None:
        yield from (
            replace(function, params=params, result=None) for params in without_chunks(function.params)
        )
        yield replace(function, result=None)
    yield from (replace(function, params=params) for params in without_chunks(function.params))
    if function.variadic:
        yield from less_variadic(function)
    if function.convention is not None:
        yield replace(function, convention=None)
    if function.isa is not None:
        yield replace(function, isa=None)
    if function.regparm is not None:
        yield replace(function, regparm=None)
    yield from others_plain(function)
    yield from saturated(function)
    for index, param in enumerate(function.params):
        for c_type in (*opened(param.type), *simpler(param.type)):
            changed = replace(param, type=c_type)
            yield replace(function, params=(*function.params[:index], changed, *function.params[index + 1 :]))
    for index, unnamed in enumerate(function.unnamed):
        for c_type in (*opened(unnamed), *simpler(unnamed)):
            yield replace(
                function, unnamed=(*function.unnamed[:index], c_type, *function.unnamed[index + 1 :])
            )
    if function.result is not None:
        yield from (
            replace(function, result=c_type)
            for c_type in (*opened(function.result), *simpler(function.result))
        )


def less_variadic(function: Prototype) -> Iterator[Prototype]:
    """Yield the prototype with fewer unnamed arguments, or with all of them named."""
    yield replace(function, variadic=False, unnamed=())
    named = tuple(Param(f"{UNNAMED}{index}", c_type) for index, c_type in enumerate(function.unnamed))
    yield replace(function, params=(*function.params, *named), variadic=False, unnamed=())
    yield from (replace(function, unnamed=unnamed) for unnamed in without_chunks(function.unnamed))


def others_plain(function: Prototype) -> Iterator[Prototype]:
    """Every argument of one plain type, save at most one."""
    for plain in PLAIN:
        params = tuple(Param(param.name, plain) for param in function.params)
        unnamed = (promoted(plain),) * len(function.unnamed)
        made = replace(function, params=params, unnamed=unnamed)
        yield made
        for index, param in enumerate(function.params):
            yield replace(made, params=(*params[:index], param, *params[index + 1 :]))
        for index, c_type in enumerate(function.unnamed):
            yield replace(made, unnamed=(*unnamed[:index], c_type, *unnamed[index + 1 :]))


def saturated(function: Prototype) -> Iterator[Prototype]:
    """One or two parameters behind as many plain ones as use up the registers, and at most a plain one after them."""
    if sum(param.type not in PLAIN for param in function.params) < MANY:
        return
    for plain, counts in FILLERS.items():
        for count in counts:
            before = tuple(Param(f"{FILLER}{index}", plain) for index in range(count))
            for index, param in enumerate(function.params):
                for after in ((), (Param(FILLER, LONG),), function.params[index + 1 : index + 2]):
                    yield replace(function, params=(*before, param, *after))


def opened(c_type: Type) -> Iterator[Type]:
    """Yield the types that a record's members have, to stand in its place; never an array, which no parameter is."""
    if isinstance(c_type, Typedef):
        yield c_type.base
    if not isinstance(c_type, Record):
        return
    for member in c_type.members:
        inner = member.type
        while isinstance(inner, Array):
            inner = inner.element
        if not (isinstance(inner, Record) and not inner.tag):
            yield inner
