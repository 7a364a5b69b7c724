"""`abiprobe object`: the ABI facts of ELF files and archives of them, and whether two may be linked together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.text import Text

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.commands.console import answers, print_json
from abiprobe.harness.machines.elf_facts.elf import ObjectFile
from abiprobe.harness.machines.elf_facts.facts import Comparison, Fact, Finding, Trouble
from abiprobe.harness.machines.elf_facts.files import Group, Input, compare_inputs, read_input
from abiprobe.harness.machines.elf_facts.machines import MACHINES, facts, machine_of
from abiprobe.oracles.linking.field import Answer
from abiprobe.oracles.text.clause import find_clause
from abiprobe.results.report.wrap import print_hanging

CLAUSE_STYLE = "magenta"
VERDICTS = {
    Answer.LINKED: ("they may be linked together", "bold green"),
    Answer.DROPPED: ("they may be linked together, and the output loses a feature", "bold green"),
    Answer.UNKNOWN: ("not known whether they may be linked together", "bold yellow"),
    Answer.WARNED: ("they are incompatible, though a linker may only warn", "bold red"),
    Answer.REFUSED: ("they may not be linked together", "bold red"),
}
STATUSES = {Answer.LINKED: 0, Answer.DROPPED: 0, Answer.UNKNOWN: 3, Answer.WARNED: 1, Answer.REFUSED: 1}
LINKABLE = {
    Answer.LINKED: True,
    Answer.DROPPED: True,
    Answer.UNKNOWN: None,
    Answer.WARNED: False,
    Answer.REFUSED: False,
}
NAMED = 3
"""How many members of a group are named."""


def object_(files: tuple[Path, ...], form: str) -> int:
    """Print the facts of one file or two, and whether they may be linked together.

    The exit status is 1 for a trouble, or a pair that does not go together, and 3 where that is not known.
    """
    if len(files) not in {1, 2}:
        raise Problem(f"{len(files)} files are named", "name one, or the two that are to be linked together")
    found = [read_input(path) for path in files]
    comparison = None if len(found) == 1 else compare_inputs(found[0], found[1])
    if form == "json":
        print_json(as_json(found, comparison))
    else:
        print_inputs(answers(), found, comparison)
    return status(found, comparison)


def status(found: Sequence[Input], comparison: Comparison | None) -> int:
    """The exit status."""
    groups = [group.found for each in found for group in each.groups]
    if any(troubles(each) for each in groups):
        return 1
    if comparison is not None:
        return STATUSES[comparison.answer]
    return 0 if all(each.machine in MACHINES for each in groups) else STATUSES[Answer.UNKNOWN]


def troubles(found: ObjectFile) -> tuple[Trouble, ...]:
    """Return the violations in a file of the document of its machine."""
    return tuple(machine_of(found).troubles(found))


def print_inputs(console: Console, found: Sequence[Input], comparison: Comparison | None) -> None:
    """The facts for people, then the answer."""
    for each in found:
        for group in each.groups:
            print_group(console, each, group)
        if each.others:
            told = f"{each.path}: {len(each.others)} members are no ELF files: {names(each.others)}"
            print_hanging(console, Text(told), indent=6)
            console.print()
    if comparison is not None:
        print_comparison(console, comparison)


def print_group(console: Console, each: Input, group: Group) -> None:
    """A file, or members of an archive that say the same."""
    title = f"{each.path}: {names(group.members)}" if each.archive else each.path
    console.print(Text(title, style="bold"), soft_wrap=True)
    for fact in facts(group.found):
        print_hanging(console, cited(f"{fact.name}: {fact.value}", fact.clause), first="  ", indent=6)
    for trouble in troubles(group.found):
        print_hanging(
            console, cited(f"wrong: {trouble.why}", trouble.clause, "bold red"), first="  ", indent=6
        )
    if group.found.machine not in MACHINES:
        console.print(Text("  nothing is known of what files of this machine say", style="bold yellow"))
    console.print()


def print_comparison(console: Console, comparison: Comparison) -> None:
    """The answer, its reasons, the gravest first, and what was compared."""
    verdict, style = VERDICTS[comparison.answer]
    console.print(Text(verdict, style=style))
    for finding in sorted(comparison.findings, key=lambda one: -one.answer):
        print_hanging(console, cited(f"{reason(finding)}", finding.clause), first="  ", indent=6)
    print_hanging(console, Text(f"compared: {', '.join(comparison.compared)}"), first="  ", indent=6)


def reason(finding: Finding) -> str:
    """A finding, with the sentence of its clause."""
    says = f" {find_clause(finding.clause).says}" if finding.clause else ""
    kept = {Answer.DROPPED: "the output loses ", Answer.UNKNOWN: "not known: "}.get(finding.answer, "")
    return f"{kept}{finding.why}.{says}"


def names(members: Sequence[str]) -> str:
    """Some members by name, and how many more there are."""
    more = len(members) - NAMED
    return ", ".join(members[:NAMED]) + (f" and {more} more" if more > 0 else "")


def cited(text: str, clause: str, style: str = "") -> Text:
    """A line with the clause that it rests on."""
    shown = Text(text, style=style)
    return shown.append(f" [{clause}]", CLAUSE_STYLE) if clause else shown


def as_json(found: Sequence[Input], comparison: Comparison | None) -> dict[str, Any]:
    """The same as JSON values."""
    value: dict[str, Any] = {
        "schema": 1,
        "files": [group_json(each, group) for each in found for group in each.groups],
    }
    others = {each.path: each.others for each in found if each.others}
    if others:
        value["others"] = others
    if comparison is not None:
        value["answer"] = comparison.answer.name.lower()
        value["linkable"] = LINKABLE[comparison.answer]
        value["compared"] = comparison.compared
        value["findings"] = [finding_json(each) for each in comparison.findings]
    return value


def group_json(each: Input, group: Group) -> dict[str, Any]:
    """A file, or members of an archive that say the same."""
    told: tuple[Fact, ...] = tuple(facts(group.found))
    value: dict[str, Any] = {
        "file": each.path,
        "machine": group.found.machine,
        "flags": group.found.flags,
        "target": machine_of(group.found).targets(group.found),
        "facts": msgspec.to_builtins(told),
        "troubles": msgspec.to_builtins(troubles(group.found)),
    }
    return {**value, "members": group.members} if each.archive else value


def finding_json(finding: Finding) -> dict[str, Any]:
    """A finding with its answer in a word."""
    return {"answer": finding.answer.name.lower(), "why": finding.why, "clause": finding.clause}
