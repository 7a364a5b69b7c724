"""What became of the wrong models of one family, as rows of the tables under docs/data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abiprobe.harness.base.table_file import Row
from laboratory.fate import Fate
from laboratory.reasons import EQUIVALENT, reason
from laboratory.scoring import Score, Tried
from laboratory.tally import is_displacing, is_equivalent, is_left, is_placing, is_refuted, tally

ALL, PLACING, ELSEWHERE = "all", "that place arguments", "a byte elsewhere"
REFUTED = "a proof that is refuted"
NOT_EXPLAINED = "not explained"


def score_rows(family: str, score: Score, seconds: float) -> Iterator[Row]:
    """The wrong models of one family, counted by their fates; the first row says what they were compared with."""
    evidence, tried = score.evidence, score.tried
    placing = [one for one in tried if is_placing(family, one)]
    chosen: dict[str, Sequence[Tried]] = {
        ALL: tried,
        PLACING: placing,
        ELSEWHERE: [one for one in placing if is_displacing(one)],
    }
    golden = [f"{len(evidence.facts)} golden vectors"] if evidence.facts else []
    against = {
        "probes": str(evidence.probes),
        "hunted": str(score.hunted),
        "seconds": f"{seconds:.0f}",
        "compared with": ", ".join(
            [*golden, *(f"{one.subject} for {one.target}" for one in evidence.witnesses)]
        ),
    }
    for policies, some in chosen.items():
        found = tally(family, some)
        yield {
            "policies": policies,
            "wrong models": str(found.wrong_models),
            **{fate.value: str(found.fates[fate]) for fate in Fate},
            EQUIVALENT: str(found.equivalent),
            "score": found.score,
            **(against if policies == ALL else dict.fromkeys(against, "")),
        }


def unnoticed_rows(family: str, tried: Sequence[Tried]) -> Iterator[Row]:
    """What was not noticed, by how it looks, with what is known of it; and proofs that turned out to be wrong."""
    left = [one for one in tried if is_left(one) and not is_equivalent(family, one)]
    yield from listed(family, REFUTED, [one for one in tried if is_refuted(family, one)])
    for fate in (Fate.SURVIVED, Fate.ALIKE, Fate.SAME):
        yield from listed(family, fate.value, [one for one in left if one.outcome.fate is fate])
    yield from listed(family, EQUIVALENT, [one for one in tried if is_equivalent(family, one)])


def listed(family: str, result: str, chosen: Sequence[Tried]) -> Iterator[Row]:
    """Some wrong models, each with its reason if one is known."""
    for name in sorted(one.mutant.name for one in chosen):
        why = reason(family, name).removeprefix(f"{EQUIVALENT}: ")
        yield {"result": result, "wrong model": f"`{name}`", "why": why or NOT_EXPLAINED}
