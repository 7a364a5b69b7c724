"""The parts of reports on a terminal about batches, each part worked out once."""

from __future__ import annotations

from collections.abc import Collection, Container, Sequence
from functools import cached_property

import msgspec

from abiprobe.results.coverage.counts import CountRow, DeviationKey, Deviations, deviations, rows
from abiprobe.results.coverage.differing import Comparison, comparisons
from abiprobe.results.coverage.open_clauses import OpenClause, open_clauses
from abiprobe.results.coverage.pair_matrix import PairMatrix, pair_matrices
from abiprobe.results.coverage.pairs import Pairing, pairings
from abiprobe.results.journal.journal import BatchDone, SubjectInfo


class Summary(msgspec.Struct, frozen=True, dict=True):
    """The answers of some batches; with `wanted` only these deviations.

    `subjects` are those of the run, for their languages.
    """

    batches: Collection[BatchDone]
    wanted: Container[DeviationKey] | None = None
    subjects: Sequence[SubjectInfo] = ()

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Every open question for which a subject was observed."""
        return tuple(comparisons(self.batches))

    @cached_property
    def rows(self) -> tuple[CountRow, ...]:
        """The probes of each subject, by what they came to."""
        return rows(self.batches, self.comparisons)

    @cached_property
    def deviations(self) -> tuple[Deviations, ...]:
        """The deviations by clause, the most frequent first."""
        return deviations(self.batches, self.wanted)

    @cached_property
    def open_clauses(self) -> tuple[OpenClause, ...]:
        """The clauses that leave questions open, those first on which subjects differ most often."""
        return open_clauses(self.batches, self.comparisons)

    @cached_property
    def pairings(self) -> tuple[Pairing, ...]:
        """The calls between code of two compilers."""
        return pairings(self.batches)

    @property
    def unexplained(self) -> tuple[Pairing, ...]:
        """Those with calls that fail although neither side departs from the text."""
        return tuple(item for item in self.pairings if item.failed > item.explained)

    @cached_property
    def matrices(self) -> tuple[PairMatrix, ...]:
        """The same as a matrix for each target."""
        return pair_matrices(self.pairings, self.subjects)
