"""The map of a question that no text decides: where each subject has each thing that is shown of it."""

from __future__ import annotations

from collections.abc import Sequence

from abiprobe.results.journal.journal import BatchDone
from abiprobe.results.report.maps import UNDECIDED, Map, MapRow
from abiprobe.results.verdicts.wording import NOT_FOUND, spots_text


def shown_map(subjects: tuple[str, ...], done: Sequence[BatchDone]) -> tuple[Map, ...]:
    """One map with a row for each thing that a subject shows; `done` are the subjects' batches of one question."""
    shown = [{one.what: one for verdict in batch.verdicts for one in verdict.shown} for batch in done]
    rows = tuple(
        MapRow(
            what,
            (UNDECIDED,),
            tuple(
                (spots_text(own[what].at, own[what].taken) if what in own else NOT_FOUND,) for own in shown
            ),
        )
        for what in dict.fromkeys(what for own in shown for what in own)
    )
    return (Map("no text decides", subjects, rows),) if rows else ()
