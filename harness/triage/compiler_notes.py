"""Notes of compilers about an ABI: gcc's remarks on what its versions changed, and what else they say of a class."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from abiprobe.harness.base import child
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.observers.registry import observer_of, serving
from abiprobe.harness.runs.answer_cache import cached_words
from abiprobe.harness.subjects.find import at_level, build, identity
from abiprobe.oracles.language.question import Question, probe
from abiprobe.oracles.model import Target
from abiprobe.results.causes.blame import Configuration

NOTE = re.compile(
    r"(?:note|warning): ([^\n]*\b(?:ABI|[Pp]arameter passing|changed in (?:GCC|clang))\b[^\n]*)"
)
SECONDS = 20.0
SHOWN = 3


def notes(target: Target, question: Question, asked: Configuration) -> tuple[str, ...]:
    """Return a subject's notes on the ABI of a question (`-Wpsabi`), each remark once."""
    subject, level = at_level(asked)
    built = build(subject, target, level)
    observer = observer_of(target, question)
    plans = observer.prepare((probe(question),)).plans
    # A library, a compiler of another language, or who is asked in a way of its own, compiles no such unit.
    usual = serving(target, subject, type(question)) is type(observer)
    if built is None or built.language or not plans or not usual:
        return ()
    text = observer.text(plans[0])
    command = [word for word in built.command if word != "-w"]

    def said() -> tuple[str, ...]:
        beside = observer.statements(subject, level, plans[0])
        return (*remarks(asked[0], command, text), *(f"{asked[0]}: {line}" for line in beside))

    return cached_words(identity(built.command), (asked[0], text, *command), said)


def remarks(subject: str, command: Sequence[str], text: str) -> tuple[str, ...]:
    """Return a compiler's notes on the ABI of a unit."""
    with temporary() as folder:
        source = Path(folder, "probe.c")
        source.write_text(text, "utf-8")
        argv = (*command, "-Wall", "-Wpsabi", "-c", str(source), "-o", str(Path(folder, "probe.o")))
        done = child.run(argv, timeout=SECONDS, scratch=Path(folder))
    found = dict.fromkeys(match[1].strip() for match in NOTE.finditer(done.stderr.decode("utf-8", "replace")))
    return tuple(f"{subject}: {remark}" for remark in found)[:SHOWN]
