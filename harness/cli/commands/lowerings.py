"""`abiprobe lowerings`: the signatures that several lowerings from C to LLVM IR give the same prototypes."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice

import msgspec
from rich.table import Table

from abiprobe.generators.pool import stream
from abiprobe.generators.reduction.cost import cost
from abiprobe.harness.api.arguments import duration, whole_number, workers
from abiprobe.harness.base.progress import counted, steps
from abiprobe.harness.cli.commands.console import asides, print_json, print_lines, print_table
from abiprobe.harness.input import STRICT, ReadOptions
from abiprobe.harness.lowerings.available import by_default, named, require_known
from abiprobe.harness.lowerings.causes import Cause, causes
from abiprobe.harness.lowerings.declared import functions_at, is_file
from abiprobe.harness.lowerings.known import Sorted, gone, line_about, sort_out
from abiprobe.harness.lowerings.place import TRIPLES, Place, language_of
from abiprobe.harness.lowerings.registers import Registers, registers
from abiprobe.harness.lowerings.signature import Role
from abiprobe.harness.lowerings.sweep import SweepResult, Tally, sweep
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.subjects.subject import Subject
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import Sort
from abiprobe.results.known.entries import in_force
from abiprobe.results.known.lowerings import Entry
from abiprobe.results.verdicts.record import Outcome

DIFFERS, NOTHING_COMPARED, BROKEN = 1, 3, 4
ENOUGH = 250
"""Prototypes from which on the examples of known differences that were not met are lowered."""
INSTALL = "abiprobe toolchains install clang-24"
SHOWN = (Role.DEFINITION, Role.CALL)
"""Lines that text shows; those of `declare` are seldom others, and JSON has them."""
GROUP = re.compile(r" #\d+$")
"""The attributes of the function, which are not compared."""
CRASHES = (Outcome.CRASHED.value, Outcome.TIMED_OUT.value)
TOLD = (*CRASHES, Outcome.UNDECODED.value, Outcome.NOT_RUN.value)
"""Failures that are told; what a compiler refuses in order is only counted, unless it is not implemented."""


class Request(msgspec.Struct, frozen=True):
    """The request of a user: places, lowerings, number of prototypes and their seed, and seconds for reductions.

    With `files` the prototypes are those that they declare, read as `how` says, and none are drawn.
    """

    places: tuple[Place, ...]
    lowerings: tuple[Subject, ...]
    cases: int
    seed: int
    seconds: float
    jobs: int
    files: tuple[str, ...] = ()
    how: ReadOptions = STRICT

    @classmethod
    def of(
        cls,
        words: Sequence[str],
        subjects: str | None,
        cases: str,
        seed: str,
        budget: str,
        jobs: str | None,
        how: ReadOptions = STRICT,
    ) -> Request:
        """Parse the arguments of a command line, of which some may be files. Raises `Problem` for a mistake."""
        files = tuple(word for word in words if is_file(word))
        places = [word for word in words if word not in files]
        count, start = whole_number(cases, "--cases", 1), whole_number(seed, "--seed", 0)
        seconds, at_once = duration(budget), workers(jobs)
        asked = tuple(Place(name) for name in dict.fromkeys(places or TRIPLES))
        found = by_default(asked) if subjects is None else named(subjects, asked)
        if found:
            require_known(asked, found[0])
        return cls(asked, found, 0 if files else count, start, seconds, at_once, files, how)


class Finding(msgspec.Struct, frozen=True):
    """A cause, and whether the registers differ, where that could be asked."""

    cause: Cause
    registers: Registers | None


class Found(msgspec.Struct, frozen=True):
    """The findings: tallies, known differences, causes of new ones, entries that no longer occur, and the time taken."""

    asked: Request
    swept: SweepResult
    known: Sorted
    findings: tuple[Finding, ...]
    gone: tuple[str, ...]
    seconds: float

    def tallies(self) -> Iterator[tuple[Place, str, Tally]]:
        """The tallies with the place and the lowering of each."""
        for (place, number), tally in self.swept.tallies.items():
            yield place, self.asked.lowerings[number].spelling, tally

    def status(self, *, strict: bool) -> int:
        """The exit status: known differences and crashes count with `strict` only, and then optimization attributes as well."""
        tallies = self.swept.tallies
        new = any(one.abi for member in self.known.new for one in member.differences)
        if self.gone or new or (strict and any(tally.differing for tally in tallies.values())):
            return DIFFERS
        for (place, number), tally in tallies.items():
            for key in tally.failures:
                if key[0] in CRASHES and (strict or (place, number, key) not in self.known.crashes):
                    return BROKEN
        return 0 if any(tally.compared for tally in tallies.values()) else NOTHING_COMPARED


def lowerings(asked: Request, known: Sequence[Entry], form: str, *, strict: bool) -> int:
    """Compare; 1 when signatures differ in a way that is not known, or a known one no longer does, 3 when nothing could be compared, 4 when a lowering crashed."""
    if len(asked.lowerings) < 2:
        asides().print(f"skipped: no clang with two lowerings is installed; {INSTALL}", markup=False)
        return NOTHING_COMPARED
    started = time.monotonic()
    entries = in_force(known, datetime.now(UTC).date())
    swept = of_files(asked) if asked.files else drawn_and_swept(asked)
    sorted_out = sort_out(swept, asked.lowerings, entries)
    with steps("reducing", seconds=asked.seconds):
        reduced = causes(sorted_out.new, asked.jobs, time.monotonic() + asked.seconds)
    findings = tuple(
        Finding(one, registers(one.pair, one.place, one.function) if one.reduced else None)
        for one in counted(reduced, "registers of causes", len(reduced))
    )
    missed = [entry for entry in entries if entry.name not in sorted_out.met] if asked.cases >= ENOUGH else []
    over = gone(missed, asked.places, asked.lowerings)
    found = Found(asked, swept, sorted_out, findings, over, time.monotonic() - started)
    if form == "json":
        print_json(as_json(found, entries))
    else:
        show(found, entries)
    return found.status(strict=strict)


def drawn_and_swept(asked: Request) -> SweepResult:
    """Put random prototypes to the lowerings, the same ones at every place."""
    return sweep(asked.places, asked.lowerings, tuple(drawn(asked)), asked.jobs)


def of_files(asked: Request) -> SweepResult:
    """Put a user's own prototypes to the lowerings, those of each place as they read there; raises `Problem` where there are none."""
    swept = SweepResult()
    for place in asked.places:
        own = functions_at(asked.files, place, asked.how)
        for one in own.skipped:
            asides().print(f"{place.name}: skipped {one.name} ({one.where}): {one.reason}", markup=False)
        swept.add(sweep((place,), asked.lowerings, own.functions, asked.jobs))
    return swept


