"""Summarise which declarations of a user's file were tested, and which were skipped and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from abiprobe.oracles.language.declaration import head, prototype
from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.oracles.language.question import Question
from abiprobe.results.journal.journal import BatchDone
from abiprobe.results.verdicts.quantity import quantity
from abiprobe.results.verdicts.record import Outcome

NAMED = 3
"""Declarations that a reason names."""


class SkippedDeclaration(Protocol):
    """A declaration that is not tested: its name, the source location of the obstacle, the reason, and whether calls need it."""

    @property
    def name(self) -> str: ...
    @property
    def where(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def called(self) -> bool: ...


def by_reason(skipped: Iterable[SkippedDeclaration]) -> dict[str, list[SkippedDeclaration]]:
    """Group skipped declarations by reason, the commonest first."""
    found: dict[str, list[SkippedDeclaration]] = {}
    for one in skipped:
        found.setdefault(one.reason, []).append(one)
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def input_lines(
    records: int,
    functions: int,
    skipped: Sequence[SkippedDeclaration],
    elsewhere: tuple[int, int],
    classes: int = 0,
) -> Iterator[str]:
    """Yield the number of tested declarations, then a line for each reason for skipping."""
    line = f"read {declaration_counts(records, functions, classes)}"
    if skipped:
        line += f"; skipped {len(skipped)}:"
    elif any(elsewhere):
        line += f"; not read: {declaration_counts(*elsewhere)} of included files (--included)"
    yield line
    for reason, left in by_reason(skipped).items():
        names = ", ".join(one.name or "a declaration" for one in left[:NAMED])
        more = f" and {len(left) - NAMED} more" if len(left) > NAMED else ""
        place = f", {left[0].where}" if left[0].where else ""
        yield f"  {len(left)}: {reason} ({names}{more}{place})"
    if skipped and any(elsewhere):
        yield f"  not read: {declaration_counts(*elsewhere)} of included files (--included)"


def skipped_lines(skipped: Sequence[SkippedDeclaration], *, allowed: bool) -> Iterator[str]:
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


def lines_by_target(found: Sequence[tuple[str, Sequence[str]]]) -> Iterator[str]:
    """Yield the input lines of several targets: once if they are the same, else each under its target's name."""
    if len({tuple(lines) for _, lines in found}) == 1:
        yield from found[0][1]
        return
    for target, (first, *rest) in found:
        yield f"{target}: {first}"
        yield from rest


def declaration_counts(records: int, functions: int, classes: int = 0) -> str:
    """`1 record, 84 functions, 2 classes`; `nothing` where there is none."""
    counts = (
        (records, "record", "records"),
        (functions, "function", "functions"),
        (classes, "class", "classes"),
    )
    return (
        ", ".join(f"{count} {one if count == 1 else many}" for count, one, many in counts if count)
        or "nothing"
    )


def input_json(skipped: Iterable[SkippedDeclaration], elsewhere: tuple[int, int]) -> dict[str, object]:
    """Return the skipped declarations by reason, and the number of declarations in included files."""
    return {
        "skipped": [
            {
                "reason": reason,
                "count": len(left),
                "declarations": [{"name": one.name, "where": one.where} for one in left],
            }
            for reason, left in by_reason(skipped).items()
        ],
        "elsewhere": {"records": elsewhere[0], "functions": elsewhere[1]},
    }


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


def verdict_lines(target: str, asked: Mapping[str, Question], batches: Iterable[BatchDone]) -> Iterator[str]:
    """Yield every declaration that was `asked` about, by the id of its probe, with the verdict of each compiler, by kind of probe."""
    verdicts: dict[str, dict[str, list[tuple[str, str]]]] = {}
    for batch in batches:
        for verdict in batch.verdicts:
            who = f"{batch.key.subject} -{batch.key.level}"
            came = (verdict.kind.value, verdict.verdict.value)
            verdicts.setdefault(verdict.probe, {}).setdefault(who, []).append(came)
    yield ""
    yield target
    for identity, question in asked.items():
        yield f"  {identity}  {heading(question)}"
        for who, all_came in verdicts.get(identity, {}).items():
            yield f"    {who}: {_summed(all_came)}"


def heading(question: Question) -> str:
    """A question in a line."""
    if isinstance(question, Prototype):
        return prototype(question)
    return head(question) if isinstance(question, Record) else f"{question.keyword} {question.tag}"


def _summed(came: Iterable[tuple[str, str]]) -> str:
    kinds: dict[str, list[str]] = {}
    for kind, judgement in came:
        kinds.setdefault(judgement, []).append(kind)
    return "; ".join(f"{judgement} ({', '.join(dict.fromkeys(named))})" for judgement, named in kinds.items())
