"""Questions that no text decides, by the clause that leaves them open.

The differing ones, and the subjects compared on the others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice

import msgspec

from abiprobe.oracles.language.question import Question
from abiprobe.oracles.text.clause import recorded_clause
from abiprobe.results.coverage.differing import Comparison, comparisons
from abiprobe.results.journal.journal import BatchDone


class Undecided(msgspec.Struct, frozen=True):
    """Open questions on which no subjects differ: their number, the subjects compared or shown, and the smallest of them.

    `verdict` is that of each comparison; `question` is `None` when the journal does not keep it.
    """

    verdict: str
    subjects: tuple[str, ...]
    probes: int
    example: Comparison
    question: Question | None = None


EXAMPLES = 4
"""Divisions of subjects of which a clause has an example."""


class Differing(msgspec.Struct, frozen=True):
    """An open question on which subjects differ, or one contradicts itself.

    `question` is `None` when the journal does not keep it.
    """

    comparison: Comparison
    question: Question | None


class OpenClause(msgspec.Struct, frozen=True):
    """The questions that one clause leaves open: how many were compared, and on how many subjects differ.

    Subjects differ on `subjects_differ` of them, on `contradictory` one contradicts itself, and on `differs` either; the
    others are `undecided`, by who was compared. `examples` are the smallest question on which they differ, and further ones
    on which other subjects go together. `clause` is empty where there is no model.
    """

    target: str
    clause: str
    compared: int
    differs: int
    examples: tuple[Differing, ...] = ()
    subjects_differ: int = 0
    contradictory: int = 0
    undecided: tuple[Undecided, ...] = ()

    @property
    def said(self) -> str:
        """The section of the clause, and what it says."""
        clause = recorded_clause(self.clause)
        return f"{clause.section}: {clause.says}"

    @property
    def by_verdict(self) -> dict[str, tuple[Undecided, ...]]:
        """Its questions on which no subjects differ, by their verdict."""
        found: dict[str, tuple[Undecided, ...]] = {}
        for item in self.undecided:
            found[item.verdict] = (*found.get(item.verdict, ()), item)
        return found

    @property
    def in_words(self) -> str:
        """The number of probes on which subjects differ, and of those on which one contradicts itself."""
        contradict = f"a subject contradicts itself on {self.contradictory}"
        if not self.subjects_differ:
            return contradict
        return f"subjects differ on {self.subjects_differ}" + (
            f", {contradict}" if self.contradictory else ""
        )


def open_clauses(
    batches: Collection[BatchDone], compared: Iterable[Comparison] | None = None
) -> tuple[OpenClause, ...]:
    """Return the behaviour of subjects where no text decides, by clause, those first on which they differ most often.

    `compared` are the `comparisons` of the batches, if they are known.
    """
    found: dict[tuple[str, str], list[Comparison]] = {}
    for item in comparisons(batches) if compared is None else compared:
        found.setdefault((item.target, item.clause), []).append(item)
    told = {item.probe for items in found.values() for item in items}
    kept: dict[str, Question] = {}
    for batch in batches if told else ():
        kept |= {one.probe: one.question for one in batch.kept if one.probe in told}
    made = (open_clause(*key, items, kept) for key, items in found.items())
    return tuple(sorted(made, key=lambda item: (-item.differs, item.target, item.clause)))


def open_clause(
    target: str, clause: str, items: Sequence[Comparison], kept: Mapping[str, Question]
) -> OpenClause:
    """The questions that one clause leaves open."""
    differing = [item for item in items if item.differs]
    return OpenClause(
        target,
        clause,
        sum(item.compared or item.differs for item in items),
        len(differing),
        tuple(islice(examples(differing, kept), EXAMPLES)),
        sum(item.subjects_differ for item in items),
        sum(bool(item.contradictory) for item in items),
        tuple(undecided([item for item in items if not item.differs], kept)),
    )


def examples(differing: Iterable[Comparison], kept: Mapping[str, Question]) -> Iterator[Differing]:
    """The smallest question on which subjects differ, and each that shows a division which no smaller one has."""
    told: set[object] = set()
    for item in sorted(
        differing, key=lambda item: (not item.subjects_differ, *size(item, kept.get(item.probe)))
    ):
        divisions = {part.division for part in item.divided}
        if not divisions <= told or not told:
            yield Differing(item, kept.get(item.probe))
            told |= divisions or {item.contradictory}


def undecided(items: Iterable[Comparison], kept: Mapping[str, Question]) -> Iterator[Undecided]:
    """Yield the questions on which no subjects differ, by verdict and by the subjects concerned."""
    alike: dict[tuple[str, tuple[str, ...]], list[Comparison]] = {}
    for item in items:
        named = {subject for subject, _ in (item.held if item.compared else item.showing)}
        alike.setdefault((item.verdict, tuple(sorted(named))), []).append(item)
    for (verdict, subjects), found in alike.items():
        example = min(found, key=lambda item: size(item, kept.get(item.probe)))
        yield Undecided(verdict, subjects, len(found), example, kept.get(example.probe))


def size(item: Comparison, question: Question | None) -> tuple[int, str]:
    """Return a sort key by the size of a question, for choosing examples."""
    return (len(str(question)) if question is not None else 1 << 30, item.probe)
