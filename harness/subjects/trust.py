"""Which of the compilers that a run names may be started: the file may come from somebody else and name any program.

A run's compiler is started if it is one that abiprobe finds by itself, with options that only decide how it compiles. A
program by its path, or with any other option, is started only if this user has named it with `--cc` here before.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from abiprobe.harness.base.cache import entry, recall, remember
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.harness.subjects.subject import Subject
from abiprobe.results.shell_words import shell_word

LEVEL = re.compile(r"O(?:[0-3sgz]|fast)")
HARMLESS = re.compile(
    r"-(?:[mf][\w=.+-]*|W[\w=+-]*|O\w*|g\w*|std=[\w:+]+|ansi|pedantic|[DU]\w+(?:=[\w.-]*)?)", re.ASCII
)
"""Options that name no file and no program."""
HARMFUL = re.compile(
    r"-f(?:plugin|pass-plugin|dump|profile|time-trace|save-|use-ld|callgraph|opt-info|stack-usage|crash-diagnostics|"
    r"module|proc-stat|auto-profile|test-coverage)|-mllvm|-g.*="
)
"""Of these, those that load or write files."""


def allow(subject: Subject) -> None:
    """Note that this user has named a compiler."""
    if not is_plain(subject):
        remember(_entry(subject), subject.spelling.encode())


def distrust(spelling: str, level: str = "O0") -> str:
    """Why a compiler that a run names is not started; empty where it may be. Raises `Problem` for a name of none."""
    if not LEVEL.fullmatch(level):
        return f"{level!r} is no optimisation level"
    subject = parse_subject(spelling)
    if is_plain(subject) or recall(_entry(subject)) == subject.spelling.encode():
        return ""
    return f"{spelling!r} is named by the run only, and not started"


def expect_trusted(spelling: str) -> None:
    """Raise `Problem` unless a compiler that a run names may be started."""
    words = distrust(spelling)
    if words:
        raise Problem(
            words, f"if you trust it, name it once yourself: abiprobe run --cc {shell_word(spelling)}"
        )


def is_plain(subject: Subject) -> bool:
    """Whether a subject's name and options can only mean a compiler that is installed, and how it compiles."""
    _, colon, program = subject.name.partition(":")
    known = not colon or (os.sep not in program and subject.family.name in program)
    return known and all(HARMLESS.fullmatch(word) and not HARMFUL.match(word) for word in subject.options)


def _entry(subject: Subject) -> Path:
    return entry("allowed", hashlib.sha256(subject.spelling.encode()).hexdigest()[:32])
