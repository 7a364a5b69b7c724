"""Compare the causes of a triaged run with the known deviations: known, new, and no longer occurring.

A known deviation that a run did not show may just be rare, so its example is run before it is reported as gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from abiprobe.harness.runs.golden import Contradiction, contradicted
from abiprobe.harness.runs.question_sorts import targets_of
from abiprobe.harness.triage.known_examples import ExampleResult, ExampleStatus, run_examples
from abiprobe.results.causes.cluster import Cluster
from abiprobe.results.causes.traits import described
from abiprobe.results.journal.journal import Run
from abiprobe.results.known.deviations import Entry, Known, KnownCause, expects, occurring, only_entries
from abiprobe.results.known.matches import KnownMatches, MatchedCluster
from abiprobe.results.verdicts.quantity import quantity


class KnownComparison(msgspec.Struct, frozen=True):
    """The causes of a run against the known deviations: entries by cluster, new clusters, and unmatched entries.

    `clusters` are all causes in the order of triage, of one that is known in part what is new of it;
    `partly` says of these in a line what else there is; `unclaimed` are the deviating probes without a cause.

    `flaky` clusters do not recur in every fresh run, so they count neither as new nor as known.
    `gone` are entries whose example agrees with every compiler that they name and that is installed, each with these
    compilers; `unused` those whose example still deviates as they say; `changed` those whose example deviates otherwise;
    `unasked` those whose compilers are not installed or cannot answer; `idle` those that name no compiler of the run, or not its dialect;
    and `void` those that have expired. `contradictions` are the golden vectors that the models of the run contradict.
    """

    clusters: tuple[Cluster, ...]
    known: dict[str, tuple[KnownCause, ...]]
    new: tuple[Cluster, ...]
    flaky: tuple[Cluster, ...]
    gone: tuple[Entry, ...]
    unused: tuple[Entry, ...]
    idle: tuple[Entry, ...]
    void: tuple[Entry, ...]
    changed: tuple[Entry, ...] = ()
    unasked: tuple[Entry, ...] = ()
    answers: dict[str, ExampleResult] = {}
    contradictions: tuple[Contradiction, ...] = ()
    partly: dict[str, str] = {}
    unclaimed: int = 0

    @property
    def status(self) -> int:
        """The exit status: 1 when a cause is new, an entry is gone or deviates otherwise, or a model is wrong; else 0."""
        return int(bool(self.new or self.gone or self.changed or self.contradictions))

    @property
    def words(self) -> dict[str, str]:
        """Return what is known of each known cluster, in a line: `known (bug): NAME: REASON, LINK`."""
        return {
            identity: "; ".join(entry.summary for entry in entries)
            for identity, entries in self.known.items()
        }

    def lines(self) -> list[str]:
        """The comparison as lines of text, new causes first."""
        lines = [
            f"new: {item.id} {described(item.traits)}, {quantity(item.probes, 'probe')}" for item in self.new
        ]
        lines += map(str, self.contradictions)
        lines += [
            f"no longer occurs: {entry.name}: its example agrees with {', '.join(self.compilers_run(entry))}: "
            "remove the entry or narrow its versions"
            for entry in self.gone
        ]
        lines += [
            f"occurs in another way: {entry.name}: its example shows {'; '.join(self.answers[entry.name].otherwise)}"
            for entry in self.changed
        ]
        lines += [f"expired on {entry.expires}: {entry.name}" for entry in self.void]
        if self.unused:
            names = ", ".join(entry.name for entry in self.unused)
            lines.append(
                f"known deviations that this run did not meet, and their examples still show: {names}"
            )
        if self.unasked:
            names = ", ".join(entry.name for entry in self.unasked)
            lines.append(f"known deviations not checked, as their compilers are not installed: {names}")
        if self.idle:
            lines.append(f"{len(self.idle)} entries concern other compilers or targets")
        return lines

    def compilers_run(self, entry: Entry) -> tuple[str, ...]:
        """Return the compilers on which the example of an entry was run."""
        return self.answers[entry.name].subjects


def compare_with_known(
    matched: Sequence[MatchedCluster],
    recorded: KnownMatches,
    known: Known,
    run: Run,
) -> KnownComparison:
    """Compare the causes of a run with the entries in force; runs the examples of unmatched entries.

    `recorded` are the run's deviations matched with them.
    """
    today = datetime.now(UTC).date()
    in_force = known.in_force(today)
    entries = only_entries(in_force)
    versions = run.versions_by_subject
    shown = [(one.shown, one.known) for one in matched]
    used = {name for one in matched for name in occurring(one.whole, entries, versions)}
    # An example of a cluster that was not reduced may show only one of its entries.
    used |= {entry.name for entry in recorded.entries.values()}
    rest = [entry for entry in entries if entry.name not in used]
    idle = tuple(entry for entry in rest if not is_concerned(entry, run))
    asked = [entry for entry in rest if entry not in idle]
    answers = run_examples(asked, run, in_force)

    def those(answer: ExampleStatus) -> tuple[Entry, ...]:
        return tuple(entry for entry in rest if entry not in idle and answers[entry.name].answer is answer)

    return KnownComparison(
        tuple(item for item, _ in shown),
        {item.id: mine for item, mine in shown if mine},
        tuple(item for item, mine in shown if not mine and item.first.steady),
        tuple(item for item, _ in shown if not item.first.steady),
        gone=those(ExampleStatus.AGREES),
        unused=those(ExampleStatus.DEVIATES),
        idle=idle,
        void=tuple(entry for entry in known.entries if entry.is_void(today)),
        changed=those(ExampleStatus.OTHERWISE),
        unasked=those(ExampleStatus.NOTHING),
        answers=answers,
        contradictions=contradicted(targets_of(run.header.plan)),
        partly={
            one.shown.id: f"{quantity(more, 'more probe')} of this cause resemble known deviations"
            for one in matched
            if (more := one.whole.probes - one.shown.probes)
        },
        unclaimed=unclaimed(recorded, matched),
    )


def unclaimed(recorded: KnownMatches, matched: Sequence[MatchedCluster]) -> int:
    """Count deviating probes without a cause, which today's model leaves unspecified."""
    claimed = {
        (finding.fingerprint.target, one)
        for item in matched
        for finding in item.whole.findings
        for one in finding.probes
    }
    deviating = {
        (group.fingerprint.target, one.probe)
        for group in (*recorded.left, *recorded.known)
        for one in group.members
    }
    return len(deviating - claimed)


def is_concerned(entry: Entry, run: Run) -> bool:
    """Return whether an entry names any compiler of a run, and its very target."""
    return any(expects(entry, info.target, info.subject, info.version) for info in run.header.subjects)
