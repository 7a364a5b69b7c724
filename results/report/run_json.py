"""The report of a run as JSON: rows, deviations, and every verdict that is not an agreement."""

from __future__ import annotations

from typing import Any

import msgspec

from abiprobe.results.journal import SCHEMA, Run
from abiprobe.results.pairs import pairings
from abiprobe.results.record import Judgement
from abiprobe.results.report.standins import standins_json
from abiprobe.results.summary import deviations, rows, splits


def run_json(run: Run) -> dict[str, Any]:
    """The whole report as plain values."""
    told = standins_json(run.batches)
    return {
        "schema": SCHEMA,
        "header": msgspec.to_builtins(run.header),
        "summary": [
            {"target": row.target, "subject": row.subject, "opt": row.level, **row.counts}
            for row in rows(run.batches)
        ],
        "deviations": [msgspec.to_builtins(item) for item in deviations(run.batches)],
        "pairs": [msgspec.to_builtins(item) for item in pairings(run.batches)],
        "splits": [msgspec.to_builtins(item) for item in splits(run.batches)],
        "verdicts": [
            {
                "target": batch.key.target,
                "subject": batch.key.subject,
                "opt": batch.key.level,
                **msgspec.to_builtins(verdict),
            }
            for batch in run.batches
            for verdict in batch.verdicts
            if verdict.verdict is not Judgement.AGREES
        ],
        **({"standins": told} if told else {}),
        "footer": msgspec.to_builtins(run.footer),
    }
