"""The C of functions that are drawn for their frames."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from abiprobe.generators.frames import (
    ARGUMENTS,
    Branch,
    Call,
    Ending,
    Function,
    Local,
    Loop,
    Statement,
    Variable,
)

INDENT = "    "
OTHERS = {
    "take": "void take(void *);",
    "real": "double real(double);",
    "stop": "_Noreturn void stop(void);",
    **{
        f"call{count}": f"long call{count}({', '.join(['long'] * count)});"
        for count in range(1, max(ARGUMENTS) + 1)
    },
}
"""The functions of another unit, and their declarations."""
CALLED = re.compile(r"\b(\w+)\(")


def unit(functions: Sequence[Function]) -> str:
    """A unit of C that has the functions `f0`, `f1` and so on."""
    declared = (OTHERS[name] for name in called(functions))
    return "\n".join((*declared, *definitions(functions), ""))


def definitions(functions: Sequence[Function]) -> list[str]:
    """The definitions of functions, as `f0`, `f1` and so on."""
    return [text(one, f"f{number}") for number, one in enumerate(functions)]


def called(functions: Sequence[Function]) -> list[str]:
    """The functions of the other unit that are called."""
    names = set(CALLED.findall("\n".join(definitions(functions))))
    return [name for name in OTHERS if name in names]


def example(one: Function) -> str:
    """A unit that has one function."""
    return unit([one])


def text(one: Function, name: str) -> str:
    """The definition of a function."""
    others = [f"long p{number}" for number in range(one.parameters)]
    lines = [f"long {name}({', '.join(('long n', *others, *(['...'] if one.variadic else [])))})", "{"]
    lines += [INDENT + line for line in inside(one)]
    return "\n".join((*lines, "}"))


def inside(one: Function) -> Iterator[str]:
    """The lines of a function's body."""
    yield " + ".join(("long r = n", *(f"p{number}" for number in range(one.parameters)))) + ";"
    if one.variadic:
        last = f"p{one.parameters - 1}" if one.parameters else "n"
        yield "__builtin_va_list list;"
        yield f"__builtin_va_start(list, {last});"
        yield "r += __builtin_va_arg(list, long);"
        yield "r += __builtin_va_arg(list, double) > 0;"
    yield from (f"long k{number} = call1({number});" for number in range(one.kept))
    yield from (f"double d{number} = real({number});" for number in range(one.reals))
    yield from block(one.body)
    yield from (f"r += call1(k{number});" for number in range(one.kept))
    yield from (f"r += real(d{number}) > 0;" for number in range(one.reals))
    yield one.ending.value


def block(body: Sequence[Statement]) -> Iterator[str]:
    """The lines of some statements."""
    for number, one in enumerate(body):
        match one:
            case Call(count):
                yield f"r += call{count}({', '.join(('r', *map(str, range(1, count))))});"
            case Local(size, align):
                aligned = f"_Alignas({align}) " if align > 1 else ""
                yield f"{aligned}char a{number}[{size}];"
                yield f"take(a{number});"
            case Variable(alloca=True):
                yield "take(__builtin_alloca((n & 255) + 1));"
            case Variable():
                yield f"char v{number}[(n & 255) + 1];"
                yield f"take(v{number});"
            case Branch(condition, inner, ending):
                yield f"if ({condition.value}) {{"
                yield from (INDENT + line for line in (*block(inner), *ended(ending)))
                yield "}"
            case Loop(inner):
                yield "for (long i = 0; i < (n & 3); i++) {"
                yield from (INDENT + line for line in block(inner))
                yield "}"


def ended(ending: Ending | None) -> tuple[str, ...]:
    """The line that ends a function, if one does."""
    return () if ending is None else (ending.value,)
