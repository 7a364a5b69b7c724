"""The commands by topic, in the order in which somebody who begins needs them: `--help`, man pages and the reference follow it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

TOPICS: Mapping[str, tuple[str, ...]] = {
    "Test compilers": (
        "run",
        "check",
        "promise",
        "lowerings",
        "unwind",
        "debug-info",
        "debugger",
        "march",
        "ptx",
        "libmvec",
    ),
    "Read the ABI": ("explain", "predict", "object", "exposure", "playground"),
    "Read a run": ("report", "site", "diff", "coverage"),
    "Find the cause": ("triage", "reduce", "bisect", "repro"),
    "Keep results": ("accept", "dossier", "corpus", "merge", "rejudge"),
    "Set up": ("doctor", "list", "toolchains", "config", "completion", "man"),
}
"""The names of the commands under each topic."""
REST = "More commands"
"""The topic of commands that are under none."""


def by_topic(names: Collection[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The topics of these commands, each with those that it has; what is under none comes last."""
    for topic, listed in TOPICS.items():
        if here := tuple(name for name in listed if name in names):
            yield topic, here
    every = {name for listed in TOPICS.values() for name in listed}
    if rest := tuple(name for name in names if name not in every):
        yield REST, rest
