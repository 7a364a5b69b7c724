"""Print the answers of compilers about declarations, as text or as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from rich.console import Console
from rich.text import Text

from abiprobe.harness.api.asking import Checked, Settings, name_of, names_of
from abiprobe.harness.api.predicting import asked_of
from abiprobe.harness.input import Skipped
from abiprobe.harness.input.declared import Declared
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.oracles.language.declaration import head, prototype
from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.oracles.language.question import ProbeKind, Question
from abiprobe.results.coverage.counts import subject_verdicts
from abiprobe.results.coverage.differing import comparisons
from abiprobe.results.journal.journal import BatchDone
from abiprobe.results.report.agreement import agreement_line
from abiprobe.results.report.causes_text import known_lines
from abiprobe.results.report.input_summary import NAMED, input_json, input_lines
from abiprobe.results.report.json_form import differences_json, verdict_json
from abiprobe.results.report.prediction import prediction
from abiprobe.results.report.run_json import comparison_json
from abiprobe.results.report.summary import Summary
from abiprobe.results.report.terminal import print_text, report
from abiprobe.results.verdicts.quantity import quantity
from abiprobe.results.verdicts.record import Judgement, Outcome


def print_checked(
    console: Console, done: Checked, changes: Iterable[str], how: Settings, *, verbose: bool
) -> None:
    """Print what was asked and every deviation, known ones in a line each; with `verbose` each declaration, too.

    Without it everything that agrees is one line.

    Then follow the `changes` since a baseline was kept.
    """
    before = lines_by_target([(item.target.spelling, asked_lines(item)) for item in done.declared])
    unsupported = unsupported_lines(done.batches)
    skipped = skipped_lines(done.skipped, allowed=how.allow_skipped)
    each = [line for item, batches in done.answers if verbose for line in verdict_lines(item, batches)]
    known = [*known_lines(done.found.recurrences())]
    print_text(console, before)
    summary = Summary(done.batches, None if how.strict else done.found.news())
    if not verbose and (line := agreement_line(summary)):
        print_text(console, [line])
    else:
        report(console, summary, declaration)
    print_text(
        console, (*unsupported, *([Text(), *known] if known else ()), *map(str, done.otherwise), *each)
    )
    print_text(console, (*changes, *done.covered.lines, *skipped))


def asked_lines(item: Declared) -> list[str]:
    """Return the number of declarations tested for one target, and the reasons why others are not."""
    counts = len(item.records), len(item.functions)
    return list(
        input_lines(*counts, item.skipped, item.elsewhere, len(item.classes), len(item.calls), item.umbrellas)
    )


def lines_by_target(found: Sequence[tuple[str, Sequence[str]]]) -> Iterator[str]:
    """Yield the input lines of several targets: once if they are the same, else each under its target's name."""
    if len({tuple(lines) for _, lines in found}) == 1:
        yield from found[0][1]
        return
    for target, (first, *rest) in found:
        yield f"{target}: {first}"
        yield from rest


def skipped_lines(skipped: Sequence[Skipped], *, allowed: bool) -> Iterator[str]:
    """Yield, in one line if any, how many declarations were not tested, and whether that decides the exit status."""
    places = {(one.name, one.where): one for one in skipped}
    names = [name for name, _ in places if name]
    if not places:
        return
    shown = ", ".join(dict.fromkeys(names[:NAMED]))
    more = len(places) - len(names[:NAMED])
    said = " and ".join(filter(None, (shown, f"{more} more" if more and shown else "")))
    missing = f"not tested: {quantity(len(places), 'declaration')}" + (f" ({said})" if said else "")
    if not any(one.called for one in places.values()):
        yield f"{missing}, which no function uses"
    elif allowed:
        yield f"{missing}, which --allow-skipped allows"
    else:
        yield f"{missing}, so the exit status is 3 unless it is 1 or 4; --allow-skipped allows it"


