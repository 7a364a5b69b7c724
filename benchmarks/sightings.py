"""How soon a run sees each known deviation of the compilers that are installed: seconds, and CPU seconds of compilers and of ours.

    python benchmarks/sightings.py TARGET [SUBJECTS] [CPU] [TREE] [OPTION...] [--table docs/data/sightings.tsv]

Runs TARGET with SUBJECTS (all that are installed) until their work has taken CPU seconds (120, the budget that the figures
are for), and prints a line of a table for each known deviation that concerns one of them: after how many seconds the run was
told the answer that shows it, with how much CPU time until then. What it has not seen is asked by its example, and is no row if
that shows nothing. A busy machine changes the seconds and not the CPU time. TREE
is the checkout whose run is measured, to compare versions; what is known is always that of this one. OPTIONs are the run's:
with `--no-examples` its generators are measured by themselves. `--table` puts the CPU seconds into a file of all targets, into the
column that is about such runs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base.table_file import put, read
from abiprobe.harness.observers.ask import ask, on
from abiprobe.harness.triage.known_examples import questions
from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.oracles.language.question import WITNESSES
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.fingerprint import OPEN, fingerprints
from abiprobe.results.causes.groups import verdicts_by_probe
from abiprobe.results.journal.journal import BatchDone, Header
from abiprobe.results.known.deviations import (
    Entry,
    concerning,
    is_described,
    only_entries,
    resemblances,
    shipped,
)

MAIN = (sys.executable, "-c", "from abiprobe.harness.cli.main import main; main()")
TABLE = "--table"
REMARK = (
    "Made by `python benchmarks/sightings.py TARGET SUBJECTS 120 . --no-examples --table docs/data/sightings.tsv`; CPU seconds "
    'of a run until a known deviation was seen, "-" for never.'
)
UNSEEN = "-"
GENERATORS, EXAMPLES = "generators alone", "with examples"
PATIENCE = 3600
"""Seconds after which a run is ended, whatever CPU time it has had."""


class Arrival(msgspec.Struct):
    """A finished batch with the seconds and the CPU seconds of the run until then."""

    batch: BatchDone
    seconds: float
    cpu: float


def arrivals(
    target: str, subjects: str, cpu: float, tree: str, options: Sequence[str]
) -> tuple[Header, list[Arrival]]:
    """The batches of a fresh run, as they come, until they have taken so many CPU seconds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        packages = folder / "packages"
        packages.mkdir()
        (packages / "abiprobe").symlink_to(Path(tree).resolve())
        chosen = ("--cc", subjects) if subjects else ()
        asked = (
            "run",
            target,
            *chosen,
            "--seed",
            "1",
            "--fresh",
            "--no-triage",
            "--no-raw",
            "--out",
            "run",
            *options,
        )
        environment = os.environ | {"PYTHONPATH": str(packages)}
        command = (*MAIN, *asked, "--budget", f"{PATIENCE}s")
        began = time.monotonic()
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            return followed(folder / "run" / "journal.jsonl", process, began, cpu)
        finally:
            process.terminate()
            process.wait()


def followed(
    journal: Path, process: subprocess.Popen[bytes], began: float, cpu: float
) -> tuple[Header, list[Arrival]]:
    """The lines of a journal that is being written."""
    header: Header | None = None
    found: list[Arrival] = []
    used = 0.0
    for line in lines(journal, process):
        told = msgspec.json.decode(line, type=dict)
        if told.get("type") == "header":
            header = msgspec.convert(told, Header, strict=False)
        elif told.get("type") == "batch":
            batch = msgspec.convert(told, BatchDone, strict=False)
            used += batch.cpu_seconds
            found.append(Arrival(batch, time.monotonic() - began, used))
            if used >= cpu:
                break
    assert header is not None, "the run has begun"
    return header, found


def lines(journal: Path, process: subprocess.Popen[bytes]) -> Iterator[bytes]:
    """The whole lines of a file until the process that writes it has ended."""
    at, rest = 0, b""
    while True:
        ended = process.poll() is not None
        if journal.exists():
            with journal.open("rb") as file:
                file.seek(at)
                rest += file.read()
                at = file.tell()
        *whole, rest = rest.split(b"\n")
        yield from whole
        if ended:
            return
        time.sleep(0.1)


def live(
    header: Header, rows: Iterable[tuple[Entry, Arrival | None]]
) -> Iterator[tuple[Entry, Arrival | None]]:
    """Without the entries whose examples show nothing on the targets of a run: there the text may leave open what they are about."""
    for entry, arrival in rows:
        if arrival is not None or any(
            shows_by_example(header, target, entry) for target in header.plan.targets
        ):
            yield entry, arrival