def drawn(asked: Request) -> Iterator[Prototype]:
    """The prototypes of a seed; those that none of the other languages among the lowerings can say are left out."""
    found = map(language_of, asked.lowerings)
    languages = tuple(language for language in found if language is not None)
    questions = stream(seed=asked.seed, kind=Sort.PROTOTYPES)
    if languages:
        # Knows every observer, which takes long to load.
        from abiprobe.harness.runs.question_batches import sayable

        questions = sayable(questions, [(language.name, language.lacks) for language in languages])
    yield from (one for one in islice(questions, asked.cases) if isinstance(one, Prototype))


def show(found: Found, entries: Sequence[Entry]) -> None:
    """Print the tallies, what was not lowered, each cause, and what is known."""
    asked = found.asked
    print_lines([f"{what_was_asked(asked)}, {asked.lowerings[0]} is compared with each other lowering"])
    print_table(table(found))
    print_lines(("", *remarks(found)))
    for finding in found.findings:
        if finding.cause.reduced:
            print_lines(about(finding))
    print_lines(unreduced([one.cause for one in found.findings if not one.cause.reduced]))
    print_lines(known_lines(found, entries))
    cpu = sum(tally.cpu_seconds for tally in found.swept.tallies.values())
    print_lines([f"{found.seconds:.0f} s, compilers took {cpu:.1f} CPU seconds for the prototypes"])


def what_was_asked(asked: Request) -> str:
    """The prototypes in words."""
    if asked.files:
        return f"the functions of {', '.join(asked.files)}"
    return f"seed {asked.seed}: {asked.cases} prototypes"


def table(found: Found) -> Table:
    """A row for each place and lowering."""
    rows = Table(box=None, pad_edge=False)
    for heading in (
        "target",
        "lowering",
        "lowered",
        "refused",
        "crashed",
        "compared",
        "differ",
        "attributes only",
    ):
        rows.add_column(heading, justify="left" if heading in {"target", "lowering"} else "right")
    for place, name, tally in found.tallies():
        crashed = sum(tally.outcomes[each] for each in CRASHES)
        lowered = tally.outcomes[Outcome.OBSERVED.value]
        refused = tally.outcomes.total() - lowered - crashed
        numbers = lowered, refused, crashed, tally.compared, tally.abi, tally.differing - tally.abi
        rows.add_row(place.name, name, *map(str, numbers))
    return rows


