"""The findings of `abiprobe ptx`, as text and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from abiprobe.harness.cli.commands.console import answers
from abiprobe.harness.observers.device.assembler import gpu
from abiprobe.harness.observers.device.assembler.assemble import Assembler
from abiprobe.harness.ptxas import rules
from abiprobe.harness.ptxas.known import Known, known
from abiprobe.harness.ptxas.links import Linked
from abiprobe.harness.ptxas.physical import Checked
from abiprobe.oracles.abis.ptx.text.rules import Enforced
from abiprobe.oracles.text.clause import find_clause
from abiprobe.results.verdicts.record import Judgement, Outcome

SHOWN = 5


class Found(msgspec.Struct, frozen=True):
    """Everything that one call of the command found; `seconds` is the wall time that it took.

    What ptxas is known for is no news: a text that its rule says it accepts, and what `ptxas.known` explains.
    """

    seed: int
    seconds: float
    checked: tuple[tuple[Assembler, Checked], ...]
    ruled: tuple[rules.Ruled, ...]
    linked: tuple[Linked, ...]
    device: gpu.GpuResult

    @property
    def news(self) -> list[Checked]:
        """The answers that are neither as the model says nor known."""
        return [
            one
            for assembler, one in self.checked
            if one.judgement is not Judgement.AGREES and known(assembler, one) is None
        ]

    @property
    def deviates(self) -> bool:
        """Return whether a tool departs from a document, or from the model of the tool, otherwise than it is known to."""
        return (
            any(one.judgement is Judgement.DEVIATES for one in self.news)
            or any(not one.agrees for one in self.ruled)
            or any(one.expected != one.linked for one in self.linked)
            or bool(self.device.deviations)
        )

    @property
    def broke(self) -> bool:
        """Return whether ptxas crashed or hung on what it is not known to crash on."""
        broken = {Outcome.CRASHED, Outcome.TIMED_OUT}
        return any(one.outcome in broken for one in self.news) or any(
            one.seen is Enforced.CRASHED and not one.agrees for one in self.ruled
        )

    @property
    def status(self) -> int:
        """The exit status of the command."""
        if self.deviates:
            return 1
        if self.broke:
            return 4
        return 0 if any(one.judgement is Judgement.AGREES for _, one in self.checked) or self.ruled else 3


def rows(checked: Sequence[tuple[Assembler, Checked]]) -> list[dict[str, Any]]:
    """Return the number of answers of each kind, by release, architecture, level and side."""
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


def as_json(found: Found) -> dict[str, Any]:
    """Everything as JSON values."""
    return {
        "schema": 1,
        "seed": found.seed,
        "seconds": round(found.seconds, 3),
        "signatures": rows(found.checked),
        "others": [
            {
                "signature": one.what,
                "side": one.side.value,
                "outcome": one.outcome.value,
                "detail": one.detail,
                "clause": one.clause,
                "known": own.id if (own := known(assembler, one)) is not None else "",
                "arch": assembler.arch,
                "level": assembler.level,
                "ptxas": assembler.tool.release,
            }
            for assembler, one in found.checked
            if one.judgement is not Judgement.AGREES
        ],
        "rules": [msgspec.to_builtins(one) for one in found.ruled],
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
            for one in found.linked
        ],
        "gpu": [msgspec.to_builtins(found.device)],
    }


def show(found: Found) -> None:
    """Print the figures, and what did not agree."""
    console = answers()
    counted = rows(found.checked)
    if counted:
        grid = Table(*counted[0], box=None, pad_edge=False, header_style="bold")
        for row in counted:
            grid.add_row(*map(str, row.values()))
        console.print(grid)
    failing = [(assembler, one) for assembler, one in found.checked if one.judgement is not Judgement.AGREES]
    fresh = [(assembler, one) for assembler, one in failing if known(assembler, one) is None]
    for assembler, one in fresh[:SHOWN]:
        clause = f" ({one.clause})" if one.clause else ""
        words = f"{one.side.value} {one.what}: {one.outcome.value}, {one.detail}{clause}"
        where = f"{assembler.tool.release} {assembler.arch} -{assembler.level}"
        console.print(f"{where} {words}", markup=False, soft_wrap=True)
    show_known(console, failing)
    show_rules(console, found.ruled)
    show_links(console, found.linked)
    console.print(found.device.summary, soft_wrap=True)
    console.print(f"seed {found.seed}: {len(found.checked)} answers in {found.seconds:.1f} s")


def show_known(console: Console, failing: Sequence[tuple[Assembler, Checked]]) -> None:
    """Print the number of answers that each known deviation explains, with the shortest signature."""
    explained: dict[Known, list[Checked]] = {}
    for assembler, one in failing:
        if (own := known(assembler, one)) is not None:
            explained.setdefault(own, []).append(one)
    for own, found in explained.items():
        example = min(found, key=lambda one: (len(one.what), one.unsized))
        words = f"known as {own.id}: ptxas {own.says}; {len(found)} answers, e.g. {example.what}"
        console.print(f"{words}: {example.detail}", markup=False, soft_wrap=True)


def show_rules(console: Console, ruled: Sequence[rules.Ruled]) -> None:
    """Print the number of texts on which each release agrees with the model, and the other texts."""
    for release in dict.fromkeys(one.release for one in ruled):
        own = [one for one in ruled if one.release == release]
        silent = [one for one in own if one.tolerated]
        console.print(
            f"\nrules, ptxas {release}: {len(own)} texts, {sum(one.agrees for one in own)} as the model says; "
            f"{len(silent)} break the document and are accepted, as known{':' if silent else ''}",
            soft_wrap=True,
        )
        for line in tolerated(silent):
            console.print(f"  {line}", markup=False, soft_wrap=True)
        for one in own:
            if not one.agrees:
                words = f"  {one.text}: expected {one.expected.value}, {one.seen.value}: {one.words}"
                console.print(words, markup=False, soft_wrap=True)


def tolerated(ruled: Sequence[rules.Ruled]) -> list[str]:
    """The clauses that accepted texts break, most frequent first, each with what it says and an example."""
    by_clause: dict[str, list[rules.Ruled]] = {}
    for one in ruled:
        by_clause.setdefault(one.clauses[0], []).append(one)
    lines = []
    for clause, broken in sorted(by_clause.items(), key=lambda item: (-len(item[1]), item[0])):
        about = find_clause(clause)
        example = min(broken, key=lambda one: (len(one.text), one.text))
        breach = f" ({example.breaches[0]})" if example.breaches[0] != example.text else ""
        lines.append(
            f"{clause}, {len(broken)} accepted, e.g. {example.text}{breach}; {about.section}: {about.says}"
        )
    return lines


def show_links(console: Console, linked: Sequence[Linked]) -> None:
    """Print the linker's answer on each pair, and the arguments that are passed elsewhere than they are read."""
    if not linked:
        console.print("skipped: nvlink is not installed, so nothing was linked")
    for one in linked:
        console.print(link_sentence(one), markup=False, soft_wrap=True)


def link_sentence(one: Linked) -> str:
    """Return the outcome of a pair as a sentence."""
    pair = f"a caller that declares {one.pair.caller} with a function defined as {one.pair.callee}"
    if not one.linked:
        return f"nvlink refuses to link {pair}"
    if not one.moved:
        return f"nvlink links {pair}; every argument arrives"
    return f"nvlink links {pair} without a word, although {'; '.join(one.moved)}"
