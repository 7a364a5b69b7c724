"""Ask compilers for the layouts on which deviations rest.

A record that a compiler lays out otherwise is passed, flattened and nested otherwise. Whatever clause such a call or such
an outer record breaks, the layout is its cause.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TypeAlias

import msgspec

from abiprobe.harness.observers.ask import ask, on
from abiprobe.harness.runs.question_sorts import can_answer
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.oracles.language.lang import Record
from abiprobe.oracles.language.question import Sort
from abiprobe.oracles.model import Target
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.cluster import Cluster, Finding, Underlying
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom, fingerprints
from abiprobe.results.causes.underlying import every_record, underlying_records

LEVEL = "O0"
"""No optimisation changes a layout."""
Layouts: TypeAlias = "Mapping[tuple[str, Record], Fingerprint]"
"""The deviations of layouts, by subject and record."""


def with_layouts(findings: Iterable[Finding], absent: frozenset[str] = frozenset()) -> tuple[Finding, ...]:
    """Return findings with the layouts that they rest on; those of `absent` compilers as they are."""
    given = tuple(findings)
    ordered = sorted(given, key=lambda one: one.fingerprint.target)
    found: dict[tuple[object, ...], tuple[Underlying, ...]] = {}
    for name, group in groupby(ordered, key=lambda one: one.fingerprint.target):
        target = find_target(name)
        mine = [one for one in group if is_askable(one, target, absent)]
        seen = deviating_layouts(target, mine)
        found |= {key_of(one): layouts_of(one, seen) for one in mine}
    return tuple(msgspec.structs.replace(one, layouts=found.get(key_of(one), one.layouts)) for one in given)


def is_askable(finding: Finding, target: Target, absent: frozenset[str]) -> bool:
    """Return whether all compilers to blame can be asked for layouts."""
    asked = finding.blame.deviating
    return (
        bool(asked)
        and not target.vectors
        and not absent & set(asked)
        and all(can_answer(parse_subject(one), target, Sort.RECORDS) for one in asked)
    )


def deviating_layouts(target: Target, findings: Sequence[Finding]) -> Layouts:
    """Ask all compilers that findings blame for all layouts that they rest on, in one batch."""
    records = every_record(findings)
    subjects = tuple(dict.fromkeys((one, LEVEL) for finding in findings for one in finding.blame.deviating))
    if not records:
        return {}
    seen = ask(target, records, subjects)
    return {
        (subject, record): shown
        for record in records
        for (subject, _), verdicts in on(seen, record).items()
        for shown in fingerprints(target.spelling, verdicts)
        if shown.symptom is Symptom.LAYOUT
    }


def layouts_of(finding: Finding, seen: Layouts) -> tuple[Underlying, ...]:
    """Return the layouts on which a finding rests.

    A call rests on the layout of a value only if all compilers to blame lay out the type of that value itself in the same
    wrong way, whatever they do with the types of its members.
    """
    wrong: list[Underlying] = []
    for records in underlying_records(finding):
        shown = {one: deviation_of_all(one, finding.blame.deviating, seen) for one in records}
        if isinstance(finding.example, Record) or shown[records[0]] is not None:
            wrong += [Underlying(record, what) for record, what in shown.items() if what is not None]
    return tuple(dict.fromkeys(wrong))


def deviation_of_all(record: Record, subjects: Sequence[str], seen: Layouts) -> Fingerprint | None:
    """Return the deviation in a record's layout if it is the same for all subjects."""
    shown = {seen.get((subject, record)) for subject in subjects}
    return next(iter(shown)) if len(shown) == 1 else None


def layouts_kept(findings: Iterable[Finding], clusters: Iterable[Cluster]) -> tuple[Finding, ...]:
    """Return findings with the layouts that were found for them earlier; runs no compiler."""
    kept = {key_of(one): one.layouts for item in clusters for one in item.findings}
    return tuple(msgspec.structs.replace(one, layouts=kept.get(key_of(one), one.layouts)) for one in findings)


def key_of(finding: Finding) -> tuple[object, ...]:
    """Return a key that identifies a finding of a run, whether reduced or not."""
    return finding.fingerprint, finding.example, finding.blame.deviating
