"""`abiprobe march`: RISC-V toolchains against the text of ISA strings, named ABIs, object headers and code models."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from abiprobe.harness.api.arguments import whole_number
from abiprobe.harness.base.progress import counted
from abiprobe.harness.cli.commands.console import answers, asides, print_json
from abiprobe.harness.march.batch_driver import ToolError
from abiprobe.harness.march.code_models import Linked, linkers, probe_models
from abiprobe.harness.march.differential import Outcome, differ
from abiprobe.harness.march.objects import Compared, probe_objects
from abiprobe.harness.march.toolchains import Judge, installed, named

NOTHING_COMPARED = 3
BROKEN = 4


def march(subjects: str | None, cases: str, seed: str, form: str) -> int:
    """Run the differential and the probes; 1 when a toolchain deviates from the text, 3 without any, 4 when one breaks."""
    names = tuple(part.strip() for part in (subjects or "").split(",") if part.strip())
    judges = named(names) if names else installed()
    if not judges:
        asides().print("skipped: no compiler for RISC-V is installed; pip install ziglang", markup=False)
        return NOTHING_COMPARED
    count, start = whole_number(cases, "--cases", 1), whole_number(seed, "--seed", 0)
    try:
        outcome = differ(judges, count, start)
        asked = counted(judges, "objects", len(judges))
        objects = [each for judge in asked for each in probe_objects(judge)]
        asked = counted(judges, "code models", len(judges))
        links = [each for judge in asked for each in probe_models(judge, linkers())]
    except ToolError as error:
        asides().print(f"abiprobe: {error}", markup=False)
        return BROKEN
    if form == "json":
        print_json({"schema": 1, "seed": start, "pairs": outcome, "objects": objects, "links": links})
    else:
        show(judges, start, outcome, objects, links)
    return int(deviates(outcome, objects, links))


def deviates(outcome: Outcome, objects: Sequence[Compared], links: Sequence[Linked]) -> bool:
    """Return whether a toolchain departs from the text, known or not."""
    return (
        bool(outcome.deviating or outcome.unfaithful)
        or any(each.differences for each in objects)
        or not all(each.agrees for each in links)
    )


def show(
    judges: tuple[Judge, ...], seed: int, outcome: Outcome, objects: list[Compared], links: list[Linked]
) -> None:
    """Print the figures and the kinds of disagreement."""
    console = answers()
    table = Table(
        "who", "reason", "clause", "pairs", "example", box=None, pad_edge=False, header_style="bold"
    )
    for row in outcome.rows:
        cells = (row.judge, row.reason, row.clause or "the text accepts", str(row.count), row.example)
        table.add_row(*map(Text, cells))
    console.print(table)
    console.print(
        f"seed {seed}: {outcome.asked} pairs, {outcome.distinct} strings, {outcome.silent} left open by the text, "
        f"{outcome.seconds['all']:.1f} s; {outcome.sampled} put whole, {len(outcome.unfaithful)} answered otherwise"
    )
    console.print(
        f"{sum(row.count for row in outcome.rows)} disagreements: {outcome.deviating} deviations from the text "
        f"({outcome.untriaged} without a known reason), the rest newer than the tool"
    )
    for judge in judges:
        mine = [each for each in objects if each.judge == judge.name]
        kinds = sorted({difference for each in mine for difference in each.differences})
        console.print(
            f"{judge.name}: {outcome.agreed[judge.name]} pairs agree; of {len(mine)} objects "
            f"{sum(bool(each.differences) for each in mine)} differ"
        )
        for kind in kinds:
            console.print(f"  {kind}", markup=False)
    console.print(f"{len(links)} links at the edges of the code models")
    for each in links:
        if not each.agrees:
            did = "linked" if each.linked else f"refused ({each.words})"
            console.print(
                f"  {each.linker}, {each.judge} {each.model.value} RV{each.xlen}: code at {each.pc:#x}, "
                f"object at {each.address:#x}: {did}",
                markup=False,
            )
