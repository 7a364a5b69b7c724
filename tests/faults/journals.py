"""Broken and forged journals for every command that reads one."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from .commands import Said, called
from .damage import BYTES, LINES, Way, forged
from .runs import FORMATS, deviating
from .table import SEED, Line, done

RAW = (
    *("run", "x86_64-sysv", "--cc", "gcc-12,clang-16", "--cases", "2", "--seed", "3", "--opt", "O0"),
    *("--no-tours", "--no-triage", "--raw", "--jobs", "1"),
)
"""A run that keeps what was observed."""


def reading(right: Path, folder: Path, out: Path) -> tuple[tuple[str, ...], ...]:
    """Every command that reads the journal in `folder`; `right` is the whole run, `out` where new ones may be written."""
    run = str(folder)
    return (
        *(("report", run, "--format", form) for form in FORMATS),
        ("report", run),
        ("triage", run, "--jobs", "1"),
        ("diff", str(right), run),
        ("diff", run, str(right), "--abi-breaks"),
        ("coverage", run),
        ("rejudge", run, "--out", str(out / "rejudged")),
        ("merge", run, "--out", str(out / "merged")),
    )


def answers(right: Path, folder: Path, out: Path) -> Iterator[tuple[tuple[str, ...], Said]]:
    """What each command says."""
    for command in reading(right, folder, out):
        for path in (*out.iterdir(), *folder.glob("triage*")):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        yield command, called(*command)


def journals(times: int, folder: Path) -> Iterator[Line]:
    """Half of the journals are broken by accident, half are forged with right checksums; of two runs, one with observations."""
    made, raw = folder / "made", folder / "raw"
    made.mkdir()
    (folder / "tmp").mkdir()
    runs = [deviating(made)]
    if done((*RAW, "--out", str(raw)), folder / "tmp", folder / "raw.txt") in {0, 1}:
        runs.append(raw)
    draw = random.Random(SEED)
    ways: tuple[tuple[str, Callable[[], Way]], ...] = (
        ("a journal with changed, lost or doubled bytes and lines", lambda: draw.choice((*BYTES, *LINES))),
        ("a journal with one forged value and right checksums", lambda: forged),
    )
    for words, way in ways:
        line = Line(f"{words}, {len(reading(made, made, made))} commands each")
        for right in runs:
            broken(right, folder, draw, way, times // len(ways) // len(runs), line)
        yield line


def broken(
    right: Path, folder: Path, draw: random.Random, way: Callable[[], Way], times: int, line: Line
) -> None:
    """Break the journal of one run so often; whatever else there is in its folder stays behind."""
    whole = (right / "journal.jsonl").read_bytes()
    copy, out = folder / "copy", folder / "out"
    copy.mkdir(exist_ok=True)
    out.mkdir(exist_ok=True)
    (copy / "journal.jsonl").write_bytes(whole)
    usual = dict(answers(right, copy, out))
    for _ in range(times):
        how = way()
        data = how(draw, whole)
        (copy / "journal.jsonl").write_bytes(data)
        # The beginning of a journal, maybe with half a line, is an interrupted run, which has answers of its own; so has a
        # forged one.
        other = how is forged or whole.startswith(data[: data.rfind(b"\n") + 1])
        fallen = [
            command
            for command, said in answers(right, copy, out)
            if not (said.clean and (other or said.status == 2 or said == usual[command]))
        ]
        line.count(survived=not fallen)
        if fallen:
            kept = folder / f"fell-{right.name}-{line.injected}"
            kept.mkdir()
            (kept / "journal.jsonl").write_bytes(data)
            (kept / "commands").write_text("\n".join(map(" ".join, fallen)), "utf-8")
