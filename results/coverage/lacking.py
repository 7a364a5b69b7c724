"""Constructs that a subject lacks, in a line where many questions need them: a small compiler is asked about part of C."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from abiprobe.results.journal.journal import BatchDone
from abiprobe.results.verdicts.record import Outcome

LACKS = re.compile(r"the (?:compiler|language|library) has no (.+)")
SHARE = 3
"""Of those who lack what one of so many probes needs a line says so."""
NAMED = 4


def lacking_lines(batches: Iterable[BatchDone]) -> Iterator[str]:
    """Yield a line for each subject on a target that was not asked about much, with what it lacks, the most needed first."""
    asked: dict[tuple[str, str], set[str]] = {}
    needs: dict[tuple[str, str], dict[str, frozenset[str]]] = {}
    for batch in batches:
        key = batch.key.target, batch.key.subject
        for verdict in batch.verdicts:
            asked.setdefault(key, set()).add(verdict.probe)
            found = LACKS.fullmatch(verdict.detail) if verdict.outcome is Outcome.UNSUPPORTED else None
            if found:
                needs.setdefault(key, {})[verdict.probe] = frozenset(found[1].split(", "))
    for key, lacked in needs.items():
        if SHARE * len(lacked) < len(asked[key]):
            continue
        counts = Counter(one for each in lacked.values() for one in sorted(each))
        ranked = sorted(counts, key=lambda one: (-counts[one], one))
        more = f" and {len(ranked) - NAMED} more" if len(ranked) > NAMED else ""
        target, subject = key
        lacks = ", ".join(ranked[:NAMED])
        yield f"{target} {subject}: {len(lacked)} of {len(asked[key])} probes not asked, which need {lacks}{more}"
