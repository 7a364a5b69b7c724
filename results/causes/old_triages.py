"""Convert triages stored by earlier versions of abiprobe to today's clustering and cluster ids."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from abiprobe.results.causes.cluster import Cluster, Finding, cluster
from abiprobe.results.causes.fingerprint import Fingerprint, fingerprints
from abiprobe.results.causes.triage_progress import SCHEMA
from abiprobe.results.journal.journal import BatchDone
from abiprobe.results.verdicts.record import Verdict
from abiprobe.results.verdicts.values import Words

OLD = 1
OR = " or "
"""Between the places of a group in a triage of schema 1, which had them in words."""
ToolFailures = dict[tuple[str, str], set[Fingerprint]]
"""The fingerprints of tool failures by target and probe."""


def in_todays_form(data: bytes) -> bytes:
    """A stored triage, or the first causes of a run, in the form of this version; raises `msgspec.DecodeError`."""
    kept = msgspec.json.decode(data)
    if not isinstance(kept, dict) or kept.get("schema") != OLD:
        return data
    findings = [one for item in kept.get("clusters", ()) for one in item["findings"]]
    for finding in (*findings, *(item["finding"] for item in kept.get("examined", ()))):
        for group in finding["blame"].get("groups", ()):
            words = group.pop("place").split(OR)
            group["at"] = [msgspec.to_builtins(Words(one)) for one in words]
    return msgspec.json.encode({**kept, "schema": SCHEMA})


def recluster(clusters: Sequence[Cluster], batches: Iterable[BatchDone]) -> tuple[Cluster, ...]:
    """Cluster the findings of old clusters again; former ids stay recorded.

    Messages of failed tools are read from the verdicts again, since earlier versions normalised them differently.
    """
    findings = [finding for item in clusters for finding in item.findings]
    failed = any(finding.fingerprint.words for finding in findings)
    shown = tool_failures(batches) if failed else {}
    found = cluster(with_current_words(finding, shown) for finding in findings)
    return tuple(msgspec.structs.replace(item, former=former_names(item, clusters)) for item in found)


def former_names(item: Cluster, clusters: Sequence[Cluster]) -> tuple[str, ...]:
    """Return the ids that a cause had under earlier rules and in the stored triage."""
    examples = {finding.example for finding in item.findings}
    kept = (one.id for one in clusters if any(finding.example in examples for finding in one.findings))
    return tuple(dict.fromkeys((*item.former, *kept)))


def tool_failures(batches: Iterable[BatchDone]) -> ToolFailures:
    """Collect the tool failures in a run."""
    found: ToolFailures = {}
    for batch in batches:
        by_probe: dict[str, list[Verdict]] = {}
        for verdict in batch.verdicts:
            by_probe.setdefault(verdict.probe, []).append(verdict)
        for probe, verdicts in by_probe.items():
            for fingerprint in fingerprints(batch.key.target, verdicts):
                if fingerprint.words:
                    found.setdefault((batch.key.target, probe), set()).add(fingerprint)
    return found


def with_current_words(finding: Finding, shown: ToolFailures) -> Finding:
    """Return a finding with its tool's message normalised by today's rules."""
    what = finding.fingerprint
    if not what.words:
        return finding
    said = (
        one
        for probe in finding.probes
        for one in sorted(shown.get((what.target, probe), ()), key=str)
        if one.symptom is what.symptom
    )
    return msgspec.structs.replace(finding, fingerprint=next(said, what))
