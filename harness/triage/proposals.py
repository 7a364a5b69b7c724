"""Entries proposed for new causes: each as narrow as what was seen allows, so that it hides nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime
from typing import Any, TypeAlias

import msgspec
import tomlkit
from tomlkit import TOMLDocument
from tomlkit.items import AoT, Table

from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.oracles.quirks.quirk import Status
from abiprobe.oracles.quirks.versions import family, numbers_of
from abiprobe.results.causes.blame import families
from abiprobe.results.causes.cluster import Cluster, Finding, parts_of
from abiprobe.results.causes.fingerprint import CRASHES, Symptom
from abiprobe.results.causes.places import Place
from abiprobe.results.causes.traits import described
from abiprobe.results.journal.journal import Run
from abiprobe.results.known.deviations import Entry
from abiprobe.results.known.instead import ALTERNATIVES, instead_of
from abiprobe.results.known.matches import Versions
from abiprobe.results.known.sides import Side
from abiprobe.results.verdicts.readings import AND
from abiprobe.results.verdicts.record import Verdict

TODO = "TODO"
Kind: TypeAlias = tuple[str, str, tuple[str, ...], str, tuple[str, ...]]
"""Symptom, clause or message, traits, family and places: what findings share that one entry covers."""


def proposals(item: Cluster, run: Run) -> list[Entry]:
    """The entries that together cover a cluster: one for each way in which each family shows it."""
    kinds: dict[Kind, list[Finding]] = {}
    for finding in item.findings:
        # It takes two families to part where no text decides, and one entry tells of both.
        whole = finding.fingerprint.symptom is Symptom.DIFFERS
        for part in (finding,) if whole else parts_of(finding, families(finding.subjects)):
            kinds.setdefault(kind(part), []).append(part)
    versions = run.versions
    made = [entry(item.id, found, versions, seen_instead(found, run)) for found in kinds.values()]
    names = [one.name for one in made]
    return [
        msgspec.structs.replace(one, name=f"{one.name}, {number}") if names.count(one.name) > 1 else one
        for number, one in enumerate(made, 1)
    ]


def kind(part: Finding) -> Kind:
    """Return what must be equal for findings to share an entry."""
    what = part.fingerprint
    shown = what.words if what.symptom in CRASHES else what.clause
    name = " and ".join(families(part.subjects))
    return what.symptom.value, shown, tuple(sorted(part.traits)), name, part.places


def seen_instead(found: Sequence[Finding], run: Run) -> tuple[str, ...]:
    """Return what the run saw instead of what the text asks for where findings of one kind show, in the words of entries."""
    wanted: dict[tuple[str, str], set[str]] = {}
    for one in found:
        for subject in one.subjects:
            wanted.setdefault((one.fingerprint.target, subject), set()).update(one.probes)
    asked: dict[tuple[int, str], list[Verdict]] = {}
    for number, batch in enumerate(run.batches):
        probes = wanted.get((batch.key.target, batch.key.subject), set())
        for verdict in batch.verdicts if probes else ():
            if verdict.probe in probes:
                asked.setdefault((number, verdict.probe), []).append(verdict)
    shown = {one.fingerprint for one in found}
    return tuple(
        sorted(
            {
                one
                for verdicts in asked.values()
                for fingerprint in shown
                for item in instead_of(fingerprint, verdicts)
                for one in item.split(ALTERNATIVES)
            }
        )
    )


def entry(cluster: str, found: Sequence[Finding], versions: Versions, instead: tuple[str, ...]) -> Entry:
    """The entry for findings of one kind; the reason and the link are left to a person."""
    first = found[0]
    symptom, shown, traits, name, places = kind(first)
    about = f"{described(traits)}: {symptom}"
    is_open = first.fingerprint.symptom is Symptom.DIFFERS
    sides = sides_of(first, versions) if is_open else ()
    return Entry(
        name=f"{name}: {about}{'' if first.fingerprint.words else f' ({shown})'}, {cluster}",
        targets=tuple(dict.fromkeys(one.fingerprint.target for one in found)),
        subjects=() if sides else ranges(deviating(found), versions),
        shows={first.fingerprint.symptom: (shown,)},
        status=Status.AMBIGUOUS if is_open else Status.BUG,
        reason=TODO,
        link="unreported",
        since=datetime.now(UTC).date(),
        example=declaration(first.example),
        traits=traits,
        places=tuple(Place(place) for place in places),
        instead={shown: instead} if instead and not sides else {},
        sides=sides,
    )


def sides_of(first: Finding, versions: Versions) -> tuple[Side, ...]:
    """The subjects that go together in a finding: the versions of each group, and the readings that it follows."""
    return tuple(
        Side(
            ranges(((first.fingerprint.target, subject) for subject, _ in group.subjects), versions),
            tuple(group.reading.split(AND)) if group.reading else (),
        )
        for group in first.blame.groups
    )


def deviating(found: Iterable[Finding]) -> Iterator[tuple[str, str]]:
    """Yield the subjects that deviate in findings, each with its target."""
    for one in found:
        yield from ((one.fingerprint.target, subject) for subject in sorted(one.blame.deviating))


def ranges(subjects: Iterable[tuple[str, str]], versions: Versions) -> tuple[str, ...]:
    """The versions of subjects that were seen, and no others; a subject comes with its target."""
    return tuple(
        dict.fromkeys(
            version_range(subject, versions.get((target, subject), "")) for target, subject in subjects
        )
    )


def version_range(subject: str, version: str) -> str:
    """A subject's family at the major version that was seen; before the first one, at the minor version."""
    found = numbers_of(version)
    shown = found[: 1 if found[:1] > (0,) else 2]
    return f"{family(subject)}=={'.'.join(map(str, shown))}" if shown else family(subject)


def toml(found: Sequence[Entry]) -> str:
    """Entries as a file of known deviations."""
    document = tomlkit.document()
    return tomlkit.dumps(document) if add_entries(document, found) else ""


def add_entries(document: TOMLDocument, found: Sequence[Entry]) -> int:
    """Add entries to the end of a file of known deviations, and count them; one whose name is there stays as it is.

    Raises `ValueError` when `deviation` is something else there than a list of tables.
    """
    if "deviation" not in document:
        document.add("deviation", tomlkit.aot())
    there = document["deviation"]
    if not isinstance(there, AoT):
        # The file is wrong, not a type of ours.
        raise ValueError("deviation is not a list of tables")  # noqa: TRY004
    names = {entry.get("name") for entry in there}
    new = [one for one in found if one.name not in names]
    for one in new:
        there.append(table(one))
    return len(new)


def table(proposed: Entry) -> Table:
    """An entry as a table of TOML, with the keys of `shows` and `instead` written with a dot."""
    made = tomlkit.table()
    for key, value in as_json(proposed).items():
        if key in {"shows", "instead"}:
            for name, shown in value.items():
                made.add(tomlkit.key([key, name]), shown)
        else:
            made.add(key, date.fromisoformat(value) if key in {"since", "expires"} else value)
    return made


def as_json(proposed: Entry) -> dict[str, Any]:
    """An entry as plain values, without what it leaves open."""
    values: dict[str, Any] = msgspec.to_builtins(proposed)
    return {key: value for key, value in values.items() if value}
