"""What compilers themselves note about an ABI: gcc's remarks on what its versions changed."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from abiprobe.harness import child
from abiprobe.harness.calls.plan import CallPlan
from abiprobe.harness.prepare import predict
from abiprobe.harness.remembering import recalled
from abiprobe.harness.toolchains import pieces
from abiprobe.harness.toolchains.find import build, parse_subject
from abiprobe.harness.wording import calls_text, layouts_text
from abiprobe.oracles.question import Question, probe
from abiprobe.oracles.registry import find_model
from abiprobe.results.blame import Asked

NOTE = re.compile(
    r"(?:note|warning): ([^\n]*\b(?:ABI|[Pp]arameter passing|changed in (?:GCC|clang))\b[^\n]*)"
)
SECONDS = 20.0
SHOWN = 3


def notes(target: str, question: Question, asked: Asked) -> tuple[str, ...]:
    """What a subject notes about the ABI of a question when it is allowed to speak (`-Wpsabi`), each remark once."""
    built = build(parse_subject(asked[0]), target, asked[1])
    plan = predict(find_model(target), probe(question))
    if built is None or built.library or isinstance(plan, tuple):
        return ()
    text = calls_text([plan]) if isinstance(plan, CallPlan) else layouts_text([plan])
    command = [word for word in built.command if word != "-w"]
    return recalled(
        (asked[0], text, *command, pieces.digest(built.command)), lambda: remarks(asked[0], command, text)
    )


def remarks(subject: str, command: Sequence[str], text: str) -> tuple[str, ...]:
    """What a compiler notes about the ABI of a unit."""
    with tempfile.TemporaryDirectory(prefix="abiprobe-") as folder:
        source = Path(folder, "probe.c")
        source.write_text(text, "utf-8")
        argv = (*command, "-Wall", "-Wpsabi", "-c", str(source), "-o", str(Path(folder, "probe.o")))
        done = child.run(argv, timeout=SECONDS)
    found = dict.fromkeys(match[1].strip() for match in NOTE.finditer(done.stderr.decode("utf-8", "replace")))
    return tuple(f"{subject}: {remark}" for remark in found)[:SHOWN]
