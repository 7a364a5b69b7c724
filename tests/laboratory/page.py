"""The laboratory page: what was measured, as sections of Markdown that are replaced one by one."""

from __future__ import annotations

import re
import statistics
from collections.abc import Mapping, Sequence

from abiprobe.generators.tours import Part
from laboratory.fate import DETECTED
from laboratory.flags import Kill
from laboratory.reasons import reason
from laboratory.tally import share

OPEN, CLOSE = "<!-- section {} -->", "<!-- end {} -->"
TABLE = re.compile(r"^### (\w+)$.*?\n\n((?:\| [^\n]*\n)+)", re.MULTILINE | re.DOTALL)
"""A section about a family of models: its name, and the table of its scores."""


def put(page: str, name: str, text: str) -> str:
    """A page with one section replaced, or added at its end."""
    start, end = OPEN.format(name), CLOSE.format(name)
    section = f"{start}\n{text.strip()}\n{end}"
    if start not in page:
        return f"{page.rstrip()}\n\n{section}\n"
    return re.sub(f"{re.escape(start)}.*?{re.escape(end)}", lambda _: section, page, flags=re.DOTALL)


def summarised(page: str) -> str:
    """A page with the scores of all its models in one table, before its first heading; they are read from its sections."""
    found = [(family, *scored(lines)) for family, lines in TABLE.findall(page)]
    if not found:
        return page
    lines = [
        "| model | wrong models | noticed | equivalent | left | score | argument placement |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
        *(f"| {' | '.join(row)} |" for row in found),
    ]
    text = "\n".join(lines)
    if OPEN.format("summary") in page:
        return put(page, "summary", text)
    head, mark, rest = page.partition("\n## ")
    return put(head, "summary", text) + mark + rest


def scored(table: str) -> tuple[str, ...]:
    """Of the table of one family: all wrong models, those noticed, proved equivalent and left, and both scores."""
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    every, noticed, equivalent = counts(dict(zip(head, rows[0], strict=True)))
    placed, found, proved = counts(dict(zip(head, rows[-1], strict=True)))
    numbers = (every, noticed, equivalent, every - noticed - equivalent)
    return (*map(str, numbers), share(noticed, every - equivalent), share(found, placed - proved))


def counts(row: Mapping[str, str]) -> tuple[int, int, int]:
    """Of a row of such a table: all wrong models, those noticed, and those proved equivalent."""
    noticed = sum(int(row.get(fate.value, 0)) for fate in DETECTED)
    return int(row["wrong models"]), noticed, int(row["equivalent"])


def tours_section(found: Sequence[tuple[str, tuple[Part, ...]]]) -> str:
    """The automata and tours of each target."""
    lines = [
        "## Tours",
        "",
        "States and transitions of the automata derived from the models, the argument classes found, and the signatures of at most",
        "16 arguments that cross every transition. States that answer whatever is next alike are one. Of a variadic call only its own",
        "transitions count.",
        "",
        "| target | call | states | transitions | classes | signatures |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for target, parts in found:
        for number, part in enumerate(parts):
            counts = (part.states, part.transitions, part.classes, len(part.signatures))
            shown = " | ".join(str(count) if count else "" for count in counts)
            lines.append(f"| {target if not number else ''} | {part.mode} | {shown} |")
    return "\n".join(lines)


def flags_section(kills: Sequence[Kill]) -> str:
    """Compilers with a flag of which the model was not told."""
    killed = [one for one in kills if one.fate == "killed"]
    alive = [one for one in kills if one.fate == "survived"]
    inert = [one for one in kills if one.fate == "inert"]
    lines = [
        "## Compilers made wrong by a flag",
        "",
        f"{len(killed)} killed, {len(alive)} survived, {len(inert)} inert (the same object code as without the flag, byte for byte, on every",
        "probe), the others refused by the compiler or the linker.",
    ]
    if killed:
        seconds = [one.seconds for one in killed]
        lines.append(
            f"Time to the first kill: median {statistics.median(seconds):.1f} s, longest {max(seconds):.1f} s;"
            f" probes asked by then: median {statistics.median(one.probes for one in killed):.0f}."
        )
    lines += [
        "",
        "| target | subject | flag | fate | seconds | probes | clause blamed |",
        "| --- | --- | --- | --- | ---: | ---: | --- |",
    ]
    for one in kills:
        numbers = f"{one.seconds:.1f} | {one.probes}" if one.fate != "refused" else " | "
        known = reason("flags", f"{one.flag.target} {one.flag.family} {one.flag.text}")
        words = one.clause or known or one.detail.replace("|", "/")[:80]
        lines.append(
            f"| {one.flag.target} | {one.subject} | `{one.flag.text}` | {one.fate} | {numbers} | {words} |"
        )
    return "\n".join(lines)
