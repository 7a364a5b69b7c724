"""The C of functions whose parameters are looked for: each is live until the end, and of some the address is taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abiprobe.harness.machines.render.c import declare, definitions, prototype
from abiprobe.harness.machines.render.own_names import own
from abiprobe.oracles.language.lang import Kind, Prototype, Scalar, strip

OTHERS = {
    "look": "void look(const void *);",
    "other": "void other(void);",
    "pass": "void pass(long, long);",
    "stop": "_Noreturn void stop(void);",
}
"""The functions of another unit, and their declarations."""
AREAS = {"given": "extern const unsigned char given[];", "kept": "extern unsigned char kept[];"}
"""The memory of another unit: what functions return, and what they keep of their parameters."""
LOOKED_AT, CALLING, ENDLESS = 3, 2, 3
"""Of every so many parameters the address is taken; functions call first where the number of theirs is no multiple of the second,
and do not return where they have no result, and it is a multiple of the third."""
SECOND = 7
"""The value that is passed on beside a parameter."""
INTEGERS = {Kind.INT, Kind.UINT, Kind.LONG, Kind.ULONG}
KEPT = 1024
"""Bytes between what is kept of two parameters, of which none is larger."""


def unit(functions: Sequence[Prototype]) -> str:
    """A unit of C that has the functions `f0`, `f1` and so on."""
    bodies = (line for number, one in enumerate(functions) for line in definition(one, number))
    return "\n".join((*OTHERS.values(), *AREAS.values(), *bodies, ""))


def definition(function: Prototype, number: int) -> Iterator[str]:
    """The lines of a function, its types first."""
    suffix = f"_{number}"
    used = (function.result, *(param.type for param in function.params))
    yield from definitions(tuple(one for one in used if one is not None), suffix).splitlines()
    yield f"{'' if returns(function) else '_Noreturn '}{prototype(function, suffix, f'f{number}')}"
    yield "{"
    yield from (f"    {line}" for line in inside(function, suffix))
    yield "}"


def returns(function: Prototype) -> bool:
    """Return whether a function returns."""
    return function.result is not None or bool(len(function.params) % ENDLESS)


def first_integer(function: Prototype) -> str | None:
    """The name of the first parameter that is an integer of the size of a register or less, if there is one."""
    return next(
        (
            param.name
            for param in function.params
            if isinstance(bare := strip(param.type), Scalar) and bare.kind in INTEGERS
        ),
        None,
    )


def inside(function: Prototype, suffix: str) -> Iterator[str]:
    """The statements of a function, a line each, so that line tables tell where its prologue ends."""
    if len(function.params) % CALLING:
        yield "other();"
    for index, param in enumerate(function.params):
        name = own(param.name, suffix)
        if not index % LOOKED_AT:
            yield f"look(&{name});"
        yield f"__builtin_memcpy(kept + {index * KEPT}, &{name}, sizeof {name});"
    if (whole := first_integer(function)) is not None:
        yield f"pass({own(whole, suffix)}, {SECOND});"
    if not returns(function):
        yield "stop();"
    if function.result is not None:
        yield f"{declare(function.result, '*f', suffix)} = (void *)given;"
        yield "return *f;"
