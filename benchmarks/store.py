"""A year of nights measured: how soon two of them are compared, one is triaged, and how long the index takes.

    python benchmarks/store.py RUN [NIGHTS] [VERDICTS] [FOLDER]

RUN is a triaged run of `abiprobe run --profile nightly`. From it NIGHTS (365) nights of VERDICTS (100,000) verdicts are made
in FOLDER (a temporary one): the corpus is the same every night, and some probe of it deviates that did not the night before;
what was drawn has other identities each night. Seconds are those of whole commands as a user types them, the best of three;
wall seconds mean little on a busy machine.
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path

import msgspec

from abiprobe.harness.nights.run_index import INDEX, update_index
from abiprobe.harness.runs.run_files import TRIAGE, Triaged, triage_of
from abiprobe.results.journal.journal import NAME, BatchDone, Footer, Run, read, verdict_digest
from abiprobe.results.verdicts.record import Judgement

MAIN = (sys.executable, "-c", "from abiprobe.harness.cli.main import main; main()")
PROBE = re.compile(rb'"([0-9a-f]{12})"')
ENCODE, DECODE = msgspec.json.Encoder().encode, msgspec.json.Decoder(BatchDone).decode
DIFFERENT = 12
"""Nights whose verdicts are made; others repeat them, which reading does not notice."""
BATCHES = 1 << 20
"""More batches than a run has."""


def year(run: Run, triaged: bytes, folder: Path, nights: int, verdicts: int) -> Iterator[Path]:
    """The nights, oldest first: each with a header of its own, and after `DIFFERENT` of them what there was before."""
    first = datetime.fromisoformat(run.header.started)
    for night in range(nights):
        there = folder / f"{night:03}"
        there.mkdir()
        started = (first + timedelta(days=night)).isoformat(timespec="seconds")
        header = ENCODE(msgspec.structs.replace(run.header, started=started)) + b"\n"
        if night < DIFFERENT:
            body, kept = lines(run, triaged, night, verdicts)
        else:
            like = folder / f"{night % DIFFERENT:03}"
            body, kept = (like / NAME).read_bytes().partition(b"\n")[2], (like / TRIAGE).read_bytes()
        (there / NAME).write_bytes(header + body)
        (there / TRIAGE).write_bytes(kept)
        yield there


def lines(run: Run, triaged: bytes, night: int, verdicts: int) -> tuple[bytes, bytes]:
    """All of a journal but the header, and the triage of it."""
    kept = {verdict.probe for batch in run.batches if batch.key.number < 0 for verdict in batch.verdicts}
    drawn = [batch for batch in run.batches if batch.key.number >= 0]
    corpus = [batch for batch in run.batches if batch.key.number < 0]
    enough = verdicts - sum(len(batch.verdicts) for batch in corpus)
    copies = -(-enough // sum(len(batch.verdicts) for batch in drawn))
    batches = [*spoilt(corpus, night)]
    for copy in range(copies):
        others = renaming(kept, night * copies + copy)
        batches += [moved(batch, copy, others) for batch in drawn]
    digest = verdict_digest(batches)
    count = sum(len(batch.verdicts) for batch in batches)
    footer = Footer(len(batches), count, digest, "budget", 1800.0)
    body = b"".join(ENCODE(line) + b"\n" for line in (*run.asked, *batches, footer))
    clusters = msgspec.json.decode(PROBE.sub(renaming(kept, night * copies), triaged), type=Triaged)
    return body, ENCODE(msgspec.structs.replace(clusters, digest=digest))


def renaming(kept: set[str], number: int) -> Callable[[re.Match[bytes]], bytes]:
    """Other identities for what was drawn."""
    names = {name.encode() for name in kept}

    def other(found: re.Match[bytes]) -> bytes:
        return found[0] if found[1] in names else b'"%05x%b"' % (number, found[1][5:])

    return other


def moved(batch: BatchDone, copy: int, others: Callable[[re.Match[bytes]], bytes]) -> BatchDone:
    """A batch of other probes."""
    bare = msgspec.structs.replace(batch, raw=b"", predicted=b"")
    other = DECODE(PROBE.sub(others, ENCODE(bare)))
    key = msgspec.structs.replace(batch.key, number=batch.key.number + copy * BATCHES)
    return msgspec.structs.replace(other, key=key, raw=batch.raw, predicted=batch.predicted)


def spoilt(batches: list[BatchDone], night: int) -> Iterator[BatchDone]:
    """The corpus, in which one probe deviates that does not in other nights."""
    which = night % len(batches)
    for number, batch in enumerate(batches):
        if number != which:
            yield batch
            continue
        verdicts = list(batch.verdicts)
        at = 7919 * night % len(verdicts)
        verdicts[at] = msgspec.structs.replace(
            verdicts[at], verdict=Judgement.DEVIATES, detail=f"of night {night}"
        )
        yield msgspec.structs.replace(batch, verdicts=tuple(verdicts))


def best(what: str, *arguments: str) -> None:
    """Print the wall and CPU seconds of a command."""
    seconds = []
    for _ in range(3):
        began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run((*MAIN, *arguments), capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        seconds.append((time.perf_counter() - began, cpu))
    wall, cpu = (min(values) for values in zip(*seconds, strict=True))
    last = (done.stdout.splitlines() or [""])[-1][:60]
    print(f"{what:44} {wall:6.2f} s, CPU {cpu:5.2f} s  exit {done.returncode}  {last}", flush=True)


def timed(what: str, work: Callable[[], object]) -> None:
    """Print the wall seconds of some work."""
    began = time.perf_counter()
    result = work()
    print(f"{what:44} {time.perf_counter() - began:6.2f} s  {result}", flush=True)


def measured(run: Path, folder: Path, options: Mapping[str, int]) -> None:
    """Make a year and measure it."""
    triaged = triage_of(run, read(run))
    if triaged is None:
        sys.exit(f"{run} was not triaged: abiprobe triage {run}")
    began = time.perf_counter()
    nights = list(year(read(run), (run / TRIAGE).read_bytes(), folder, **options))
    size = sum(path.stat().st_size for path in folder.glob("*/*"))
    last = read(nights[-1]).footer
    print(
        f"{len(nights)} nights of {last.verdicts if last else 0} verdicts, {size / 1e9:.1f} GB, "
        f"made in {time.perf_counter() - began:.0f} s",
        flush=True,
    )
    old, yesterday, today = (str(nights[at]) for at in (0, -2, -1))
    best("diff, yesterday against today", "diff", yesterday, today)
    best("diff, the first night against today", "diff", old, today)
    timed("index made from nothing, runs read", lambda: update_index(folder))
    print(f"{'index':44} {(folder / INDEX).stat().st_size / 1e6:6.2f} MB")
    timed("index when nothing is new, runs read", lambda: update_index(folder))
    (nights[-1] / TRIAGE).touch()
    timed("index after one night, runs read", lambda: update_index(folder))
    best("triage of a night", "triage", today)
    best(
        "report of a night with the whole history",
        "report",
        today,
        "--format",
        "html",
        "--no-maps",
        "--out",
        str(folder / "page.html"),
    )
    print(f"{'page':44} {(folder / 'page.html').stat().st_size / 1e6:6.2f} MB")


def main() -> None:
    """Measure."""
    run, nights, verdicts, *more = (*sys.argv[1:], *("", "365", "100000")[len(sys.argv) - 1 :])
    options = {"nights": int(nights), "verdicts": int(verdicts)}
    if more:
        Path(more[0]).mkdir(parents=True)
        measured(Path(run), Path(more[0]), options)
        return
    with tempfile.TemporaryDirectory() as name:
        measured(Path(run), Path(name), options)


if __name__ == "__main__":
    main()
