"""A run as SARIF 2.1.0: a rule for each clause, a result for each cause, suppressed where it is known.

GitHub takes 25,000 results and rules, and shows 1,000 characters of a text; every result needs a file, which here is
the name that the example would have.
"""

from __future__ import annotations

from typing import Any

from abiprobe.oracles.text.clause import recorded_clause
from abiprobe.results.causes.fingerprint import OPEN
from abiprobe.results.coverage.uncompared import Coverage
from abiprobe.results.report.run_report import ReportedCause, RunReport, clause_text

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MOST = 25_000
LONGEST = 1000
NO_MODEL = "no-model"
"""The rule of a cause where no text is behind the question."""
HOME = "https://github.com/abiprobe/abiprobe"


def sarif(story: RunReport) -> dict[str, Any]:
    """The whole report as plain values."""
    causes = story.causes[:MOST]
    rules = list(dict.fromkeys(rule_of(item) for item in causes))[:MOST]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "abiprobe",
                        "semanticVersion": story.run.header.version
                        if story.run.header.version[:1].isdigit()
                        else "0.0.0",
                        "rules": [rule(name) for name in rules],
                    }
                },
                "automationDetails": {"id": "abiprobe/"},
                "invocations": [invocation(story.covered)],
                "columnKind": "unicodeCodePoints",
                "results": [result(item, rules.index(rule_of(item))) for item in causes],
            }
        ],
    }


def invocation(covered: Coverage) -> dict[str, Any]:
    """Return the success of a run, which compared all that it should have, or a notification for each thing not compared."""
    return {
        "executionSuccessful": covered.complete,
        "toolExecutionNotifications": [
            {"level": "error" if item.named else "warning", "message": {"text": str(item)[:LONGEST]}}
            for item in covered.uncompared
        ],
    }


def rule_of(item: ReportedCause) -> str:
    """The rule that a cause breaks: its clause, or for a tool's failure how it failed."""
    clauses = item.cluster.clauses
    if item.cluster.symptom in OPEN and not clauses:
        return NO_MODEL
    return clauses[0] if clauses else f"tool:{item.cluster.symptom.value.replace(' ', '-')}"


def rule(name: str) -> dict[str, Any]:
    """One rule."""
    if name == NO_MODEL:
        return {"id": name, "shortDescription": {"text": "Compilers differ where there is no model."}}
    if name.startswith("tool:"):
        text = f"A compiler {name.removeprefix('tool:').replace('-', ' ')} on a conforming program."
        return {"id": name, "shortDescription": {"text": text}}
    clause = recorded_clause(name)
    return {
        "id": name,
        "shortDescription": {"text": clause.says[:LONGEST]},
        "fullDescription": {"text": clause_text(name)[:LONGEST]},
        "help": {"text": f"{clause.section}: {clause.says}"[:LONGEST]},
    }


def result(item: ReportedCause, index: int) -> dict[str, Any]:
    """One result."""
    blame = item.cluster.first.blame.describe(item.cluster.symptom)
    text = f"{item.title}: {blame}. Smallest example: {' '.join(item.example.split())}"
    target = item.cluster.targets[0].replace("@", "-")
    made: dict[str, Any] = {
        "ruleId": rule_of(item),
        "ruleIndex": index,
        "level": "note" if item.known else "warning",
        "message": {"text": text[:LONGEST]},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": f"abiprobe/{target}/{item.cluster.id}.c"},
                    "region": {"startLine": 1, "snippet": {"text": item.example}},
                }
            }
        ],
        "partialFingerprints": {"abiprobeCluster/v2": item.cluster.id},
        "occurrenceCount": max(1, item.cluster.probes),
        "properties": {
            "targets": list(item.cluster.targets),
            "subjects": sorted(item.cluster.subjects),
        },
    }
    if item.known:
        made["suppressions"] = [{"kind": "external", "justification": item.known[:LONGEST]}]
    return made
