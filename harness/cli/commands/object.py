"""`abiprobe object`: the ABI facts of an ELF file, and whether two may be linked together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.text import Text

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.commands.console import answers, print_json
from abiprobe.harness.machines.elf_facts.elf import ObjectFile, read_object
from abiprobe.harness.machines.elf_facts.facts import Fact, Trouble
from abiprobe.harness.machines.elf_facts.machines import MACHINES, order, refusals
from abiprobe.oracles.clause import find_clause
from abiprobe.results.report.wrap import print_hanging

CLAUSE_STYLE = "magenta"


def object_(files: tuple[Path, ...], form: str) -> int:
    """Print the facts of one file or two; the exit status is 1 for a trouble, or a pair that may not be linked."""
    if len(files) not in {1, 2}:
        raise Problem(f"{len(files)} files are named", "name one, or the two that are to be linked together")
    found = [known(read_object(path)) for path in files]
    troubles = [tuple(MACHINES[item.machine].troubles(item)) for item in found]
    refused = None if len(found) == 1 else tuple(refusals(found[0], found[1]))
    if form == "json":
        print_json(as_json(found, troubles, refused))
    else:
        print_objects(answers(), found, troubles, refused)
    return 1 if any(troubles) or refused else 0


def known(found: ObjectFile) -> ObjectFile:
    """The file, if it is of a target; raises `Problem` for another machine."""
    if found.machine in MACHINES:
        return found
    names = ", ".join(f"{machine.name} ({number})" for number, machine in MACHINES.items())
    raise Problem(f"{found.path} is for machine {found.machine}, which is no target's", f"known are {names}")


def all_facts(found: ObjectFile) -> tuple[Fact, ...]:
    """What every file says, then what those of its machine do."""
    machine = MACHINES[found.machine]
    return (
        Fact("file", f"{found.kind}, ELF{found.elf_class}, {order(found)}, EI_OSABI {found.os_abi}"),
        Fact("machine", f"{machine.name} ({found.machine:#x})"),
        Fact("e_flags", f"{found.flags:#010x}"),
        Fact("target", machine.targets(found)),
        *machine.facts(found),
    )


def print_objects(
    console: Console,
    found: list[ObjectFile],
    troubles: list[tuple[Trouble, ...]],
    refused: tuple[Trouble, ...] | None,
) -> None:
    """The facts for people."""
    for item, own in zip(found, troubles, strict=True):
        console.print(Text(item.path, style="bold"), soft_wrap=True)
        for fact in all_facts(item):
            print_hanging(console, cited(f"{fact.name}: {fact.value}", fact.clause), first="  ", indent=6)
        for trouble in own:
            print_hanging(
                console, cited(f"wrong: {trouble.why}", trouble.clause, "bold red"), first="  ", indent=6
            )
        console.print()
    if refused is not None:
        verdict = "they may not be linked together" if refused else "they may be linked together"
        console.print(Text(verdict, style="bold red" if refused else "bold green"))
        for trouble in refused:
            says = f" {find_clause(trouble.clause).says}" if trouble.clause else ""
            print_hanging(console, cited(f"{trouble.why}.{says}", trouble.clause), first="  ", indent=6)


def cited(text: str, clause: str, style: str = "") -> Text:
    """A line with the clause that it rests on."""
    shown = Text(text, style=style)
    return shown.append(f" [{clause}]", CLAUSE_STYLE) if clause else shown


def as_json(
    found: list[ObjectFile], troubles: list[tuple[Trouble, ...]], refused: tuple[Trouble, ...] | None
) -> dict[str, Any]:
    """The same as JSON values."""
    value: dict[str, Any] = {
        "schema": 1,
        "files": [
            {
                "file": item.path,
                "machine": item.machine,
                "flags": item.flags,
                "target": MACHINES[item.machine].targets(item),
                "facts": msgspec.to_builtins(all_facts(item)),
                "troubles": msgspec.to_builtins(own),
            }
            for item, own in zip(found, troubles, strict=True)
        ],
    }
    if refused is not None:
        value["linkable"] = not refused
        value["refusals"] = msgspec.to_builtins(refused)
    return value
