"""The C of a program in which a debugger looks: functions, their arguments in variables, and calls of all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abiprobe.harness.debugging.judging import TURN
from abiprobe.harness.machines.render.c import declare, definitions, prototype
from abiprobe.harness.machines.render.own_names import own
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.oracles.language.lang import Prototype

PROGRAM = """\
void *memcpy(void *to, const void *from, unsigned long size)
{
    for (unsigned long at = 0; at < size; at++) ((volatile char *)to)[at] = ((const char *)from)[at];
    return to;
}
void *memset(void *to, int byte, unsigned long size)
{
    for (unsigned long at = 0; at < size; at++) ((volatile char *)to)[at] = byte;
    return to;
}
void noise(long a, long b, long c, long d, long e, long f, double g, double h, double i, double j) {}
void clear(void *to, unsigned long size) { memset(to, 0xcc, size); }
void done(void) { for (;;); }
"""
ENTRIES = {
    "x86_64": """\
__attribute__((naked)) void start(void) { __asm__("and $-64, %rsp; call run"); }
"""
}
"""The entry of programs by machine, where the stack at that of a process is not as it is at that of a function."""


def entry(machine: str) -> str:
    """The name of the function at which a program begins."""
    return "start" if machine in ENTRIES else "run"


def host_unit(plans: Sequence[CallPlan], machine: str) -> str:
    """The whole program."""
    lines = [line for number, plan in enumerate(plans) for line in definition(plan, number)]
    calls = [f"    calls_{number}();" for number in range(len(plans))]
    run = ("void run(void)", "{", *calls, "    noise(1, 2, 3, 4, 5, 6, 1, 2, 3, 4);", "    done();", "}")
    return "\n".join((PROGRAM, *lines, *run, ENTRIES.get(machine, "")))


def definition(plan: CallPlan, number: int) -> Iterator[str]:
    """A function, what it keeps of its arguments (`seen`), what the debugger has of them and of the result (`out`), and its calls."""
    function, suffix = plan.prototype, f"_{number}"
    yield from types(function, suffix)
    yield from variables(plan, number)
    for index, param in enumerate(function.params):
        yield from (f"{declare(param.type, f'{name}_{number}_{index}', suffix)};" for name in ("seen", "out"))
    if function.result is not None:
        yield f"{declare(function.result, f'out_{number}', suffix)};"
    yield prototype(function, suffix, f"f{number}")
    yield "{"
    for index, param in enumerate(function.params):
        name = own(param.name, suffix)
        yield f"    memcpy(&seen_{number}_{index}, &{name}, sizeof {name});"
    yield f"    return given_{number};" if function.result is not None else "    return;"
    yield "}"
    yield from calls(plan, number)


def types(function: Prototype, suffix: str) -> list[str]:
    """The lines that define the types of a function."""
    used = (function.result, *(param.type for param in function.params))
    return definitions(tuple(one for one in used if one is not None), suffix).splitlines()


def variables(plan: CallPlan, number: int) -> Iterator[str]:
    """The arguments of a function (`in`), what it is to return (`given`), and what it returns (`got`)."""
    function, suffix = plan.prototype, f"_{number}"
    for index, param in enumerate(function.params):
        yield f"{declare(param.type, f'in_{number}_{index}', suffix)};"
        yield initial(f"bytes_{number}_{index}", plan.turns[TURN].values[index])
    if function.result is not None:
        yield from (f"{declare(function.result, f'{name}_{number}', suffix)};" for name in ("given", "got"))
        yield initial(f"bytes_{number}", plan.turns[TURN].result or b"")


def calls(plan: CallPlan, number: int) -> Iterator[str]:
    """A function that sets the variables and calls the function, once more where it has a result, which is kept."""
    function = plan.prototype
    yield f"void calls_{number}(void)"
    yield "{"
    for index in range(len(function.params)):
        yield f"    memcpy(&in_{number}_{index}, bytes_{number}_{index}, sizeof in_{number}_{index});"
    if function.result is not None:
        yield f"    memcpy(&given_{number}, bytes_{number}, sizeof given_{number});"
    call = f"f{number}({', '.join(f'in_{number}_{index}' for index in range(len(function.params)))});"
    yield f"    {call}"
    if function.result is not None:
        yield f"    got_{number} = {call}"
    yield "}"


def initial(name: str, value: bytes) -> str:
    """An array with the bytes of a value."""
    return f"static const unsigned char {name}[] = {{ {', '.join(map(str, value)) or '0'} }};"
