"""`abiprobe doctor`: what is installed, what that allows, and what to install for the rest."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.table import Table

from abiprobe.harness.base.cache import cache_dir
from abiprobe.harness.base.progress import counted
from abiprobe.harness.cli.commands.console import answers, print_json, print_table
from abiprobe.harness.cli.commands.languages import languages
from abiprobe.harness.cli.commands.listing import toolchains as installed_compilers
from abiprobe.harness.cli.commands.target_families import FAMILIES, family_names, family_of, without_model
from abiprobe.harness.observers.capabilities import Advice
from abiprobe.harness.observers.registry import capabilities
from abiprobe.harness.subjects.families.vendors import DPU_NAME, POPC_NAME
from abiprobe.oracles.registry import TARGETS, find_target
from abiprobe.oracles.text.clause import sheets

SMALL = "apt-get install --no-install-recommends tcc pcc"
ADVICE = (
    ("zig", "no embedded clang, which needs no root and builds for every target", "pip install ziglang"),
    (
        "clang",
        "no clang of its own version: only the embedded one represents clang",
        "abiprobe toolchains install clang-22 (no root), or apt-get install clang-22",
    ),
    (
        "gcc",
        "no gcc: a bug that every clang has cannot be told from a wrong model",
        "apt-get install gcc gcc-riscv64-linux-gnu gcc-aarch64-linux-gnu gcc-s390x-linux-gnu",
    ),
    ("tcc", "no tcc, which shares no code with gcc and clang: x86-64 calls, x86-64 and i386 layouts", SMALL),
    ("pcc", "no pcc, which shares no code with gcc and clang: x86-64 calls and layouts", SMALL),
    (DPU_NAME, "no compiler for the UPMEM DPU: stand-ins replace it", "the UPMEM SDK, from its vendor"),
    (POPC_NAME, "no compiler for the Graphcore IPU: stand-ins replace it", "the Poplar SDK, from its vendor"),
)
"""The cost of the lack of each compiler family, and how to get it."""
STANDIN = "standin-"
UNTESTABLE = {"riscv64-lp64q": "no compiler or emulator supports LP64Q; predict and explain work"}
"""Why nothing that can be installed tests a target."""
NOTHING_COMPARABLE = 3


def doctor(form: str, *, verbose: bool = False) -> int:
    """Print the findings; the exit status is 3 when no target can be tested at all."""
    found = findings()
    if form == "json":
        print_json(found)
    else:
        print_findings(found, verbose=verbose)
    return 0 if any(item["runs"] for item in found["targets"]) else NOTHING_COMPARABLE


def findings() -> dict[str, Any]:
    """Return the findings for each target, the toolchains, and the missing programs with what that costs."""
    toolchains = installed_compilers(tuple(TARGETS.values()))
    looked_at = counted(TARGETS, "executors of each target's programs", len(TARGETS))
    reports = [target_findings(name, toolchains) for name in looked_at]
    return {
        "schema": 1,
        "cache": str(cache_dir()),
        "targets": reports,
        "toolchains": toolchains,
        "languages": languages(tuple(TARGETS.values())),
        "missing": missing(toolchains),
        "texts": old_texts(dt.date.today()),  # noqa: DTZ011 - a day of the year is meant
    }


def old_texts(today: dt.date) -> list[dict[str, str]]:
    """The texts that are older than a year, or that another one has superseded, the oldest first."""
    found = [sheet for sheet in sheets() if sheet.source.age(today)]
    found.sort(key=lambda sheet: (str(sheet.source.date), sheet.name))
    return [
        {
            "sheet": sheet.name,
            "title": sheet.source.title,
            "edition": sheet.source.edition,
            "date": str(sheet.source.date or ""),
            "newer": sheet.source.newer,
            "superseded": sheet.source.superseded,
        }
        for sheet in found
    ]


def print_old_texts(texts: list[dict[str, str]]) -> None:
    """A line for all texts that are old, and one for each that another has superseded."""
    old = [f"{one['sheet']} {one['date']}" for one in texts if not one["superseded"]]
    lines = [f"older than a year: the texts of {', '.join(old)}; see: abiprobe list targets"] if old else []
    lines += [
        f"superseded: {one['title']}, {one['edition']}, by {one['superseded']}; {one['newer']}"
        for one in texts
        if one["superseded"]
    ]
    for line in lines:
        answers().print(line, soft_wrap=True, markup=False, highlight=False)


def target_findings(name: str, toolchains: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the testable parts of a target, and the compilers, executors and trusted toolchain for them.

    `calls` is null where calls are not modelled; then compilers alone suffice.
    """
    compilers = [item["toolchain"] for item in toolchains if name in item["targets"]]
    here = capabilities(find_target(name))
    runs = here.runs and bool(compilers)
    return {
        "target": name,
        "runs": runs,
        "calls": None if here.calls is None else here.calls and runs,
        "compilers": compilers,
        "executors": list(here.executors),
        "absent": here.absent,
        "runtime": here.runtime,
    }