def unsupported_lines(batches: Iterable[BatchDone]) -> Iterator[str]:
    """Yield why declarations are unsupported by compilers, a line for each compiler and reason."""
    found: dict[tuple[str, str, str], set[str]] = {}
    for batch in batches:
        for verdict in batch.verdicts:
            if verdict.outcome is Outcome.UNSUPPORTED:
                key = (batch.key.target, batch.key.subject, verdict.detail)
                found.setdefault(key, set()).add(verdict.probe)
    for (target, subject, detail), probes in found.items():
        yield f"{target} {subject}: {len(probes)} not tested: {detail} (e.g. {min(probes)})"


def verdict_lines(asked: Declared, batches: Iterable[BatchDone]) -> Iterator[str]:
    """Yield every declaration that was asked about, by the id of its probe, with the verdict of each compiler, by kind of probe."""
    verdicts: dict[str, dict[str, list[tuple[str, str]]]] = {}
    for batch in batches:
        for verdict in batch.verdicts:
            who = f"{batch.key.subject} -{batch.key.level}"
            came = (verdict.kind.value, verdict.verdict.value)
            verdicts.setdefault(verdict.probe, {}).setdefault(who, []).append(came)
    yield from ("", asked.target.spelling)
    for identity, question in asked.by_probe.items():
        yield f"  {identity}  {heading(question)}"
        for who, all_came in verdicts.get(identity, {}).items():
            yield f"    {who}: {_summed(all_came)}"


def heading(question: Question) -> str:
    """A question in a line."""
    if isinstance(question, Prototype):
        return prototype(question)
    return head(question) if isinstance(question, Record) else name_of(question)


def _summed(came: Iterable[tuple[str, str]]) -> str:
    kinds: dict[str, list[str]] = {}
    for kind, judgement in came:
        kinds.setdefault(judgement, []).append(kind)
    return "; ".join(f"{judgement} ({', '.join(dict.fromkeys(named))})" for judgement, named in kinds.items())


def as_json(declared: Declared, batches: Sequence[BatchDone], done: Checked) -> dict[str, Any]:
    """Return the prediction, observations and verdicts as plain values, with the names of matching entries."""
    known = done.found.names()
    names = names_of(declared)
    value = prediction(*asked_of(declared))
    value |= input_json(declared.skipped, declared.elsewhere)
    value["observations"] = [
        {
            "subject": batch.key.subject,
            "opt": batch.key.level,
            "name": names[note.probe],
            **msgspec.to_builtins(note),
        }
        for batch in batches
        for note in batch.observed
    ]
    value["verdicts"] = [
        {
            "subject": batch.key.subject,
            "opt": batch.key.level,
            "name": names[verdict.probe],
            "clause": "",
            "detail": "",
            **verdict_json(verdict),
            **(
                {"known": list(names_known)}
                if verdict.verdict is Judgement.DEVIATES
                and (names_known := known.get((batch.key.target, batch.key.subject, verdict.probe)))
                else {}
            ),
        }
        for batch in batches
        for verdict in subject_verdicts(batch)
    ]
    # Neither of two is to blame, so what they do together belongs to neither.
    value["pairs"] = [
        {
            "caller": batch.key.subject,
            "callee": verdict.partner,
            "opt": batch.key.level,
            "name": names[verdict.probe],
            "verdict": verdict.verdict.value,
            "outcome": verdict.outcome.value,
            "detail": verdict.detail,
            "differences": differences_json(verdict.differences),
        }
        for batch in batches
        for verdict in batch.verdicts
        if verdict.kind is ProbeKind.PAIR
    ]
    value["open"] = [{"name": names[item.probe], **comparison_json(item)} for item in comparisons(batches)]
    value["contradicts_itself"] = [
        {"subject": one.subject, "opt": one.level, "names": [names[probe] for probe in one.probes]}
        for one in done.otherwise
        if one.target == declared.target.spelling
    ]
    value["uncompared"] = [
        msgspec.to_builtins(one)
        for one in done.covered.uncompared
        if not one.targets or declared.target.spelling in one.targets
    ]
    return value
