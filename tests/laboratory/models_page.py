"""The section of the laboratory page about the wrong models of one family."""

from __future__ import annotations

from collections.abc import Sequence

from laboratory.fate import Fate
from laboratory.reasons import EQUIVALENT, reason
from laboratory.scoring import Score, Tried
from laboratory.tally import is_displacing, is_equivalent, is_left, is_placing, is_refuted, tally

FOLDED = 5
"""Lists longer than this are folded away."""


def models_section(family: str, score: Score, seconds: float) -> str:
    """The trials of one family of models."""
    evidence, tried = score.evidence, score.tried
    placing = [one for one in tried if is_placing(family, one)]
    rows: list[tuple[str, Sequence[Tried]]] = [
        ("all", tried),
        ("that place arguments", placing),
        ("a byte elsewhere", [one for one in placing if is_displacing(one)]),
    ]
    subjects = [f"{one.subject} for {one.target}" for one in evidence.witnesses]
    golden = [f"{len(evidence.facts)} golden vectors"] if evidence.facts else []
    lines = [
        f"### {family}",
        "",
        f"{len(tried)} wrong models against {evidence.probes} probes: {', '.join((*golden, *subjects))}; in {seconds:.0f} s.",
        f"{score.hunted} of the questions were hunted: two models answer them differently, and no other told them apart.",
        "",
        "| policies | wrong models | " + " | ".join(fate.value for fate in Fate) + " | equivalent | score |",
        "| --- | ---: | " + "---: | " * (len(Fate) + 1) + "---: |",
    ]
    for title, chosen in rows:
        found = tally(family, chosen)
        shown = " | ".join([*(str(found.fates[fate]) for fate in Fate), str(found.equivalent)])
        lines.append(f"| {title} | {found.wrong_models} | {shown} | {found.score} |")
    return "\n".join([*lines, "", *remarks(family, tried)])


def remarks(family: str, tried: Sequence[Tried]) -> list[str]:
    """What was not killed, by how it looks, with what is known of it; and proofs that turned out to be wrong."""
    proved = [one for one in tried if is_equivalent(family, one)]
    left = [one for one in tried if is_left(one) and not is_equivalent(family, one)]
    lines = listed(family, "Proofs that are refuted", [one for one in tried if is_refuted(family, one)])
    for fate in (Fate.SURVIVED, Fate.ALIKE, Fate.SAME):
        lines += listed(family, f"Left: {fate.value}", [one for one in left if one.outcome.fate is fate])
    return [*lines, *listed(family, "Equivalent", proved)]


def listed(family: str, title: str, chosen: Sequence[Tried]) -> list[str]:
    """Some wrong models, each with its reason if one is known; of many only the number is seen at first."""
    if not chosen:
        return []
    names = sorted(one.mutant.name for one in chosen)
    known = {name: reason(family, name).removeprefix(f"{EQUIVALENT}: ") for name in names}
    lines = [f"* `{name}`{f': {why}' if why else ', not explained'}" for name, why in known.items()]
    title = f"{title}: {len(lines)}"
    if len(lines) <= FOLDED:
        return [f"{title}.", "", *lines, ""]
    return [f"<details><summary>{title}</summary>", "", *lines, "", "</details>", ""]
