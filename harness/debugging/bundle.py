"""Bundles that show a cause without abiprobe: a program, a script for the debugger, and an issue."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from abiprobe.harness.debugging import causes, debugger_causes
from abiprobe.harness.debugging.causes import verdict
from abiprobe.harness.debugging.debuggers import LLDB, Debugger
from abiprobe.harness.debugging.host_unit import calls, entry, host_unit, types, variables
from abiprobe.harness.debugging.judging import Fact, Point
from abiprobe.harness.debugging.sweep import Way, built, planned
from abiprobe.harness.debugging.unit import KEPT, unit
from abiprobe.harness.machines.render.c import prototype
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.machines.render.own_names import own
from abiprobe.harness.machines.workbench import described
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.subjects.find import identity
from abiprobe.harness.unwind.bundle import issue_text
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.registry import find_target

SUFFIX = "_0"
"""Behind the names of the one function of a program, which is `f0`."""
AREA = 0x1_0000
"""Bytes of each area that functions of `unit` use."""
PLACES = {
    Point.ENTRY: ("break *f0", "run"),
    Point.BREAKPOINT: ("break f0", "run"),
    Point.CALL: ("break look", "break other", "run", "up"),
    Point.PASSED: ("break look", "break pass", "run", "info args", "up"),
}
"""How gdb comes to each point."""


def of_debug_info(cause: causes.Cause) -> dict[str, str]:
    """The files of a bundle about debug information by their names."""
    points = dict.fromkeys(one.point for one in cause.wrong if isinstance(one, Fact))
    plan = plan_of(cause.way, cause.function)
    command = built(cause.way).command
    return {
        "f.c": unit([cause.function]),
        "main.c": caller(plan),
        **{f"show-{point.name.lower()}.gdb": parameters(plan.prototype, point) for point in points},
        "issue.md": issue_text(
            f"Wrong debug information on {cause.target}: {cause.kind}",
            (identity(command).version, f"{shlex.join(command)} -g -c f.c -o f.o"),
            unit([cause.function]),
            [verdict(one) for one in cause.wrong],
            [one.clause for one in cause.wrong],
            "`readelf --debug-dump=info,loc f.o` shows the locations. `main.c` calls the function; linked with it, "
            "`gdb -batch -x show-POINT.gdb PROGRAM` prints each parameter, and behind it the argument that was passed.",
        ),
    }


def of_debugger(cause: debugger_causes.Cause) -> dict[str, str]:
    """The files of a bundle about a debugger by their names."""
    way, debugger = cause.asked.way, cause.asked.debugger
    plan, (machine, _) = plan_of(way, cause.function), described(find_target(way.target))
    command = built(way).command
    build = f"{shlex.join(command)} -g -nostdlib -static -Wl,-e,{entry(machine.name)} f.c -o f"
    kind = debugger.kind
    batch = f"{kind} -x -b -s" if kind == LLDB else f"{kind} -batch -x"
    return {
        "f.c": host_unit([plan], machine.name) + "\n",
        f"show.{kind}": "\n".join((*told(plan.prototype, debugger), "")),
        "issue.md": issue_text(
            f"{kind} on {way.target}: {cause.kind}",
            (str(debugger), identity(command).version, build),
            f"{declaration(cause.function)}\n",
            [
                f"{one.kind}{f' {one.name}' if one.name else ''}: {one.found}; it is {one.expected}"
                for one in cause.wrong
            ],
            [],
            f"`{batch} show.{kind} f` prints each value as the debugger has it, and behind it the true one.",
        ),
    }


def plan_of(way: Way, function: Prototype) -> CallPlan:
    """The values of a function, and their places."""
    plan = planned(way.target, function)
    assert isinstance(plan, CallPlan), "what is a cause has been asked about"
    return plan


def caller(plan: CallPlan) -> str:
    """A unit that calls the function with the values, and has what it uses of another unit."""
    function = plan.prototype
    areas = (f"unsigned char {name}[{AREA}];" for name in ("given", "kept"))
    lines = (
        *types(function, SUFFIX),
        "void *memcpy(void *, const void *, unsigned long);",
        *areas,
        "void look(const void *p) { (void)p; }",
        "void other(void) { }",
        "void pass(long a, long b) { (void)a; (void)b; }",
        "_Noreturn void stop(void) { for (;;) { } }",
        f"{prototype(function, SUFFIX, 'f0')};",
        *variables(plan, 0),
        *calls(plan, 0),
        "int main(void) { calls_0(); return 0; }",
    )
    assert KEPT * len(function.params) <= AREA, "every parameter has room"
    return "\n".join((*lines, ""))


def parameters(function: Prototype, point: Point) -> str:
    """A script that prints each parameter at a point, and the argument that was passed."""
    lines = [*PLACES[point]]
    for index, param in enumerate(function.params):
        lines += [f"print/x {own(param.name, SUFFIX)}", f"print/x in_0_{index}"]
    return "\n".join((*lines, ""))


def told(function: Prototype, debugger: Debugger) -> Iterator[str]:
    """The commands for a debugger: print the parameters, finish, return, and call, each with the true value behind it."""
    names = [own(param.name, SUFFIX) for param in function.params]
    call = f"f0({', '.join(f'in_0_{index}' for index in range(len(names)))})"
    value = "p/x" if debugger.kind != LLDB else "p"
    yield from ("set confirm off",) if debugger.kind != LLDB else ()
    yield from ("break f0" if debugger.kind != LLDB else "breakpoint set -n f0", "run")
    for index, name in enumerate(names):
        yield from (f"{value} {name}", f"{value} in_0_{index}")
    yield "finish"
    if function.result is not None:
        yield f"{value} given_0"
        yield "continue"
        yield "return given_0" if debugger.kind != LLDB else "thread return given_0"
        yield "next"
        yield from (f"{value} got_0", f"{value} given_0")
    yield "delete" if debugger.kind != LLDB else "breakpoint disable"
    yield f"{value} {call}"
    for index in range(len(names)):
        yield from (f"{value} seen_0_{index}", f"{value} in_0_{index}")
