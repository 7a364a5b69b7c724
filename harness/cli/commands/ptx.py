"""`abiprobe ptx`: ptxas against the physical model and the rules of PTX, and nvlink against prototype strings."""

from __future__ import annotations

import time
from collections.abc import Sequence

from abiprobe.generators.ptx import kernel_pool
from abiprobe.generators.ptx_texts import broken, table
from abiprobe.harness.api.arguments import level_names, whole_number
from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.progress import counted
from abiprobe.harness.cli.commands.console import asides, print_json
from abiprobe.harness.cli.commands.ptx_report import Found, as_json, show
from abiprobe.harness.observers.device.assembler import gpu
from abiprobe.harness.ptxas import links, rules
from abiprobe.harness.ptxas.sweep import sweep
from abiprobe.harness.subjects.cuda_tools import INSTALL, SECONDS, Tool, find_tool
from abiprobe.oracles.abis.ptx.sass.kernels import sm

NOTHING_COMPARED = 3
BROKEN_TEXTS = 200
LAUNCHED = 20
"""Kernels that are launched where there is a GPU."""


def ptx(
    functions: str, kernels: str, arches: str, levels: str, seed: str, assemblers: str | None, form: str
) -> int:
    """Check random signatures and every rule; 1 for news, 3 when there is no ptxas, 4 when it crashed or hung."""
    tools = found_tools(assemblers)
    if not tools:
        asides().print(
            f"skipped: ptxas is not installed, so PTX below C was not compared; {INSTALL}",
            soft_wrap=True,
            markup=False,
        )
        return NOTHING_COMPARED
    start = whole_number(seed, "--seed", 0)
    counts = {
        "functions": whole_number(functions, "--functions", 0),
        "kernels": whole_number(kernels, "--kernels", 0),
    }
    wanted = arch_names(arches)
    expect_some_tool_for(wanted, tools)
    clock = time.monotonic()
    checked = tuple(sweep(tools, wanted, level_names(levels), start, counts))
    texts = [*table(), *broken(start, BROKEN_TEXTS)]
    ruled = tuple(
        one for tool in counted(tools, "rules of PTX", len(tools)) for one in rules.rule_on(tool, texts)
    )
    linked = links.fixed(tools[0])
    device = gpu.run(tools[0], kernel_pool(start, LAUNCHED))
    found = Found(start, time.monotonic() - clock, checked, ruled, linked, device)
    if form == "json":
        print_json(as_json(found))
    else:
        show(found)
    return found.status


def found_tools(text: str | None) -> tuple[Tool, ...]:
    """The releases of ptxas to ask: those named by path, or the one that is installed."""
    names = [part.strip() for part in (text or "ptxas").split(",") if part.strip()]
    tools = [find_tool(name) for name in names]
    if text is not None and None in tools:
        raise Problem(f"no ptxas at {names[tools.index(None)]}", INSTALL)
    return tuple(tool for tool in tools if tool is not None)


def expect_some_tool_for(arches: Sequence[str], tools: Sequence[Tool]) -> None:
    """Raise `Problem` for an architecture for which no ptxas assembles."""
    for arch in arches:
        if not any(
            child.run((tool.path, f"-arch={arch}", "--version"), timeout=SECONDS).ok for tool in tools
        ):
            raise Problem(f"no ptxas here knows the architecture {arch}", "for example --arch sm_75,sm_90")


def arch_names(text: str) -> tuple[str, ...]:
    """Comma-separated architectures; raises `Problem` for anything else."""
    found = tuple(part.strip() for part in text.split(",") if part.strip())
    for arch in found:
        try:
            sm(arch)
        except ValueError as error:
            raise Problem(f"unknown architecture {arch!r}", "for example --arch sm_75,sm_90") from error
    return found
