"""The fate of a promise, for people and as values: how often it held, and each cause for which it did not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from abiprobe.oracles.language.question import Question
from abiprobe.oracles.text.clause import address, recorded_clause
from abiprobe.results.causes.promises import BrokenPromise
from abiprobe.results.causes.traits import described
from abiprobe.results.coverage.promises import PromisedPart, Tested
from abiprobe.results.report.json_form import SCHEMA, blame_json
from abiprobe.results.verdicts.quantity import quantity

UNDECIDED = "the text leaves it open"
Show = Callable[[Question], str]


def base(target: str) -> str:
    """A target without the dialect that leaves every question open."""
    return target.partition("@")[0]


def verdict_line(tested: Tested, causes: int) -> str:
    """Return the fate of a promise in a line, with the numbers."""
    if tested.broken:
        of = tested.broken + tested.held
        why = f", for {quantity(causes, 'cause')}" if causes else ""
        return f"{tested.promise}: broken on {tested.broken} of {of} questions{why}"
    if not tested.held:
        return f"{tested.promise}: nothing was compared"
    return f"{tested.promise}: held on {quantity(tested.held, 'question')}"


def part_lines(tested: Tested) -> Iterator[str]:
    """The numbers for the layouts and calls of each target, and why some questions were not compared."""
    for part in tested.parts:
        yield f"{base(part.target)} {part.part}: {numbers(part)}"
        if part.uncompared:
            yield from (f"  not compared: {line}" for line in part.reasons)


def numbers(part: PromisedPart) -> str:
    """Return the numbers of questions about a part of a target held, were broken and were not compared."""
    return f"held on {part.held}, broken on {len(part.broken)}, {part.uncompared} not compared"


def decided(clause: str) -> str:
    """The clause that decides a part, or that leaves it open, in words."""
    if not clause:
        return UNDECIDED
    found = recorded_clause(clause)
    return f"{clause}: {found.says}" + (f" {UNDECIDED[0].upper()}{UNDECIDED[1:]}." if found.silent else "")


def cause_lines(number: int, found: BrokenPromise, show: Show) -> Iterator[str]:
    """One cause in full: who does what, the clause, who follows it, and the smallest example."""
    item, first = found.cause, found.cause.first
    yield f"{number}. {item.id}  {described(item.traits)}: {item.symptom.value}, {quantity(item.probes, 'probe')}"
    yield f"   {base(first.fingerprint.target)}: {first.blame.describe(item.symptom)}"
    yield f"   {decided(found.clause)}"
    yield from (f"   {one}" for one in found.stands)
    yield f"   {first.confirmed}"
    yield from (f"     {line}" for line in show(first.example).splitlines())


def tested_json(tested: Tested, causes: Sequence[BrokenPromise], show: Show) -> dict[str, Any]:
    """Return the fate of a promise as plain values."""
    return {
        "schema": SCHEMA,
        "subjects": list(tested.promise.names),
        "held": tested.held,
        "broken": tested.broken,
        "uncompared": tested.uncompared,
        "parts": [
            {
                "target": base(part.target),
                "part": part.part,
                "held": part.held,
                "broken": len(part.broken),
                "uncompared": part.uncompared,
                "reasons": list(part.reasons) if part.uncompared else [],
            }
            for part in tested.parts
        ],
        "causes": [cause_json(one, show) for one in causes],
    }


def cause_json(found: BrokenPromise, show: Show) -> dict[str, Any]:
    """One cause as plain values."""
    item, first = found.cause, found.cause.first
    return {
        "id": item.id,
        "cause": described(item.traits),
        "symptom": item.symptom.value,
        "targets": [base(one) for one in item.targets],
        "probes": item.probes,
        "clause": found.clause,
        "blame": blame_json(first.blame),
        "by_text": [msgspec.to_builtins(one) for one in found.stands],
        "confirmed": first.confirmed,
        "example": show(first.example),
    }


def release_notes(tested: Tested, causes: Sequence[BrokenPromise], show: Show) -> Iterator[str]:
    """The draft of release notes: what of the ABI changes from the first subject to the second one, by cause."""
    before, after = tested.promise.names
    yield f"# ABI changes from {before} to {after}"
    yield ""
    targets = ", ".join(dict.fromkeys(base(part.target) for part in tested.parts))
    yield f"Compared on {targets}: {tested.held + tested.broken} questions, {tested.broken} of them answered otherwise."
    for found in causes:
        item, first = found.cause, found.cause.first
        yield ""
        yield f"## {described(item.traits)} ({', '.join(base(one) for one in item.targets)})"
        yield ""
        yield f"{first.blame.describe(item.symptom)}."
        yield ""
        yield by_text(found.clause)
        yield ""
        yield from (f"* {one}" for one in found.stands)
        yield ""
        yield "```c"
        yield show(first.example)
        yield "```"


def by_text(clause: str) -> str:
    """A sentence on what the text says, with the clause that decides or that leaves it open."""
    undecided = f"{UNDECIDED[0].upper()}{UNDECIDED[1:]}"
    if not clause:
        return f"{undecided}."
    return f"{undecided if recorded_clause(clause).silent else 'By the text'}, {clause_link(clause)}."


def clause_link(clause: str) -> str:
    """Return the words of a clause, with its address where it has one."""
    where, says = address(clause), recorded_clause(clause).says.rstrip(".")
    return f"[{clause}]({where}): {says}" if where.startswith("http") else f"{clause}: {says}"
