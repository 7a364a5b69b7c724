"""The report of a run as JSON: rows, deviations, and every verdict that is not an agreement."""

from __future__ import annotations

from typing import Any

import msgspec

from abiprobe.results.coverage.complete import Conformance, conformance
from abiprobe.results.coverage.counts import Deviations, deviations, rows
from abiprobe.results.coverage.differing import Comparison, Configuration, Group, comparisons
from abiprobe.results.coverage.pairs import Pairing, pairings
from abiprobe.results.coverage.uncompared import coverage
from abiprobe.results.journal.journal import Run
from abiprobe.results.report.json_form import SCHEMA, verdict_json
from abiprobe.results.report.standins import standins_json
from abiprobe.results.verdicts.record import Judgement


def run_json(run: Run) -> dict[str, Any]:
    """The whole report as plain values."""
    standins = standins_json(run.batches)
    compared = comparisons(run.batches)
    return {
        "schema": SCHEMA,
        "header": msgspec.to_builtins(run.header),
        "summary": [
            {"target": row.target, "subject": row.subject, "opt": row.level, **row.counts}
            for row in rows(run.batches, compared)
        ],
        "deviations": [with_example(item) for item in deviations(run.batches)],
        "pairs": [with_example(item) for item in pairings(run.batches)],
        "uncompared": msgspec.to_builtins(coverage(run.batches, compared, run.header.named).uncompared),
        **({"complete": [complete_json(item) for item in suites]} if (suites := conformance(run)) else {}),
        "open": [comparison_json(item) for item in compared],
        "verdicts": [
            {
                "target": batch.key.target,
                "subject": batch.key.subject,
                "opt": batch.key.level,
                **verdict_json(verdict),
            }
            for batch in run.batches
            for verdict in batch.verdicts
            if verdict.verdict is not Judgement.AGREES
        ],
        **({"standins": standins} if standins else {}),
        "footer": msgspec.to_builtins(run.footer),
    }


def complete_json(item: Conformance) -> dict[str, Any]:
    """Return what a complete suite came to, whether the subject conforms, and whether it does but for quirks of its dialect."""
    return {**msgspec.to_builtins(item), "conforms": item.conforms, "proved": item.is_proved}


def with_example(item: Deviations | Pairing) -> dict[str, Any]:
    """Return the common part of deviations, or of failed calls, with the verdict on an example."""
    value: dict[str, Any] = msgspec.to_builtins(item)
    if item.example is not None:
        value["example"]["verdict"] = verdict_json(item.example.verdict)
    return value


def comparison_json(item: Comparison) -> dict[str, Any]:
    """Return one question that no text decides as values, with the answers of all subjects."""
    return {
        "target": item.target,
        "probe": item.probe,
        "clause": item.clause,
        "why": item.why,
        "verdict": item.verdict,
        "compared": [configuration_json(asked) for asked in item.held],
        "what": item.what,
        "groups": [group_json(group) for group in item.groups],
        "contradict": [group_json(group) for group in item.contradictory],
        "parts": [
            {
                "what": part.what,
                "groups": [group_json(group) for group in part.groups],
                "not_compared": [configuration_json(asked) for asked in part.missing],
            }
            for part in item.parts
        ],
    }


def configuration_json(asked: Configuration) -> dict[str, str]:
    """A subject and its level."""
    return {"subject": asked[0], "opt": asked[1]}


def group_json(group: Group) -> dict[str, Any]:
    """Return a group of agreeing subjects and their place as values."""
    return {
        "subjects": [configuration_json(asked) for asked in group.subjects],
        "place": group.place,
        "reading": group.reading,
    }
