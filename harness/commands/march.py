"""`abiprobe march`: RISC-V toolchains against the text of ISA strings, named ABIs, object headers and code models."""

from __future__ import annotations

from rich.table import Table

from abiprobe.harness.commands.arguments import whole_number
from abiprobe.harness.commands.console import answers, asides, print_json
from abiprobe.harness.problem import Problem
from abiprobe.harness.riscv.asking import ToolError
from abiprobe.harness.riscv.code_models import Linked, linkers, probe_models
from abiprobe.harness.riscv.differential import Outcome, differ
from abiprobe.harness.riscv.judges import Judge, installed
from abiprobe.harness.riscv.objects import Compared, probe_objects

NOTHING_COMPARED = 3
BROKEN = 4


def march(subjects: str | None, cases: str, seed: str, form: str) -> int:
    """Run the differential and the probes; 1 for a disagreement without a known reason."""
    names = tuple(part.strip() for part in (subjects or "").split(",") if part.strip())
    judges = installed(names)
    absent = set(names) - {judge.name for judge in judges}
    if absent:
        here = ", ".join(judge.name for judge in installed())
        raise Problem(f"no such RISC-V toolchain: {', '.join(sorted(absent))}", f"here are {here or 'none'}")
    if not judges:
        return NOTHING_COMPARED
    count, start = whole_number(cases, "--cases", 1), whole_number(seed, "--seed", 0)
    try:
        with asides().status("asking the toolchains"):
            outcome = differ(judges, count, start)
            objects = [each for judge in judges for each in probe_objects(judge)]
            links = [each for judge in judges for each in probe_models(judge, linkers())]
    except ToolError as error:
        asides().print(f"abiprobe: {error}", markup=False)
        return BROKEN
    if form == "json":
        print_json({"schema": 1, "seed": start, "pairs": outcome, "objects": objects, "links": links})
    else:
        show(judges, start, outcome, objects, links)
    return 1 if outcome.untriaged or outcome.unfaithful else 0


def show(
    judges: tuple[Judge, ...], seed: int, outcome: Outcome, objects: list[Compared], links: list[Linked]
) -> None:
    """Print the figures and the kinds of disagreement."""
    console = answers()
    table = Table(
        "who", "reason", "clause", "pairs", "example", box=None, pad_edge=False, header_style="bold"
    )
    for row in outcome.rows:
        table.add_row(row.judge, row.reason, row.clause or "the text accepts", str(row.count), row.example)
    console.print(table)
    console.print(
        f"seed {seed}: {outcome.asked} pairs, {outcome.distinct} strings, {outcome.silent} left open by the text, "
        f"{outcome.seconds['all']:.1f} s; {outcome.sampled} put whole, {len(outcome.unfaithful)} answered otherwise"
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