def remarks(found: Found) -> Iterator[str]:
    """Yield the things that lowerings said they do not do, once for all places in common, with the smallest example."""
    said: dict[tuple[str, str], list[str]] = {}
    examples: dict[tuple[str, str], Prototype] = {}
    for place, name, tally in found.tallies():
        if tally.nothing:
            said.setdefault((name, f"lowers nothing: {tally.nothing}"), []).append(place.name)
        for words in tally.warnings:
            said.setdefault((name, f"warns: {words}"), []).append(place.name)
        for key, number in tally.failures.items():
            outcome, words = key
            if outcome in TOLD or "not yet implemented" in words.lower():
                about_it = name, f"{outcome}: {words}"
                said.setdefault(about_it, []).append(f"{place.name} ({number})")
                example = tally.examples[key]
                examples[about_it] = min(examples.get(about_it, example), example, key=cost)
    for key, places in said.items():
        yield f"{' '.join(key)}: {', '.join(places)}"
        if key in examples:
            yield from (f"    {line}" for line in declaration(examples[key]).splitlines())
    if said:
        yield ""


def about(finding: Finding) -> Iterator[str]:
    """A cause in lines."""
    cause = finding.cause
    kind = "" if cause.difference.abi else "; passed alike"
    yield f"{cause.pair[0]} and {cause.pair[1]}, {sum(cause.counts.values())} prototypes{kind}"
    yield f"  {', '.join(f'{place} {number}' for place, number in cause.counts.items())}"
    yield from (f"  {one}" for one in cause.seen)
    yield from (f"    {line}" for line in declaration(cause.function).splitlines())
    for role in SHOWN:
        for name, lines in zip(cause.pair, cause.lines, strict=True):
            yield f"    {name}: {GROUP.sub('', lines[role.value])}"
    if finding.registers is not None:
        yield f"  {cause.place.name}, {finding.registers}"
    yield ""


def unreduced(left: Sequence[Cause]) -> Iterator[str]:
    """Yield a line for each kind of difference that there was no time to reduce."""
    if left:
        yield "not reduced (--reduce gives more time):"
        for cause in left:
            yield f"  {cause.pair[1]}  {cause.difference}: {sum(cause.counts.values())} prototypes"
        yield ""


def known_lines(found: Found, entries: Sequence[Entry]) -> Iterator[str]:
    """The entries that explain something, and those that no longer do."""
    met = [(entry, found.known.met[entry.name]) for entry in entries if entry.name in found.known.met]
    if met:
        yield f"{len(met)} known difference{'s' if len(met) > 1 else ''} (prototypes):"
        yield from (line_about(entry, counts) for entry, counts in met)
        yield ""
    yield from (f"known, but no longer occurs: {name}" for name in found.gone)


def as_json(found: Found, entries: Sequence[Entry]) -> dict[str, object]:
    """Everything as values."""
    asked = found.asked
    return {
        "schema": 1,
        **({"files": asked.files} if asked.files else {"seed": asked.seed, "cases": asked.cases}),
        "lowerings": [str(one) for one in asked.lowerings],
        "seconds": found.seconds,
        "tallies": [
            {"target": place.name, "lowering": name, **of_tally(tally)}
            for place, name, tally in found.tallies()
        ],
        "causes": [of_finding(one) for one in found.findings],
        "known": [
            {
                "name": one.name,
                "status": one.status.value,
                "link": one.link,
                "prototypes": found.known.met[one.name],
            }
            for one in entries
            if one.name in found.known.met
        ],
        "gone": found.gone,
    }


def of_tally(tally: Tally) -> dict[str, object]:
    """A tally as values."""
    return {
        "outcomes": tally.outcomes,
        "compared": tally.compared,
        "differ": tally.abi,
        "attributes_only": tally.differing - tally.abi,
        "lowers_nothing": tally.nothing,
        "warnings": tally.warnings,
        "failures": [
            {
                "outcome": key[0],
                "words": key[1],
                "prototypes": number,
                "example": declaration(tally.examples[key]),
            }
            for key, number in tally.failures.most_common()
        ],
        "cpu_seconds": round(tally.cpu_seconds, 3),
    }


def of_finding(finding: Finding) -> dict[str, object]:
    """A cause as values."""
    cause = finding.cause
    return {
        "lowerings": [str(one) for one in cause.pair],
        "abi": cause.difference.abi,
        "differences": cause.seen,
        "prototypes": cause.counts,
        "reduced": cause.reduced,
        "target": cause.place.name,
        "example": declaration(cause.function),
        "ir": dict(zip(("left", "right"), cause.lines, strict=True)),
        "registers": finding.registers,
    }