def missing(toolchains: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Return the missing programs, what that costs, and how to get them."""
    names = {item["toolchain"] for item in toolchains}
    families = names | {name.partition("-")[0] for name in names}
    found = [
        {"what": name, "costs": costs, "install": install}
        for name, costs, install in ADVICE
        if name not in families
    ]
    return found + advised({name: capabilities(target).advice for name, target in TARGETS.items()})


def advised(advice: Mapping[str, Sequence[Advice]]) -> list[dict[str, str]]:
    """The advice for all targets, each piece once with the targets that it concerns."""
    concerned: dict[Advice, list[str]] = {}
    for target, pieces in advice.items():
        for piece in pieces:
            concerned.setdefault(piece, []).append(target)
    return [
        {"what": piece.what.format(", ".join(targets)), "costs": piece.costs, "install": piece.install}
        for piece, targets in concerned.items()
    ]


def what_runs(item: dict[str, Any]) -> str:
    """Return the testable part of a target in a word."""
    if not item["runs"]:
        return "no"
    if item["calls"]:
        return "yes" if TARGETS[item["target"]].modelled else "compared"
    return "names" if TARGETS[item["target"]].vectors else "layouts"


def print_findings(found: dict[str, Any], *, verbose: bool) -> None:
    """The findings for people: a line for each family of targets, or with `verbose` for each target."""
    console = answers()
    if verbose:
        print_targets(found["targets"])
    else:
        print_families(found["targets"])
    for item in found["targets"]:
        if not item["runs"]:
            console.print(f"not testable: {item['target']}: {obstacle(item)}", soft_wrap=True, markup=False)
    console.print()
    print_versions("compiler", found["toolchains"], verbose=verbose)
    others = found["languages"] if verbose else newest_of_each(found["languages"])
    print_versions("language or library", others, verbose=verbose)
    for item in found["missing"]:
        console.print(
            f"missing: {item['what']}: {item['costs']}; {item['install']}", soft_wrap=True, markup=False
        )
    print_old_texts(found["texts"])
    if not verbose:
        console.print("every target and stand-in: abiprobe doctor --verbose", style="dim", soft_wrap=True)
    console.print(f"cache: {found['cache']}", style="dim", soft_wrap=True, markup=False)


def print_families(targets: list[dict[str, Any]]) -> None:
    """A line for each family of targets: how many can be tested, what runs or reads their programs, and compilers."""
    table = Table(
        "targets", "testable", "run or read by", "compilers", box=None, pad_edge=False, header_style="bold"
    )
    for title in FAMILIES:
        mine = [item for item in targets if family_of(item["target"]) == title]
        able = [item for item in mine if item["runs"]]
        executors = (
            ", ".join(dict.fromkeys(name for item in able for name in item["executors"])) or "layouts only"
        )
        names = dict.fromkeys(name for item in able for name in item["compilers"])
        name = f"{title}{without_model([item['target'] for item in mine])}"
        table.add_row(name, f"{len(able)} of {len(mine)}", executors, in_short(names) or "none")
    print_table(table)


def in_short(names: Iterable[str]) -> str:
    """Compilers with the versions of each family together: `clang-13, 14, 22`."""
    families: dict[str, list[str]] = {}
    every = tuple(names)
    standins = sum(name.startswith(STANDIN) for name in every)
    for name in every:
        if name.startswith(STANDIN):
            continue
        family, _, version = name.rpartition("-")
        known = version.isdigit()
        families.setdefault(family if known else name, []).extend([version] if known else [])
    counts = [
        f"{family}-{', '.join(sorted(versions, key=int))}" if versions else family
        for family, versions in families.items()
    ]
    return ", ".join((*counts, *((f"{standins} stand-ins",) if standins else ())))


def print_targets(targets: list[dict[str, Any]]) -> None:
    """A line for each target."""
    table = Table("target", "runs", "compilers", "executors", box=None, pad_edge=False, header_style="bold")
    for item in targets:
        compilers = ", ".join(item["compilers"]) or "none"
        executors = ", ".join(item["executors"]) or ("none needed" if item["calls"] is None else "none")
        table.add_row(item["target"], what_runs(item), compilers, executors)
    print_table(table)


def obstacle(item: dict[str, Any]) -> str:
    """Return the reason why a target cannot be tested."""
    if item["target"] in UNTESTABLE:
        return UNTESTABLE[item["target"]]
    if not item["compilers"]:
        return "no installed compiler builds for it"
    if not item["executors"]:
        return "; ".join(f"{name}: {why}" for name, why in item["absent"].items())
    return str(item["runtime"])


def newest_of_each(languages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first of those that are named by a family and a version."""
    first: dict[str, dict[str, Any]] = {}
    for item in languages:
        family, dash, version = item["toolchain"].rpartition("-")
        first.setdefault(family if dash and version.isdigit() else item["toolchain"], item)
    return list(first.values())


def print_versions(title: str, toolchains: list[dict[str, Any]], *, verbose: bool) -> None:
    """Each compiler with its version, or its versions where it is another program for another target."""
    table = Table(title, "version", "targets", box=None, pad_edge=False, header_style="bold")
    for item in toolchains:
        if item["toolchain"].startswith(STANDIN) and not verbose:
            continue
        for version, targets in item["versions"].items():
            table.add_row(item["toolchain"], version, family_names(targets))
    print_table(table)
    answers().print()
