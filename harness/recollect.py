"""What of a run's causes is known, what is new, and what is known and occurs no longer.

A known deviation that a run did not meet may be rare, so its example is put to the compilers before it is called gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

import msgspec

from abiprobe.harness.asking import ask, on
from abiprobe.harness.commands.arguments import WITNESSES
from abiprobe.harness.commands.reading import declared_in
from abiprobe.harness.problem import Problem
from abiprobe.harness.remembering import answer
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.question import Question
from abiprobe.results.blame import Asked
from abiprobe.results.cluster import Cluster
from abiprobe.results.fingerprint import fingerprints
from abiprobe.results.journal import Run, SubjectInfo
from abiprobe.results.known import Entry, Known, KnownError, concerns, matching, parse, shipped
from abiprobe.results.traits import described

LEVELS = ("O0", "O2")


class Recollected(msgspec.Struct, frozen=True):
    """A run against what is known: entries by cluster, the clusters that are new, and the entries that none used.

    `flaky` are clusters that fresh runs do not show each time: nobody can act on them, and they are neither new nor known.
    `gone` are entries whose example deviates no longer, `unused` those whose example still does, `idle` those that speak
    of no compiler of the run, and `void` those that have expired.
    """

    known: dict[str, tuple[Entry, ...]]
    new: tuple[Cluster, ...]
    flaky: tuple[Cluster, ...]
    gone: tuple[Entry, ...]
    unused: tuple[Entry, ...]
    idle: tuple[Entry, ...]
    void: tuple[Entry, ...]

    @property
    def status(self) -> int:
        """1 when there is anything that nobody expected, else 0."""
        return int(bool(self.new or self.gone))

    @property
    def words(self) -> dict[str, str]:
        """What is known of each known cluster, in a line."""
        return {
            identity: "; ".join(f"{entry.status.value}, {entry.reason} ({entry.link})" for entry in entries)
            for identity, entries in self.known.items()
        }

    def lines(self) -> list[str]:
        """What people must hear of: news first."""
        lines = [f"new: {item.id} {described(item.traits)}, {item.probes} probes" for item in self.new]
        lines += [
            f"no longer occurs: {entry.name} ({', '.join(entry.subjects)}): remove the entry"
            for entry in self.gone
        ]
        lines += [f"expired on {entry.expires}: {entry.name}" for entry in self.void]
        if self.unused:
            names = ", ".join(entry.name for entry in self.unused)
            lines.append(f"known, not met by this run, and still there when asked for: {names}")
        if self.idle:
            lines.append(f"known of compilers or targets that this run has not: {len(self.idle)} entries")
        return lines


def read_known(paths: Sequence[Path], *, none: bool) -> Known:
    """The known deviations of these files, or those that come with abiprobe; raises `Problem`."""
    if none:
        return Known()
    try:
        if not paths:
            return shipped()
        texts = [parse(path.read_text("utf-8"), str(path)) for path in paths]
    except OSError as error:
        raise Problem(f"cannot read {error.filename} ({error.strerror})") from error
    except (KnownError, UnicodeDecodeError) as error:
        raise Problem(str(error)) from error
    return Known(tuple(entry for known in texts for entry in known.entries))


def recollect(clusters: Sequence[Cluster], known: Known, run: Run, today: date | None = None) -> Recollected:
    """Hold the causes of a run against what is known."""
    today = today or datetime.now(UTC).date()
    void = tuple(entry for entry in known.entries if entry.is_void(today))
    entries = [entry for entry in known.entries if entry not in void]
    versions = {info.subject: info.version for info in run.header.subjects}
    found = {item.id: matching(item, entries, versions) for item in clusters}
    used = {entry.name for matched in found.values() for entry in matched}
    rest = [entry for entry in entries if entry.name not in used]
    idle = tuple(entry for entry in rest if not concerned(entry, run.header.subjects))
    asked = {entry.name: occurs(entry, run) for entry in rest if entry not in idle}
    return Recollected(
        {identity: matched for identity, matched in found.items() if matched},
        tuple(item for item in clusters if not found[item.id] and item.first.steady),
        tuple(item for item in clusters if not item.first.steady),
        tuple(entry for entry in rest if asked.get(entry.name) is False),
        tuple(entry for entry in rest if asked.get(entry.name) is True),
        idle,
        void,
    )


def concerned(entry: Entry, infos: Sequence[SubjectInfo]) -> list[SubjectInfo]:
    """The subjects of a run that an entry speaks of, for each target."""
    return [info for info in infos if concerns(entry, info.target, info.subject, info.version)]


def occurs(entry: Entry, run: Run) -> bool:
    """Whether the example of an entry still deviates, with any subject of a run that the entry speaks of.

    A run at one level says nothing of what shows at others only, so these are asked, too.
    """
    levels = dict.fromkeys((*run.header.plan.levels, *LEVELS))
    return any(
        deviates(entry, info.target, tuple((info.subject, level) for level in levels))
        for info in concerned(entry, run.header.subjects)
    )


def deviates(entry: Entry, target: str, asked: tuple[Asked, ...]) -> bool:
    """Whether the example breaks a clause of the entry for these subjects; any clause when it names none."""
    question = example(entry, target)
    used = asked if isinstance(question, Prototype) else asked[:1]
    verdicts = on(ask(target, (question,), used, tuple(WITNESSES.values()), put=answer), question)
    found = {item for one in verdicts.values() for item in fingerprints(target, one)}
    return any(not entry.clauses or item.clause in entry.clauses for item in found)


def example(entry: Entry, target: str) -> Question:
    """The question that an entry's C asks: its last function, or else its last record."""
    declared = declared_in(entry.example, target)
    found: tuple[Question, ...] = (*declared.records, *declared.functions)
    return found[-1]
