"""`abiprobe doctor`: what is installed, what that allows, and what to install for the rest."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from abiprobe.harness.caching import cache_dir
from abiprobe.harness.commands.console import answers, print_json
from abiprobe.harness.commands.listing import list_toolchains
from abiprobe.harness.dispatch import OWN_CALLS
from abiprobe.harness.executors import find
from abiprobe.harness.problem import Problem
from abiprobe.harness.ptx import tools as ptx_tools
from abiprobe.harness.runtime.build import find_trusted
from abiprobe.harness.runtime.machine import machine
from abiprobe.harness.toolchains.vendors import DPU_NAME, POPC_NAME, runners
from abiprobe.harness.vectors.bench import vector_bench
from abiprobe.oracles.registry import TARGETS

APT = "apt-get install clang lld gcc gcc-riscv64-linux-gnu qemu-user"
PIP = "pip install 'abiprobe[embedded]'"
SMALL = "apt-get install --no-install-recommends tcc pcc"
ADVICE = (
    ("zig", "no embedded clang, which needs no root, has every target and reads any triple's layouts", PIP),
    ("clang", "no installed clang: one compiler less to compare with, and no older releases", APT),
    ("gcc", "no gcc: deviations that only a second compiler family shows stay unseen", APT),
    ("tcc", "no tcc, written apart from gcc and clang: x86-64 calls, x86-64 and i386 layouts", SMALL),
    (
        DPU_NAME,
        "no compiler for the UPMEM DPU: stand-ins are asked for it instead",
        "the UPMEM SDK, from its vendor",
    ),
    (
        POPC_NAME,
        "no compiler for the Graphcore IPU: stand-ins are asked for it instead",
        "the Poplar SDK, from its vendor",
    ),
    ("pcc", "no pcc, written apart from gcc and clang: x86-64 calls and layouts", SMALL),
)
"""What the lack of each compiler family costs, and how to get it."""
NOTHING_COMPARABLE = 3


def doctor(form: str) -> int:
    """Print the findings; the exit status is 3 when no target can be tested at all."""
    found = findings()
    if form == "json":
        print_json(found)
    else:
        print_findings(found)
    return 0 if any(item["runs"] for item in found["targets"]) else NOTHING_COMPARABLE


def findings() -> dict[str, Any]:
    """What there is for each target, the toolchains, and what is missing with what that costs."""
    toolchains = list_toolchains()[1]
    reports = [target_findings(name, toolchains) for name in TARGETS]
    return {
        "schema": 1,
        "cache": str(cache_dir()),
        "targets": reports,
        "toolchains": toolchains,
        "missing": missing(reports, toolchains),
    }


def target_findings(name: str, toolchains: list[dict[str, Any]]) -> dict[str, Any]:
    """What of a target can be tested here, and by which compilers, executors and trusted toolchain.

    `calls` is null where calls are not modelled; then compilers alone suffice.
    """
    compilers = [item["toolchain"] for item in toolchains if name in item["targets"]]
    found: dict[str, Any] = {"target": name, "runs": bool(compilers), "calls": None, "compilers": compilers}
    found |= {"executors": [], "absent": {}, "runtime": ""}
    if TARGETS[name].vectors:
        return found | vector_findings()
    if not TARGETS[name].machine:
        return found | (device_findings() if name in OWN_CALLS else {"executors": runners(name)})
    here = machine(TARGETS[name].machine)
    executors_found = [executor.name for executor in find.find(here.name)]
    try:
        trusted = find_trusted(here).cc[0]
        obstacle = ""
    except Problem as problem:
        trusted, obstacle = "", str(problem)
    runs = bool(executors_found and trusted and compilers)
    return found | {
        "runs": runs,
        "calls": runs,
        "executors": executors_found,
        "absent": {item.name: item.reason for item in find.absent(here.name)},
        "runtime": trusted or obstacle,
    }


def vector_findings() -> dict[str, Any]:
    """What runs vector functions, and of which ISAs; without it their names alone are compared."""
    try:
        bench = vector_bench()
    except Problem as problem:
        return {"calls": False, "absent": {"vector functions": str(problem)}}
    return {
        "calls": True,
        "executors": [bench.executor.name, *(isa.title for isa in bench.isas)],
        "runtime": bench.trusted.cc[0],
    }


def device_findings() -> dict[str, Any]:
    """The tools that read the calls of CUDA devices, and those that are not here."""
    tools = [tool for name in ptx_tools.COSTS if (tool := ptx_tools.find_tool(name)) is not None]
    return {
        "calls": any(tool.name == "ptxas" for tool in tools),
        "executors": [f"{tool.name} {tool.release}" for tool in tools],
        "absent": ptx_tools.absent(),
    }


def missing(reports: list[dict[str, Any]], toolchains: list[dict[str, Any]]) -> list[dict[str, str]]:
    """What is not installed, what that costs, and how to get it."""
    names = {item["toolchain"] for item in toolchains}
    families = names | {name.partition("-")[0] for name in names}
    found = [
        {"what": name, "costs": costs, "install": install}
        for name, costs, install in ADVICE
        if name not in families
    ]
    for report in reports:
        if report["calls"] is None:
            continue
        if report["target"] in OWN_CALLS:
            found += [
                {"what": name, "costs": costs, "install": ptx_tools.INSTALLS.get(name, ptx_tools.INSTALL)}
                for name, costs in report["absent"].items()
            ]
            continue
        if not report["executors"]:
            found.append(
                {
                    "what": f"an executor for {report['target']}",
                    "costs": "no calls can be observed there, and no run is possible",
                    "install": f"{PIP}, or {APT}",
                }
            )
        elif "native" not in report["executors"] and "qemu-user" not in report["executors"]:
            found.append(
                {
                    "what": f"qemu-user for {report['target']}",
                    "costs": "calls run under Unicorn, at about a quarter of the speed",
                    "install": APT,
                }
            )
    return found


def what_runs(item: dict[str, Any]) -> str:
    """What of a target can be tested, in a word."""
    if not item["runs"]:
        return "no"
    if item["calls"]:
        return "yes"
    return "names" if TARGETS[item["target"]].vectors else "layouts"


def print_findings(found: dict[str, Any]) -> None:
    """The findings for people."""
    console = answers()
    targets = Table("target", "runs", "compilers", "executors", box=None, pad_edge=False, header_style="bold")
    for item in found["targets"]:
        compilers = ", ".join(item["compilers"]) or "none"
        executors = ", ".join(item["executors"]) or ("none needed" if item["calls"] is None else "none")
        targets.add_row(item["target"], what_runs(item), compilers, executors)
    console.print(targets)
    console.print()
    versions = Table("toolchain", "version", box=None, pad_edge=False, header_style="bold")
    for item in found["toolchains"]:
        versions.add_row(item["toolchain"], item["version"])
    console.print(versions)
    for item in found["missing"]:
        console.print()
        console.print(f"missing: {item['what']}", style="yellow", soft_wrap=True)
        console.print(f"  {item['costs']}", soft_wrap=True)
        console.print(f"  {item['install']}", soft_wrap=True, markup=False)
    console.print()
    console.print(f"cache: {found['cache']}", soft_wrap=True)
