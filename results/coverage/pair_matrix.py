"""The calls between all compilers of a run as a matrix for each target: who calls, and who is called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from abiprobe.results.coverage.pairs import Pairing
from abiprobe.results.journal.journal import SubjectInfo

MARKED = "! where some failed although neither side deviates from the text"
"""The meaning of the mark of `Calls.text`."""
FEW = 2
"""Compilers of which a matrix would say nothing that two lines do not say."""


class Calls(msgspec.Struct, frozen=True):
    """The calls of one direction, at all levels: how many were compared, and how many failed.

    `unexplained` of those that failed concern questions on which neither side deviates from the text.
    """

    probes: int = 0
    failed: int = 0
    unexplained: int = 0

    @property
    def explained(self) -> int:
        """The number of failed calls that are explained: one side deviates from the text, or the text is silent."""
        return self.failed - self.unexplained

    @property
    def text(self) -> str:
        """The number of failed calls of those compared; an exclamation mark if neither side is to blame for some of them."""
        return f"{self.failed}/{self.probes}{'!' if self.unexplained else ''}"

    def with_pairing(self, one: Pairing) -> Calls:
        """These calls and those of one level."""
        unexplained = one.failed - one.explained
        return Calls(self.probes + one.probes, self.failed + one.failed, self.unexplained + unexplained)


class PairMatrix(msgspec.Struct, frozen=True):
    """The calls between the compilers of a target; `cells` are by caller and callee, and lack what was not tried.

    `languages` has what each subject but one of C is written in.
    """

    target: str
    subjects: tuple[str, ...]
    cells: Mapping[tuple[str, str], Calls]
    languages: Mapping[str, str] = {}

    def at(self, caller: str, callee: str) -> Calls | None:
        """The calls of one direction; `None` if there were none."""
        return self.cells.get((caller, callee))

    def display_name(self, subject: str) -> str:
        """A subject with its language, if that is not C."""
        language = self.languages.get(subject, "")
        return f"{subject} ({language})" if language else subject

    @property
    def names(self) -> dict[str, str]:
        """The subjects, each with the name by which it is shown."""
        return {subject: self.display_name(subject) for subject in self.subjects}

    @property
    def is_large(self) -> bool:
        """Return whether the matrix says more than a line for each direction."""
        return len(self.subjects) > FEW


def pair_matrices(found: Iterable[Pairing], infos: Sequence[SubjectInfo] = ()) -> tuple[PairMatrix, ...]:
    """A matrix for each target with pairs, over all levels; subjects stand in the order of `infos`, then as they are met."""
    cells: dict[str, dict[tuple[str, str], Calls]] = {}
    for one in found:
        here = cells.setdefault(one.target, {})
        key = (one.caller, one.callee)
        here[key] = here.get(key, Calls()).with_pairing(one)
    return tuple(
        PairMatrix(target, subjects_of(target, here, infos), here, languages_of(infos))
        for target, here in cells.items()
    )


def subjects_of(
    target: str, cells: Iterable[tuple[str, str]], infos: Iterable[SubjectInfo]
) -> tuple[str, ...]:
    """The subjects of a matrix in the order of the run."""
    met = dict.fromkeys(name for pair in cells for name in pair)
    named = [info.subject for info in infos if info.target == target and info.subject in met]
    return tuple(dict.fromkeys((*named, *met)))


def languages_of(infos: Iterable[SubjectInfo]) -> dict[str, str]:
    """The languages of subjects that are not of C."""
    return {info.subject: info.language for info in infos if info.language}
