"""One run of a compiler about vector functions."""

from __future__ import annotations

import re
from pathlib import Path

from abiprobe.harness.base import child
from abiprobe.harness.observers.attempt import Attempt, Failed
from abiprobe.harness.subjects.compile import LARGEST, classify, failure_text
from abiprobe.results.verdicts.record import Outcome

SLOW = 100
"""How many plain probes one function is worth in time: hundreds of lanes in eight and more variants are much to build."""


QUIET = "-w"


def tool(attempt: Attempt, arguments: tuple[str, ...], output: Path, probes: int) -> Path | Failed:
    """`output` as the compiler makes it, of a unit about so many functions, or why not."""
    return _made(attempt, (*attempt.built.command, *arguments), output, probes)[0]


def speaking_tool(
    attempt: Attempt, arguments: tuple[str, ...], output: Path, probes: int
) -> tuple[Path | Failed, str]:
    """As `tool`, with the warnings of the compiler."""
    command = (word for word in attempt.built.command if word != QUIET)
    made, said = _made(attempt, (*command, *arguments), output, probes)
    return made, said.decode("utf-8", "replace")


def _made(attempt: Attempt, words: tuple[str, ...], output: Path, probes: int) -> tuple[Path | Failed, bytes]:
    command = (*words, "-o", str(output))
    done = child.run(
        command,
        timeout=attempt.limits.seconds(SLOW * probes),
        memory=attempt.limits.memory,
        file_size=LARGEST,
        scratch=output.parent,
    )
    attempt.compile_seconds += done.cpu_seconds
    outcome = classify(done, output)
    if outcome is Outcome.OBSERVED:
        return output, done.stderr
    if re.search(rb"cannot execute .*?cc1plus", done.stderr):
        return Failed(Outcome.UNSUPPORTED, "the compiler has no C++ (cc1plus)"), b""
    return Failed(outcome, failure_text(done, output.parent, output)), b""
