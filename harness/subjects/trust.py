"""Trust in the compilers that a run names: the file may come from somebody else and name any program.

A run's compiler is started if it is one that abiprobe finds by itself, with options that only decide how it compiles. A
program by its path, or with any other option, is started only if this user has named it with `--cc` before, and the same
files with the same contents are still meant: what is spelled alike in another folder is another program.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from abiprobe.harness.base.cache import content_digest, entry, recall, remember
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.subjects.families.languages import DOOR
from abiprobe.harness.subjects.find import named_program
from abiprobe.harness.subjects.subject import Subject
from abiprobe.results.journal.shell_words import shell_word

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
    """Note that this user has named a compiler, and what it is now."""
    if is_plain(subject):
        return
    remember(_named(subject), subject.spelling.encode())
    meant = _meant(subject)
    if meant is not None:
        remember(meant, subject.spelling.encode())


def distrust(subject: Subject, level: str = "O0") -> str:
    """Return the reason why a compiler that a run names is not started; empty if it may be."""
    if not LEVEL.fullmatch(level):
        return f"{level!r} is no optimisation level"
    own = subject.spelling.encode()
    if (
        is_plain(subject)
        or is_absent(subject)
        or ((meant := _meant(subject)) is not None and recall(meant) == own)
    ):
        return ""
    if recall(_named(subject)) == own:
        return f"{subject.spelling!r} was named here before, but means other files now: not started until you name it again"
    return f"{subject.spelling!r} is named by the run only, and not started"


def expect_trusted(subject: Subject) -> None:
    """Raise `Problem` unless a compiler that a run names may be started."""
    words = distrust(subject)
    if words:
        raise Problem(
            words, f"if you trust it, name it once yourself: abiprobe run --cc {shell_word(subject.spelling)}"
        )


def is_plain(subject: Subject) -> bool:
    """Return whether a subject's name and options can only mean a compiler that is installed, and how it compiles."""
    _, colon, program = subject.name.partition(":")
    known = not colon or (os.sep not in program and subject.family.name in program)
    return known and all(HARMLESS.fullmatch(word) and not HARMFUL.match(word) for word in subject.options)


def is_absent(subject: Subject) -> bool:
    """Return whether a subject names a program that is not there, so that nothing can be started."""
    _, colon, program = subject.name.partition(":")
    return bool(colon) and not subject.name.startswith(f"{DOOR}:") and named_program(program) is None


def files(subject: Subject) -> Iterator[Path]:
    """The files and folders that a subject names: its program or the files of its language, and those in its options."""
    _, colon, program = subject.name.partition(":")
    if subject.name.startswith(f"{DOOR}:"):
        yield from sorted(Path(program).iterdir())
    elif colon:
        yield from map(Path, named_program(program) or ())
    for word in subject.options:
        for part in word.split(","):
            # `-Bfolder`, `-fplugin=file`, `@file`: every compiler has its own ways to name one.
            yield from (path for at in range(len(part)) if (path := Path(part[at:])).exists())


def _named(subject: Subject) -> Path:
    """The entry that says that a compiler was named with this spelling."""
    return entry("allowed", hashlib.sha256(subject.spelling.encode()).hexdigest()[:32])


def _meant(subject: Subject) -> Path | None:
    """The entry that says so of these very files; `None` where they cannot be read."""
    try:
        found = [(str(path.absolute()), str(path.resolve()), _contents(path)) for path in files(subject)]
    except (OSError, ValueError):
        return None
    return entry("allowed", hashlib.sha256(msgspec.json.encode((subject.spelling, found))).hexdigest()[:32])


def _contents(path: Path) -> str:
    """The digest of a file; a folder is known by its place."""
    return "" if path.is_dir() else content_digest(str(path))
