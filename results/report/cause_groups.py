"""Group a run's causes for reports (new, flaky, known by status), and write the headline."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from abiprobe.oracles.quirks.quirk import Status
from abiprobe.results.causes.blame import Blame
from abiprobe.results.causes.cluster import Cluster
from abiprobe.results.report.run_report import ReportedCause, RunReport
from abiprobe.results.verdicts.quantity import quantity

NAMED = 3
"""Targets that a headline names; of more it gives the number."""
MEANINGS: Mapping[str, str] = {
    Status.BUG.value: "the compiler is wrong",
    Status.WONTFIX.value: "wrong, and kept for compatibility",
    Status.DOCUMENTED.value: "the compiler does it on purpose and says where",
    Status.AMBIGUOUS.value: "the text can be read otherwise",
}
"""The meaning of each status of a known deviation means, in the order in which they are shown."""


class Groups(msgspec.Struct, frozen=True):
    """New causes, flaky causes, and known causes by status."""

    new: tuple[ReportedCause, ...]
    flaky: tuple[ReportedCause, ...]
    known: tuple[tuple[str, tuple[ReportedCause, ...]], ...]

    @property
    def count(self) -> int:
        """The number of known causes."""
        return sum(len(items) for _, items in self.known)


def grouped(causes: Iterable[ReportedCause]) -> Groups:
    """Put causes into their groups; the order within each stays."""
    every = tuple(causes)
    unknown = [item for item in every if not item.known]
    return Groups(
        tuple(item for item in unknown if item.cluster.first.steady),
        tuple(item for item in unknown if not item.cluster.first.steady),
        tuple(
            (status, items)
            for status in MEANINGS
            if (items := tuple(item for item in every if item.known and status_of(item) == status))
        ),
    )


def status_of(item: ReportedCause) -> str:
    """The status of a known cause: that of the first entry that covers it."""
    return item.entries[0].status.value if item.entries else Status.BUG.value


def headline(story: RunReport) -> str:
    """Return the findings of a run in a few words."""
    groups = grouped(story.causes)
    words = [quantity(len(groups.new), "new cause") if groups.new else "no new cause"]
    words += [f"{len(groups.flaky)} flaky"] if groups.flaky else []
    return ", ".join((*words, f"{groups.count} known"))


def target_list(targets: Sequence[str]) -> str:
    """The targets of a run for a headline."""
    return ", ".join(targets) if len(targets) <= NAMED else f"{len(targets)} targets"


def unexpected(causes: Iterable[ReportedCause]) -> frozenset[tuple[str, str]]:
    """The targets and subjects with a deviation that is not known."""
    return frozenset(
        (finding.fingerprint.target, subject)
        for item in causes
        if not item.known
        for finding in item.cluster.findings
        for subject in finding.subjects
    )


def blames(cluster: Cluster) -> dict[str, Blame]:
    """Map each target to the compilers that deviate and that do not, by the smallest example."""
    found: dict[str, Blame] = {}
    for finding in cluster.findings:
        found.setdefault(finding.fingerprint.target, finding.blame)
    return found


def named(subject: str, version: str) -> str:
    """A compiler for people: `zig` carries a clang, whose version says more than the name."""
    found = re.search(r"\d+(?:\.\d+)+", version)
    return f"{subject} (clang {found[0]})" if subject == "zig" and found else subject
