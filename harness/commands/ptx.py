"""`abiprobe ptx`: ptxas against the physical model and the rules of PTX, and nvlink against prototype strings."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from abiprobe.generators.ptx import device_pool, kernel_pool
from abiprobe.generators.ptx_texts import broken, table
from abiprobe.harness.commands.arguments import level_names, whole_number
from abiprobe.harness.commands.console import answers, asides, print_json
from abiprobe.harness.commands.ptx_gpu import on_gpu
from abiprobe.harness.problem import Problem
from abiprobe.harness.ptx import gpu, rules
from abiprobe.harness.ptx.assemble import Assembler
from abiprobe.harness.ptx.links import Linked, Pair, link
from abiprobe.harness.ptx.physical import SHARE, Checked, Side, check
from abiprobe.harness.ptx.tools import INSTALL, Tool, find_tool
from abiprobe.oracles.ptx.parameter import Signature, parse_parameter
from abiprobe.oracles.ptx.sass.kernels import sm
from abiprobe.oracles.ptx.text.rules import Enforced
from abiprobe.results.record import Judgement, Outcome

NOTHING_COMPARED = 3
BROKEN_TEXTS = 200
SHOWN = 5
LINKED = (
    ("(f32)", "(b32)"),
    ("(r:b32)", "(b32)"),
    ("(.align 4 .b8[8])", "(.align 8 .b8[8])"),
    ("(.align 4 .b8[8])", "(.align 4 .b8[12])"),
    ("(b32, .align 4 .b8[8])", "(b32, .align 8 .b8[8])"),
    ("(b32, .align 4 .b8[8], b32)", "(b32, .align 4 .b8[8], b32)"),
    ("(.align 4 .b8[4])", "(b32)"),
    ("(b32, .align 1 .b8[5], b64)", "(b32, .align 8 .b8[5], b64)"),
)
"""Pairs for the linker: the signature that a caller sees, and the one that is defined."""


class Share(msgspec.Struct, frozen=True):
    """A part of the work for one process."""

    assembler: Assembler
    side: Side
    signatures: tuple[Signature, ...]


def ptx(
    functions: str, kernels: str, arches: str, levels: str, seed: str, assemblers: str | None, form: str
) -> int:
    """Check random signatures and every rule; 1 for a deviation, 3 when there is no ptxas."""
    tools = found_tools(assemblers)
    if not tools:
        asides().print(
            f"skipped: ptxas is not installed, so nothing of PTX below C was compared; {INSTALL}",
            soft_wrap=True,
            markup=False,
        )
        return NOTHING_COMPARED
    start = whole_number(seed, "--seed", 0)
    counts = {
        "functions": whole_number(functions, "--functions", 0),
        "kernels": whole_number(kernels, "--kernels", 0),
    }
    clock = time.monotonic()
    with asides().status("assembling"):
        checked = list(physical(tools, arch_names(arches), level_names(levels), start, counts))
        texts = [*table(), *broken(start, BROKEN_TEXTS)]
        ruled = [one for tool in tools for one in rules.put(tool, texts)]
        linked = pairs(tools[0])
        devices = on_gpu(tools[0], start)
    seconds = time.monotonic() - clock
    if form == "json":
        print_json(as_json(start, seconds, checked, ruled, linked, devices))
    else:
        show(start, seconds, checked, ruled, linked, devices)
    wrong = any(one.judgement is Judgement.DEVIATES for _, one in checked) or any(
        not one.agrees for one in ruled
    )
    apart = any(one.expected != one.linked for one in linked) or any(one.deviations for one in devices)
    return 1 if wrong or apart else 0


def found_tools(text: str | None) -> tuple[Tool, ...]:
    """The releases of ptxas to ask: those named by path, or the one that is installed."""
    names = [part.strip() for part in (text or "ptxas").split(",") if part.strip()]
    tools = [find_tool(name) for name in names]
    if text is not None and None in tools:
        raise Problem(f"no ptxas at {names[tools.index(None)]}", INSTALL)
    return tuple(tool for tool in tools if tool is not None)


def arch_names(text: str) -> tuple[str, ...]:
    """Comma-separated architectures; raises `Problem` for anything else."""
    found = tuple(part.strip() for part in text.split(",") if part.strip())
    for arch in found:
        try:
            sm(arch)
        except ValueError as error:
            raise Problem(f"unknown architecture {arch!r}", "for example --arch sm_75,sm_90") from error
    return found


def physical(
    tools: Sequence[Tool], arches: Sequence[str], levels: Sequence[str], seed: int, counts: dict[str, int]
) -> Iterator[tuple[Assembler, Checked]]:
    """Every signature, on each side, for each release, architecture and level; on every core."""
    devices, entries = device_pool(seed, counts["functions"]), kernel_pool(seed, counts["kernels"])
    shares = [
        Share(Assembler(tool, arch, level), side, tuple(pool[at : at + SHARE]))
        for tool in tools
        for arch in arches
        for level in levels
        for side, pool in ((Side.CALLEE, devices), (Side.CALLER, devices), (Side.KERNEL, entries))
        for at in range(0, len(pool), SHARE)
    ]
    with ProcessPoolExecutor() as pool:
        for share, found in zip(shares, pool.map(work, shares), strict=True):
            yield from ((share.assembler, one) for one in found)


def work(share: Share) -> list[Checked]:
    """One part of the work."""
    return list(check(share.assembler, share.side, share.signatures))


def pairs(tool: Tool) -> list[Linked]:
    """The fixed pairs, linked; none without nvlink."""
    linker = find_tool("nvlink")
    if linker is None:
        return []
    with tempfile.TemporaryDirectory(prefix="abiprobe-") as folder:
        asked = [Pair(signature(caller), signature(callee)) for caller, callee in LINKED]
        return list(link(Assembler(tool), linker, asked, Path(folder)))


def signature(text: str) -> Signature:
    """A signature without a result in short notation."""
    return Signature(tuple(parse_parameter(part) for part in text.strip("()").split(", ")))


def rows(checked: Sequence[tuple[Assembler, Checked]]) -> list[dict[str, Any]]:
    """How many answers of each sort there are, by release, architecture, level and side."""
    counted: Counter[tuple[str, str, str, str, str]] = Counter()
    for assembler, one in checked:
        sort = one.judgement.value if one.outcome is Outcome.OBSERVED else one.outcome.value
        counted[assembler.tool.release, assembler.arch, assembler.level, one.side.value, sort] += 1
    keys = dict.fromkeys(key[:4] for key in counted)
    sorts = ("agrees", "deviates", "undecoded", "crashed", "refused", "timed out")
    return [
        {
            **dict(zip(("ptxas", "arch", "level", "side"), key, strict=True)),
            **{sort: counted[(*key, sort)] for sort in sorts},
        }
        for key in keys
    ]


def as_json(
    seed: int,
    seconds: float,
    checked: Sequence[tuple[Assembler, Checked]],
    ruled: Sequence[rules.Ruled],
    linked: Sequence[Linked],
    devices: Sequence[gpu.Ran],
) -> dict[str, Any]:
    """Everything as JSON values."""
    return {
        "schema": 1,
        "seed": seed,
        "seconds": round(seconds, 3),
        "signatures": rows(checked),
        "others": [
            {
                "signature": str(one.signature),
                "side": one.side.value,
                "outcome": one.outcome.value,
                "detail": one.detail,
                "arch": assembler.arch,
                "level": assembler.level,
                "ptxas": assembler.tool.release,
            }
            for assembler, one in checked
            if one.judgement is not Judgement.AGREES
        ],
        "rules": [msgspec.to_builtins(one) for one in ruled],
        "links": [
            {
                "caller": str(one.pair.caller),
                "callee": str(one.pair.callee),
                "expected": one.expected,
                "linked": one.linked,
                "moved": one.moved,
                "words": one.words,
                "silent_break": one.silent_break,
            }
            for one in linked
        ],
        "gpu": msgspec.to_builtins(devices),
    }


def show(
    seed: int,
    seconds: float,
    checked: Sequence[tuple[Assembler, Checked]],
    ruled: Sequence[rules.Ruled],
    linked: Sequence[Linked],
    devices: Sequence[gpu.Ran],
) -> None:
    """Print the figures, and what did not agree."""
    console = answers()
    found = rows(checked)
    if found:
        grid = Table(*found[0], box=None, pad_edge=False, header_style="bold")
        for row in found:
            grid.add_row(*map(str, row.values()))
        console.print(grid)
    telling = [(assembler, one) for assembler, one in checked if one.judgement is not Judgement.AGREES]
    for assembler, one in telling[:SHOWN]:
        console.print(
            f"{assembler.tool.release} {assembler.arch} -{assembler.level} {one.side.value} {one.signature}: {one.outcome.value}, {one.detail}",
            markup=False,
            soft_wrap=True,
        )
    show_rules(console, ruled)
    show_links(console, linked)
    for device in devices:
        console.print(device.told, soft_wrap=True)
    console.print(f"seed {seed}: {len(checked)} answers in {seconds:.1f} s")


def show_rules(console: Console, ruled: Sequence[rules.Ruled]) -> None:
    """How many texts each release took as the model says, and the others."""
    for release in dict.fromkeys(one.release for one in ruled):
        own = [one for one in ruled if one.release == release]
        silent = [one for one in own if not one.conforms and one.seen is Enforced.ACCEPTED]
        console.print(
            f"\nrules, ptxas {release}: {len(own)} texts, {sum(one.agrees for one in own)} as the model says; "
            f"{len(silent)} break the document and are accepted",
            soft_wrap=True,
        )
        for one in own:
            if not one.agrees:
                told = f"  {one.text}: expected {one.expected.value}, {one.seen.value}: {one.words}"
                console.print(told, markup=False, soft_wrap=True)


def show_links(console: Console, linked: Sequence[Linked]) -> None:
    """What the linker said of each pair, and which arguments are passed elsewhere than they are read."""
    if not linked:
        console.print("skipped: nvlink is not installed, so nothing was linked")
    for one in linked:
        verdict = "links" if one.linked else "is refused"
        note = f", but {'; '.join(one.moved)}" if one.moved else ""
        told = f"nvlink: {one.pair.caller} with {one.pair.callee} {verdict}{note}"
        console.print(told, markup=False, soft_wrap=True)