def shows_by_example(header: Header, target: str, entry: Entry) -> bool:
    """Return whether the compilers of a run show an entry on its example."""
    every = questions(entry, find_target(target))
    asked = [one.subject for one in header.subjects if one.target == target]
    subjects = [(subject, level) for subject in asked for level in header.plan.levels]
    for part in ([one for one in every if isinstance(one, kind)] for kind in (Record, Prototype)):
        seen = ask(find_target(target), part, subjects, tuple(WITNESSES.values())) if part else {}
        for question in part:
            for given in on(seen, question).values():
                if any(is_described((entry,), item, question, given) for item in fingerprints(target, given)):
                    return True
    return False


def sightings(
    header: Header, found: list[Arrival], entries: tuple[Entry, ...]
) -> Iterator[tuple[Entry, Arrival | None]]:
    """Each entry that concerns a compiler of the run, with the first batch after which it is seen."""
    versions = {(one.target, one.subject): one.version for one in header.subjects}
    live = {
        entry.name: entry
        for (target, subject), version in versions.items()
        for entry in only_entries(concerning(entries, target, subject, version))
    }
    first: dict[str, Arrival] = {}
    together: dict[str, list[BatchDone]] = {}
    for arrival in found:
        # Whether two part is told where both have answered.
        key = f"{arrival.batch.key.sort} {arrival.batch.key.number}"
        batches = together.setdefault(key, [])
        batches.append(arrival.batch)
        for name in shown(batches, arrival.batch, versions, entries):
            first.setdefault(name, arrival)
    for name, entry in sorted(live.items()):
        yield entry, first.get(name)


def shown(
    together: list[BatchDone],
    last: BatchDone,
    versions: dict[tuple[str, str], str],
    entries: tuple[Entry, ...],
) -> Iterator[str]:
    """The names of the entries that the last of some batches with the same questions shows, by itself or beside the others."""
    target = last.key.target
    open_ = {(target, verdict.probe) for verdict in last.verdicts if verdict.shown}
    alone = ((one, False) for one in verdicts_by_probe([last]))
    beside = ((one, True) for one in verdicts_by_probe(together, open_)) if open_ else iter(())
    for one, is_open in (*alone, *beside):
        for (subject, _), verdicts in one.verdicts.items():
            mine = only_entries(concerning(entries, target, subject, versions.get((target, subject), "")))
            for item in resemblances(mine, target, one.question, verdicts):
                if item.entry is not None and (item.fingerprint.symptom in OPEN) is is_open:
                    yield item.entry.name


def tabulated(path: Path, target: str, column: str, rows: Sequence[tuple[Entry, Arrival | None]]) -> None:
    """Put what was measured of a target into its column, and keep the others."""
    measured = read(path).where({"target": target}) if path.exists() else ()
    kept = {row["known deviation"]: row for row in measured}
    told = {entry.name: UNSEEN if arrival is None else f"{arrival.cpu:.1f}" for entry, arrival in rows}
    put(
        path,
        REMARK,
        [{**kept.get(name, {"known deviation": name}), column: cpu} for name, cpu in told.items()],
        {"target": target},
    )


def main() -> None:
    """Print the table."""
    words = sys.argv[1:]
    table = words.index(TABLE) if TABLE in words else len(words)
    path = words[table + 1 : table + 2]
    words = words[:table] + words[table + 2 :]
    given, options = words[:4], words[4:]
    target, subjects, cpu, tree = (*given, *("", "", "120", str(Path(__file__).parents[1]))[len(given) :])
    find_target(target)
    header, found = arrivals(target, subjects, float(cpu), tree, options)
    rows = list(live(header, sightings(header, found, shipped().entries)))
    for entry, arrival in rows:
        told = (UNSEEN, UNSEEN) if arrival is None else (f"{arrival.seconds:.1f}", f"{arrival.cpu:.1f}")
        print(entry.name, *told, sep="\t")
    for name in path:
        tabulated(Path(name), target, GENERATORS if "--no-examples" in options else EXAMPLES, rows)
    seen = sum(arrival is not None for _, arrival in rows)
    end = found[-1] if found else None
    names = ", ".join(dict.fromkeys(one.subject for one in header.subjects))
    print(f"\n{target}, {names}: {seen} of {len(rows)}", end="")
    print(f" after {end.cpu:.0f} CPU seconds ({end.seconds:.0f} seconds)" if end else "")


if __name__ == "__main__":
    main()
